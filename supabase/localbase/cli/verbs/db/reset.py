"""`db reset`: the database, the stored files and the mails go; migrations and seed run afresh."""

from __future__ import annotations

import argparse
from dataclasses import replace

from localbase.cli.call import Call
from localbase.cli.database.external import add_name_argument
from localbase.cli.database.replacement import count_of_versions, reset, version_before_last
from localbase.core.errors import UserError
from localbase.core.settings import SeedSettings
from localbase.postgres.scripts.files import local_migrations


def reset_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the last migration, and the rows."""
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--version", metavar="VERSION", help="no migration newer than this one")
    extent.add_argument("--last", type=count_of_versions, metavar="N", help="without the last N migrations")
    add_name_argument(parser)
    seed = parser.add_mutually_exclusive_group()
    seed.add_argument("--no-seed", action="store_true", help="without the seed files")
    seed.add_argument(
        *("--sql-paths", "--sql-path"),
        action="append",
        metavar="PATTERN",
        help="these seed files, relative to supabase/, instead of the configured ones",
    )


def run_reset(call: Call) -> int:
    """Leaves a freshly seeded, running stack."""
    options, project = call.options, call.project
    until = options.version or ""
    if until and until not in {migration.version for migration in local_migrations(project)}:
        raise UserError(f"There is no migration {until}.", "`supabase migration list` shows the versions.")
    if options.last:
        until = version_before_last(project, options.last)
    seed = project.settings.db.seed
    if options.no_seed or options.sql_paths:
        seed = SeedSettings(enabled=not options.no_seed, sql_paths=tuple(options.sql_paths or ()))
    database = replace(project.settings.db, seed=seed)
    changed = replace(project, settings=replace(project.settings, db=database))
    reset(changed, "db reset", call.environ, until, database=options.database)
    return 0
