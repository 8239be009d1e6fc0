"""WebSocket connections within limits, on uvicorn's protocol class for them.

A connection begins as HTTP (`connection.LimitedProtocol`) and comes here with the head of its request. It counts among
the connections of the server all its life. Frames go out as the service has encoded them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.protocol import State

from localbase.gateway.http.rejection import rejection

if TYPE_CHECKING:
    from localbase.gateway.http.admission import Admission
    from localbase.gateway.http.limits import Limits

# A message may come in parts of any size, empty ones included: each takes memory of its own.
_MOST_FRAGMENTS = 4096


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection. `scope["localbase.socket"]` of its application is this object."""

    def __init__(self, admission: Admission, limits: Limits, http: HttpToolsProtocol) -> None:
        """`http` is the protocol that has read the request's head."""
        super().__init__(http.config, http.server_state, http.app_state, http.loop)
        self._admission = admission
        self._limits = limits
        self._stalled: asyncio.TimerHandle | None = None
        self._written = self._fetched = 0
        # What the client still sends after its fault is not read.
        self._lingering = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is a WebSocket's from here on."""
        super().connection_made(transport)
        self._admission.admit(self, self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._watch_no_more()
        self._admission.remove(self, self._address)
        super().connection_lost(exc)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    # As `Admission` sees it.

    @property
    def owes_request(self) -> bool:
        """Never: its request came before the connection did."""
        return False

    @property
    def unsent_bytes(self) -> int:
        """Return how much the client has yet to fetch."""
        return self.transport.get_write_buffer_size()

    def give_way(self) -> None:
        """Ends in favour of a newer connection."""
        self.transport.close()

    def abort(self) -> None:
        """Ends at once, with what is unsent."""
        self.transport.abort()

    # What comes.

    def data_received(self, data: bytes) -> None:
        """Bytes of the request's head, or of frames."""
        if self._lingering:
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.handshake_initiated = self.handshake_complete = self.close_sent = True
            self.transport.write(rejection(400, self.default_headers))
            self.transport.close()

    def handle_connect(self, event: Any) -> None:
        """The head is whole."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["localbase.socket"] = self  # type: ignore[typeddict-unknown-key]

    def handle_cont(self, event: Frame) -> None:
        """A further part of a message."""
        if len(self.frames) < _MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._fail(CloseCode.MESSAGE_TOO_BIG, "too many fragments")

    def send_receive_event_to_app(self) -> None:
        """A whole message."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(CloseCode.INVALID_DATA, "")
                return
        super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        self.frames = []
        if self.conn.state is State.OPEN:
            self.conn.fail(code, reason)
            self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """The client has sent what is no frame. A reset, for what it is still sending, would lose it the reason."""
        close = self.conn.close_sent
        code, reason = (close.code, close.reason) if close is not None else (CloseCode.PROTOCOL_ERROR, "")
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.write_eof()
        self.close_sent = self._lingering = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self._limits.linger_seconds, self.transport.abort)

    # What goes.

    def write(self, frame: bytes) -> None:
        """Sends a whole frame; nothing after the end."""
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self._written += len(frame)
            self.transport.write(frame)

    def hang_up(self, code: int, reason: str) -> None:
        """Begins the closing handshake, which the client has a limited time for."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def pause_writing(self) -> None:
        """The client fetches more slowly than frames are made."""
        super().pause_writing()
        self._admission.pause(self)
        self._watch()

    def resume_writing(self) -> None:
        """It has caught up."""
        super().resume_writing()
        self._admission.resume(self)
        self._watch_no_more()

    def _watch(self) -> None:
        self._fetched = self._written - self.unsent_bytes
        self._stalled = self.loop.call_later(self._limits.write_seconds, self._check)

    def _watch_no_more(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _check(self) -> None:
        """Ends a connection that has fetched nothing since the last look."""
        if self._written - self.unsent_bytes <= self._fetched:
            self.abort()
        else:
            self._watch()


def switch_protocol(http: HttpToolsProtocol, protocol: SocketProtocol, head: bytes) -> None:
    """Makes `protocol` the one of the connection that `http` has had, and shows it the request's head."""
    http.connections.discard(http)
    http.transport.set_protocol(protocol)
    protocol.connection_made(http.transport)
    protocol.data_received(head)
