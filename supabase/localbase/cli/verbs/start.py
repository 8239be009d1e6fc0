"""`start`: makes the database if need be, migrates and seeds it, starts every process, shows the addresses."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.addresses import show_addresses
from localbase.cli.call import Call
from localbase.cli.database import prepare_database, stop_server
from localbase.cli.exclusion import DATABASE_ONLY, IN_THE_GATEWAY, parse_names, without
from localbase.cli.launch import require_ports, start_supervisor, wait_ready
from localbase.cli.lock import command_lock
from localbase.cli.ports import with_free_ports
from localbase.cli.terminal import say, show_error
from localbase.core.errors import UserError
from localbase.postgres.cluster import cluster_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is left out, and whether what does not serve is an error."""
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


def run(call: Call) -> int:
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
            show_addresses(project)
            return 0
        stop_server(cluster_of(project))
        project = with_free_ports(project, call.environ)
        cluster = cluster_of(project)
        require_ports(without(project, names), cluster)
        say(f"Starting {project.settings.project_id}")
        for difference in project.settings.auth.differences():
            say(f"  note: {difference}")
        prepare_database(project, cluster)
        start_supervisor(project, lock, names)
        try:
            wait_ready(project, cluster)
        except UserError as error:
            if not call.options.ignore_health_check:
                raise
            show_error(error)
    return 0
