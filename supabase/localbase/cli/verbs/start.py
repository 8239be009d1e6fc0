"""`start`: makes the database if need be, migrates and seeds it, starts every process, shows the addresses."""

from __future__ import annotations

import argparse

from localbase.cli import stack
from localbase.cli.addresses import show_addresses
from localbase.cli.call import Call
from localbase.cli.database import prepare_database, stop_server
from localbase.cli.launch import launch, require_ports
from localbase.cli.lock import command_lock
from localbase.cli.terminal import say
from localbase.postgres.cluster import cluster_of


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Starts the stack, or says that it runs already."""
    project = call.project
    with command_lock(project, "start") as lock:
        if stack.is_running(project):
            say(f"{project.settings.project_id} is already running.")
            show_addresses(project)
            return 0
        cluster = cluster_of(project)
        stop_server(cluster)
        require_ports(project, cluster)
        say(f"Starting {project.settings.project_id}")
        prepare_database(project, cluster)
        launch(project, cluster, lock)
    return 0
