"""All data of a project replaced: by a fresh database, or by a snapshot. A running stack goes on with the new data.

The new data is made beside the old, which a running stack goes on serving; only when it is complete the stack takes it
over, in a moment. What fails leaves all as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from localbase.cli.data.exchange import DataSwap
from localbase.cli.database.database import data_swap, discard_abandoned, stop_server
from localbase.cli.stack import stack
from localbase.cli.stack.restart import prepare_restart, restart_with, settle
from localbase.cli.stack.startup import require_ports, wait_served
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster


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
