"""The feed of changes: subscriptions of channels, served by one replication connection.

Postgres decides in batches who sees a row: once for each role and claims, for all rows of a table that arrived
together (docs/decisions/0033-postgres-changes.md).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

from localbase.postgres.pipeline import ConnectionLost, PostgresError
from localbase.postgres.pool import Database, PoolExhausted
from localbase.realtime.changes.backlog import Backlog, Subscribers
from localbase.realtime.changes.delivery import Line, ParsedRequest, Subscriber, deliver_batch
from localbase.realtime.changes.filters import filters_of
from localbase.realtime.changes.matching import PATTERNS, PLAIN, MatchLimits
from localbase.realtime.changes.model import (
    Change,
    ChangeRequest,
    Event,
    Notice,
    SubscriptionRefused,
)
from localbase.realtime.changes.registry import change_claims, clear, register, remove
from localbase.realtime.changes.visibility import Identity
from localbase.realtime.log.replication import CommittedChange, ReplicationStream, State, StreamLimits

__all__ = [
    "Change",
    "ChangeFeed",
    "ChangeRequest",
    "ChangeSubscription",
    "Event",
    "Notice",
    "SubscriptionRefused",
]

_log = logging.getLogger("localbase.realtime")
PUBLICATION = "supabase_realtime"
# Roles with their claims that are looked up side by side: at most the size of the database's pool.
_AT_ONCE = 4


class ChangeFeed:
    """All subscriptions to changes of one database. It replicates only while there is at least one."""

    def __init__(
        self,
        replication_url: str,
        database: Database,
        *,
        wait_seconds: float = 10.0,
        most_filters: int = 200,
        pattern_limits: MatchLimits = PATTERNS,
        limits: StreamLimits | None = None,
    ) -> None:
        """`replication_url` is of a role that may replicate (`supabase_replication_admin`).

        `database` logs in as `supabase_realtime_admin`, which may become every role of the API. A subscription waits
        for replication for `wait_seconds`, and may have `most_filters`. `pattern_limits` are what patterns among them
        may cost.
        """
        self._replication_url = replication_url
        self._database = database
        # Patterns must leave connections for everything else.
        self._line = Line(database, _AT_ONCE, _AT_ONCE, PLAIN, self._on_out_of_time)
        self._patterned = Line(database, _AT_ONCE, 1, pattern_limits, self._on_out_of_time)
        self._backlog = Backlog(self._deliver_patterned, self._on_lost)
        self._wait_seconds = wait_seconds
        self._most_filters = most_filters
        self._limits = limits
        self._stream: ReplicationStream | None = None
        self._subscribers: dict[Subscriber, tuple[str, ...]] = {}
        # Subscriptions that are being made, which want replication too.
        self._joining = 0
        self._cleared = False
        self._clearing = asyncio.Lock()
        # What clients ask to be recorded must leave connections for everything else.
        self._registering = asyncio.Semaphore(2)
        self._interrupted = False
        self._background: set[asyncio.Task[None]] = set()

    async def subscribe(
        self,
        requests: Sequence[ChangeRequest],
        role: str,
        claims: bytes,
        deliver: Callable[[Change], None],
        notice: Callable[[Notice], None],
    ) -> ChangeSubscription:
        """Subscribes under `role` and `claims` (a JSON object); what commits after it has returned arrives.

        `deliver` and `notice` are called in the loop and must not block. Raises `SubscriptionRefused`, and what
        `Database.run` raises while Postgres cannot be reached.
        """
        identity = Identity(role, claims)
        parsed = self._parsed(requests)
        subscriber = Subscriber(identity, parsed, deliver, notice)
        numbers: list[str] = []
        self._joining += 1
        try:
            await self._clear_once()
            for item in parsed:
                async with self._registering:
                    number = await register(self._database, PUBLICATION, item.request, item.filters, identity)
                numbers.append(number)
            await self._until_replicating()
            self._subscribers[subscriber] = tuple(numbers)
        except BaseException:
            self._forget(numbers)
            raise
        finally:
            self._joining -= 1
            self._stop_if_unused()
        return ChangeSubscription(self, subscriber)

    def _parsed(self, requests: Sequence[ChangeRequest]) -> tuple[ParsedRequest, ...]:
        parsed = tuple([_parsed(request) for request in requests])
        filters = sum(len(request.filters) for request in parsed)
        if filters > self._most_filters:
            raise SubscriptionRefused(
                f"Error parsing `filter` params: {filters} filters, and a channel may have {self._most_filters}"
            )
        return parsed

    async def close(self) -> None:
        """Ends replication and every subscription."""
        for subscriber in list(self._subscribers):
            self.unsubscribe(subscriber)
        await self._backlog.close()
        while self._background:
            await asyncio.gather(*self._background)

    async def move(self, subscriber: Subscriber, identity: Identity) -> None:
        """Lets a subscription go on under other claims, or ends it where those do not allow it."""
        if identity == subscriber.identity:
            return
        try:
            async with self._registering:
                await change_claims(self._database, self._subscribers.get(subscriber, ()), identity)
        except SubscriptionRefused:
            # To go on under claims that a new token has replaced would show what it no longer may see.
            self.unsubscribe(subscriber)
            raise
        subscriber.identity = identity

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Ends a subscription. A second time it does nothing."""
        subscriber.closed = True
        self._forget(self._subscribers.pop(subscriber, ()))
        self._stop_if_unused()

    async def _clear_once(self) -> None:
        async with self._clearing:
            if not self._cleared:
                await clear(self._database)
                self._cleared = True

    async def _until_replicating(self) -> None:
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._replicating().running()
        except TimeoutError as error:
            # A transaction that was open before holds it up until it ends.
            raise ConnectionLost("replication has not begun yet") from error

    def _replicating(self) -> ReplicationStream:
        if self._stream is None:
            self._interrupted = False
            self._stream = ReplicationStream(
                self._replication_url,
                [PUBLICATION],
                self._on_changes,
                self._on_state,
                slot_prefix="supabase_realtime_replication_slot",
                limits=self._limits,
            )
            self._stream.start()
        return self._stream

    def _stop_if_unused(self) -> None:
        if not self._subscribers and not self._joining and self._stream is not None:
            stream, self._stream = self._stream, None
            self._run(stream.close())

    def _forget(self, numbers: Sequence[str]) -> None:
        if numbers:
            self._run(remove(self._database, numbers))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _on_state(self, state: State) -> None:
        subscribers = list(self._subscribers)
        if state == "interrupted":
            self._interrupted = True
            _notify(subscribers, "interrupted")
        elif self._interrupted:
            self._interrupted = False
            _notify(subscribers, "resumed")

    def _on_lost(self, subscribers: Subscribers) -> None:
        """Changes that did not reach them."""
        if not self._interrupted:
            _notify(subscribers, "interrupted")
            _notify(subscribers, "resumed")

    def _on_out_of_time(self, subscriber: Subscriber) -> None:
        if not subscriber.closed:
            _log.warning(
                "a filter takes too long: the subscription of a role %s ends", subscriber.identity.role
            )
            self.unsubscribe(subscriber)
            subscriber.notice("out of time")

    async def _on_changes(self, batch: list[CommittedChange]) -> None:
        subscribers = list(self._subscribers)
        patterned = [subscriber for subscriber in subscribers if subscriber.has_patterns]
        if patterned:
            self._backlog.put(batch, patterned)
        others = [subscriber for subscriber in subscribers if not subscriber.has_patterns]
        await self._deliver(self._line, batch, others)

    async def _deliver_patterned(self, batch: Sequence[CommittedChange], subscribers: Subscribers) -> None:
        await self._deliver(self._patterned, batch, subscribers)

    async def _deliver(self, line: Line, batch: Sequence[CommittedChange], subscribers: Subscribers) -> None:
        try:
            await deliver_batch(line, batch, subscribers)
        except* (ConnectionLost, PoolExhausted, PostgresError) as errors:
            _log.warning("%d changes were not delivered: %r", len(batch), errors.exceptions[0])
            self._on_lost(subscribers)
        except* Exception:  # noqa: BLE001 - logged, and replication goes on for the changes that follow
            _log.exception("%d changes were not delivered", len(batch))


def _notify(subscribers: Subscribers, notice: Notice) -> None:
    for subscriber in subscribers:
        if not subscriber.closed:
            subscriber.notice(notice)


class ChangeSubscription:
    """One channel's subscription."""

    def __init__(self, feed: ChangeFeed, subscriber: Subscriber) -> None:
        self._feed = feed
        self._subscriber = subscriber

    async def move(self, role: str, claims: bytes) -> None:
        """Goes on under the claims of a new access token.

        Raises `SubscriptionRefused`, and has ended, where those do not allow it; otherwise as `subscribe` does.
        """
        await self._feed.move(self._subscriber, Identity(role, claims))

    def close(self) -> None:
        """Ends it: nothing is delivered afterwards."""
        self._feed.unsubscribe(self._subscriber)


def _parsed(request: ChangeRequest) -> ParsedRequest:
    # An empty choice of columns is none, as upstream reads it.
    request = replace(request, select=request.select or None)
    return ParsedRequest(request, filters_of(request), frozenset(request.select) if request.select else None)
