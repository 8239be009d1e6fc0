"""All data of a project replaced: by a fresh database (a reset), or by a snapshot. A running stack goes on with it.

The new data is made beside the old, which a running stack goes on serving; only when it is complete the stack takes it
over, in a moment. What fails leaves all as it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from localbase.cli.data.exchange import DataSwap
from localbase.cli.database.database import build_database, data_swap, discard_abandoned
from localbase.cli.database.external import empty_database, prepare_external, require_typed_name
from localbase.cli.stack import stack
from localbase.cli.stack.addresses import show_addresses
from localbase.cli.stack.launch import Launched
from localbase.cli.stack.lock import command_lock
from localbase.cli.stack.processes import stack_environ
from localbase.cli.stack.restart import prepare_restart, restart_with, settle
from localbase.cli.stack.startup import require_files, require_ports, start_stack, wait_served
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.damage import stop_server
from localbase.postgres.scripts.files import local_migrations


def replace_data(
    project: Project,
    cluster: Cluster,
    make: Callable[[DataSwap], Path],
    environ: dict[str, str],
) -> bool:
    """Puts what `make` has made in place. Whether a stack runs on it now: one that ran before.

    `make` returns the new database's folder. A running stack is restarted in `environ`; empty, in the one that it has.
    The caller holds the project's lock.
    """
    swap = data_swap(project, cluster)
    report = stack.wait_report(project) if stack.is_running(project) else {}
    if report and "listening" not in report:
        # A supervisor of an earlier localbase, which cannot carry its sockets over.
        stack.stop(project)
        report = {}
    held: list[int] = []
    if report:
        settle(project)
        prepare_restart(report)
        # Of a supervisor of an earlier localbase only what it listens on is known.
        held = [*report["listening"], *report.get("reached", [project.settings.db.port])]
    else:
        stop_server(cluster)
        swap.recover()
    if report:
        require_ports(project, held)
    discard_abandoned(swap, cluster)
    try:
        fresh = make(swap)
        if report:
            restart_with(project, environ, cluster.data, fresh)
        else:
            project.state.mkdir(parents=True, exist_ok=True)
            swap.apply(fresh)
    finally:
        # Gone where they were put in place.
        discard_abandoned(swap, cluster)
    if report:
        wait_served(project, cluster)
    # Only now: the processes that start want the disk and the processors first.
    swap.discard_old()
    return bool(report)


def reset(
    project: Project, verb: str, environ: Mapping[str, str], until: str = "", *, database: str = ""
) -> None:
    """Makes the database anew, to the version `until`, and leaves a running stack on it.

    `environ` is the command's: it may name the ports, which the stack's own are not to. `database` is the name of an
    owner's own that was typed.
    """
    require_typed_name([project], database, verb)
    with command_lock(project, verb) as lock:
        require_files(project)
        is_external = bool(project.settings.db.external_url)
        say(f"Resetting {project.settings.project_id}: all {'' if is_external else 'local '}data goes.")
        if is_external:
            show_addresses(_reset_external(project, environ, lock, until))
            return
        # The options may have replaced the configuration's.
        seed = project.settings.db.seed
        is_made = False

        def make(project: Project, cluster: Cluster, _: Launched | None = None) -> None:
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


def _reset_external(project: Project, environ: Mapping[str, str], lock: int, until: str) -> Project:
    stack.stop(project)
    cluster = cluster_of(project)
    empty_database(project, data_swap(project, cluster))
    seed = project.settings.db.seed

    def prepare(project: Project, cluster: Cluster, _: Launched) -> None:
        settings = replace(project.settings, db=replace(project.settings.db, seed=seed))
        prepare_external(replace(project, settings=settings), cluster, until)

    return start_stack(project, environ, lock, prepare)


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
