"""The bodies that a process holds at once: read whole, each within a limit, and all together within another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import Receive

from localbase.gateway.disconnect import Disconnected

MAX_BODY_BYTES = 64 * 1024 * 1024
# Postgres's protocol, JSON and the parts that a body arrives in make some copies of it.
_MOST_BYTES = 128 * 1024 * 1024
# The connections of one process may each have a body of this size without being counted.
_UNCOUNTED_BYTES = 64 * 1024


class BodyTooLarge(Exception):
    """The body exceeds `largest` bytes."""

    def __init__(self, largest: int) -> None:
        super().__init__(largest)
        self.largest = largest


class Overloaded(Exception):
    """The bodies of other requests take all the memory that there is for them."""


class _Body:
    """One body that is being received or worked on. `deadline` ends the receiving."""

    __slots__ = ("counted", "deadline", "largest", "size")

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self.size = self.counted = 0
        self.deadline = asyncio.timeout(None)


class Bodies:
    """The large bodies of a process. The largest that is still being received gives way when there are too many."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._free = most_bytes
        self._receiving: set[_Body] = set()

    @asynccontextmanager
    async def received(
        self, receive: Receive, headers: dict[str, str], largest: int = MAX_BODY_BYTES
    ) -> AsyncIterator[bytes]:
        """The body, of at most `largest` bytes. Its memory counts until the block ends.

        Raises `BodyTooLarge`, `Overloaded`, and `Disconnected` where the client goes before the body's end.
        """
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > largest:
            raise BodyTooLarge(largest)
        message = await receive()
        part: bytes = _part_of(message)
        if not message.get("more_body") and len(part) <= _UNCOUNTED_BYTES:
            yield part
            return
        body = _Body(largest)
        try:
            yield await self._rest(body, part, message, receive)
        finally:
            self._free += body.counted

    async def _rest(
        self, body: _Body, part: bytes, message: MutableMapping[str, Any], receive: Receive
    ) -> bytes:
        parts = [part]
        self._receiving.add(body)
        try:
            async with body.deadline:
                self._count(body, len(part))
                while message.get("more_body"):
                    message = await receive()
                    part = _part_of(message)
                    self._count(body, len(part))
                    parts.append(part)
        except TimeoutError as error:
            raise Overloaded from error
        finally:
            self._receiving.discard(body)
        return b"".join(parts)

    def _count(self, body: _Body, size: int) -> None:
        body.size += size
        if body.size > body.largest:
            raise BodyTooLarge(body.largest)
        more = max(body.size - _UNCOUNTED_BYTES, 0) - body.counted
        while more > self._free:
            self._drop_largest(body)
        body.counted += more
        self._free -= more

    def _drop_largest(self, newest: _Body) -> None:
        largest = max(self._receiving, key=lambda body: body.size, default=newest)
        if largest.size <= newest.size:
            raise Overloaded
        self._receiving.discard(largest)
        self._free += largest.counted
        largest.counted = 0
        # Its task is waiting for the next part: the deadline wakes it.
        largest.deadline.reschedule(asyncio.get_running_loop().time())


def _part_of(message: MutableMapping[str, Any]) -> bytes:
    if message["type"] == "http.disconnect":
        # What has come so far is not what the client meant to send.
        raise Disconnected
    part: bytes = message.get("body", b"")
    return part
