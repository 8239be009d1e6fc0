"""Several gateway processes on one port: `LOCALBASE_WORKERS`, 1 if not told.

The first process holds the listening socket and starts the others, which share it; whoever is free takes the next
connection. Each has its own connections to Postgres and hears schema changes itself. A worker ends when the pipe from
the first process does, so that none is left behind; when a worker ends by itself, the first ends too, and the
supervisor starts them all again.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from localbase.core.errors import UserError

_MOST = 64


def worker_count(environ: Mapping[str, str]) -> int:
    """How many processes shall serve. Raises `UserError` for what is no number of them."""
    given = environ.get("LOCALBASE_WORKERS", "").strip() or "1"
    if not given.isdecimal() or not 1 <= int(given) <= _MOST:
        raise UserError(
            f"LOCALBASE_WORKERS is {given!r}.", f"Give a number of processes from 1 to {_MOST}, or unset it."
        )
    return int(given)


def listening_socket(port: int) -> socket.socket:
    """The API's socket, which workers inherit."""
    found = socket.create_server(("127.0.0.1", port), backlog=2048)
    found.set_inheritable(True)
    return found


class Workers:
    """The other processes of a gateway."""

    def __init__(self, workdir: Path, listening: socket.socket, others: int) -> None:
        self._workdir = workdir
        self._listening = listening
        self._others = others
        self._running: list[asyncio.subprocess.Process] = []
        self._watching: list[asyncio.Task[None]] = []

    async def start(self, ended: Callable[[], None]) -> None:
        """Starts them. `ended` is called when one of them ends by itself."""
        descriptor = self._listening.fileno()
        for index in range(1, self._others + 1):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "localbase.serve", "--workdir", str(self._workdir)),
                *("--worker", str(index), "--socket", str(descriptor)),
                stdin=asyncio.subprocess.PIPE,
                pass_fds=(descriptor,),
            )
            self._running.append(process)
            self._watching.append(asyncio.create_task(_watch(process, ended)))

    async def stop(self) -> None:
        """Tells them to end, and waits until they have."""
        for task in self._watching:
            task.cancel()
        for process in self._running:
            if process.stdin is not None:
                process.stdin.close()
        for process in self._running:
            await process.wait()


async def _watch(process: asyncio.subprocess.Process, ended: Callable[[], None]) -> None:
    await process.wait()
    ended()


async def until_parent_ends(end: Callable[[], None]) -> None:
    """In a worker: calls `end` when the first process closes the pipe, or is gone."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while await reader.read(1024):
        continue
    end()
