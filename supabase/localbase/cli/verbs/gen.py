"""`gen …`: types, keys and tokens."""

from __future__ import annotations

import argparse
import json
import os
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from joserfc.jwk import ECKey, RSAKey

from localbase.cli.call import Call
from localbase.cli.official_cli import INSTALL, find_official, run_official
from localbase.cli.parser import accept
from localbase.cli.terminal import confirmed, say
from localbase.cli.typegen.go import go_of
from localbase.cli.typegen.python import python_of
from localbase.cli.typegen.schema import Schema, read_schema
from localbase.cli.typegen.swift import ACCESS_CONTROLS, swift_of
from localbase.cli.typegen.typescript import typescript_of
from localbase.core.configuration import parse_duration
from localbase.core.errors import UserError
from localbase.core.text_files import read_text
from localbase.postgres.cluster import cluster_of

# `gen types`: types of the running database. Dart's are made by the official CLI.


LANGUAGES = ("typescript", "go", "swift", "python", "dart")
_GENERATORS: dict[str, Callable[[Schema, argparse.Namespace], str]] = {
    "typescript": lambda schema, _: typescript_of(schema),
    "go": lambda schema, _: go_of(schema),
    "python": lambda schema, _: python_of(schema),
    "swift": lambda schema, options: swift_of(schema, options.swift_access_control),
}


def types_arguments(parser: argparse.ArgumentParser) -> None:
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


def run_types(call: Call) -> int:
    """Prints the types."""
    options = call.options
    language = options.language or options.lang
    cluster = cluster_of(call.project)
    address = options.db_url or cluster.near_url("postgres")
    schemas = [name.strip() for text in options.schema for name in text.split(",") if name.strip()]
    if language not in _GENERATORS:
        if cluster.external and not options.db_url:
            # It takes an address in its arguments, which every user of the machine can read.
            raise UserError(
                f"Types in {language} are made by the official CLI's generator, which would show the password.",
                "Name the address yourself with --db-url.",
            )
        # That one knows no abstract socket.
        return _by_official(call, language, schemas, options.db_url or cluster.url("postgres"))
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


# `gen signing-key`: a private key that the project's tokens can be signed with.


_RSA_BITS = 2048


def signing_key_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which kind, and where to."""
    parser.add_argument(
        "--algorithm", choices=("ES256", "RS256"), default="ES256", help="ES256 or RS256 (ES256)"
    )
    parser.add_argument(
        "--append", action="store_true", help="add it to the file of keys, in place of writing that anew"
    )


def run_signing_key(call: Call) -> int:
    """Writes the key into the file of `[auth] signing_keys_path`; without that setting it is printed."""
    project, options = call.project, call.options
    key = new_key(options.algorithm)
    setting = project.settings.auth.signing_keys_path
    if not setting:
        call.output.show([key], json.dumps([key], indent=2))
        say(
            'Put this into a file, and its name into config.toml: [auth] signing_keys_path = "./signing_keys.json"'
        )
        return 0
    path = project.supabase / setting
    there = _keys_of(path)
    if there and not options.append and not confirmed(f"Replace the keys in {path}?", yes=options.yes):
        say("Nothing was written.")
        return 1
    keys = [*there, key] if options.append else [key]
    _write(path, keys)
    call.output.show({"kid": key["kid"], "file": str(path)}, "")
    say(f"Wrote the key {key['kid']} to {path}; the first of {len(keys)} signs, from the next start on.")
    return 0


def new_key(algorithm: str) -> dict[str, Any]:
    """A private JSON Web Key."""
    if algorithm == "RS256":
        made = RSAKey.generate_key(_RSA_BITS, private=True).as_dict(private=True)
    else:
        made = ECKey.generate_key("P-256", private=True).as_dict(private=True)
    about = {
        "kid": str(uuid.uuid4()),
        "use": "sig",
        "key_ops": ["sign", "verify"],
        "alg": algorithm,
        "ext": True,
    }
    return {"kty": made["kty"], **about, **made, "kid": about["kid"]}


def _keys_of(path: Path) -> list[Any]:
    if not path.exists():
        return []
    try:
        keys = json.loads(read_text(path))
    except ValueError as error:
        raise UserError(f"{path} is no JSON: {error}.", "Mend it, or remove it.") from error
    if not isinstance(keys, list):
        raise UserError(f"{path} holds no list of keys.", "Mend it, or remove it.")
    return keys


def _write(path: Path, keys: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    # Private keys: only for this user's eyes.
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(keys, indent=2) + "\n")
    partial.replace(path)


# `gen bearer-jwt`: a token for calling the Data API as any role and user.


def bearer_jwt_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the token's user, and its time."""
    parser.add_argument("--role", default="", help="Postgres's role (authenticated)")
    parser.add_argument("--sub", default="", help="a user's id")
    parser.add_argument(
        "--exp", default="", metavar="TIME", help="valid until this time in UTC, or Unix seconds"
    )
    parser.add_argument("--valid-for", default="30m", metavar="DURATION", help="valid so long (30m)")
    parser.add_argument("--payload", default="{}", metavar="JSON", help="more claims")


def run_bearer_jwt(call: Call) -> int:
    """Prints the token, signed as users' tokens are."""
    claims = claims_of(call.options, int(time.time()))
    token = call.project.signing.sign(claims)
    call.output.show({"token": token, "claims": claims}, token)
    return 0


def claims_of(options: argparse.Namespace, now: int) -> dict[str, Any]:
    """The claims. Raises `UserError` for what is none."""
    try:
        more = json.loads(options.payload)
    except ValueError as error:
        raise UserError(
            f"--payload is no JSON: {error}.", """Write --payload '{"name": "value"}'."""
        ) from error
    if not isinstance(more, dict):
        raise UserError("--payload is no JSON object.", """Write --payload '{"name": "value"}'.""")
    subject = {"sub": options.sub} if options.sub else {}
    role = options.role or str(more.get("role", "authenticated"))
    return {**more, **subject, "role": role, "iat": now, "exp": _expiry(options, more, now)}


def _expiry(options: argparse.Namespace, more: dict[str, Any], now: int) -> int:
    try:
        if options.exp:
            if options.exp.isdecimal():
                return int(options.exp)
            moment = datetime.fromisoformat(options.exp)
            return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
        if isinstance(more.get("exp"), int):
            return int(more["exp"])
        return now + int(parse_duration(options.valid_for))
    except ValueError as error:
        raise UserError(
            f"{options.exp or options.valid_for!r} is no time.",
            "Write --valid-for 1h, or --exp 2030-01-31T12:00:00Z.",
        ) from error
