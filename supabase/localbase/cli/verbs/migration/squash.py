"""`migration squash`: one migration that makes the schema which several make.

It is written by the comparison that `db diff` uses, and proved before the old files go: a database of the new file
alone must be equal.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.comparison import script_of
from localbase.cli.lock import command_lock
from localbase.cli.shadow import shadow_database
from localbase.cli.target import add_target_arguments, target_of
from localbase.cli.terminal import Progress, say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import history, migrate
from localbase.postgres.migrate import Migration
from localbase.postgres.schema.difference import difference, to_sql
from localbase.postgres.schema.model import Catalogue
from localbase.postgres.schema.read import read_catalogue


def arguments(parser: argparse.ArgumentParser) -> None:
    """How far."""
    parser.add_argument(
        "--version", metavar="VERSION", help="the newest one to take in (default: the newest)"
    )
    add_target_arguments(parser)


def run(call: Call) -> int:
    """Replaces the migrations up to a version by one of that version."""
    project = call.project
    with command_lock(project, "migration squash"):
        migrations = _chosen(project, call.options.version)
        last = migrations[-1]
        with shadow_database(project, migrations=False) as connection:
            before = read_catalogue(connection)
            migrate.apply_migrations(connection, project, Progress(), until=last.version)
            after = read_catalogue(connection)
        sql = script_of(difference(before, after))
        _prove(project, sql, after)
        last.path.write_text(sql, encoding="utf-8")
        for migration in migrations[:-1]:
            migration.path.unlink()
        if call.options.db_url or stack.is_running(project):
            with target_of(call).connect() as connection, connection.transaction():
                history.forget(connection, [each.version for each in migrations[:-1]])
                history.record(connection, last)
    say(
        f"{len(migrations)} migrations are one now. Rows that they have written are not in it: see supabase/seed.sql."
    )
    call.output.show(
        {"path": str(last.path), "removed": [each.path.name for each in migrations[:-1]]}, str(last.path)
    )
    return 0


def _chosen(project: Project, version: str | None) -> list[Migration]:
    migrations = migrate.local_migrations(project)
    versions = [migration.version for migration in migrations]
    if version is not None and version not in versions:
        raise UserError(f"There is no migration {version}.", "`supabase migration list` shows the versions.")
    chosen = migrations[: versions.index(version) + 1] if version is not None else migrations
    if len(chosen) < 2:
        raise UserError(
            "There are no two migrations to make one of.", "`supabase migration list` shows them."
        )
    return chosen


def _prove(project: Project, sql: str, expected: Catalogue) -> None:
    with TemporaryDirectory() as folder, shadow_database(project, migrations=False) as connection:
        path = Path(folder) / "squashed.sql"
        path.write_text(sql, encoding="utf-8")
        try:
            migrate.apply_files(connection, [path], Progress())
            rest = to_sql(difference(read_catalogue(connection), expected))
        except UserError as error:
            rest = error.message
    if rest:
        raise UserError(
            f"One migration cannot make what the migrations make; nothing was changed:\n{rest}",
            "A role belongs in supabase/roles.sql. What `db diff` does not compare (operators, casts …) cannot be "
            "squashed: choose an earlier --version.",
        )
