"""A channel as its parts see it: presence and changes."""

from __future__ import annotations

from typing import Protocol

from localbase.realtime.authorization import Permissions
from localbase.realtime.frames import Message
from localbase.realtime.hub.topics import Member, Topic
from localbase.realtime.services import Services
from localbase.realtime.tokens import Token


class OpenChannel(Member, Protocol):
    """One client's channel."""

    topic: Topic
    services: Services
    ended: bool

    @property
    def token(self) -> Token:
        """The token by which the channel acts now."""

    async def may_write(self) -> Permissions:
        """Return what the client may send to a private topic."""

    def push(self, event: str, payload: bytes) -> None:
        """Sends a message of this channel. `payload` is JSON."""

    def reply(self, message: Message, status: str, response: bytes = b"{}") -> bytes:
        """The frame that answers a message."""

    def system(self, extension: str, status: str, message: str) -> None:
        """Sends a `system` message."""
