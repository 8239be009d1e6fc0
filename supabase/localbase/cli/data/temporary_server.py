"""A Postgres server for a command alone: only this process reaches it, beside a stack that may be running."""

from __future__ import annotations

import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.postgres import damage, migrate
from localbase.postgres.cluster import Cluster
from localbase.postgres.scripts.failure import ConnectionLost

if TYPE_CHECKING:
    import psycopg

_START_SECONDS, _POLL_SECONDS, _END_SECONDS = 60.0, 0.02, 0.5


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
        except (psycopg.OperationalError, ConnectionLost) as error:
            if _is_interrupted(error):
                raise KeyboardInterrupt from error
            # Of a connection that stood: the server has gone, or has no space left, which it tells the client alone.
            log.seek(0)
            said = "" if getattr(error, "sqlstate", None) else log.read().strip()
            said = said or str(error).split("\nCONTEXT:")[0]
            if word := _ended_by(server):
                said += f"\nThe server was ended by {word}."
            raise damage.server_failed(said, cluster) from error
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


def _ended_by(server: subprocess.Popen[bytes]) -> str:
    """The signal that has ended the server; "" for none. Its connections end a moment before it has."""
    try:
        code = server.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        return ""
    return signal.Signals(-code).name if code < 0 else ""


def _is_interrupted(error: BaseException) -> bool:
    """Tell whether Ctrl-C came first: a connection in the middle of a statement takes none that would tidy up."""
    return error.__context__ is not None and (
        isinstance(error.__context__, KeyboardInterrupt) or _is_interrupted(error.__context__)
    )


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
