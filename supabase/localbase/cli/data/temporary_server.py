"""A Postgres server for a command: one that only this process reaches, beside a stack that may be running, or the one
of the stack that the command starts.
"""

from __future__ import annotations

import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from localbase.postgres import damage
from localbase.postgres.cluster import Cluster

if TYPE_CHECKING:
    import psycopg

_START_SECONDS, _POLL_SECONDS, _END_SECONDS = 60.0, 0.02, 0.5


class Server(Protocol):
    """The process of a server, or one that ends with it. `subprocess.Popen` is one."""

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...


class Supervisor(Server, Protocol):
    """What starts the stack's own server, and ends with it."""

    def start_database(self) -> None: ...
    def end(self) -> None: ...


@contextmanager
def server_apart(cluster: Cluster) -> Iterator[psycopg.Connection]:
    """A connection to a server of its own on the cluster's data, on which no other runs. It ends with the context."""
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

        def said() -> str:
            log.seek(0)
            return log.read()

        try:
            with _failures_told(server, cluster, said), _connected(server, cluster) as connection:
                yield connection
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


@contextmanager
def server_of(supervisor: Supervisor, cluster: Cluster, log: Path) -> Iterator[psycopg.Connection]:
    """A connection to the stack's own server, which the supervisor starts and which goes on.

    One that does not start is tried apart, where it says why in full.
    """
    supervisor.start_database()
    # Beside the server's start.
    import psycopg

    try:
        connection = _connected(supervisor, cluster)
    except psycopg.OperationalError:
        supervisor.end()
        with server_apart(cluster) as connection:
            yield connection
        return

    def said() -> str:
        return log.read_text(encoding="utf-8", errors="replace")

    with _failures_told(supervisor, cluster, said), connection:
        yield connection


@contextmanager
def _failures_told(server: Server, cluster: Cluster, said: Callable[[], str]) -> Iterator[None]:
    """Raises `UserError` for the end of a server that serves, or that starts; `said` is its log."""
    # Here, as below: to load a snapshot wants no connection, and these imports take half of a command's beginning.
    import psycopg

    from localbase.postgres.scripts.failure import ConnectionLost

    try:
        yield
    except (psycopg.OperationalError, ConnectionLost) as error:
        if _is_interrupted(error):
            raise KeyboardInterrupt from error
        # Of a connection that stood: the server has gone, or has no space left, which it tells the client alone.
        text = "" if getattr(error, "sqlstate", None) else said().strip()
        text = text or str(error).split("\nCONTEXT:")[0]
        if word := _ended_by(server):
            text += f"\nThe server was ended by {word}."
        raise damage.server_failed(text, cluster) from error


def _ended_by(server: Server) -> str:
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


def _connected(server: Server, cluster: Cluster) -> psycopg.Connection:
    import psycopg

    from localbase.postgres import migrate

    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return migrate.connect(cluster)
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)  # the server says nowhere else that it accepts connections
