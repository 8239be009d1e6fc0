"""A reset: the database, the stored files and the mails go; migrations and seed run afresh.

The new database is made beside the old one, and replaces it in a moment (`cli/replacement.py`); when a migration fails,
all is as it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from localbase.cli import stack
from localbase.cli.addresses import show_addresses
from localbase.cli.database import build_database, stop_server
from localbase.cli.launch import launch
from localbase.cli.lock import command_lock
from localbase.cli.ports import with_free_ports
from localbase.cli.processes import stack_environ
from localbase.cli.replacement import replace_data
from localbase.cli.swap import DataSwap
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import migrate
from localbase.postgres.cluster import Cluster, cluster_of


def reset(project: Project, verb: str, environ: Mapping[str, str], until: str = "") -> None:
    """Makes the database anew, to the version `until`, and leaves a running stack on it.

    `environ` is the command's: it may name the ports, which the stack's own are not to.
    """
    with command_lock(project, verb) as lock:
        say(f"Resetting {project.settings.project_id}: all local data goes.")
        if not stack.is_running(project):
            stop_server(cluster_of(project))
            seed, moved = project.settings.db.seed, with_free_ports(project, environ).settings
            project = replace(project, settings=replace(moved, db=replace(moved.db, seed=seed)))
        cluster = cluster_of(project)
        shared = stack_environ(project)
        if replace_data(
            project, cluster, lambda swap: _fresh(project, cluster, swap, until), shared, starts=True
        ):
            show_addresses(project)
        else:
            launch(project, cluster, lock)


def _fresh(project: Project, cluster: Cluster, swap: DataSwap, until: str) -> Path:
    try:
        return build_database(project, cluster, swap, until)
    except UserError as error:
        raise UserError(error.message, f"{error.remedy}\n  → The old data is untouched.") from error


def count_of_versions(text: str) -> int:
    """A number of migrations, from 1 on."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 10**6):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of migrations")
    return int(text)


def version_before_last(project: Project, count: int) -> str:
    """The newest version without the last `count`. Raises `UserError` where there are not so many."""
    versions = [migration.version for migration in migrate.local_migrations(project)]
    if count > len(versions):
        raise UserError(
            f"There are {len(versions)} migrations, not {count}.", "`supabase migration list` shows them."
        )
    # No version is as old as this one.
    return versions[-count - 1] if count < len(versions) else "0"
