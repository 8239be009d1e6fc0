"""The sockets of libpq's connections in the loop."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Callable


async def ready(descriptor: int, *, writing: bool) -> None:
    """Returns when the descriptor can be read, or written."""
    loop = asyncio.get_running_loop()
    turn: asyncio.Future[None] = loop.create_future()
    add, remove = (loop.add_writer, loop.remove_writer) if writing else (loop.add_reader, loop.remove_reader)

    def wake() -> None:
        if not turn.done():
            turn.set_result(None)

    add(descriptor, wake)
    try:
        await turn
    finally:
        remove(descriptor)


class Watched:
    """A connection's socket, watched by a descriptor that is this object's alone.

    libpq closes its own one as soon as it sees that the server has gone, and the process's next socket gets its number:
    to watch it no longer would then take that socket out of the loop, and whoever waits for it would wait for ever.

    A server that ends with something unread resets the connection. uvloop tells that once and stops watching, while
    libpq reads what has come before it: so this object asks until the reset has been read too.
    """

    def __init__(self, descriptor: int) -> None:
        """`descriptor` is the connection's. Raises `OSError`."""
        self._loop = asyncio.get_running_loop()
        self._descriptor = os.dup(descriptor)
        # Asked for nothing, the system tells of errors and of the end.
        self._errors = select.poll()
        self._errors.register(self._descriptor, 0)
        self._read: Callable[[], bool | None] | None = None

    def on_readable(self, act: Callable[[], bool | None]) -> None:
        """Calls `act` whenever there is something to read, until `ignore_readable` or `close`.

        Its answer is true where all that is expected has been read: it spares a call of the system.
        """
        self._read = act
        self._loop.add_reader(self._descriptor, self._on_readable)

    def on_writable(self, act: Callable[[], None]) -> None:
        """Calls `act` whenever something can be written, until `ignore_writable` or `close`."""
        self._loop.add_writer(self._descriptor, act)

    def ignore_readable(self) -> None:
        """Ends `on_readable`."""
        self._read = None
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)

    def ignore_writable(self) -> None:
        """Ends `on_writable`."""
        if self._descriptor >= 0:
            self._loop.remove_writer(self._descriptor)

    def close(self) -> None:
        """Watches it no longer. The connection's own descriptor stays as it is."""
        self.ignore_readable()
        self.ignore_writable()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _on_readable(self) -> None:
        if self._read is None or self._read() or self._read is None:
            return
        if any(events & select.POLLERR for _, events in self._errors.poll(0)):
            self._loop.call_soon(self._on_readable)
