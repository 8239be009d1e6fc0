"""Parts of files on their way to a client past this process's memory: `sendfile`, as far as the client fetches.

uvloop has none of its own. Its transport is empty while a file is sent, so the socket is written to directly, by a
second descriptor: the loop watches the first one for the transport.
"""

from __future__ import annotations

import asyncio
import os
import socket

from localbase.gateway.http.connection import LimitedProtocol
from localbase.gateway.http.limits import Limits, Pace

# Others have their turn after so many bytes.
_TURN_BYTES = 1024 * 1024


class FileSender:
    """Sends to the client of one connection. `close` ends it with the connection."""

    def __init__(self, transport: asyncio.Transport, limits: Limits) -> None:
        watched = transport.get_extra_info("socket")
        self._socket = socket.socket(watched.family, watched.type, watched.proto, os.dup(watched.fileno()))
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self._pace = Pace(self._loop.time(), limits.write_seconds, limits.body_bytes_per_second)
        self._writable: asyncio.Future[None] | None = None

    async def send(self, file: int, offset: int, count: int, head: bytes = b"") -> bool:
        """Sends `count` bytes of a file from `offset` on, behind `head`.

        False where the client has gone, or fetches too slowly.
        """
        end = offset + count
        # The head goes in one packet with what follows.
        flags = socket.MSG_MORE if count else 0
        while (head or offset < end) and not self._transport.is_closing():
            try:
                if head:
                    head = head[self._socket.send(head, flags) :]
                    continue
                sent = os.sendfile(self._socket.fileno(), file, offset, min(end - offset, _TURN_BYTES))
            except BlockingIOError:
                if not await self._until_writable():
                    self._transport.abort()
                continue
            except OSError:
                self._transport.abort()
                continue
            if not sent:
                # The file is shorter than it was: no end is better than a wrong one.
                self._transport.abort()
                continue
            offset += sent
            self._pace.moved(sent, self._loop.time())
            if offset < end:
                await asyncio.sleep(0)
        return offset == end and not head

    def close(self) -> None:
        """The connection has ended, or the file has been sent."""
        if self._writable is not None:
            self._loop.remove_writer(self._socket.fileno())
            self._wake()
        self._socket.close()

    async def _until_writable(self) -> bool:
        """False where the client has fetched too little for too long."""
        self._writable = self._loop.create_future()
        self._loop.add_writer(self._socket.fileno(), self._wake)
        try:
            async with asyncio.timeout_at(self._pace.deadline):
                await self._writable
        except TimeoutError:
            return False
        finally:
            self._writable = None
            if self._socket.fileno() >= 0:
                self._loop.remove_writer(self._socket.fileno())
        return True

    def _wake(self) -> None:
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)


class FileProtocol(LimitedProtocol):
    """One connection to which files can be sent. `scope["localbase.send_file"]` of its application does so."""

    _sender: FileSender | None = None

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self.scope["localbase.send_file"] = self.send_file  # type: ignore[typeddict-unknown-key]
        super().on_headers_complete()

    async def send_file(self, file: int, offset: int, count: int) -> None:
        """Sends a part of a file as a part of the response's body, of which the length was announced."""
        if await self.write_file(b"", file, offset, count):
            self.cycle.expected_content_length -= count
        else:
            self.cycle.disconnected = True

    async def write_file(self, head: bytes, file: int, offset: int, count: int) -> bool:
        """Writes `head` and a part of a file. False where the client has gone, or fetches too slowly."""
        if self.transport.get_write_buffer_size():
            # What was written before has to be with the system by then.
            self.transport.set_write_buffer_limits(high=0)
            await self.flow.drain()
            self.transport.set_write_buffer_limits()
        if self.transport.is_closing():
            return False
        self._sender = sender = FileSender(self.transport, self.limits)
        try:
            return await sender.send(file, offset, count, head)
        finally:
            self._sender = None
            sender.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        super().connection_lost(exc)
        if self._sender is not None:
            self._sender.close()
