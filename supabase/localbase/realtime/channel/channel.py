"""One client's channel: joined, sending and receiving, until it is left or shut down (`realtime_channel.ex`)."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

from localbase.realtime.authorization import Permissions
from localbase.realtime.channel.access import Access, AccessRefused
from localbase.realtime.channel.changes_subscription import ChangesSubscription, NotSubscribed
from localbase.realtime.channel.join import JoinRequest
from localbase.realtime.channel.presence_messages import PresenceMessages
from localbase.realtime.channel.replay import ReplayFailed, earlier_broadcasts
from localbase.realtime.frames import BinaryPush, Broadcast, Message, Ref, Version, dump_json, encode_message
from localbase.realtime.hub.topics import Topic
from localbase.realtime.services import UNREAD_BYTES, Services
from localbase.realtime.tokens import Token

_log = logging.getLogger("localbase.realtime")


class JoinRefused(Exception):
    """The refusal of a join, as its client reads it. `ends_socket` is for a client that joins too often."""

    def __init__(self, code: str, message: str, *, ends_socket: bool = False) -> None:
        super().__init__(f"{code}: {message}" if code else message)
        self.ends_socket = ends_socket


class Socket(Protocol):
    """The WebSocket that a channel belongs to, as far as it needs it."""

    @property
    def version(self) -> Version:
        """Of the protocol."""

    @property
    def address(self) -> str:
        """Its client's."""

    def send(self, frame: bytes) -> None:
        """Sends a frame without waiting."""

    def forget(self, channel: Channel) -> None:
        """The channel has ended by itself."""


class Channel:
    """A channel of one socket. `topics.Topics` and the hub see it as a `Member`."""

    def __init__(
        self,
        services: Services,
        socket: Socket,
        topic: Topic,
        request: JoinRequest,
        join_ref: Ref,
        token: Token,
        headers: dict[str, str],
    ) -> None:
        self.topic = topic
        self.join_ref = join_ref
        self.version = socket.version
        self.address = socket.address
        self.id = services.new_id()
        self.services = services
        self._access = Access(services, topic, token, headers)
        self._socket = socket
        self._request = request
        # What comes before the join is answered, with the ids of broadcasts.
        self._held: list[tuple[str | None, bytes]] | None = []
        self._held_bytes = 0
        # Ids of the earlier broadcasts that the client has got: they may come once more.
        self._replayed: set[str] = set()
        self._presence = PresenceMessages(self, request.presence_key, enabled=request.presence_enabled)
        self._changes = ChangesSubscription(self, request.changes) if request.changes else None
        self._earlier_broadcasts: list[Broadcast] = []
        self._announcing: asyncio.Task[None] | None = None
        self.ended = False

    # Joining.

    async def open(self) -> bytes:
        """Joins. The answer's JSON. Raises `JoinRefused`."""
        request = self._request
        try:
            await self._access.open(presence=request.presence_enabled, replay=request.replay is not None)
        except AccessRefused as error:
            raise JoinRefused(error.code, error.message) from error
        try:
            if self._changes is not None:
                self._changes.begin()
            await self.services.hub.join(self.topic, self)
            earlier = await self._earlier()
        except BaseException:
            self.end()
            raise
        if not self.ended:
            self._access.watch(self.shut_down)
        self._earlier_broadcasts = earlier
        return dump_json({"postgres_changes": request.changes})

    @property
    def awaits_changes(self) -> bool:
        """Tell whether its join is answered only when changes of the database arrive."""
        return self._changes is not None

    async def until_changes(self) -> None:
        """Waits until every later change arrives: an application trusts the answer. Raises `JoinRefused`."""
        assert self._changes is not None
        try:
            await self._changes.settled()
        except NotSubscribed as error:
            raise JoinRefused("UnableToSubscribeToPostgres", str(error)) from error

    def begin(self) -> None:
        """The join has been answered: what has waited for that goes out."""
        for broadcast in self._earlier_broadcasts:
            frame = broadcast.encode(self.version, self.topic.joined)
            if frame is not None:
                self._socket.send(frame)
        self._replayed = {broadcast.id for broadcast in self._earlier_broadcasts if broadcast.id}
        self._earlier_broadcasts = []
        held, self._held = self._held or [], None
        for id, frame in held:
            if id not in self._replayed:
                self._socket.send(frame)
        self._presence.begin()
        if self._request.replication_ready:
            self._announcing = asyncio.get_running_loop().create_task(self._announce_replication())

    async def _announce_replication(self) -> None:
        if await self.services.hub.replication_ready():
            self.system("system", "ok", "Replication connection established")
        else:
            self.shut_down("Replication connection was not established in time")

    async def _earlier(self) -> list[Broadcast]:
        replay = self._request.replay
        if replay is None:
            return []
        if not self.topic.private:
            raise JoinRefused("UnableToReplayMessages", "Replay is not allowed for public channels")
        if replay == "invalid":
            raise JoinRefused("UnableToReplayMessages", "Replay params are not valid")
        try:
            return await earlier_broadcasts(self.services.pool, self.topic.name, replay)
        except ReplayFailed as error:
            raise JoinRefused("UnableToReplayMessages", str(error)) from error

    @property
    def token(self) -> Token:
        """The token by which the channel acts now."""
        return self._access.token

    # As a member of its topic.

    def takes_broadcast(self, id: str | None) -> bool:
        """Tell whether it may read broadcasts, and has not got the one with this id already."""
        return self._access.reads.broadcast and (id is None or id not in self._replayed)

    @property
    def reads_presence(self) -> bool:
        """Tell whether it may see who is present."""
        return self._access.reads.presence and (not self.topic.private or self._presence.enabled)

    def send(self, frame: bytes, id: str | None = None) -> None:
        """Sends a frame of the topic; one before the join's answer comes after it."""
        if self._held is None:
            self._socket.send(frame)
        else:
            self._held.append((id, frame))
            self._held_bytes += len(frame)
            if self._held_bytes > UNREAD_BYTES:
                self._held = None  # the reason goes out at once
                self.shut_down("Too many messages before the channel was joined")

    def shut_down(self, message: str) -> None:
        """Ends it, with the reason for its client."""
        if not self.ended:
            self.system("system", "error", message)
            self.close()

    # What the client sends.

    async def handle(self, message: Message) -> bytes | None:
        """A message of the client. The frame that answers it, if it wants one."""
        if message.event == "broadcast":
            return await self._on_broadcast(message)
        if message.event == "presence":
            return await self._presence.handle(message)
        if message.event == "access_token":
            await self._on_access_token(message.payload)
        else:
            self._count_event()
        return None

    async def _on_broadcast(self, message: Message) -> bytes | None:
        if self.topic.private and not (await self.may_write()).broadcast:
            return None
        if not self.ended:
            self._count_event()
        if self.ended:
            return None
        push = message.payload
        if isinstance(push, BinaryPush):
            broadcast = Broadcast(push.data, push.event, push.is_json)
        elif isinstance(push, dict):
            broadcast = Broadcast(dump_json(push))
        else:
            return None
        status: Any = "ok"
        if len(broadcast.data) > self.services.most_payload_bytes:
            status = "error"
        else:
            sender = None if self._request.receives_own else self
            self.services.hub.broadcast(self.topic, broadcast, sender)
        if not self._request.acknowledges:
            return None
        response = b"{}" if status == "ok" else b'{"reason":"payload_size_exceeded"}'
        return self.reply(message, status, response)

    def _count_event(self) -> None:
        if self.services.hub.count_events(self.address, 1):
            self.shut_down("Too many messages per second")

    async def may_write(self) -> Permissions:
        """Return what the client may send to a private topic."""
        return await self._access.may_write()

    # The token.

    async def _on_access_token(self, payload: Any) -> None:
        text = payload.get("access_token") if isinstance(payload, dict) else None
        # A key stands for the token that the socket was opened with.
        if not isinstance(text, str) or text.startswith("sb_") or text == self.token.text:
            return
        try:
            await self._access.change(text)
        except AccessRefused as error:
            self.shut_down(error.message)
            return
        if self.ended:
            return
        self._access.watch(self.shut_down)
        if self._changes is not None:
            await self._changes.move()

    # What the client gets.

    def push(self, event: str, payload: bytes) -> None:
        """Sends a message of this channel. `payload` is JSON."""
        if not self.ended:
            self.send(
                encode_message(
                    self.version, self.join_ref_for(event), None, self.topic.joined, event, payload
                )
            )

    def join_ref_for(self, event: str) -> Ref:
        """The reference of a message to this client alone; what all of a topic get has none."""
        return None if event == "postgres_changes" else self.join_ref

    def reply(self, message: Message, status: str, response: bytes = b"{}") -> bytes:
        """The frame that answers a message."""
        payload = b'{"status":"%b","response":%b}' % (status.encode(), response)
        return encode_message(
            self.version, self.join_ref, message.ref, self.topic.joined, "phx_reply", payload
        )

    def system(self, extension: str, status: str, message: str) -> None:
        """Sends a `system` message."""
        parts = {"extension": extension, "status": status, "message": message, "channel": self.topic.name}
        self.push("system", dump_json(parts))

    # The end.

    def close(self) -> None:
        """Ends it, and says so."""
        if not self.ended:
            self._held = None
            self.end()
            self._socket.send(
                encode_message(
                    self.version, self.join_ref, self.join_ref, self.topic.joined, "phx_close", b"{}"
                )
            )
            self._socket.forget(self)

    def end(self) -> None:
        """Ends it without a word: its client has gone."""
        if self.ended:
            return
        self.ended = True
        self._access.close()
        if self._announcing is not None:
            self._announcing.cancel()
        if self._changes is not None:
            self._changes.close()
        self._presence.end()
        self.services.hub.leave(self.topic, self)
