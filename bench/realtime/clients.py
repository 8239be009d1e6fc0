"""WebSockets of the bench: thousands in one process, each message at as little work as Python can do.

The server is what is measured, so frames are split by hand and their contents are not read.
"""

from __future__ import annotations

import asyncio
import resource
import struct
import time
from collections.abc import Callable

_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_AT_ONCE = 32
_OPENING_SECONDS = 30.0
_SPARE_FILES = 256
_SHORT, _MIDDLE = 126, 65_536

Take = Callable[[bytes, float], None]
"""Called with each message and the time (`perf_counter`) at which it was read."""


class Client(asyncio.Protocol):
    """One WebSocket. It sends `first` and is ready when a message has `mark`; `take` gets what comes afterwards."""

    def __init__(self, path: str, port: int, first: bytes, mark: bytes, take: Take) -> None:
        self._handshake = _HANDSHAKE.format(path=path, port=port).encode()
        self._first = first
        self._mark = mark
        self._take = take
        self._is_open = False
        self._rest = b""
        self.transport: asyncio.Transport
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The server has accepted it."""
        self.transport = transport
        transport.write(self._handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """The server has ended it, or `close` has."""
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"closed before it was ready: {self._rest!r} {exc}"))

    def data_received(self, data: bytes) -> None:
        """The end of the handshake, or frames."""
        now = time.perf_counter()
        data = self._rest + data if self._rest else data
        if not self._is_open:
            head, end, data_behind = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = data
                return
            if b" 101 " not in head:
                self.ready.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._is_open, data = True, data_behind
            self.send(self._first)
        self._rest = self._split(data, now)

    def _split(self, data: bytes, now: float) -> bytes:
        """Hands on the messages; what is left is a part of one."""
        at, size = 0, len(data)
        while at + 2 <= size:
            length, begins = data[at + 1], at + 2
            if length == 126:
                if begins + 2 > size:
                    break
                length, begins = int.from_bytes(data[begins : begins + 2], "big"), begins + 2
            elif length == 127:
                if begins + 8 > size:
                    break
                length, begins = int.from_bytes(data[begins : begins + 8], "big"), begins + 8
            at_end = begins + length
            if at_end > size:
                break
            message = data[begins:at_end]
            if self.ready.done():
                self._take(message, now)
            elif self._mark in message:
                self.ready.set_result(None)
            at = at_end
        return data[at:]

    def send(self, message: bytes) -> None:
        """Sends a frame of text, masked by nothing."""
        size = len(message)
        if size < _SHORT:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < _MIDDLE:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        self.transport.write(head + b"\0\0\0\0" + message)

    def close(self) -> None:
        """Ends it at once."""
        self.transport.abort()


async def open_clients(count: int, port: int, make: Callable[[int], Client]) -> list[Client]:
    """Returns as many clients as `make` makes, all of them ready. Raises `ConnectionError`."""
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(count + _SPARE_FILES, most)), most))
    turns = asyncio.Semaphore(_AT_ONCE)
    loop = asyncio.get_running_loop()

    async def open_one(number: int) -> Client:
        async with turns, asyncio.timeout(_OPENING_SECONDS):
            _, client = await loop.create_connection(lambda: make(number), "127.0.0.1", port)
            await client.ready
            return client

    return list(await asyncio.gather(*[open_one(number) for number in range(count)]))
