"""The supervisor as the command that starts the stack sees it: a fork, begun before the database is ready.

It imports what its processes need meanwhile. The command asks it for the database where there is one already, and says
when all is to begin. Where the command ends before, so does the supervisor, and leaves nothing.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from dataclasses import replace

from localbase.cli.stack.children import InheritedChild, Standbys, detach
from localbase.cli.stack.health import HealthPolicy
from localbase.cli.stack.preloaded import read_at_start
from localbase.cli.stack.processes import stack_environ
from localbase.cli.stack.sockets import HeldSockets
from localbase.cli.stack.stack import PortLost
from localbase.cli.stack.supervision import Command, open_lock, supervise
from localbase.cli.stack.supervisor import BEGIN, DATABASE, ENDED_BY
from localbase.core.project import Project


class Launched:
    """A supervisor that waits for its command's word."""

    def __init__(self, process: InheritedChild, connection: socket.socket) -> None:
        self._process = process
        self._connection = connection

    def start_database(self) -> None:
        """Has it start Postgres on the project's data. A supervisor that has ended is noticed by its end."""
        self._say(DATABASE)

    def begin(self) -> None:
        """Has it start everything. Raises `PortLost` where it has ended, as it does when Postgres gets no port."""
        self._say(BEGIN)
        # It closes its end as soon as it has its own lock.
        select.select([self._connection], [], [])
        if self._process.poll() is not None:
            raise PortLost(
                "The database cannot have its port: another program listens there.",
                "Stop that program, or choose another port in supabase/config.toml, and try again.",
            )

    def end(self) -> None:
        """Waits for the end of one that has not begun: nothing of it runs any more."""
        # It may have ended by itself.
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        self._process.wait()

    def poll(self) -> int | None:
        """Its exit code, once it has ended: minus the number of a signal that has ended its database."""
        return None if self._process.poll() is None else self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """The same, waiting for it. Raises `subprocess.TimeoutExpired`."""
        # Its end of the connection ends with it.
        if not select.select([self._connection], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("the supervisor", timeout or 0.0)
        code = self._process.wait()
        return ENDED_BY - code if code > ENDED_BY else code

    def _say(self, word: bytes) -> None:
        try:
            self._connection.sendall(word)
        except BrokenPipeError:
            self._process.wait()


def launch(project: Project, lock: int, sockets: HeldSockets) -> Launched:
    """Forks the supervisor, detached from this terminal, with the sockets, which are its own from now on.

    It holds the command's lock (the descriptor `lock`) too until it begins and has its own: were this command killed
    now, the next would find either.
    """
    # The command needs it in a moment, and each of the processes that are forked: once for all.
    import psycopg  # noqa: F401

    own_lock = open_lock(project)
    for path in (project.state / "logs").glob("*.log"):
        path.replace(path.with_suffix(".log.1"))
    (project.state / "supervisor.json").unlink(missing_ok=True)
    here, there = socket.socketpair()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    pid = os.fork()
    if not pid:
        here.close()
        _supervise(project, own_lock, sockets, there, lock)
    there.close()
    os.close(own_lock)
    sockets.close()
    return Launched(InheritedChild(pid), here)


def _supervise(
    project: Project, own_lock: int, sockets: HeldSockets, there: socket.socket, lock: int
) -> None:
    """In the fork: does not return to what called the command."""
    status = 1
    try:
        environ = stack_environ(project)
        is_the_same = read_at_start(environ) == read_at_start(os.environ)
        # Apple's frameworks end a fork that uses them, as one that serves does.
        command = Command(there, lock, may_fork=is_the_same and sys.platform == "linux")
        detach(project.root, project.state / "logs" / "supervisor.log")
        os.environ.clear()
        os.environ.update(environ)
        project = replace(project, environ=environ)
        status = supervise(project, own_lock, sockets, Standbys(), HealthPolicy(), command=command)
    except BaseException:  # noqa: BLE001 - nothing above this is the fork's own
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
