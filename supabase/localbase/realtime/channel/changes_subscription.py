"""A channel's side of changes of the database: subscribed in the background, shown by `system` messages."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import psycopg

from localbase.postgres.pipeline import ConnectionLost, PostgresError
from localbase.postgres.pool import PoolExhausted
from localbase.realtime.changes.feed import (
    Change,
    ChangeRequest,
    ChangeSubscription,
    Notice,
    SubscriptionRefused,
)
from localbase.realtime.channel.join import InvalidJoin, change_requests

if TYPE_CHECKING:
    from localbase.realtime.channel.open_channel import OpenChannel

_log = logging.getLogger("localbase.realtime")
_EXTENSION = "postgres_changes"
_SUBSCRIBED = "Subscribed to PostgreSQL"
_DATABASE_UNREACHABLE = "Unable to subscribe to changes: the database is unreachable"
_OUT_OF_TIME = "The subscription to changes has ended: a `filter` takes too long to compare"
_UNREACHABLE = (ConnectionLost, PoolExhausted, PostgresError, psycopg.Error, OSError)


class NotSubscribed(Exception):
    """Changes do not arrive now, and may later."""


class ChangesSubscription:
    """The subscription of one channel."""

    def __init__(self, channel: OpenChannel, changes: list[dict[str, Any]]) -> None:
        """`changes` are the entries of the join, with their ids."""
        self._channel = channel
        self._changes = changes
        self._task: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._subscription: ChangeSubscription | None = None
        # Whether the first attempt has been successful, or refused for good: another would change nothing.
        self._settled: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def settled(self) -> None:
        """Waits until every later change arrives, or it is said why none will. Raises `NotSubscribed`."""
        try:
            async with asyncio.timeout(self._channel.services.timing.subscribe):
                settled = await self._settled
        except TimeoutError as error:
            raise NotSubscribed("Changes of the database do not arrive yet, please try again") from error
        if not settled:
            raise NotSubscribed(_DATABASE_UNREACHABLE)

    def begin(self) -> None:
        """Subscribes in the background."""
        self._task = asyncio.get_running_loop().create_task(self._subscribe())

    async def _subscribe(self) -> None:
        channel = self._channel
        try:
            requests = change_requests(self._changes)
        except InvalidJoin as error:
            channel.system(_EXTENSION, "error", str(error))
            self._settle(True)
            return
        subscribed = await self._subscribed(requests)
        if not subscribed:
            # The database may come back.
            later = channel.services.timing.retry
            self._retry = asyncio.get_running_loop().call_later(later, self.begin)
        self._settle(subscribed)

    def _settle(self, outcome: bool) -> None:
        if not self._settled.done():
            self._settled.set_result(outcome)

    async def _subscribed(self, requests: list[ChangeRequest]) -> bool:
        """Tries to subscribe. False if another attempt may succeed."""
        channel = self._channel
        token = channel.token
        try:
            self._subscription = await channel.services.hub.changes.subscribe(
                requests, token.role, token.claims_json, self._deliver, self._on_notice
            )
        except SubscriptionRefused as error:
            channel.system(_EXTENSION, "error", str(error))
            return True
        except _UNREACHABLE as error:
            _log.info("no subscription to changes: %s", error)
            channel.system(_EXTENSION, "error", _DATABASE_UNREACHABLE)
            return False
        channel.system(_EXTENSION, "ok", _SUBSCRIBED)
        return True

    def _deliver(self, change: Change) -> None:
        ids = ",".join(map(str, change.ids)).encode()
        self._channel.push(_EXTENSION, b'{"ids":[%b],"data":%b}' % (ids, change.data))

    def _on_notice(self, notice: Notice) -> None:
        if notice == "resumed":
            self._channel.system(_EXTENSION, "ok", _SUBSCRIBED)
        elif notice == "out of time":
            self._stop()
            self._channel.system(_EXTENSION, "error", _OUT_OF_TIME)
        else:
            message = "Changes are interrupted: the replication connection was lost"
            self._channel.system(_EXTENSION, "error", message)

    async def move(self) -> None:
        """The channel has a new token: goes on under its claims."""
        token = self._channel.token
        if self._subscription is None:
            self._stop()
            self.begin()
            return
        try:
            await self._subscription.move(token.role, token.claims_json)
        except SubscriptionRefused as error:
            # It has ended; the next token may subscribe again.
            self._stop()
            self._channel.system(_EXTENSION, "error", str(error))
        except _UNREACHABLE:
            self._stop()
            self.begin()
        else:
            self._channel.system(_EXTENSION, "ok", _SUBSCRIBED)

    def close(self) -> None:
        """Ends it."""
        self._stop()
        self._settle(False)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        if self._retry is not None:
            self._retry.cancel()
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None
