"""A project's database for the commands: made beside the present one, brought up to date, put in its place.

A server of its own does the work (`cli/data/temporary_server.py`): no client sees a database that is half made, and the
stack may go on serving the old one meanwhile. What is new for a database that is there already is applied on the
stack's own server, before the gateway begins.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from localbase.background.http_address import listening_socket, publish
from localbase.cli.data.cluster_template import make_cluster
from localbase.cli.data.exchange import DataSwap
from localbase.cli.data.snapshot_store import store_of
from localbase.cli.data.temporary_server import server_apart, server_of
from localbase.cli.stack.launch import Launched
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from localbase.postgres import damage
from localbase.postgres.cluster import Cluster
from localbase.postgres.damage import stop_server
from localbase.postgres.database_settings import apply_database_settings
from localbase.postgres.platform_version import is_of_this_version, note_version

if TYPE_CHECKING:
    import psycopg


def prepare_database(project: Project, cluster: Cluster, supervisor: Launched | None = None) -> None:
    """Brings the database up to the project's newest migration and seed, making it if there is none.

    Nothing of the stack may run. One that is there is served by the `supervisor`, where there is one, and goes on so.
    """
    # Here, as below: Postgres, which takes its time, is started before all that is not needed for that is imported.
    if cluster.external:
        from localbase.cli.database.external import prepare_external

        prepare_external(project, cluster)
        return
    swap = data_swap(project, cluster)
    swap.recover()
    discard_abandoned(swap, cluster)
    damage.check_data(cluster)
    if not damage.has_data(cluster):
        fresh = build_database(project, cluster, swap)
        fresh.rename(cluster.data)
        return
    damage.remove_stale_lock(cluster)
    cluster.install_extensions()
    if not is_of_this_version(cluster):
        from localbase.cli.database.upgrade import upgrade

        upgrade(cluster, store_of(project, cluster), swap)
    log = project.state / "logs" / "postgres.log"
    server = server_of(supervisor, cluster, log) if supervisor else server_apart(cluster)
    with server as connection:
        _bring_up_to_date(connection, project, cluster, Progress())


def build_database(project: Project, cluster: Cluster, swap: DataSwap, until: str = "") -> Path:
    """A fresh database, migrated (to the version `until`) and seeded, in a folder beside the present one.

    What fails leaves nothing.
    """
    from localbase.postgres.scripts.failure import ScriptError

    folder = swap.new_folder(os.getpid())
    made = cluster.at(folder)
    progress = Progress()
    try:
        with progress.step("making the database"):
            make_cluster(made)
        with server_apart(made) as connection:
            _bring_up_to_date(connection, project, made, progress, until)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, ScriptError):
            raise error.of_discarded() from error
        raise
    return folder


def data_swap(project: Project, cluster: Cluster) -> DataSwap:
    """Return where the project's data lies, for its replacement."""
    return DataSwap(project.state, cluster.data)


def discard_abandoned(swap: DataSwap, cluster: Cluster) -> None:
    """Takes away what commands that were killed have begun, with the servers that they left."""
    for folder in swap.abandoned():
        stop_server(cluster.at(folder))
        shutil.rmtree(folder, ignore_errors=True)


def _bring_up_to_date(
    connection: psycopg.Connection, project: Project, cluster: Cluster, progress: Progress, until: str = ""
) -> None:
    from localbase.postgres import migrate

    with http_answered(cluster, project):
        migrate.bootstrap_platform(connection)
        note_version(cluster)
        apply_database_settings(connection, project)
        migrate.apply_roles(connection, project, progress)
        migrate.apply_migrations(connection, project, progress, until=until)
        migrate.apply_seed(connection, project, progress)


@contextmanager
def http_answered(cluster: Cluster, project: Project) -> Iterator[None]:
    """Sends the requests that the project's files make by `http()`: no gateway is there for them.

    A socket and a thread until the database asks.
    """
    ending, ended = socket.socketpair()
    with listening_socket() as listening, ended:
        key = publish(cluster, listening)
        thread = Thread(target=_answer, args=(listening, ended, key, project.settings.api.port))
        thread.start()
        try:
            yield
        finally:
            ending.close()
            thread.join()


def _answer(listening: socket.socket, ended: socket.socket, key: str, api_port: int) -> None:
    ready, _, _ = select.select([listening, ended], [], [])
    if ended not in ready:
        # Most commands do without these imports.
        import asyncio

        from localbase.background.http_calls import answer_until

        asyncio.run(answer_until(ended, listening, key, api_port))
