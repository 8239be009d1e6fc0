"""`db reset`: the database, the stored files and the mails go; migrations and seed run afresh.

The new database is made beside the old one, and replaces it in a moment (`cli/replacement.py`); when a migration fails,
all is as it was.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from localbase.cli.addresses import show_addresses
from localbase.cli.call import Call
from localbase.cli.database import build_database
from localbase.cli.launch import launch
from localbase.cli.lock import command_lock
from localbase.cli.processes import stack_environ
from localbase.cli.replacement import replace_data
from localbase.cli.swap import DataSwap
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster, cluster_of


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Leaves a freshly seeded, running stack."""
    project = call.project
    with command_lock(project, "db reset") as lock:
        say(f"Resetting {project.settings.project_id}: all local data goes.")
        cluster = cluster_of(project)
        environ = stack_environ(project)
        if replace_data(project, cluster, lambda swap: _fresh(project, cluster, swap), environ, starts=True):
            show_addresses(project)
        else:
            launch(project, cluster, lock)
    return 0


def _fresh(project: Project, cluster: Cluster, swap: DataSwap) -> Path:
    try:
        return build_database(project, cluster, swap)
    except UserError as error:
        raise UserError(error.message, f"{error.remedy}\n  → The old data is untouched.") from error
