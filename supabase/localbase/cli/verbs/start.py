"""`start`: makes the database if need be, migrates and seeds it, starts every process, shows the addresses."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from localbase.cli.call import Call
from localbase.cli.function_places import warn_of_two_places
from localbase.cli.stack import stack
from localbase.cli.stack.addresses import show_addresses
from localbase.cli.stack.exclusion import DATABASE_ONLY, IN_THE_GATEWAY, parse_names
from localbase.cli.stack.launch import Launched
from localbase.cli.stack.lock import command_lock
from localbase.cli.stack.startup import require_files, start_stack, wait_served
from localbase.cli.terminal import say, show_error
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.damage import stop_server


def start_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the services to leave out, and whether one that does not serve is an error."""
    parser.add_argument(
        "--exclude",
        "-x",
        action="append",
        default=[],
        metavar="NAMES",
        help="services to leave out: realtime, storage-api, imgproxy, edge-runtime, mailpit",
    )
    parser.add_argument(
        "--ignore-health-check", action="store_true", help="exit with 0 though a process does not serve"
    )


def run_start(call: Call) -> int:
    """Starts the stack, or says that it runs already."""
    names = parse_names(call.options.exclude)
    for name in names:
        if name in IN_THE_GATEWAY:
            say(f"{name} is a part of the gateway here: it starts all the same.")
    project = call.project
    with command_lock(project, "start") as lock:
        if stack.is_running(project) and DATABASE_ONLY in stack.wait_report(project)["excluded"]:
            # `db start` came before.
            stack.stop(project)
        if stack.is_running(project):
            say(f"{project.settings.project_id} is already running.")
            return _show(call, lambda: wait_served(project, cluster_of(project), quiet=True))
        require_files(project)
        stop_server(cluster_of(project))
        return _show(call, lambda: start_stack(project, call.environ, lock, _prepare, names))


def _show(call: Call, served: Callable[[], Project]) -> int:
    """Shows the addresses of the project as soon as it is served."""
    try:
        show_addresses(served())
    except stack.NotReady as error:
        if not call.options.ignore_health_check:
            raise
        show_error(error)
    return 0


def _prepare(project: Project, cluster: Cluster, supervisor: Launched) -> None:
    # Here: the supervisor is there by now, and imports its own beside.
    from localbase.cli.database.database import prepare_database

    say(f"Starting {project.settings.project_id}")
    for difference in project.settings.auth.differences():
        say(f"  note: {difference}")
    warn_of_two_places(project)
    if project.environ.get("SUPABASE_DB_URL"):
        say(
            "  note: SUPABASE_DB_URL is a deployed database's address and is not used here; db.external_url would be"
        )
    prepare_database(project, cluster, supervisor)
