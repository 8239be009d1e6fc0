"""`db diff`: how one schema differs from another, as SQL or as a new migration.

By default from the migrations, made in a shadow database, to the running database; with `[db.migrations] schema_paths`
to what those files declare.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from localbase.cli.call import Call
from localbase.cli.database.comparison import (
    add_coverage_argument,
    add_schema_argument,
    compare,
    require_schemas,
    script_of,
)
from localbase.cli.database.db_url import add_target_arguments, local_target, remote_target, target_of
from localbase.cli.database.shadow import declared_model, migrations_model
from localbase.cli.stack.lock import command_lock
from localbase.cli.terminal import Progress, say
from localbase.cli.verbs.migration import new_migration
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.schema.model import SchemaModel
from localbase.postgres.schema.read import read_model
from localbase.postgres.schema.scope import split_schemas
from localbase.postgres.scripts.files import schema_files

_ENGINES = ("--use-migra", "--use-pgadmin", "--use-pg-schema", "--use-pg-delta")


def diff_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the two sides of the comparison, and the file for the SQL."""
    parser.add_argument("-f", "--file", metavar="NAME", help="write it as a new migration of this name")
    add_schema_argument(parser)
    parser.add_argument("--from", dest="source", metavar="WHAT", help="local, migrations, or an address")
    parser.add_argument("--to", dest="goal", metavar="WHAT", help="local, migrations, or an address")
    add_coverage_argument(parser)
    add_target_arguments(parser)
    for engine in _ENGINES:
        # There is one engine here.
        parser.add_argument(engine, action="store_true", help=argparse.SUPPRESS)


def run_diff(call: Call) -> int:
    """Prints or writes the difference."""
    project, options = call.project, call.options
    schemas = split_schemas(options.schema)
    if options.file and (options.source or options.goal):
        raise UserError(
            "--file is for the project's own difference.", "Leave out --from and --to, or --file."
        )
    with command_lock(project, "db diff"):
        after = _goal(call, schemas)
        before = _model(project, options.source or "migrations", schemas)
    require_schemas(schemas, before, after)
    statements = compare(before, after, strict=options.strict_coverage)
    sql = script_of(statements)
    path = str(new_migration(project, options.file, sql)) if options.file and sql else None
    if not sql:
        say("No schema changes found.")
    data = {"sql": sql, "path": path, "losses": [each.loss for each in statements if each.loss]}
    call.output.show(data, path or sql.rstrip("\n"))
    return 0


def _goal(call: Call, schemas: Sequence[str]) -> SchemaModel:
    project, options = call.project, call.options
    if options.goal:
        return _model(project, options.goal, schemas)
    if not options.db_url and project.settings.db.migrations.schema_paths:
        if not schema_files(project):
            raise UserError(
                "[db.migrations] schema_paths in supabase/config.toml names no file that there is.",
                "Correct the patterns (relative to supabase/), or leave the setting out.",
            )
        with Progress().step("making the declared schema"):
            return declared_model(project, schemas)
    with target_of(call).connect() as connection:
        return read_model(connection, schemas)


def _model(project: Project, name: str, schemas: Sequence[str]) -> SchemaModel:
    if name == "migrations":
        return migrations_model(project, schemas)
    if name != "local" and "://" not in name:
        raise UserError(
            f"{name!r} is no database.", "Name `local`, `migrations` or an address (postgresql://…)."
        )
    target = local_target(project) if name == "local" else remote_target(name)
    with target.connect() as connection:
        return read_model(connection, schemas)
