"""The common parts of verbs that compare schemas: flags, warnings, script."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres.schema.difference import difference, to_sql
from localbase.postgres.schema.model import SchemaModel, Statement

# A function's body may name what a later statement makes.
_HEADER = "set check_function_bodies = off;\n\n"


def add_schema_argument(parser: argparse.ArgumentParser) -> None:
    """`--schema`, as all verbs have it that read a schema."""
    parser.add_argument(
        "-s", "--schema", action="append", metavar="NAMES", help="only these schemas, separated by commas"
    )


def add_coverage_argument(parser: argparse.ArgumentParser) -> None:
    """`--strict-coverage`, as all verbs have it that compare schemas."""
    parser.add_argument(
        "--strict-coverage",
        action="store_true",
        help="fail for objects that are not compared, such as operators",
    )


def compare(before: SchemaModel, after: SchemaModel, *, strict: bool = False) -> list[Statement]:
    """The difference, with warnings on stderr. Raises `UserError` if `strict` for what it does not cover."""
    missing = sorted(set(after.uncovered) ^ set(before.uncovered))
    if missing and strict:
        raise UserError(
            f"Not compared: {', '.join(missing)}.",
            "Write their migration by hand, or leave out --strict-coverage.",
        )
    if missing:
        say(f"warning: not compared: {', '.join(missing)}. Write their migration by hand.")
    statements = difference(before, after)
    for statement in statements:
        if statement.loss:
            say(
                f"warning: this drops {statement.loss}; a renamed thing is dropped and made anew: `{statement.sql}`"
            )
    return statements


def require_schemas(schemas: Sequence[str], *models: SchemaModel) -> None:
    """Raises `UserError` for a name that no database has: its difference would be none."""
    keys = {key for model in models for key in model.objects if key.kind == "schema"}
    present = {key.name[1:-1].replace('""', '"') if key.name.startswith('"') else key.name for key in keys}
    if missing := [name for name in schemas if name not in present]:
        raise UserError(
            f"There is no schema {', '.join(map(repr, missing))}.",
            'Names are as in the database, without quotes: `supabase db query "select nspname from pg_namespace"`.',
        )


def script_of(statements: Sequence[Statement]) -> str:
    """The statements as a script."""
    words = tuple(
        f"{start} {kind}" for start in ("create", "create or replace") for kind in ("function", "procedure")
    )
    functions = any(statement.sql.lower().startswith(words) for statement in statements)
    return (_HEADER if functions else "") + to_sql(statements)
