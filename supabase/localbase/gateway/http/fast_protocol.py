"""HTTP/1.1 for the fast path, which serves everyday requests without ASGI's scope, queues and task.

A whole request with a header block that the fast path understands is offered to it first. What it does not take falls
back to the ASGI path, as does everything else. Nothing is learned from that path: what a block of headers reads as is
computed from the block alone (`header_block`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, Protocol

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from localbase.core.web.http import HeaderBlock
from localbase.gateway.http.admission import shared_by_connections
from localbase.gateway.http.file_sender import FileProtocol
from localbase.gateway.http.handover import Handover
from localbase.gateway.http.head import END, is_below
from localbase.gateway.http.limits import Limits, Phase

_log = logging.getLogger("localbase.gateway")
_GRACE_SECONDS = 0.2
_FAILURE_LINES = b"content-type: text/plain; charset=utf-8\r\ncontent-length: 21\r\n"


class FastPathHandler(Protocol):
    """Serves some requests without ASGI."""

    def header_block(self, block: bytes) -> tuple[HeaderBlock, int] | None:
        """A block of headers, and the length of its body; None for one whose requests go to the ASGI path."""

    def submit(
        self, line: bytes, block: HeaderBlock, body: bytes, protocol: FastPathProtocol
    ) -> FastRequest | None:
        """Begins the work on a request; None if it is not eligible. The loop sends the response later."""


class Work(Protocol):
    """The work for a request."""

    def cancel(self) -> None:
        """The client has gone."""


class FastRequest:
    """One request of the fast path, until its response is sent."""

    __slots__ = ("_protocol", "started", "work")

    def __init__(self, protocol: FastPathProtocol) -> None:
        self._protocol = protocol
        self.started = time.perf_counter()
        self.work: Work | None = None

    @property
    def seconds(self) -> float:
        """Since the request came."""
        return time.perf_counter() - self.started

    def send(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        """Sends the response: header lines, each with its end, and the body."""
        if self._protocol.request is self:
            self._protocol.respond(status, lines, body)

    def send_file(
        self, lines: Sequence[bytes], file: BinaryIO, size: int, ended: Callable[[bool], None]
    ) -> None:
        """Sends a file of `size` bytes, which is closed then; `ended` hears whether all was sent."""
        if self._protocol.request is self:
            self._protocol.respond_with_file(lines, file, size, ended)
        else:
            file.close()
            ended(False)

    def fail(self) -> None:
        """Responds as uvicorn does where an application fails, and closes the connection."""
        if self._protocol.request is self:
            self._protocol.last = True
            self._protocol.respond(500, (_FAILURE_LINES,), b"Internal Server Error")

    def hang_up(self) -> None:
        """The client has gone."""
        if self.work is not None:
            self.work.cancel()


class FastPathProtocol(FileProtocol):
    """One connection. `fast_path` is set by the subclass that `protocol_of` makes, and `public_path` beside it."""

    fast_path: FastPathHandler
    # Takes requests that begin with these bytes, by headers of their own kinds.
    public_path: tuple[bytes, FastPathHandler] | None = None
    # Where connections go that another process serves.
    handover: Handover | None = None
    _date: tuple[object, bytes] = (None, b"")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request: FastRequest | None = None
        self._sending: asyncio.Task[None] | None = None
        # The block of headers that was seen last, and what it reads as: most clients always send the same.
        self._block_bytes = b""
        self._block: tuple[HeaderBlock, int] | None = None
        self._block_reader: FastPathHandler | None = None

    @property
    def busy(self) -> bool:
        """Tell whether a request is being answered."""
        cycle = self.cycle
        return self.request is not None or (cycle is not None and not cycle.response_complete)

    def take_request(self, data: bytes) -> None:
        """Takes the request that `data` begins with: offers it to the fast path first if it is whole."""
        line_end = data.find(b"\r\n")
        head_end = data.find(END, line_end) if line_end > 0 else -1
        if head_end < 0 or head_end + 4 > self.limits.head_bytes:
            super().take_request(data)
            return
        if self.handover is not None and is_below(data, self.handover.prefixes):
            self._hand_over(self.handover, data)
            return
        block_bytes = data[line_end:head_end]
        fast_path = self.fast_path
        if self.public_path is not None and data.startswith(self.public_path[0]):
            fast_path = self.public_path[1]
        if block_bytes != self._block_bytes or fast_path is not self._block_reader:
            self._block_bytes, self._block_reader = block_bytes, fast_path
            self._block = fast_path.header_block(block_bytes)
        if self._block is None:
            super().take_request(data)
            return
        block, length = self._block
        body_at = head_end + 4
        end = body_at + length
        if len(data) < end:
            self.wait_for(Phase.BODY, data)
            return
        self.phase, self.seen = Phase.IDLE, 0
        if not self.flow.write_paused:
            self.request = fast_path.submit(data[:line_end], block, data[body_at:end], self)
        if self.request is None:
            super().take_request(data)
            return
        if len(data) > end:
            self.held = data[end:]
            if len(data) - end > HIGH_WATER_LIMIT:
                self.flow.pause_reading()

    def _hand_over(self, handover: Handover, data: bytes) -> None:
        if handover.give(self.transport, data):
            self.is_ending = True
        else:
            self.reject(503)

    def respond(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        """Writes the response to a request of the fast path, and goes on with what came behind the request."""
        self.request = None
        end = b"connection: close\r\n\r\n" if self.last else b"\r\n"
        self.transport.write(b"".join((STATUS_LINE[status], self._defaults(), *lines, end, body)))
        self.server_state.total_requests += 1
        if self.last:
            self.transport.close()
        else:
            self.go_on()

    def respond_with_file(
        self, lines: Sequence[bytes], file: BinaryIO, size: int, ended: Callable[[bool], None]
    ) -> None:
        """The same with a file of `size` bytes as the body, which goes past this process's memory."""
        self._sending = self.loop.create_task(self._send_file(lines, file, size, ended))

    async def _send_file(
        self, lines: Sequence[bytes], file: BinaryIO, size: int, ended: Callable[[bool], None]
    ) -> None:
        end = b"connection: close\r\n\r\n" if self.last else b"\r\n"
        head = b"".join((STATUS_LINE[200], self._defaults(), *lines, end))
        is_whole = False
        try:
            with file:
                is_whole = await self.write_file(head, file.fileno(), 0, size)
        except OSError:
            # No descriptor is left, for instance.
            _log.exception("a file cannot be sent")
        finally:
            self._sending = self.request = None
            ended(is_whole)
        self.server_state.total_requests += 1
        if self.last or not is_whole:
            self.transport.close()
        else:
            self.go_on()

    def _defaults(self) -> bytes:
        """The headers of every response: uvicorn makes them anew each second."""
        cached_headers, text = FastPathProtocol._date
        default_headers = self.server_state.default_headers
        if cached_headers is not default_headers:
            text = b"".join([name + b": " + value + b"\r\n" for name, value in default_headers])
            FastPathProtocol._date = default_headers, text
        return text

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone. Most work is done within a moment: only what takes longer is cancelled."""
        request, self.request = self.request, None
        super().connection_lost(exc)
        if request is not None:
            self.loop.call_later(max(_GRACE_SECONDS - request.seconds, 0), request.hang_up)

    def shutdown(self) -> None:
        """The server ends: a request that has begun still gets its response."""
        if self.request is not None:
            self.last = True
        else:
            super().shutdown()


def protocol_of(
    fast_path: FastPathHandler,
    limits: Limits | None = None,
    sockets: tuple[str, ...] = (),
    handover: Handover | None = None,
    public_path: tuple[bytes, FastPathHandler] | None = None,
) -> type[FastPathProtocol]:
    """The protocol for a server with a fast path. Below the paths `sockets` clients may ask for WebSockets.

    `handover` takes the connections that another process serves, `public_path` the requests that begin with its bytes.
    """
    limits = limits or Limits()
    shared = {
        **shared_by_connections(limits),
        "fast_path": fast_path,
        "public_path": public_path,
        "socket_prefixes": tuple([prefix.encode() for prefix in sockets]),
        "handover": handover,
    }
    return type("BoundProtocol", (FastPathProtocol,), shared)
