"""The link between a worker and the process that holds the hub: messages over a local connection.

A message is a JSON array, which begins with its kind, and bytes. Each is preceded by both lengths.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import struct
from typing import Any, NamedTuple

from localbase.realtime.frames import Broadcast
from localbase.realtime.topics import Topic

_LENGTHS = struct.Struct("!II")
# The largest payload, its copy in JSON, and room to spare: more is a fault.
_LARGEST = 64 * 1024 * 1024
# What the other side may leave unread before it counts as hanging.
_MOST_UNREAD = 64 * 1024 * 1024


class LinkBroken(Exception):
    """The connection has ended, or what came over it is no message."""


class LinkMessage(NamedTuple):
    """What came: its kind, what belongs to it, and bytes."""

    kind: str
    parts: list[Any]
    data: bytes


class Link:
    """One end of a link."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, kind: str, *parts: Any, data: bytes = b"") -> None:
        """Sends a message without waiting. A link is given up if its other end does not read."""
        head = json.dumps([kind, *parts], separators=(",", ":")).encode()
        self._writer.write(_LENGTHS.pack(len(head), len(data)) + head + data)
        if self._writer.transport.get_write_buffer_size() > _MOST_UNREAD:
            self._writer.transport.abort()

    async def receive(self) -> LinkMessage:
        """The next message. Raises `LinkBroken`."""
        try:
            lengths = _LENGTHS.unpack(await self._reader.readexactly(_LENGTHS.size))
            if max(lengths) > _LARGEST:
                raise LinkBroken
            kind, *parts = json.loads(await self._reader.readexactly(lengths[0]))
            return LinkMessage(kind, parts, await self._reader.readexactly(lengths[1]))
        except (OSError, EOFError, ValueError) as error:
            raise LinkBroken from error

    def close(self) -> None:
        """Ends it."""
        self._writer.close()


def password(jwt_secret: str) -> str:
    """What a worker proves itself with: another program of this machine does not know the project's secret."""
    return hmac.new(jwt_secret.encode(), b"localbase realtime hub", hashlib.sha256).hexdigest()


def send_broadcast(link: Link, topic: Topic, broadcast: Broadcast) -> None:
    """Sends a broadcast over a link."""
    parts = broadcast.event, broadcast.is_json, broadcast.id
    link.send("broadcast", topic.name, topic.private, *parts, data=broadcast.data)


def read_broadcast(message: LinkMessage) -> tuple[Topic, Broadcast]:
    """The broadcast in a message."""
    name, private, event, is_json, id = message.parts
    return Topic(name, private), Broadcast(message.data, event, is_json, id)
