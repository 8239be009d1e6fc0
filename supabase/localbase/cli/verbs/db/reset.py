"""`db reset`: the database, the stored files and the mails go; migrations and seed run afresh.

The new database is made beside the old one, which a running stack goes on serving. Only when it is complete the stack
takes it over, in a moment; when a migration fails, all is as it was.
"""

from __future__ import annotations

import argparse
import shutil
from dataclasses import replace

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.database import build_database, data_swap, discard_abandoned, stop_server
from localbase.cli.launch import launch, require_ports, wait_ready
from localbase.cli.lock import command_lock
from localbase.cli.processes import stack_environ
from localbase.cli.restart import restart_with
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.core.settings import SeedSettings
from localbase.postgres import migrate
from localbase.postgres.cluster import cluster_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """How far, and with which rows."""
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--version", metavar="VERSION", help="no migration newer than this one")
    extent.add_argument("--last", type=count_of_versions, metavar="N", help="without the last N migrations")
    seed = parser.add_mutually_exclusive_group()
    seed.add_argument("--no-seed", action="store_true", help="without the seed files")
    seed.add_argument(
        *("--sql-paths", "--sql-path"),
        action="append",
        metavar="PATTERN",
        help="these seed files, relative to supabase/, instead of the configured ones",
    )


def run(call: Call) -> int:
    """Leaves a freshly seeded, running stack."""
    options, project = call.options, call.project
    until = options.version or ""
    if until and until not in {migration.version for migration in migrate.local_migrations(project)}:
        raise UserError(f"There is no migration {until}.", "`supabase migration list` shows the versions.")
    if options.last:
        until = version_before_last(project, options.last)
    seed = project.settings.db.seed
    if options.no_seed or options.sql_paths:
        seed = SeedSettings(enabled=not options.no_seed, sql_paths=tuple(options.sql_paths or ()))
    database = replace(project.settings.db, seed=seed)
    reset(replace(project, settings=replace(project.settings, db=database)), "db reset", until)
    return 0


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


def reset(project: Project, verb: str, until: str = "") -> None:
    """Makes the database anew, to the version `until`, and has the stack take it over."""
    with command_lock(project, verb) as lock:
        say(f"Resetting {project.settings.project_id}: all local data goes.")
        cluster = cluster_of(project)
        swap = data_swap(project, cluster)
        report = stack.wait_report(project) if stack.is_running(project) else {}
        if report and "listening" not in report:
            # A supervisor of an earlier localbase, which cannot carry its sockets over.
            stack.stop(project)
            report = {}
        held: list[int] = []
        if report:
            held = [
                *report["listening"],
                project.settings.db.port if "postgres" in report["processes"] else 0,
            ]
        else:
            stop_server(cluster)
            swap.recover()
        require_ports(project, cluster, held)
        discard_abandoned(swap, cluster)
        try:
            fresh = build_database(project, cluster, swap, until)
        except UserError as error:
            raise UserError(error.message, f"{error.remedy}\n  → The old data is untouched.") from error
        try:
            if report:
                restart_with(project, stack_environ(project), cluster.data, fresh)
            else:
                project.state.mkdir(parents=True, exist_ok=True)
                swap.apply(fresh)
        finally:
            # Gone where it was put in place.
            shutil.rmtree(fresh, ignore_errors=True)
        swap.discard_old()
        if report:
            wait_ready(project, cluster)
        else:
            launch(project, cluster, lock)
