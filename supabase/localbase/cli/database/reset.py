"""A reset: the database, the stored files and the mails go; migrations and seed run afresh.

The new database is made beside the old one, and replaces it in a moment (`cli/database/replacement.py`); when a
migration fails, all is as it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from localbase.cli.data.exchange import DataSwap
from localbase.cli.database.database import build_database, stop_server
from localbase.cli.database.replacement import replace_data
from localbase.cli.stack import stack
from localbase.cli.stack.addresses import show_addresses
from localbase.cli.stack.lock import command_lock
from localbase.cli.stack.processes import stack_environ
from localbase.cli.stack.startup import require_files, start_stack
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.scripts.files import local_migrations


def reset(project: Project, verb: str, environ: Mapping[str, str], until: str = "") -> None:
    """Makes the database anew, to the version `until`, and leaves a running stack on it.

    `environ` is the command's: it may name the ports, which the stack's own are not to.
    """
    with command_lock(project, verb) as lock:
        require_files(project)
        say(f"Resetting {project.settings.project_id}: all local data goes.")
        # The options may have replaced the configuration's.
        seed = project.settings.db.seed
        is_made = False

        def make(project: Project, cluster: Cluster) -> None:
            nonlocal is_made
            if not is_made:
                settings = replace(project.settings, db=replace(project.settings.db, seed=seed))
                seeded = replace(project, settings=settings)
                shared = stack_environ(project)
                replace_data(project, cluster, lambda swap: _fresh(seeded, cluster, swap, until), shared)
                is_made = True

        if stack.is_running(project):
            make(project, cluster_of(project))
        if not stack.is_running(project):
            stop_server(cluster_of(project))
            project = start_stack(project, environ, lock, make)
        show_addresses(project)


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
    versions = [migration.version for migration in local_migrations(project)]
    if count > len(versions):
        raise UserError(
            f"There are {len(versions)} migrations, not {count}.", "`supabase migration list` shows them."
        )
    # No version is as old as this one.
    return versions[-count - 1] if count < len(versions) else "0"
