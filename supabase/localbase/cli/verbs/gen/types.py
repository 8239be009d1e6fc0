"""`gen types`: types of the running database. Dart's are made by the official CLI."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import psycopg

from localbase.cli.accepted import accept
from localbase.cli.call import Call
from localbase.cli.official import INSTALL, find_official, run_official
from localbase.cli.typegen.go import go_of
from localbase.cli.typegen.python import python_of
from localbase.cli.typegen.schema import Schema, read_schema
from localbase.cli.typegen.swift import ACCESS_CONTROLS, swift_of
from localbase.cli.typegen.typescript import typescript_of
from localbase.core.errors import UserError

LANGUAGES = ("typescript", "go", "swift", "python", "dart")
_GENERATORS: dict[str, Callable[[Schema, argparse.Namespace], str]] = {
    "typescript": lambda schema, _: typescript_of(schema),
    "go": lambda schema, _: go_of(schema),
    "python": lambda schema, _: python_of(schema),
    "swift": lambda schema, options: swift_of(schema, options.swift_access_control),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Language and schemas."""
    parser.add_argument(
        "language", nargs="?", choices=LANGUAGES, help="the same as --lang", metavar="LANGUAGE"
    )
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        default="typescript",
        help="typescript, go, swift or python, and dart by the official CLI (typescript)",
        metavar="LANGUAGE",
    )
    parser.add_argument(
        "--schema",
        "-s",
        action="append",
        default=[],
        help="schemas, with commas between them (those of [api] schemas)",
    )
    parser.add_argument("--db-url", default="", help="another database than the project's")
    parser.add_argument(
        "--swift-access-control",
        choices=ACCESS_CONTROLS,
        default="internal",
        help="of the types in Swift (internal)",
        metavar="LEVEL",
    )
    accept(parser, "--query-timeout", reason="the queries take moments", is_switch=False)


def run(call: Call) -> int:
    """Prints the types."""
    options = call.options
    language = options.language or options.lang
    address = options.db_url or call.project.settings.db_url
    schemas = [name.strip() for text in options.schema for name in text.split(",") if name.strip()]
    if language not in _GENERATORS:
        return _by_official(call, language, schemas, address)
    try:
        with psycopg.connect(address, connect_timeout=10) as connection:
            # Types are written out in full, and types of extensions have a schema of their own.
            connection.execute("set search_path to ''")
            names = _existing(connection, schemas or list(call.project.settings.api.schemas))
            if missing := [name for name in schemas if name not in names]:
                raise UserError(
                    f"There is no schema {', '.join(map(repr, missing))}.", "Name those of the database."
                )
            schema = read_schema(connection, names)
    except psycopg.OperationalError as error:
        raise UserError(
            f"The database does not answer: {str(error).strip()}", "Start it with `localbase start`."
        ) from error
    text = _GENERATORS[language](schema, options)
    call.output.show({"types": text}, text.rstrip("\n"))
    return 0


def _existing(connection: psycopg.Connection, names: list[str]) -> list[str]:
    query = "select nspname from pg_namespace where nspname = any (%s)"
    there = {name for (name,) in connection.execute(query, [names])}
    return [name for name in dict.fromkeys(names) if name in there]


def _by_official(call: Call, language: str, schemas: list[str], address: str) -> int:
    root = call.project.root
    if find_official(root) is None:
        raise UserError(
            f"Types in {language} are made by the official CLI's generator.", f"Run `{INSTALL}` first."
        )
    separator = "&" if "?" in address else "?"
    target = address if "sslmode=" in address else f"{address}{separator}sslmode=disable"
    schema_arguments = ["--schema", ",".join(schemas or ["public"])]
    return run_official(root, ["gen", "types", "--lang", language, *schema_arguments, "--db-url", target])
