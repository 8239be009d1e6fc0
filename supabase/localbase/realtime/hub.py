"""What all channels of a project share: topics, presence and limits. The first process holds it.

`LocalHub` is the hub where it is held; channels of other processes reach it over `link.RemoteHub`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from localbase.core.clock import Clock
from localbase.core.settings import RealtimeSettings
from localbase.realtime.changes.feed import Change, ChangeFeed, ChangeRequest, Notice
from localbase.realtime.database_broadcasts import DatabaseBroadcasts
from localbase.realtime.frames import Broadcast
from localbase.realtime.presence import PresenceFull, Presences
from localbase.realtime.rates import Rate
from localbase.realtime.topics import Member, Topic, Topics

_log = logging.getLogger("localbase.realtime")
Tracked = Literal["ok", "too often", "full"]
"""What has become of a presence."""
StateReceiver = Callable[[bytes], None]


class Subscription(Protocol):
    """A channel's subscription to changes of the database."""

    async def move(self, role: str, claims: bytes) -> None:
        """Goes on under the claims of a new access token. Raises `SubscriptionRefused`."""

    def close(self) -> None:
        """Ends it."""


class Hub(Protocol):
    """What a channel needs of the others."""

    async def admit_socket(self) -> str | None:
        """Counts a new WebSocket. In upstream's words why there may be none now, or None."""

    def release_socket(self) -> None:
        """A WebSocket has ended."""

    async def admit_join(self) -> bool:
        """Counts a join. Whether it was within the limit."""

    def count_events(self, events: int) -> bool:
        """Counts broadcasts sent. Whether there are too many now."""

    def room_for_events(self, events: int) -> bool:
        """Whether so many broadcasts may be sent now."""

    async def join(self, topic: Topic, member: Member) -> None:
        """From now on the member gets what is sent to the topic."""

    def leave(self, topic: Topic, member: Member) -> None:
        """It gets nothing more."""

    async def replication_ready(self) -> bool:
        """Waits until broadcasts from the database come. False if that takes long."""

    def broadcast(self, topic: Topic, broadcast: Broadcast, sender: Member | None = None) -> None:
        """Sends to all members but `sender`."""

    def presence_state(self, topic: Topic, receive: StateReceiver) -> None:
        """Gives the payload of `presence_state`, in order with the changes of it."""

    async def track(self, topic: Topic, member: Member, key: str, payload: dict[str, Any]) -> Tracked:
        """Enters or replaces the member's presence. Raises `MalformedMessage`."""

    def untrack(self, topic: Topic, member: Member, key: str) -> None:
        """Takes the member's presence out."""

    async def subscribe(
        self,
        requests: Sequence[ChangeRequest],
        role: str,
        claims: bytes,
        deliver: Callable[[Change], None],
        notice: Callable[[Notice], None],
    ) -> Subscription:
        """Subscribes to changes of the database. Raises `SubscriptionRefused`."""

    async def close(self) -> None:
        """Ends it."""


class Relay(Protocol):
    """Another process, which has members of its own."""

    def broadcast(self, topic: Topic, broadcast: Broadcast) -> None:
        """Delivers to its members."""

    def presence_diff(self, topic: Topic, diff: bytes) -> None:
        """Delivers a change of who is present."""


class HubUnavailable(Exception):
    """The process that holds the hub is being started again."""


class LocalHub:
    """The hub itself."""

    def __init__(
        self,
        settings: RealtimeSettings,
        feed: ChangeFeed,
        replication_url: str,
        monotonic: Clock = time.monotonic,
    ) -> None:
        """`replication_url` is of a role that may replicate."""
        self._settings = settings
        self._database = DatabaseBroadcasts(replication_url, self._from_database)
        self._feed = feed
        self._sockets = 0
        self._joins = Rate(settings.max_joins_per_second, monotonic)
        self._events = Rate(settings.max_events_per_second, monotonic)
        self._presence_events = Rate(settings.max_presence_events_per_second, monotonic)
        self._presences = Presences()
        self._topics = Topics(self.count_events)
        self._relays: dict[Topic, dict[Relay, None]] = {}

    async def admit_socket(self) -> str | None:
        """Counts a new WebSocket. In upstream's words why there may be none now, or None."""
        if self._sockets >= self._settings.max_concurrent_users:
            return "Too many connected users"
        if not self._joins.room_for(1):
            return "Too many joins per second"
        self._sockets += 1
        return None

    def release_socket(self) -> None:
        """A WebSocket has ended."""
        self._sockets -= 1

    async def admit_join(self) -> bool:
        """Counts a join. Whether it was within the limit."""
        return self._joins.room_for(1) and not self._joins.count()

    def count_events(self, events: int) -> bool:
        """Counts broadcasts sent or delivered. Whether there are too many now."""
        return self._events.count(events)

    def room_for_events(self, events: int) -> bool:
        """Whether so many broadcasts may be sent now."""
        return self._events.room_for(events)

    async def join(self, topic: Topic, member: Member) -> None:
        """From now on the member gets what is sent to the topic."""
        self._topics.add(topic, member)
        await self.follow_database()

    def leave(self, topic: Topic, member: Member) -> None:
        """It gets nothing more."""
        self._topics.remove(topic, member)
        self._rest()

    def join_relay(self, topic: Topic, relay: Relay) -> None:
        """From now on the process gets what is sent to the topic."""
        self._relays.setdefault(topic, {})[relay] = None

    def leave_relay(self, topic: Topic, relay: Relay) -> None:
        """The process has no more members of the topic."""
        relays = self._relays.get(topic, {})
        relays.pop(relay, None)
        if topic in self._relays and not relays:
            del self._relays[topic]
        self._rest()

    async def follow_database(self) -> None:
        """Waits until broadcasts from the database come, though not for long."""
        await self._database.ready()

    def _rest(self) -> None:
        if not len(self._topics) and not self._relays:
            self._database.idle()

    async def replication_ready(self) -> bool:
        """Waits until broadcasts from the database come. False if that takes long."""
        return await self._database.established()

    def _from_database(self, topic: Topic, broadcast: Broadcast) -> None:
        """A row of `realtime.messages`. Too many, or too large ones, are left out, as upstream."""
        if len(broadcast.data) > self._settings.max_payload_size_in_kb * 1000 + 500:
            _log.warning("UnableToBroadcastChanges: payload_size_exceeded")
        elif not self._events.room_for(1):
            _log.warning("UnableToBroadcastChanges: too_many_requests")
        else:
            self._events.count()
            self.broadcast(topic, broadcast)

    def broadcast(
        self, topic: Topic, broadcast: Broadcast, sender: Member | None = None, source: Relay | None = None
    ) -> None:
        """Sends to all members but `sender`, and to all processes but `source`."""
        self._topics.broadcast(topic, broadcast, sender)
        for relay in self._relays.get(topic, ()):
            if relay is not source:
                relay.broadcast(topic, broadcast)

    def presence_state(self, topic: Topic, receive: StateReceiver) -> None:
        """Gives the payload of `presence_state`, in order with the changes of it."""
        receive(self._presences.state(topic))

    async def track(self, topic: Topic, member: Member, key: str, payload: dict[str, Any]) -> Tracked:
        """Enters or replaces the member's presence. Raises `MalformedMessage`."""
        return self.track_member(topic, member.id, key, payload)

    def track_member(self, topic: Topic, member: str, key: str, payload: dict[str, Any]) -> Tracked:
        """The same for the member with this id."""
        if self._presence_events.count():
            return "too often"
        try:
            diff = self._presences.track(topic, member, key, payload)
        except PresenceFull:
            return "full"
        self._presence_diff(topic, diff)
        return "ok"

    def untrack(self, topic: Topic, member: Member, key: str) -> None:
        """Takes the member's presence out."""
        self.untrack_member(topic, member.id, key)

    def untrack_member(self, topic: Topic, member: str, key: str) -> None:
        """The same for the member with this id."""
        diff = self._presences.untrack(topic, member, key)
        if diff is not None:
            self._presence_diff(topic, diff)

    def untrack_process(self, prefix: str) -> None:
        """Takes out the presences of all members with ids that begin so: their process has gone."""
        for topic, member, key in self._presences.entries_of(prefix):
            self.untrack_member(topic, member, key)

    def _presence_diff(self, topic: Topic, diff: bytes) -> None:
        self._topics.presence_diff(topic, diff)
        for relay in self._relays.get(topic, ()):
            relay.presence_diff(topic, diff)

    async def subscribe(
        self,
        requests: Sequence[ChangeRequest],
        role: str,
        claims: bytes,
        deliver: Callable[[Change], None],
        notice: Callable[[Notice], None],
    ) -> Subscription:
        """Subscribes to changes of the database. Raises `SubscriptionRefused`."""
        return await self._feed.subscribe(requests, role, claims, deliver, notice)

    async def close(self) -> None:
        """Ends it."""
        await self._database.close()
        await self._feed.close()
