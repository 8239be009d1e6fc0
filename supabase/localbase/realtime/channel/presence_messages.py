"""A channel's side of presence (`presence_handler.ex`): who is there, entering and leaving."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

from localbase.realtime.frames import Message, dump_json
from localbase.realtime.hub.rates import Window

if TYPE_CHECKING:
    from localbase.realtime.channel.open_channel import OpenChannel

_log = logging.getLogger("localbase.realtime")
_TOO_MANY = "Too many presence messages per second"


class PresenceMessages:
    """The presence of one channel, under `key`."""

    def __init__(self, channel: OpenChannel, key: str, *, enabled: bool) -> None:
        """`enabled` is whether the client wants to see others."""
        self.enabled = enabled
        self._channel = channel
        self._key = key
        self._payload: Any = None
        settings = channel.services.settings
        self._window = Window(
            settings.max_client_presence_events_per_window,
            settings.client_presence_window_ms / 1000,
            time.monotonic,
        )

    def begin(self) -> None:
        """The channel has been joined: shows who is present."""
        if self.enabled and self._channel.reads_presence:
            channel = self._channel
            channel.push("presence_state", channel.services.hub.presence_state(channel.topic))

    def end(self) -> None:
        """The channel has ended."""
        if self._payload is not None:
            self._payload = None
            self._channel.services.hub.untrack(self._channel.topic, self._channel, self._key)

    async def handle(self, message: Message) -> bytes | None:
        """A message of event `presence`. The frame that answers it."""
        channel = self._channel
        payload = message.payload
        event = payload.get("event") if isinstance(payload, dict) else None
        if not isinstance(event, str):
            return channel.reply(message, "ok")
        if not self._window.take():
            channel.shut_down("Client presence rate limit exceeded")
            return None
        if event.lower() == "track":
            return await self._on_track(message, payload.get("payload", {}))
        if event.lower() == "untrack":
            self.end()
            return channel.reply(message, "ok")
        return channel.reply(message, "error")

    async def _on_track(self, message: Message, payload: Any) -> bytes | None:
        channel = self._channel
        if channel.topic.private and not (await channel.may_write()).presence:
            return channel.reply(message, "error")
        if not isinstance(payload, dict):
            response = b'{"reason":"Presence track payload must be a map"}'
            return channel.reply(message, "error", response)
        if channel.ended:
            return None
        if payload != self._payload:
            if len(dump_json(payload)) > channel.services.most_payload_bytes:
                channel.shut_down("Track message size exceeded")
                return None
            await asyncio.sleep(0)  # writing took its time, and so does what follows
            if channel.ended:
                return None
            tracked = channel.services.hub.track(channel.topic, channel, self._key, payload)
            if tracked == "too often":
                channel.shut_down(_TOO_MANY)
                return None
            if tracked == "full":
                _log.info(
                    "UnableToTrackPresence: the presences of topic %s are too large", channel.topic.name
                )
                return channel.reply(message, "error")
            self._payload = payload
        self.enabled = True
        return channel.reply(message, "ok")
