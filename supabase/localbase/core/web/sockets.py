"""WebSockets as plain values: what a service is given and what it answers. Only the gateway knows ASGI.

A service sends whole frames that it has encoded once, however many clients they go to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from websockets.frames import Frame, Opcode

from localbase.core.web.http import Request, Response


class SocketConnection(Protocol):
    """One open WebSocket."""

    @property
    def unsent_bytes(self) -> int:
        """Return how much the client has yet to fetch."""

    async def receive(self) -> str | bytes | None:
        """The client's next message; None when the connection has ended."""

    def write(self, frame: bytes) -> None:
        """Sends a whole frame (`text_frame`, `binary_frame`) without waiting. After the end it does nothing."""

    def close(self, code: int, reason: str = "") -> None:
        """Begins to end the connection. What is unsent is still sent, as far as the client fetches it in time."""

    def abort(self) -> None:
        """Ends the connection at once, with what is unsent."""


class SocketSession(Protocol):
    """A service's work for one WebSocket."""

    async def run(self, connection: SocketConnection) -> None:
        """Serves the connection until it has ended, or returns to end it."""

    def end(self) -> None:
        """Called once, after `run` or instead of it: the client may go away before the handshake is complete."""


SocketService = Callable[[Request], Awaitable[SocketSession | Response]]
"""Takes the request for a WebSocket: a response refuses it."""


def text_frame(data: bytes) -> bytes:
    """A message of UTF-8 text as a server's frame."""
    return Frame(Opcode.TEXT, data).serialize(mask=False)


def binary_frame(data: bytes) -> bytes:
    """A message of bytes as a server's frame."""
    return Frame(Opcode.BINARY, data).serialize(mask=False)
