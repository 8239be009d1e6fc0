"""A project's database for the commands: made beside the present one, brought up to date, put in its place.

A server of its own does the work, which only this process reaches: no client sees a database that is half made, and the
stack may go on serving the old one meanwhile.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.cli.swap import DataSwap
from localbase.cli.terminal import Progress
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import damage, migrate
from localbase.postgres.cluster import Cluster
from localbase.postgres.database_settings import apply_database_settings

if TYPE_CHECKING:
    import psycopg

_START_SECONDS, _POLL_SECONDS = 60.0, 0.02


def prepare_database(project: Project, cluster: Cluster) -> None:
    """Brings the database up to the project's newest migration and seed, making it if there is none.

    Nothing of the stack may run.
    """
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
    _bring_up_to_date(project, cluster, Progress())


def build_database(project: Project, cluster: Cluster, swap: DataSwap, until: str = "") -> Path:
    """A fresh database, migrated (to the version `until`) and seeded, in a folder beside the present one.

    What fails leaves nothing.
    """
    folder = swap.new_folder(os.getpid())
    made = cluster.at(folder)
    progress = Progress()
    try:
        with progress.step("making the database"):
            made.initialise()
        _bring_up_to_date(project, made, progress, until)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def data_swap(project: Project, cluster: Cluster) -> DataSwap:
    """Where the project's data lies, for its replacement."""
    return DataSwap(project.state, cluster.data)


def discard_abandoned(swap: DataSwap, cluster: Cluster) -> None:
    """Takes away what commands that were killed have begun, with the servers that they left."""
    for folder in swap.abandoned():
        stop_server(cluster.at(folder))
        shutil.rmtree(folder, ignore_errors=True)


def stop_server(cluster: Cluster) -> None:
    """Stops a server that an abruptly ended command or stack left on this data folder."""
    number = damage.server_id(cluster)
    if number is None:
        return
    # SIGINT is Postgres's fast shutdown.
    os.kill(number, signal.SIGINT)
    deadline = time.monotonic() + _START_SECONDS
    while damage.server_id(cluster) == number:
        if time.monotonic() > deadline:
            raise UserError(
                f"Postgres (process {number}) on {cluster.data} does not stop.",
                f"End it with `kill -9 {number}`.",
            )
        time.sleep(_POLL_SECONDS)  # not our child: there is nothing to wait on


def _bring_up_to_date(project: Project, cluster: Cluster, progress: Progress, until: str = "") -> None:
    with server_apart(cluster) as connection:
        migrate.bootstrap_platform(connection)
        apply_database_settings(connection, project)
        migrate.apply_roles(connection, project, progress)
        migrate.apply_migrations(connection, project, progress, until=until)
        migrate.apply_seed(connection, project, progress)


@contextmanager
def server_apart(cluster: Cluster) -> Iterator[psycopg.Connection]:
    """A connection to a server of its own on the cluster's data, on which no other runs. It ends with the context."""
    # Here, as below: to load a snapshot wants no connection, and the import takes half of a command's beginning.
    import psycopg

    account = cluster.account
    # A file, not a pipe: a server that says much must not wait for a reader.
    with (
        tempfile.TemporaryDirectory(prefix="localbase-") as sockets,
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log,
    ):
        cluster = cluster.apart(Path(sockets))
        server = subprocess.Popen(
            # Of an error in a configuration file only the plain log names the line.
            cluster.command(level="log"),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )
        try:
            with _connected(server, cluster) as connection:
                yield connection
        except psycopg.OperationalError as error:
            # Of a connection that stood: the server has gone, or has no space left.
            log.seek(0)
            said = log.read().strip()
            raise damage.server_failed(said or str(error), cluster) from error
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


def _connected(server: subprocess.Popen[bytes], cluster: Cluster) -> psycopg.Connection:
    import psycopg

    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return migrate.connect(cluster)
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)  # the server says nowhere else that it accepts connections
