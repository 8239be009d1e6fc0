"""HTTP/1.1 below ASGI: a request that the gateway knows already is answered without scope, queues or task.

A whole request whose header block the gate understands is shown to the gate first. What the gate does not take falls
back to the ASGI path, as does everything else. Nothing is learned from that path: what a block of headers reads as is
computed from the block alone (`http_block`), and of a request nothing else is parsed here but its line.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Protocol

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from localbase.core.http import HeaderBlock
from localbase.core.http_admission import Admission
from localbase.core.http_connection import LimitedProtocol, Phase
from localbase.core.http_head import END
from localbase.core.http_limits import Limits

_PATIENCE_SECONDS = 0.2
_FAILURE_LINES = b"content-type: text/plain; charset=utf-8\r\ncontent-length: 21\r\n"


class Gate(Protocol):
    """Who answers some requests below ASGI."""

    def header_block(self, block: bytes) -> HeaderBlock | None:
        """What a block of headers reads as; None for one whose requests go to the ASGI path."""

    def begin(self, line: bytes, head: HeaderBlock, body: bytes, protocol: QuickProtocol) -> Exchange | None:
        """Takes a request, or leaves it. The answer comes later, from the loop."""


class Work(Protocol):
    """What goes on for a request."""

    def cancel(self) -> None:
        """Nobody is there to be answered."""


class Exchange:
    """One request and its answer. A gate makes its own kind."""

    __slots__ = ("_protocol", "started", "work")

    def __init__(self, protocol: QuickProtocol) -> None:
        self._protocol = protocol
        self.started = time.perf_counter()
        self.work: Work | None = None

    @property
    def seconds(self) -> float:
        """Since the request came."""
        return time.perf_counter() - self.started

    def send(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        """Sends the answer: header lines, each with its end, and the body."""
        if self._protocol.exchange is self:
            self._protocol.answer(status, lines, body)

    def fail(self) -> None:
        """Answers as uvicorn does where an application fails, and closes the connection."""
        if self._protocol.exchange is self:
            self._protocol.last = True
            self._protocol.answer(500, (_FAILURE_LINES,), b"Internal Server Error")

    def hang_up(self) -> None:
        """The client has gone."""
        if self.work is not None:
            self.work.cancel()


class QuickProtocol(LimitedProtocol):
    """One connection. `gate` is set by the subclass that `protocol_of` makes."""

    gate: Gate
    _date: tuple[object, bytes] = (None, b"")

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.exchange: Exchange | None = None
        # The block of headers that was seen last, and what it reads as: most clients always send the same.
        self._block = b""
        self._head: HeaderBlock | None = None
        self.last = False

    @property
    def busy(self) -> bool:
        """Whether a request is being answered."""
        cycle = self.cycle
        return self.exchange is not None or (cycle is not None and not cycle.response_complete)

    def take_request(self, data: bytes) -> None:
        """Takes the request that `data` begins with: shows it to the gate first if it is whole."""
        line_end = data.find(b"\r\n")
        head_end = data.find(END, line_end) if line_end > 0 else -1
        if head_end < 0 or head_end + 4 > self.limits.head_bytes:
            super().take_request(data)
            return
        block = data[line_end:head_end]
        if block != self._block:
            self._block, self._head = block, self.gate.header_block(block)
        head = self._head
        if head is None:
            super().take_request(data)
            return
        body_at = head_end + 4
        end = body_at + head.length
        if len(data) < end:
            self.wait_for(Phase.BODY, data)
            return
        self.phase, self.seen = Phase.IDLE, 0
        if not self.flow.write_paused:
            self.exchange = self.gate.begin(data[:line_end], head, data[body_at:end], self)
        if self.exchange is None:
            super().take_request(data)
            return
        if len(data) > end:
            self.held = data[end:]
            if len(data) - end > HIGH_WATER_LIMIT:
                self.flow.pause_reading()

    def answer(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        """Writes the answer to the request that the gate has taken, and goes on with what came behind it."""
        self.exchange = None
        end = b"connection: close\r\n\r\n" if self.last else b"\r\n"
        self.transport.write(b"".join((STATUS_LINE[status], self._defaults(), *lines, end, body)))
        self.server_state.total_requests += 1
        if self.last:
            self.transport.close()
        else:
            self.go_on()

    def _defaults(self) -> bytes:
        """The headers that every answer has: uvicorn makes them anew each second."""
        known, text = QuickProtocol._date
        given = self.server_state.default_headers
        if known is not given:
            text = b"".join([name + b": " + value + b"\r\n" for name, value in given])
            QuickProtocol._date = given, text
        return text

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone. Most work is done before anybody would look: the rest gets a moment."""
        exchange, self.exchange = self.exchange, None
        super().connection_lost(exc)
        if exchange is not None:
            self.loop.call_later(max(_PATIENCE_SECONDS - exchange.seconds, 0), exchange.hang_up)

    def shutdown(self) -> None:
        """The server ends: what has been asked is still answered."""
        if self.exchange is not None:
            self.last = True
        else:
            super().shutdown()


def protocol_of(gate: Gate, limits: Limits | None = None) -> type[asyncio.Protocol]:
    """The protocol for a server whose gate is `gate`."""
    limits = limits or Limits()
    shared = {"gate": gate, "limits": limits, "admission": Admission(limits)}
    return type("GatedProtocol", (QuickProtocol,), shared)
