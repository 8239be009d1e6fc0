"""A feed of changes on a real stack's Postgres, and subscribers that record what they get."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import uvloop
from localbase.postgres.pool import Database
from localbase.realtime.changes.feed import Change, ChangeFeed, ChangeRequest, ChangeSubscription, Notice
from localbase.realtime.changes.matching import PATTERNS, MatchLimits
from localbase.realtime.log.replication import StreamLimits

from tests.support.stacks import Stack

_SECONDS = 20.0
ANON = b'{"role":"anon"}'


class Recorder:
    """A subscriber: the ids and the data of each change, in the order of their arrival."""

    def __init__(self) -> None:
        self.changes: list[tuple[tuple[int, ...], dict[str, Any]]] = []
        self.notices: list[Notice] = []
        self._news = asyncio.Event()

    def deliver(self, change: Change) -> None:
        self.changes.append((change.ids, json.loads(change.data)))
        self._news.set()

    def notice(self, notice: Notice) -> None:
        self.notices.append(notice)
        self._news.set()

    async def until(self, holds: Callable[[Recorder], bool]) -> None:
        """Waits for changes or notices until `holds`."""
        async with asyncio.timeout(_SECONDS):
            while not holds(self):
                self._news.clear()
                await self._news.wait()

    async def first(self, count: int) -> list[dict[str, Any]]:
        """The data of the first `count` changes."""
        await self.until(lambda recorder: len(recorder.changes) >= count)
        return [data for _, data in self.changes[:count]]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The new rows that have arrived."""
        return [data["record"] for _, data in self.changes if "record" in data]


class FeedClient:
    """A feed, and a connection as the project's own role that makes tables and changes them."""

    def __init__(self, feed: ChangeFeed, project: psycopg.AsyncConnection) -> None:
        self.feed = feed
        self.project = project

    async def run(self, *statements: str) -> None:
        """Runs each statement in a transaction of its own."""
        for statement in statements:
            await self.project.execute(statement.encode())

    async def subscribe(
        self, *requests: ChangeRequest, role: str = "anon", claims: bytes | None = None
    ) -> tuple[Recorder, ChangeSubscription]:
        """A recorder with its subscription."""
        recorder = Recorder()
        subscriber_claims = claims or json.dumps({"role": role}).encode()
        made = await self.feed.subscribe(requests, role, subscriber_claims, recorder.deliver, recorder.notice)
        return recorder, made

    async def slots(self) -> list[str]:
        """The names of the slots of changes."""
        cursor = await self.project.execute(
            "select slot_name from pg_replication_slots where slot_name like 'supabase_realtime_replication_slot%'"
        )
        return [row[0] for row in await cursor.fetchall()]


@asynccontextmanager
async def open_feed(
    url: str,
    limits: StreamLimits | None = None,
    wait_seconds: float = 10.0,
    pattern_limits: MatchLimits = PATTERNS,
) -> AsyncIterator[FeedClient]:
    """A feed of the database at `url`, an address of the role `postgres`."""
    database = Database(as_role(url, "supabase_realtime_admin"), size=4)
    replication = as_role(url, "supabase_replication_admin")
    feed = ChangeFeed(
        replication, database, limits=limits, wait_seconds=wait_seconds, pattern_limits=pattern_limits
    )
    project = await psycopg.AsyncConnection.connect(url, autocommit=True)
    try:
        yield FeedClient(feed, project)
    finally:
        await feed.close()
        await database.close()
        await project.close()


def as_role(url: str, role: str) -> str:
    """The same database for another of the platform's roles."""
    return url.replace("//postgres:", f"//{role}:")


def with_feed(
    stack: Stack,
    steps: Callable[[FeedClient], Awaitable[None]],
    pattern_limits: MatchLimits = PATTERNS,
) -> None:
    """Runs `steps` with a feed on the stack's database, in a loop such as the gateway's."""

    async def session() -> None:
        async with open_feed(stack.db_url, pattern_limits=pattern_limits) as client:
            await steps(client)

    uvloop.run(session())


async def make_table(client: FeedClient, name: str, columns: str, *more: str) -> None:
    """A published table in `public`, made anew; `more` are further statements."""
    await client.run(
        f"drop table if exists {name} cascade",
        f"create table {name} ({columns})",
        f"alter publication supabase_realtime add table {name}",
        *more,
    )


def request_for(table: str, event: Any = "*", **more: Any) -> ChangeRequest:
    """A request for a table of `public`, with the number 1."""
    return ChangeRequest(more.pop("id", 1), event, more.pop("schema", "public"), table, **more)


def identity(role: str, sub: str) -> bytes:
    """The claims of a user."""
    return json.dumps({"role": role, "sub": sub}).encode()


def keys_of(changes: Sequence[tuple[tuple[int, ...], dict[str, Any]]], column: str = "id") -> list[Any]:
    """A column of each new row."""
    return [data["record"][column] for _, data in changes]
