"""uvicorn's server, ended by an event.

uvicorn looks ten times a second whether it is to end, and then sleeps another tenth: clients of a stack that is
restarted would wait for that, and at rest it keeps a processor awake.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterable

import uvicorn

# How often the date in responses is made anew.
_DATE_SECONDS = 1.0
_POLL_SECONDS = 0.005


class HttpServer(uvicorn.Server):
    """Serves until `end`. Signals are its owner's: several servers may share a process."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.capture_signals = contextlib.nullcontext  # type: ignore[assignment,method-assign]
        self._ending = asyncio.Event()

    def end(self) -> None:
        """Begins to end: requests that have begun are answered, in the time that the configuration gives them."""
        self.should_exit = True
        self._ending.set()

    async def main_loop(self) -> None:
        """Makes the date of responses, until the end."""
        # Of its counter uvicorn makes the date at 0 only.
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_DATE_SECONDS):
                    await self._ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accepts no more, and waits for the connections that are being answered."""
        for server in self.servers:
            server.close()
        for each in sockets or []:
            each.close()
        state = self.server_state
        for connection in list(state.connections):
            connection.shutdown()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self.config.timeout_graceful_shutdown or 0)
        while (state.connections or state.tasks) and loop.time() < deadline:  # noqa: ASYNC110 - its sets have no event
            await asyncio.sleep(_POLL_SECONDS)
        for task in state.tasks:
            task.cancel()


def end_on_signals(servers: Iterable[HttpServer]) -> None:
    """Has SIGTERM and SIGINT end the servers of the running loop."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        for server in servers:
            server.end()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
