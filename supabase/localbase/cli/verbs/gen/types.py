"""`gen types`: types of the running database, made by the official CLI's own generator."""

from __future__ import annotations

import argparse

from localbase.cli.accepted import accept
from localbase.cli.call import Call
from localbase.cli.official import INSTALL, find_official, run_official
from localbase.core.errors import UserError

LANGUAGES = ("typescript", "go", "swift", "python")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Language and schemas."""
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        default="typescript",
        help="the language (typescript)",
        metavar="LANGUAGE",
    )
    accept(parser, "--query-timeout", reason="the queries take moments", is_switch=False)
    parser.add_argument("--swift-access-control", choices=("internal", "public"), default="internal")
    parser.add_argument("--schema", "-s", default="public", help="schemas, with commas between them (public)")


def run(call: Call) -> int:
    """Prints the types."""
    project, options = call.project, call.options
    if find_official(project.root) is None:
        raise UserError("Generating types needs the official CLI's generator.", f"Run `{INSTALL}` first.")
    address = f"{project.settings.db_url}?sslmode=disable"
    return run_official(
        project.root,
        ["gen", "types", "--lang", options.lang, "--schema", options.schema, "--db-url", address],
    )
