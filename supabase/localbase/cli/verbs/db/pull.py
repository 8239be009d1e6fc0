"""`db pull`: what a database has and the migrations do not make, as a new migration that it is said to have already."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.database.comparison import (
    add_coverage_argument,
    add_schema_argument,
    compare,
    require_schemas,
    script_of,
)
from localbase.cli.database.db_url import add_target_arguments, target_of
from localbase.cli.database.shadow import migrations_model
from localbase.cli.stack.lock import command_lock
from localbase.cli.terminal import say
from localbase.cli.verbs.migration import new_migration
from localbase.core.errors import UserError
from localbase.postgres import history
from localbase.postgres.schema.read import read_model
from localbase.postgres.schema.scope import split_schemas
from localbase.postgres.scripts.files import Migration, local_migrations


def pull_arguments(parser: argparse.ArgumentParser) -> None:
    """Its name, and the database."""
    parser.add_argument(
        "name", nargs="?", default="remote_schema", help="the migration's name (remote_schema)"
    )
    add_schema_argument(parser)
    add_coverage_argument(parser)
    # There is one engine here.
    parser.add_argument("--diff-engine", help=argparse.SUPPRESS)
    parser.add_argument("--use-pg-delta", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--declarative", action="store_true", help=argparse.SUPPRESS)
    add_target_arguments(parser)


def run_pull(call: Call) -> int:
    """Writes the migration, and records it where it was read."""
    project, options, target = call.project, call.options, target_of(call)
    if options.declarative:
        raise UserError(
            "--declarative is not done here.", "Write `supabase db dump` to a file of schema_paths."
        )
    schemas = split_schemas(options.schema)
    with command_lock(project, "db pull"), target.connect() as connection:
        local = {migration.version for migration in local_migrations(project)}
        applied = {each.version for each in history.read_history(connection)}
        _require_equal(sorted(applied - local), sorted(local - applied))
        after = read_model(connection, schemas)
        before = migrations_model(project, schemas)
        require_schemas(schemas, before, after)
        sql = script_of(compare(before, after, strict=options.strict_coverage))
        if not sql:
            say("No schema changes found.")
            call.output.show({"path": None}, "")
            return 0
        path = new_migration(project, options.name, sql)
        version, _, name = path.stem.partition("_")
        history.make_history(connection)
        history.record(connection, Migration(version, name, path))
    call.output.show({"path": str(path)}, str(path))
    return 0


def _require_equal(missing: list[str], pending: list[str]) -> None:
    """The migrations must be the database's own: else their difference is no next step."""
    if missing:
        raise UserError(
            f"The database has migrations that are no files: {', '.join(missing)}.",
            "Write them with `supabase migration fetch`, or say that they are undone with "
            f"`supabase migration repair --status reverted {' '.join(missing)}`.",
        )
    if pending:
        raise UserError(
            f"The database does not have these migrations: {', '.join(pending)}.",
            "Apply them with `supabase db push`, or say that they are with "
            f"`supabase migration repair --status applied {' '.join(pending)}`.",
        )
