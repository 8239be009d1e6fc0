"""`db reset`: the database, the stored files and the mails go; migrations and seed run afresh.

The new database is made beside the old one, which a running stack goes on serving. Only when it is complete the stack
takes it over, in a moment; when a migration fails, all is as it was.
"""

from __future__ import annotations

import argparse
import shutil

from localbase.cli import stack
from localbase.cli.call import Call
from localbase.cli.database import build_database, data_swap, discard_abandoned, stop_server
from localbase.cli.launch import launch, require_ports, wait_ready
from localbase.cli.lock import command_lock
from localbase.cli.processes import stack_environ
from localbase.cli.restart import restart_with
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres.cluster import cluster_of


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Leaves a freshly seeded, running stack."""
    project = call.project
    with command_lock(project, "db reset") as lock:
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
            fresh = build_database(project, cluster, swap)
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
    return 0
