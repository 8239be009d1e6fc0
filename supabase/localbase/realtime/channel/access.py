"""A channel's identity and permissions: its token, verified again in time, and the policies' answers to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from localbase.realtime.authorization import AuthorizationFailed, Permissions, Subject
from localbase.realtime.hub.topics import Topic
from localbase.realtime.services import Services
from localbase.realtime.tokens import Token, TokenRefused

_log = logging.getLogger("localbase.realtime")


class AccessRefused(Exception):
    """The refusal of a topic: upstream's code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Access:
    """The access of one channel to `topic`. A public topic is open to every token."""

    def __init__(self, services: Services, topic: Topic, token: Token, headers: dict[str, str]) -> None:
        """`headers` are what policies may look at."""
        self.token = token
        self.reads = Permissions(broadcast=True, presence=True)
        self._services = services
        self._topic = topic
        self._headers = headers
        self._writes: Permissions | None = None
        self._expiry: asyncio.TimerHandle | None = None

    async def open(self, *, presence: bool, replay: bool) -> None:
        """Reads the policies for a join that wants `presence` and `replay`, or not. Raises `AccessRefused`."""
        if not self._topic.private:
            return
        self.reads = await self._may_read(self.token)
        readable = self.reads.broadcast or (self.reads.presence and presence)
        if not readable or (replay and not self.reads.broadcast):
            raise AccessRefused("Unauthorized", self._unreadable)

    async def change(self, text: str) -> None:
        """Takes a new token. Raises `AccessRefused` where it is none, or does not allow what the old one did."""
        try:
            token = self._services.tokens.verify(text)
        except TokenRefused as error:
            raise AccessRefused(error.code, error.message) from error
        reads = await self._may_read(token) if self._topic.private else self.reads
        lost_broadcast = self.reads.broadcast and not reads.broadcast
        if lost_broadcast or (self.reads.presence and not reads.presence):
            name = self._topic.name
            message = f"You no longer have permission to read from this Channel topic: {name}"
            raise AccessRefused("Unauthorized", message)
        self.token, self.reads, self._writes = token, reads, None

    async def may_write(self) -> Permissions:
        """Return what the client may send: the policies answer once for each token."""
        if self._writes is None:
            try:
                subject = Subject(self.token, self._headers, self._topic.name)
                self._writes = await self._services.authorizer.may_write(subject)
            except AuthorizationFailed as error:
                self._note(error)
                return Permissions(broadcast=False, presence=False)
        return self._writes

    async def _may_read(self, token: Token) -> Permissions:
        try:
            return await self._services.authorizer.may_read(Subject(token, self._headers, self._topic.name))
        except AuthorizationFailed as error:
            self._note(error)
            if error.code == "RlsPolicyError":
                raise AccessRefused("Unauthorized", self._unreadable) from error
            raise AccessRefused(error.code, error.message) from error

    @property
    def _unreadable(self) -> str:
        return f"You do not have permissions to read from this Channel topic: {self._topic.name}"

    def _note(self, error: AuthorizationFailed) -> None:
        _log.info("%s for topic %s: %s", error.code, self._topic.name, error.cause)

    def watch(self, refused: Callable[[str], None]) -> None:
        """Verifies the token when it expires, and every few minutes. `refused` gets the reason."""
        self.close()
        left = self.token.expires - self._services.tokens.now()
        seconds = min(self._services.timing.token_check, left)
        loop = asyncio.get_running_loop()
        self._expiry = loop.call_later(max(seconds, 0.001), self._confirm, refused)

    def _confirm(self, refused: Callable[[str], None]) -> None:
        try:
            self._services.tokens.verify(self.token.text)
        except TokenRefused as error:
            refused(error.message)
        else:
            self.watch(refused)

    def close(self) -> None:
        """Ends the watch."""
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
