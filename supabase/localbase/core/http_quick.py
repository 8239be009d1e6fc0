"""HTTP/1.1 below ASGI: a request that the gateway knows already is answered without scope, queues or task.

`QuickProtocol` is uvicorn's protocol. A whole request that arrives between two others, with a block of headers that
uvicorn's parser has accepted before, byte for byte, is shown to a gate first. What the gate does not take goes the
ordinary way, as does everything else, so nothing is parsed here but the request line.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Protocol

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from localbase.core.http import Head

_END = b"\r\n\r\n"
_LONGEST_BODY = 64 * 1024
_PATIENCE_SECONDS = 0.2
_FAILURE_LINES = b"content-type: text/plain; charset=utf-8\r\ncontent-length: 21\r\n"
RawHeaders = tuple[tuple[bytes, bytes], ...]


class Gate(Protocol):
    """Who answers some requests below ASGI."""

    def recognise(self, block: bytes) -> Head | None:
        """The headers that a block is known to read as; None for another."""

    def begin(self, line: bytes, head: Head, body: bytes, protocol: QuickProtocol) -> Exchange | None:
        """Takes a request, or leaves it. The answer comes later, from the loop."""

    def learn(self, block: bytes, headers: RawHeaders) -> None:
        """Takes note of the headers that a block reads as."""


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


class QuickProtocol(HttpToolsProtocol):
    """One connection. `gate` is set by the subclass that `protocol_of` makes."""

    gate: Gate
    _date: tuple[object, bytes] = (None, b"")

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        # What has come and not been looked at: behind a request that is being answered, or of one without its end.
        self._held = b""
        self.exchange: Exchange | None = None
        self._within = False
        self._heads = 0
        # The block of headers that was seen last, and what it is known as: most clients always send the same.
        self._block = b""
        self._head: Head | None = None
        self.last = False
        self._idle_since = 0.0

    def data_received(self, data: bytes) -> None:
        """Bytes of a request, or of several."""
        if self.exchange is not None:
            self._held += data
            self.flow.pause_reading()
            return
        if self._held:
            data, self._held = self._held + data, b""
        if self._within or (self.cycle is not None and not self.cycle.response_complete):
            super().data_received(data)
            return
        line_end = data.find(b"\r\n")
        head_end = data.find(_END, line_end) if line_end > 0 else -1
        if head_end < 0:
            super().data_received(data)
            return
        block = data[line_end:head_end]
        if block != self._block:
            self._block, self._head = block, self.gate.recognise(block)
        head = self._head
        if head is None:
            self._learn(block, data)
            return
        missing = head_end + 4 + head.length - len(data)
        if missing > 0 and head.length <= _LONGEST_BODY:
            self._held = data
            return
        if not missing and not self.flow.write_paused:
            self.exchange = self.gate.begin(data[:line_end], head, data[head_end + 4 :], self)
        if self.exchange is None:
            super().data_received(data)

    def _learn(self, block: bytes, data: bytes) -> None:
        # Looked up again with the next request: another connection may have learned it by then.
        self._block = b""
        heads = self._heads
        super().data_received(data)
        if self._heads == heads + 1 and self.transport is not None and not self.transport.is_closing():
            self.gate.learn(block, tuple(self.headers))

    def on_message_begin(self) -> None:
        """A request begins."""
        self._within = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its headers are whole."""
        self._heads += 1
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._within = False
        super().on_message_complete()

    def answer(self, status: int, lines: Sequence[bytes], body: bytes) -> None:
        """Writes the answer to the request that the gate has taken, and goes on with what came behind it."""
        self.exchange = None
        end = b"connection: close\r\n\r\n" if self.last else b"\r\n"
        self.transport.write(b"".join((STATUS_LINE[status], self._defaults(), *lines, end, body)))
        self.server_state.total_requests += 1
        if self.last:
            self.transport.close()
            return
        self._idle_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._watch(self.timeout_keep_alive)
        if self._held:
            held, self._held = self._held, b""
            self.flow.resume_reading()
            self.loop.call_soon(self._go_on, held)

    def _go_on(self, held: bytes) -> None:
        if not self.transport.is_closing():
            self.data_received(held)

    def _defaults(self) -> bytes:
        """The headers that every answer has: uvicorn makes them anew each second."""
        known, text = QuickProtocol._date
        given = self.server_state.default_headers
        if known is not given:
            text = b"".join([name + b": " + value + b"\r\n" for name, value in given])
            QuickProtocol._date = given, text
        return text

    def _watch(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

    def timeout_keep_alive_handler(self) -> None:
        """Closes the connection where nothing has come for long. The timer is not set anew with each answer."""
        self.timeout_keep_alive_task = None
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if self.exchange is not None or self._held:
            # Set again with the answer.
            return
        if left > 0:
            self._watch(left)
        else:
            super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone. Most work is done before anybody would look: the rest gets a moment."""
        self._held = b""
        exchange, self.exchange = self.exchange, None
        super().connection_lost(exc)
        if exchange is not None:
            self.loop.call_later(max(_PATIENCE_SECONDS - exchange.seconds, 0), exchange.hang_up)

    def shutdown(self) -> None:
        """The server ends: what has been asked is still answered."""
        if self.exchange is not None:
            self.last = True
            return
        if self._held:
            held, self._held = self._held, b""
            super().data_received(held)
        super().shutdown()


def protocol_of(gate: Gate) -> type[asyncio.Protocol]:
    """The protocol for a server whose gate is `gate`."""
    return type("GatedProtocol", (QuickProtocol,), {"gate": gate})
