"""`migration up`: what is pending, on the running database."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.lock import command_lock
from localbase.cli.terminal import Progress, say
from localbase.postgres import migrate
from localbase.postgres.cluster import cluster_of


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Applies the migrations that the database does not have."""
    project = call.project
    with command_lock(project, "migration up"):
        stack.require_running(project)
        with migrate.connect(cluster_of(project)) as connection:
            count = migrate.apply_migrations(connection, project, Progress())
    say(f"{count} applied." if count else "The database is up to date.")
    call.output.show({"applied": count}, "")
    return 0
