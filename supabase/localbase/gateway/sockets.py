"""WebSockets of the application: the handshake, and the connection as its service sees it."""

from __future__ import annotations

from starlette.types import Receive, Scope, Send

from localbase.core.web.http import Response, wire
from localbase.gateway.http.socket_protocol import SocketProtocol


class AsgiSocket:
    """One WebSocket, as `core.sockets.SocketConnection` describes it."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._protocol: SocketProtocol = scope["localbase.socket"]
        self._ended = False

    async def reject(self, response: Response, request_id: str) -> None:
        """Answers the request for a WebSocket with a response of HTTP."""
        headers = [wire(name, value) for name, value in response.headers]
        headers += [(b"x-request-id", request_id.encode()), (b"access-control-allow-origin", b"*")]
        start = {"type": "websocket.http.response.start", "status": response.status, "headers": headers}
        await self._send(start)
        await self._send({"type": "websocket.http.response.body", "body": response.body})

    async def accept(self, request_id: str) -> None:
        """Opens it."""
        await self._receive()
        await self._send({"type": "websocket.accept", "headers": [(b"x-request-id", request_id.encode())]})

    @property
    def unsent_bytes(self) -> int:
        """Return how much the client has yet to fetch."""
        return self._protocol.unsent_bytes

    async def receive(self) -> str | bytes | None:
        """The client's next message; None when the connection has ended."""
        if self._ended:
            return None
        message = await self._receive()
        if message["type"] != "websocket.receive":
            self._ended = True
            return None
        text: str | None = message.get("text")
        return message["bytes"] if text is None else text

    def write(self, frame: bytes) -> None:
        """Sends a whole frame. After the end it does nothing."""
        self._protocol.write(frame)

    def close(self, code: int, reason: str = "") -> None:
        """Begins to end the connection."""
        self._protocol.hang_up(code, reason)

    def abort(self) -> None:
        """Ends the connection at once."""
        self._protocol.abort()
