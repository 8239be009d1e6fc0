"""`migration up`: what is pending, on the running database."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.lock import command_lock
from localbase.cli.target import add_target_arguments, target_of
from localbase.cli.terminal import Progress, say
from localbase.postgres import history, migrate


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which, and where."""
    parser.add_argument(
        "--include-all", action="store_true", help="those too that are older than the newest applied one"
    )
    add_target_arguments(parser)


def run(call: Call) -> int:
    """Applies the migrations that the database does not have."""
    project = call.project
    with command_lock(project, "migration up"), target_of(call).connect() as connection:
        history.make_history(connection)
        count = migrate.apply_migrations(
            connection, project, Progress(), include_all=call.options.include_all
        )
    say(f"{count} applied." if count else "The database is up to date.")
    call.output.show({"applied": count}, "")
    return 0
