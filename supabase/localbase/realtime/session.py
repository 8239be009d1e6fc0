"""One WebSocket: its channels, heartbeats, and the end of a client that is silent or never reads."""

from __future__ import annotations

import asyncio
import logging

from localbase.core.web.sockets import SocketConnection
from localbase.realtime.channel.channel import Channel, JoinRefused
from localbase.realtime.channel.join import InvalidJoin, JoinRequest, parse_join
from localbase.realtime.frames import (
    MalformedMessage,
    Message,
    Version,
    decode,
    dump_json,
    encode_reply,
)
from localbase.realtime.hub.topics import Topic
from localbase.realtime.services import UNREAD_BYTES, Services
from localbase.realtime.tokens import Token, TokenRefused

_log = logging.getLogger("localbase.realtime")
_PREFIX = "realtime:"
# A name is part of every message to the topic.
_LONGEST_TOPIC = 1024
# After so many messages in a row, or bytes of them, other clients come first.
_TURN, _TURN_BYTES = 64, 64 * 1024
_NORMAL, _GOING_AWAY, _TRY_AGAIN_LATER = 1000, 1001, 1013


class Session:
    """A client's WebSocket from its handshake to its end."""

    def __init__(
        self, services: Services, version: Version, token: Token, headers: dict[str, str], address: str = ""
    ) -> None:
        """`token` is what the API key of the handshake stands for, `headers` are what policies may look at.

        `address` is the client's, which has been admitted.
        """
        self.version = version
        self.address = address
        self._admitted = True
        self._services = services
        self._token = token
        self._headers = headers
        self._connection: SocketConnection
        self._channels: dict[str, Channel] = {}
        self._joining: set[asyncio.Task[None]] = set()
        self._heard = 0.0
        self._silence: asyncio.TimerHandle | None = None

    async def run(self, connection: SocketConnection) -> None:
        """Serves the connection until it has ended."""
        self._connection = connection
        self._services.sessions[self] = None
        self._listen_for_silence()
        messages = size = 0
        while (data := await connection.receive()) is not None:
            self._heard = asyncio.get_running_loop().time()
            messages += 1
            size += len(data)
            if messages >= _TURN or size >= _TURN_BYTES:
                await asyncio.sleep(0)  # to let others have their turn
                messages = size = 0
            try:
                message = decode(self.version, data)
                if len(data) >= _TURN_BYTES:
                    await asyncio.sleep(0)  # reading took its time, and so does what follows
                await self._handle(message)
            except MalformedMessage as error:
                _log.info("MalformedWebSocketMessage: %s", error)

    def end(self) -> None:
        """The connection has ended, and everything of it with it."""
        self._release()
        if self._silence is not None:
            self._silence.cancel()
        for channel in self._channels.values():
            channel.end()
        self._channels.clear()

    def _release(self) -> None:
        """It counts no more."""
        self._services.sessions.pop(self, None)
        if self._admitted:
            self._admitted = False
            self._services.hub.release_socket(self.address)

    async def _handle(self, message: Message) -> None:
        channel = self._channels.get(message.topic)
        if message.topic == "phoenix":
            if message.event == "heartbeat":
                self.send(encode_reply(self.version, message, "ok"))
        elif message.event == "phx_join":
            await self._join(message)
        elif message.event == "phx_leave":
            self.send(encode_reply(self.version, message, "ok"))
            if channel is not None:
                channel.close()
        elif channel is None:
            self._reject(message, "unmatched topic")
        else:
            reply = await channel.handle(message)
            if reply is not None:
                self.send(reply)

    # Joining.

    async def _join(self, message: Message) -> None:
        earlier = self._channels.get(message.topic)
        if earlier is not None:
            # A client that has lost its channel joins it anew.
            earlier.close()
        try:
            channel = await self._channel_of(message)
            response = await channel.open()
        except JoinRefused as error:
            self._reject(message, str(error))
            if error.ends_socket:
                self._connection.close(_NORMAL)
            return
        if channel.ended:
            # Its token has expired, or it got too much, while it was being joined.
            return
        self._channels[message.topic] = channel
        if channel.awaits_changes:
            # The socket's other channels go on meanwhile.
            task = asyncio.get_running_loop().create_task(
                self._begin_with_changes(channel, message, response)
            )
            self._joining.add(task)
            task.add_done_callback(self._joining.discard)
        else:
            self._begin(channel, message, response)

    async def _begin_with_changes(self, channel: Channel, message: Message, response: bytes) -> None:
        try:
            await channel.until_changes()
        except JoinRefused as error:
            if not channel.ended:
                channel.end()
                self.forget(channel)
                self._reject(message, str(error))
        else:
            if not channel.ended:
                self._begin(channel, message, response)

    def _begin(self, channel: Channel, message: Message, response: bytes) -> None:
        self.send(encode_reply(self.version, message, "ok", response))
        channel.begin()

    async def _channel_of(self, message: Message) -> Channel:
        topic = message.topic
        if not topic.startswith(_PREFIX):
            raise JoinRefused("", "unmatched topic")
        name = topic.removeprefix(_PREFIX)
        if not name:
            raise JoinRefused("TopicNameRequired", "You must provide a topic name")
        if len(name.encode()) > _LONGEST_TOPIC or "\0" in name:
            raise JoinRefused("InvalidJoinPayload", "The topic's name is too long, or holds a NUL")
        try:
            request = parse_join(message.payload, self._services.settings.max_postgres_changes_per_channel)
        except InvalidJoin as error:
            raise JoinRefused("InvalidJoinPayload", str(error)) from error
        if self._services.settings.private_only and not request.private:
            raise JoinRefused("PrivateOnly", "This project only allows private channels")
        if not self._services.hub.admit_join(self.address):
            raise JoinRefused("ClientJoinRateLimitReached", "Too many joins per second", ends_socket=True)
        if len(self._channels) >= self._services.settings.max_channels_per_client:
            raise JoinRefused("ChannelRateLimitReached", "Too many channels")
        return Channel(
            self._services,
            self,
            Topic(name, request.private),
            request,
            message.join_ref if message.join_ref is not None else message.ref,
            self._token_of(request),
            self._headers,
        )

    def _token_of(self, request: JoinRequest) -> Token:
        text = request.access_token
        if text is None or text.startswith("sb_"):
            text = self._token.text
        try:
            return self._services.tokens.verify(text)
        except TokenRefused as error:
            raise JoinRefused(error.code, error.message) from error

    def _reject(self, message: Message, reason: str) -> None:
        response = dump_json({"reason": reason})
        self.send(encode_reply(self.version, message, "error", response))

    # As its channels see it.

    def send(self, frame: bytes) -> None:
        """Sends a frame without waiting. A client that does not read loses its connection."""
        if self._connection.unsent_bytes + len(frame) > UNREAD_BYTES:
            _log.info("closed a socket: its client does not read")
            self._connection.abort()
        else:
            self._connection.write(frame)

    def forget(self, channel: Channel) -> None:
        """The channel has ended by itself."""
        if self._channels.get(channel.topic.joined) is channel:
            del self._channels[channel.topic.joined]

    @property
    def is_idle(self) -> bool:
        """Tell whether it has no channel."""
        return not self._channels

    def give_way(self, reason: str = "Too many connected users") -> None:
        """Closes it, as a rule in favour of a newer one; its client may try again."""
        self._release()
        self._connection.close(_TRY_AGAIN_LATER, reason)

    # Silence.

    def _listen_for_silence(self) -> None:
        loop = asyncio.get_running_loop()
        self._heard = loop.time()
        self._silence = loop.call_later(self._services.timing.silence, self._check_silence)

    def _check_silence(self) -> None:
        loop = asyncio.get_running_loop()
        left = self._heard + self._services.timing.silence - loop.time()
        if left <= 0:
            self._connection.close(_GOING_AWAY, "no heartbeat")
        else:
            self._silence = loop.call_later(left, self._check_silence)
