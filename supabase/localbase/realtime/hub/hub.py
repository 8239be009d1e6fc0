"""The common state of a project's channels: topics, presence and limits."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Literal

from localbase.core.settings import RealtimeSettings
from localbase.realtime.changes.feed import ChangeFeed
from localbase.realtime.frames import Broadcast
from localbase.realtime.hub.database_broadcasts import DatabaseBroadcasts
from localbase.realtime.hub.presence import PresenceFull, Presences
from localbase.realtime.hub.rates import Rate, SocketShares
from localbase.realtime.hub.topics import Member, Topic, Topics

_log = logging.getLogger("localbase.realtime")
Tracked = Literal["ok", "too often", "full"]
"""What has become of a presence."""
# What broadcasts from the database are counted for.
_DATABASE = "database"


class Hub:
    """The hub. Limits are shared by addresses (`rates.Rate`, `rates.SocketShares`)."""

    def __init__(self, settings: RealtimeSettings, feed: ChangeFeed, replication_url: str) -> None:
        """`replication_url` is of a role that may replicate."""
        self._settings = settings
        self._database = DatabaseBroadcasts(replication_url, self._from_database)
        self.changes = feed
        self.on_give_way: Callable[[str], None] = lambda _: None
        self._sockets = SocketShares(settings.max_concurrent_users, lambda address: self.on_give_way(address))
        self._joins = Rate(settings.max_joins_per_second, time.monotonic)
        self._events = Rate(settings.max_events_per_second, time.monotonic)
        self._presence_events = Rate(settings.max_presence_events_per_second, time.monotonic)
        self._presences = Presences()
        self._topics = Topics(self.count_events)

    def admit_socket(self, address: str) -> str | None:
        """Counts a new WebSocket. In upstream's words why there may be none now, or None."""
        if not self._joins.room_for(address, 1):
            return "Too many joins per second"
        return None if self._sockets.admit(address) else "Too many connected users"

    def release_socket(self, address: str) -> None:
        """A WebSocket has ended."""
        self._sockets.release(address)

    def admit_join(self, address: str) -> bool:
        """Counts a join. Whether it was within the limit."""
        return self._joins.room_for(address, 1) and not self._joins.count(address)

    def count_events(self, address: str, events: int) -> bool:
        """Counts broadcasts sent or delivered. Whether there are too many now."""
        return self._events.count(address, events)

    def room_for_events(self, address: str, events: int) -> bool:
        """Tell whether so many broadcasts may be sent now."""
        return self._events.room_for(address, events)

    async def join(self, topic: Topic, member: Member) -> None:
        """From now on the member gets what is sent to the topic."""
        self._topics.add(topic, member)
        await self._database.ready()

    def leave(self, topic: Topic, member: Member) -> None:
        """It gets nothing more."""
        self._topics.remove(topic, member)
        if not len(self._topics):
            self._database.idle()

    async def replication_ready(self) -> bool:
        """Waits until broadcasts from the database come. False if that takes long."""
        return await self._database.established()

    def _from_database(self, topic: Topic, broadcast: Broadcast) -> None:
        """A row of `realtime.messages`. Too many, or too large ones, are left out, as upstream."""
        if len(broadcast.data) > self._settings.max_payload_size_in_kb * 1000 + 500:
            _log.warning("UnableToBroadcastChanges: payload_size_exceeded")
        elif not self._events.room_for(_DATABASE, 1):
            _log.warning("UnableToBroadcastChanges: too_many_requests")
        else:
            self._events.count(_DATABASE)
            self.broadcast(topic, broadcast)

    def broadcast(self, topic: Topic, broadcast: Broadcast, sender: Member | None = None) -> None:
        """Sends to all members but `sender`."""
        self._topics.broadcast(topic, broadcast, sender)

    def presence_state(self, topic: Topic) -> bytes:
        """The payload of `presence_state`."""
        return self._presences.state(topic)

    def track(self, topic: Topic, member: Member, key: str, payload: dict[str, Any]) -> Tracked:
        """Enters or replaces the member's presence. Raises `MalformedMessage`."""
        if self._presence_events.count(member.address):
            return "too often"
        try:
            diff = self._presences.track(topic, member.id, key, payload)
        except PresenceFull:
            return "full"
        self._topics.presence_diff(topic, diff)
        return "ok"

    def untrack(self, topic: Topic, member: Member, key: str) -> None:
        """Takes the member's presence out."""
        diff = self._presences.untrack(topic, member.id, key)
        if diff is not None:
            self._topics.presence_diff(topic, diff)

    async def close(self) -> None:
        """Ends it."""
        await self._database.close()
        await self.changes.close()
