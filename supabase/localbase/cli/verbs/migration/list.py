"""`migration list`: every version that is a file, in the database, or both."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.terminal import table
from localbase.postgres import migrate
from localbase.postgres.cluster import cluster_of


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Shows them, the oldest first."""
    project = call.project
    stack.require_running(project)
    with migrate.connect(cluster_of(project)) as connection:
        applied = set(migrate.applied_versions(connection))
    local = {migration.version: migration.name for migration in migrate.local_migrations(project)}
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
