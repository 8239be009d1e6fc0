"""HTTP connections that end behind a response whose client is still sending.

uvicorn closes at once. What the client then sends is answered with a reset, which can lose it the response: a
413 for a body of which a part was read. So the rest is read and thrown away, for a limited time and of a limited size,
until the client has seen that nothing more will come (RFC 9112, 9.6).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class ResponseTransport:
    """The transport as uvicorn's response has it: to close it is the protocol's decision."""

    __slots__ = ("close", "is_closing", "write")

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = close


class LingeringProtocol(HttpToolsProtocol):
    """One connection."""

    linger_seconds = 5.0
    linger_bytes = 64 << 20

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The connection ends: what still comes is thrown away.
        self.is_ending = False
        self._discarded = 0

    def data_received(self, data: bytes) -> None:
        """Bytes of a request, or of what nobody reads."""
        if self.is_ending:
            self.discard(len(data))
        else:
            super().data_received(data)

    def on_headers_complete(self) -> None:
        """The head is whole."""
        super().on_headers_complete()
        self._discarded = 0
        self.cycle.transport = ResponseTransport(self.transport, self._end_response)  # type: ignore[assignment]

    def _end_response(self) -> None:
        """The response is whole, or will never be: a client must see that such a one was cut off."""
        if self.cycle.response_complete and self.cycle.more_body:
            self.linger()
        else:
            self.transport.close()

    def linger(self) -> None:
        """Ends the connection as soon as the client has done so, or a limit is reached."""
        self.is_ending = True
        self.flow.resume_reading()
        self.transport.write_eof()
        self.loop.call_later(self.linger_seconds, self.transport.abort)

    def discard(self, size: int) -> None:
        """Counts bytes that nobody reads."""
        self._discarded += size
        if self._discarded > self.linger_bytes:
            self.transport.abort()
