"""A channel as its parts see it: presence and changes."""

from __future__ import annotations

from typing import Protocol

from localbase.realtime.authorization import Permissions
from localbase.realtime.frames import Message
from localbase.realtime.services import Services
from localbase.realtime.tokens import Token
from localbase.realtime.topics import Member, Topic


class OpenChannel(Member, Protocol):
    """One client's channel."""

    topic: Topic
    services: Services
    ended: bool

    @property
    def token(self) -> Token:
        """Who the channel acts as now."""

    async def may_write(self) -> Permissions:
        """What the client may send to a private topic."""

    def push(self, event: str, payload: bytes) -> None:
        """Sends a message of this channel. `payload` is JSON."""

    def reply(self, message: Message, status: str, response: bytes = b"{}") -> bytes:
        """The frame that answers a message."""

    def system(self, extension: str, status: str, message: str) -> None:
        """Sends a `system` message."""
