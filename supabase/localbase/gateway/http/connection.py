"""HTTP/1.1 connections within limits, on uvicorn's protocol class.

uvicorn's parser is shown one message at a time, cut exactly where it ends. What comes behind it waits here as bytes
until the message has been answered: nothing is parsed ahead, so what one request says cannot reach another, and every
head, body and pause can be held to its limit. A connection has one timer, which is not set anew with each request.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httptools
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT

from localbase.core.web.lingering import LingeringProtocol
from localbase.gateway.http.admission import Admission, shared_by_connections
from localbase.gateway.http.flow import Flow
from localbase.gateway.http.framing import ChunkedBody, CountedBody, Framing, MalformedBody
from localbase.gateway.http.head import END, fault_of, opens_socket, without_empty_lines, without_upgrade
from localbase.gateway.http.limits import Limits, Pace, Phase
from localbase.gateway.http.rejection import rejection
from localbase.gateway.http.socket_protocol import SocketProtocol, switch_protocol

_log = logging.getLogger("localbase.gateway")


class LimitedProtocol(LingeringProtocol):
    """One connection. `limits` and `admission` are set by the subclass that a server uses."""

    limits = Limits()
    admission = Admission(Limits())
    # Paths below which a client may ask for a WebSocket.
    socket_prefixes: tuple[bytes, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # What has come and cannot be used yet; the first `seen` bytes of a request without its end are known.
        self.held = b""
        self.seen = 0
        self.phase = Phase.HEAD
        self.idle_since = 0.0
        self._reading: Pace
        self._writing: Pace | None = None
        self._unsent = 0
        self._timer: asyncio.TimerHandle | None = None
        # The body that uvicorn's parser is in, and how far it has come with the message.
        self._body: Framing | None = None
        self._head_complete = self._message_complete = False
        # The client will send no more.
        self._half_closed = False
        # The connection ends with the request that is being answered, or is coming.
        self.last = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come. It must ask something soon."""
        super().connection_made(transport)
        self.flow: Flow = Flow(transport)
        self._reading = Pace(self.loop.time(), self.limits.head_seconds, self.limits.body_bytes_per_second)
        self._look_at(self._reading.deadline)
        if not self.admission.admit(self, self._address):
            self.reject(503)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        if self._timer is not None:
            self._timer.cancel()
        self.admission.remove(self, self._address)
        self.held, self._body = b"", None
        super().connection_lost(exc)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    # As `Admission` sees it.

    @property
    def owes_request(self) -> bool:
        """Tell whether the client has yet to send a request, or the rest of one."""
        return not self.is_ending and (
            not self.busy or (self._body is not None and not self.cycle.response_started)
        )

    @property
    def unsent_bytes(self) -> int:
        """Return how much of its answer the client has yet to fetch."""
        return self.transport.get_write_buffer_size()

    def give_way(self) -> None:
        """Ends in favour of a newer connection."""
        if self.phase is Phase.IDLE:
            self.transport.close()
        else:
            self.reject(503)

    def abort(self) -> None:
        """Ends at once, with what is unsent."""
        _log.info("dropped an unread answer to %s", self._address or "-")
        self.transport.abort()

    # What comes.

    def data_received(self, data: bytes) -> None:
        """Bytes of a request, or of several."""
        if self.is_ending:
            self.discard(len(data))
            return
        if self.held:
            data, self.held = self.held + data, b""
        if self._body is not None:
            data = self._take_body(self._body, data)
            if not data:
                return
        if self.busy:
            self.held = data
            if len(data) > HIGH_WATER_LIMIT:
                self.flow.pause_reading()
        else:
            self.take_request(data)

    @property
    def busy(self) -> bool:
        """Tell whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def take_request(self, data: bytes) -> None:
        """Takes the request that `data` begins with, or what there is of it."""
        if data[:1] in (b"\r", b"\n"):
            # Empty lines before a request are none (RFC 9112, 2.2).
            data, self.seen = without_empty_lines(data), 0
            if not data:
                return
        end = data.find(END, max(self.seen - 3, 0))
        head = data if end < 0 else data[: end + 4]
        fault = fault_of(head, self.limits.head_bytes)
        if fault is not None:
            self.reject(fault)
        elif end < 0:
            self.wait_for(Phase.HEAD, data)
        elif opens_socket(head, self.socket_prefixes):
            self._become_socket(head, data[end + 4 :])
        else:
            self._begin(head)
            rest = data[end + 4 :]
            if rest and not self.is_ending:
                self.data_received(rest)

    def wait_for(self, phase: Phase, data: bytes) -> None:
        """Waits for the rest of a request that begins with `data`."""
        now = self.loop.time()
        if self.phase is not phase or not self.seen:
            self.phase = phase
            grace = self.limits.head_seconds if phase is Phase.HEAD else self.limits.body_seconds
            self._reading = Pace(now, grace, self.limits.body_bytes_per_second)
            self._look_at(self._reading.deadline)
        elif phase is Phase.BODY:
            self._reading.moved(len(data) - self.seen, now)
        self.seen = len(data)
        self.held = data

    def _become_socket(self, head: bytes, rest: bytes) -> None:
        """Hands the connection over to the protocol of WebSockets. A client waits for the answer before it sends."""
        if rest:
            self.reject(400)
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.admission.remove(self, self._address)
        # From here on the HTTP parser sees nothing more of this connection.
        self.is_ending = True
        switch_protocol(self, SocketProtocol(self.admission, self.limits, self), head)

    def _begin(self, head: bytes) -> None:
        """Shows a whole head to uvicorn, which starts the application."""
        self.phase, self.seen = Phase.IDLE, 0
        self._head_complete = self._message_complete = False
        self._feed(without_upgrade(head))
        if self.is_ending or self._message_complete:
            return
        fields = dict(self.headers) if self._head_complete else {}
        if b"transfer-encoding" in fields:
            self._body = ChunkedBody()
        elif b"content-length" in fields:
            self._body = CountedBody(int(fields[b"content-length"]))
        else:
            self.reject(400)
            return
        self.wait_for(Phase.BODY, b"")

    def _take_body(self, body: Framing, data: bytes) -> bytes:
        """Shows uvicorn what belongs to the body, a turn's worth of it. What comes behind it is the answer."""
        try:
            taken = body.take(data)
            self._feed(data[:taken])
            if self._message_complete != body.is_complete and not self.is_ending:
                raise MalformedBody
        except MalformedBody:
            self.reject(400)
        if self.is_ending:
            return b""
        rest = data[taken:]
        self.flow.waits = bool(rest) and not body.is_complete
        if isinstance(body, ChunkedBody) and (self.flow.waits or not self.flow.read_paused):
            # A client chooses how many chunks it sends, and a socket is read as long as there is something.
            self.flow.pause_reading()
            self.loop.call_soon(self._read_on)
        if body.is_complete:
            self._body, self.phase, self.idle_since = None, Phase.IDLE, self.loop.time()
            return rest
        self.held = rest
        if self.busy:
            self._reading.moved(taken, self.loop.time())
        else:
            # What is still sent after the answer must come to its end soon.
            self.discard(taken)
        return b""

    def _read_on(self) -> None:
        """Others have had their turn."""
        if self.flow.waits:
            self.take_held()
        if not self.transport.is_closing() and not (self.busy and len(self.cycle.body) > HIGH_WATER_LIMIT):
            self.flow.resume_reading()

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self.reject(400)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head. Trailer fields are none, though the parser reports them alike (RFC 9110, 6.5.1)."""
        if not self._head_complete:
            super().on_header(name, value.strip(b" \t"))

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._head_complete = True
        super().on_headers_complete()
        self.cycle.keep_alive &= not self.last

    def on_message_complete(self) -> None:
        """The message is whole."""
        self._message_complete = True
        super().on_message_complete()

    # What goes.

    def on_response_complete(self) -> None:
        """uvicorn has answered: on with what came behind the request."""
        self.server_state.total_requests += 1
        if self.is_ending or self.transport.is_closing():
            return
        if self.expect_100_continue and self._body is not None and self.phase is Phase.BODY:
            # A client without a 100 (Continue) may leave its body out: what comes next could be either.
            self.linger()
            return
        self.go_on()

    def go_on(self) -> None:
        """On with what came behind the request that has just been answered."""
        self.idle_since = self.loop.time()
        self.flow.resume_reading()
        if self.held:
            self.loop.call_soon(self.take_held)
        elif self._half_closed:
            self.transport.close()

    def take_held(self) -> None:
        """Takes what has come already."""
        if self.held and not self.transport.is_closing():
            self.data_received(b"")
            if self._half_closed and not self.busy:
                self.transport.close()

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more. It has gone, or it waits for the answers to what it has sent.

        Which of the two, TCP does not say. Work for a client that has gone should end, so answers get a moment only.
        """
        is_behind = self.busy or (self.phase is Phase.IDLE and bool(self.held))
        if not is_behind or self._body is not None:
            return False
        self._half_closed = True
        self.loop.call_later(self.limits.half_closed_seconds, self._end_half_closed)
        return True

    def _end_half_closed(self) -> None:
        if self.busy:
            self.transport.close()

    def reject(self, status: int) -> None:
        """Turns the client away: an answer, where there can be one, and the end of the connection."""
        answered = self.cycle is not None and (
            self.cycle.response_started if self.busy else self._body is not None
        )
        if self.busy:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        _log.info("turned a client at %s away: %d", self.client[0] if self.client else "-", status)
        if answered or self.transport.is_closing():
            self.held, self.is_ending = b"", True
            self.transport.close()
            return
        self.transport.write(rejection(status, self.server_state.default_headers))
        if status != 503 or self.admission.may_linger(self):
            self.linger()
        else:
            self.is_ending = True
            self.transport.close()

    def linger(self) -> None:
        """Ends the connection as soon as the client has done so, or a limit is reached."""
        self.held, self._body, self.is_ending, self.flow.waits = b"", None, True, False
        self.flow.resume_reading()
        self.transport.write_eof()
        self._writing = Pace(self.loop.time(), self.limits.linger_seconds, self.limits.body_bytes_per_second)
        self._look_at(self._writing.deadline)

    def shutdown(self) -> None:
        """The server ends: requests that were received, or are coming, are still answered."""
        if self.is_ending:
            self.transport.close()
        elif self.last or self.busy or self.phase is Phase.IDLE:
            super().shutdown()
        else:
            self.last = True
            self.loop.call_later(self.limits.coming_seconds, self.shutdown)

    def pause_writing(self) -> None:
        """The client fetches its answer more slowly than it is made."""
        super().pause_writing()
        self._watch_writing()
        self.admission.pause(self)

    def resume_writing(self) -> None:
        """It has caught up."""
        super().resume_writing()
        self.admission.resume(self)
        if not self.is_ending:
            self._writing = None

    def _watch_writing(self) -> Pace:
        self._unsent = self.transport.get_write_buffer_size()
        pace = Pace(self.loop.time(), self.limits.write_seconds, self.limits.body_bytes_per_second)
        self._writing = pace
        self._look_at(pace.deadline)
        return pace

    # The timer.

    def _look_at(self, when: float) -> None:
        """Sees to it that the connection is looked at by then."""
        if self._timer is None or when < self._timer.when():
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self.loop.call_at(when, self._check)

    def _check(self) -> None:
        """Ends what takes too long, and looks again when the next limit may be reached."""
        self._timer = None
        now = self.loop.time()
        if self.is_ending or self.transport.is_closing() or self.flow.write_paused:
            self._check_writing(now)
        elif self.phase is not Phase.IDLE:
            self._check_reading(now)
        elif self.busy:
            self._look_at(now + self.limits.keep_alive_seconds)
        elif self.idle_since + self.limits.keep_alive_seconds <= now:
            self.transport.close()
            self._watch_writing()
        else:
            self._look_at(self.idle_since + self.limits.keep_alive_seconds)

    def _check_reading(self, now: float) -> None:
        pace = self._reading
        may_not_send = self.busy and (self.flow.read_paused or self.cycle.waiting_for_100_continue)
        if self.phase is Phase.BODY and may_not_send:
            pace.excuse(now)
        if pace.deadline <= now:
            self.reject(408)
        self._look_at(max(pace.deadline, now))

    def _check_writing(self, now: float) -> None:
        pace = self._writing or self._watch_writing()
        unsent = self.transport.get_write_buffer_size()
        pace.moved(max(self._unsent - unsent, 0), now)
        self._unsent = unsent
        if pace.deadline <= now:
            self.transport.abort()
        else:
            self._look_at(pace.deadline)


def limited_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol class of a server with `limits` for each connection."""
    return type("Limited", (LimitedProtocol,), shared_by_connections(limits))
