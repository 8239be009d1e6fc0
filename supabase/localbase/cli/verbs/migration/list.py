"""`migration list`: every version that is a file, in the database, or both."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.target import add_target_arguments, target_of
from localbase.cli.terminal import table
from localbase.postgres import migrate
from localbase.postgres.history import read_history


def arguments(parser: argparse.ArgumentParser) -> None:
    """The database."""
    add_target_arguments(parser)


def run(call: Call) -> int:
    """Shows them, the oldest first."""
    with target_of(call).connect() as connection:
        applied = {each.version for each in read_history(connection)}
    local = {migration.version: migration.name for migration in migrate.local_migrations(call.project)}
    versions = sorted(applied | set(local))
    data = [
        {"version": version, "name": local.get(version), "applied": version in applied}
        for version in versions
    ]
    rows = [("Version", "State")]
    for version in versions:
        state = "applied" if version in applied else "pending"
        rows.append((version, f"{state}  {local.get(version, '(no local file)')}"))
    call.output.show(data, table(rows))
    return 0
