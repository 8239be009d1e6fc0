"""Connections that one process has accepted and another serves: those for Realtime, whose hub is in the first process.

A worker hands over a connection at the head of a request: the socket, and a file with what it has read of it. They go
over a pair of sockets that the supervisor holds, so a process that is started again finds who waits. A byte
announces each, so there is no half of a message.
"""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from contextlib import suppress

from localbase.core.web.http_server import HttpServer
from localbase.gateway.http.connection import LimitedProtocol

_ONE = b"\0"
# Received in one turn of the loop, which has others to serve too.
_TURN = 16


class Handover:
    """The giving end. Requests below the paths `prefixes` are another process's."""

    def __init__(self, channel: socket.socket, prefixes: tuple[bytes, ...]) -> None:
        channel.setblocking(False)
        self._channel = channel
        self.prefixes = prefixes

    def give(self, transport: asyncio.Transport, data: bytes) -> bool:
        """Hands over a connection of which `data` has been read, and lets go of it.

        False if an answer is still on its way to the client, or too many connections wait.
        """
        if transport.get_write_buffer_size():
            return False
        transport.pause_reading()
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(data)
            try:
                connection = transport.get_extra_info("socket").fileno()
                socket.send_fds(self._channel, [_ONE], [connection, file.fileno()])
            except OSError:
                transport.resume_reading()
                return False
        # The other process has the connection: this closes no more than a descriptor of it.
        transport.abort()
        return True


class Takeover:
    """The taking end: `server` serves each connection by a `protocol`."""

    def __init__(self, channel: socket.socket, server: HttpServer, protocol: type[LimitedProtocol]) -> None:
        channel.setblocking(False)
        self._channel = channel
        self._server = server
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._beginning: set[asyncio.Task[None]] = set()
        self._loop.add_reader(channel, self._receive)

    def close(self) -> None:
        """Takes no more. Who comes now waits for the next process."""
        self._loop.remove_reader(self._channel)

    def _receive(self) -> None:
        with suppress(BlockingIOError):
            for _ in range(_TURN):
                if self._server.should_exit:
                    self.close()
                    return
                _, (connection, file), _, _ = socket.recv_fds(self._channel, 1, 2)
                with os.fdopen(file, "rb") as read:
                    read.seek(0)
                    data = read.read()
                task = self._loop.create_task(self._begin(socket.socket(fileno=connection), data))
                self._beginning.add(task)
                task.add_done_callback(self._beginning.discard)

    async def _begin(self, connection: socket.socket, data: bytes) -> None:
        server = self._server
        protocol = self._protocol(
            config=server.config, server_state=server.server_state, app_state={}, _loop=self._loop
        )
        # Before anything that the client sends from now on.
        protocol.held = data
        await self._loop.connect_accepted_socket(lambda: protocol, connection)
        protocol.take_held()
