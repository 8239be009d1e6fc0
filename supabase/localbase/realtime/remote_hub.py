"""The hub as a worker reaches it, over a link to the first process.

When the link breaks, presences and subscriptions of this worker are gone there: its sockets are closed, so that clients
come back by themselves, and the link is made anew.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from localbase.core.cancellation import pause
from localbase.core.clock import Clock
from localbase.core.settings import RealtimeSettings
from localbase.postgres.pipeline import ConnectionLost
from localbase.realtime.changes.feed import Change, ChangeRequest, Notice, SubscriptionRefused
from localbase.realtime.frames import Broadcast, dump_json
from localbase.realtime.hub import HubUnavailable, StateReceiver, Subscription, Tracked
from localbase.realtime.link import Link, LinkBroken, LinkMessage, read_broadcast, send_broadcast
from localbase.realtime.rates import Rate
from localbase.realtime.topics import Member, Topic, Topics

_log = logging.getLogger("localbase.realtime")
_PAUSE_SECONDS, _WAIT_SECONDS, _REPORT_SECONDS, _FULL_SECONDS = 0.2, 5.0, 0.1, 1.0


class RemoteHub:
    """The hub of another process. Its methods are those of `hub.Hub`."""

    def __init__(
        self,
        settings: RealtimeSettings,
        port: int,
        secret: str,
        prefix: str,
        monotonic: Clock = time.monotonic,
    ) -> None:
        """`port` is the hub's on this machine, `prefix` begins the ids of this process's channels."""
        self.on_lost: Callable[[], None] = lambda: None
        self._port = port
        self._hello = secret, prefix
        self._monotonic = monotonic
        self._link: Link | None = None
        self._linked = asyncio.Event()
        self._numbers = count(1)
        self._callbacks: dict[int, Callable[[LinkMessage | None], None]] = {}
        self._subscriptions: dict[int, RemoteSubscription] = {}
        self._topics = Topics(self.count_events)
        self._events = Rate(settings.max_events_per_second, monotonic)
        self._unreported = 0
        self._full_until = 0.0
        self._sockets = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to link."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Ends the link."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            except OSError:
                await pause(_PAUSE_SECONDS)  # the first process is being started again
                continue
            link = Link(reader, writer)
            link.send("hello", *self._hello)
            self._link = link
            self._linked.set()
            try:
                while True:
                    self._on_message(await link.receive())
            except LinkBroken:
                _log.warning("the link to the hub has ended; linking again")
            except Exception:  # noqa: BLE001 - a fault in one message must not leave this process without a hub
                _log.exception("the link to the hub has failed; linking again")
            finally:
                link.close()
                self._on_lost()
            await pause(_PAUSE_SECONDS)  # the first process is being started again

    def _on_lost(self) -> None:
        self._link = None
        self._linked.clear()
        self._sockets = 0
        callbacks, self._callbacks = self._callbacks, {}
        self._subscriptions.clear()
        for callback in callbacks.values():
            callback(None)
        self.on_lost()

    def _on_message(self, message: LinkMessage) -> None:
        kind, parts, data = message
        if kind == "answer":
            callback = self._callbacks.pop(parts[0], None)
            if callback is not None:
                callback(message)
        elif kind == "broadcast":
            topic, broadcast = read_broadcast(message)
            self._topics.broadcast(topic, broadcast)
        elif kind == "presence":
            self._topics.presence_diff(Topic(*parts), data)
        elif kind == "change":
            for number, ids in parts[0]:
                if number in self._subscriptions:
                    self._subscriptions[number].deliver(Change(tuple(ids), data))
        elif kind == "notice" and parts[0] in self._subscriptions:
            self._subscriptions[parts[0]].notice(parts[1])
        elif kind == "full":
            self._full_until = self._monotonic() + _FULL_SECONDS

    def _send(self, kind: str, *parts: Any, data: bytes = b"") -> None:
        if self._link is not None:
            self._link.send(kind, *parts, data=data)

    async def _call(self, kind: str, *parts: Any, data: bytes = b"") -> Any:
        """Sends a message that is answered. Raises `HubUnavailable`."""
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                await self._linked.wait()
        except TimeoutError as error:
            raise HubUnavailable from error
        number = next(self._numbers)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def on_response(message: LinkMessage | None) -> None:
            if future.done():
                return
            if message is None:
                future.set_exception(HubUnavailable())
            else:
                future.set_result(message.parts[1])

        self._callbacks[number] = on_response
        try:
            self._send(kind, number, *parts, data=data)
            return await future
        finally:
            self._callbacks.pop(number, None)

    # Limits.

    async def admit_socket(self) -> str | None:
        """Counts a new WebSocket. In upstream's words why there may be none now, or None."""
        rejection: str | None = await self._call("socket")
        self._sockets += rejection is None
        return rejection

    def release_socket(self) -> None:
        """A WebSocket has ended."""
        if self._sockets:
            self._sockets -= 1
            self._send("release")

    async def admit_join(self) -> bool:
        """Counts a join. Whether it was within the limit."""
        return bool(await self._call("admit_join"))

    def count_events(self, events: int) -> bool:
        """Counts broadcasts sent or delivered. Whether there are too many now, as far as is known here."""
        if not self._unreported:
            asyncio.get_running_loop().call_later(_REPORT_SECONDS, self._report)
        self._unreported += events
        return self._events.count(events) or self._full

    def room_for_events(self, events: int) -> bool:
        """Whether so many broadcasts may be sent now, as far as is known here."""
        return self._events.room_for(events) and not self._full

    @property
    def _full(self) -> bool:
        return self._monotonic() < self._full_until

    def _report(self) -> None:
        events, self._unreported = self._unreported, 0
        self._send("events", events)

    # Topics.

    async def join(self, topic: Topic, member: Member) -> None:
        """From now on the member gets what is sent to the topic."""
        self._topics.add(topic, member)
        await self._call("join", topic.name, topic.private)

    def leave(self, topic: Topic, member: Member) -> None:
        """It gets nothing more."""
        if self._topics.remove(topic, member):
            self._send("leave", topic.name, topic.private)

    async def replication_ready(self) -> bool:
        """Waits until broadcasts from the database come. False if that takes long."""
        return bool(await self._call("ready"))

    def broadcast(self, topic: Topic, broadcast: Broadcast, sender: Member | None = None) -> None:
        """Sends to all members but `sender`. Raises `HubUnavailable`."""
        if self._link is None:
            raise HubUnavailable
        self._topics.broadcast(topic, broadcast, sender)
        send_broadcast(self._link, topic, broadcast)

    def presence_state(self, topic: Topic, receive: StateReceiver) -> None:
        """Gives the payload of `presence_state`, in order with the changes of it."""
        number = next(self._numbers)

        def on_response(message: LinkMessage | None) -> None:
            if message is not None:
                receive(message.data)

        self._callbacks[number] = on_response
        self._send("state", number, topic.name, topic.private)

    async def track(self, topic: Topic, member: Member, key: str, payload: dict[str, Any]) -> Tracked:
        """Enters or replaces the member's presence. Raises `MalformedMessage`, or `HubUnavailable`."""
        parts = topic.name, topic.private, member.id, key
        tracked: Tracked = await self._call("track", *parts, data=dump_json(payload))
        return tracked

    def untrack(self, topic: Topic, member: Member, key: str) -> None:
        """Takes the member's presence out."""
        self._send("untrack", topic.name, topic.private, member.id, key)

    # Changes of the database.

    async def subscribe(
        self,
        requests: Sequence[ChangeRequest],
        role: str,
        claims: bytes,
        deliver: Callable[[Change], None],
        notice: Callable[[Notice], None],
    ) -> Subscription:
        """Subscribes to changes of the database. Raises `SubscriptionRefused`, or `ConnectionLost`."""
        subscription = RemoteSubscription(self, deliver, notice)
        entries = [(one.id, one.event, one.schema, one.table, one.filter, one.select) for one in requests]
        await self.subscribe_remotely(subscription, entries, role, claims)
        return subscription

    async def subscribe_remotely(
        self, subscription: RemoteSubscription, entries: list[Any], role: str, claims: bytes
    ) -> None:
        """Subscribes under the number of the call, by which changes come."""
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                await self._linked.wait()
        except TimeoutError as error:
            raise ConnectionLost from error
        number = next(self._numbers)
        future: asyncio.Future[LinkMessage | None] = asyncio.get_running_loop().create_future()
        self._callbacks[number] = lambda message: None if future.done() else future.set_result(message)
        # Changes may come in the same breath as the response.
        subscription.number = number
        self._subscriptions[number] = subscription
        self._send("subscribe", number, entries, role, data=claims)
        try:
            _check(await future)
        except BaseException:
            self.unsubscribe(number)
            raise

    def unsubscribe(self, number: int) -> None:
        """Ends a subscription."""
        self._callbacks.pop(number, None)
        self._subscriptions.pop(number, None)
        self._send("unsubscribe", number)

    async def move(self, number: int, role: str, claims: bytes) -> None:
        """Lets a subscription go on under other claims. Raises `SubscriptionRefused`, or `ConnectionLost`."""
        try:
            _check_result(await self._call("move", number, role, data=claims))
        except HubUnavailable as error:
            raise ConnectionLost from error


class RemoteSubscription:
    """A channel's subscription, held by the hub."""

    def __init__(
        self, hub: RemoteHub, deliver: Callable[[Change], None], notice: Callable[[Notice], None]
    ) -> None:
        self.number = 0
        self.deliver = deliver
        self.notice = notice
        self._hub = hub

    async def move(self, role: str, claims: bytes) -> None:
        """Goes on under the claims of a new access token. Raises `SubscriptionRefused`."""
        await self._hub.move(self.number, role, claims)

    def close(self) -> None:
        """Ends it."""
        self._hub.unsubscribe(self.number)


def new_prefix(index: int) -> str:
    """What the ids of a worker's channels begin with: another start of it has another."""
    return f"{index}-{os.getpid()}:"


def _check(message: LinkMessage | None) -> None:
    if message is None:
        raise ConnectionLost
    _check_result(message.parts[1])


def _check_result(result: Any) -> None:
    if result is False:
        raise ConnectionLost
    if result is not None:
        raise SubscriptionRefused(result)
