"""The time of a change from its statement to its subscribers, through WebSockets.

On a small scratch stack: 200 subscribers of one role, 200 users whom a policy lets read all rows, 500 subscribers of
ten users of whom each sees one row in ten, at 200 rows a second, and 1,000 rows in one commit. A figure counts from the
moment before the statement is sent, the commit included.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager

import psycopg
import uvloop
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of

from bench.figures import Figure
from bench.realtime.clients import Client, open_clients
from bench.scratch import scratch_stack

_CONFIG = """
[realtime]
max_concurrent_users = 1000
max_joins_per_second = 100000
max_events_per_second = 1000000
"""
_TABLE = """
create table plain (id int primary key, owner text, body text);
create table guarded (id int primary key, owner text, body text);
alter table guarded enable row level security;
create policy members on guarded for select to authenticated using (owner = 'all' or owner = auth.jwt() ->> 'sub');
grant select on plain, guarded to anon, authenticated;
alter publication supabase_realtime add table plain, guarded;
"""
_SUBSCRIBERS, _COMMITS, _ROWS = 200, 100, 1000
_SECONDS_BETWEEN = 0.05
_MANY, _IDENTITIES, _PER_SECOND, _SECONDS = 500, 10, 200, 10.0
_ID = re.compile(rb'"id":(\d+)')


def realtime_figures() -> Iterator[Figure]:
    """Latencies of changes."""
    with scratch_stack("changes", _TABLE, _CONFIG) as project, Progress().step("changes of the database"):
        figures = uvloop.run(_measure(project))
    yield from figures


async def _measure(project: Project) -> list[Figure]:
    one = await _one_by_one(project, "plain", users=1)
    many = await _one_by_one(project, "guarded", users=_SUBSCRIBERS)
    steady = await _at_a_rate(project)
    whole = await _one_commit(project)
    return [
        Figure("change to 200 subscribers of one role, p95", _p95(one), 150, "ms"),
        Figure("change to 200 users, p95", _p95(many), 300, "ms"),
        Figure(
            f"{_PER_SECOND} rows/s to {_MANY} subscribers of {_IDENTITIES} users, p95", _p95(steady), 50, "ms"
        ),
        Figure("1,000 rows in one commit to 200 users, all", whole, 5000, "ms"),
    ]


class _Subscribers:
    """The clients, and when each row was written and read."""

    def __init__(self, clients: list[Client]) -> None:
        self.clients = clients
        self.sent: dict[int, float] = {}
        self.latencies: list[float] = []
        self.latest = 0.0
        self._news = asyncio.Event()

    def take(self, message: bytes, now: float) -> None:
        """A row, unless it is the message that tells of the subscription."""
        found = _ID.search(message, message.find(b'"record"'))
        if found is not None and b"postgres_changes" in message:
            self.latencies.append((now - self.sent[int(found[1])]) * 1000)
            self.latest = now
            self._news.set()

    async def until(self, count: int) -> None:
        """Waits for so many deliveries since the start."""
        async with asyncio.timeout(60):
            while len(self.latencies) < count:
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def _subscribed(project: Project, table: str, count: int, users: int) -> AsyncIterator[_Subscribers]:
    """So many clients of so many users that are subscribed to the table."""
    subscribers = _Subscribers([])
    path = f"/realtime/v1/websocket?apikey={project.settings.keys.publishable}&vsn=2.0.0"
    tokens = [
        project.signing.sign(
            {"role": "authenticated", "aud": "authenticated", "sub": str(number), "exp": 4_000_000_000}
        )
        for number in range(users)
    ]

    def make(number: int) -> Client:
        change = {"event": "INSERT", "schema": "public", "table": table}
        payload = {"config": {"postgres_changes": [change]}, "access_token": tokens[number % users]}
        join = json.dumps(["1", "1", "realtime:bench", "phx_join", payload]).encode()
        return Client(path, project.settings.api.port, join, b"Subscribed to PostgreSQL", subscribers.take)

    subscribers.clients = await open_clients(count, project.settings.api.port, make)
    yield subscribers
    for client in subscribers.clients:
        client.close()


async def _one_by_one(project: Project, table: str, *, users: int) -> list[float]:
    """Milliseconds until each subscriber has a row, which is written when all have had the one before."""
    async with (
        _subscribed(project, table, _SUBSCRIBERS, users) as subscribers,
        _inserting(project, table) as insert,
    ):
        for number in range(_COMMITS):
            await insert(subscribers, number, "all")
            await subscribers.until((number + 1) * _SUBSCRIBERS)
            await asyncio.sleep(_SECONDS_BETWEEN)
    return subscribers.latencies


async def _at_a_rate(project: Project) -> list[float]:
    """Milliseconds until each subscriber has each row of its user. Rows come whether earlier ones have arrived."""
    count = int(_PER_SECOND * _SECONDS)
    async with (
        _subscribed(project, "guarded", _MANY, _IDENTITIES) as subscribers,
        _inserting(project, "guarded") as insert,
    ):
        began = time.perf_counter()
        for number in range(count):
            await asyncio.sleep(max(0.0, began + number / _PER_SECOND - time.perf_counter()))
            await insert(subscribers, number, str(number % _IDENTITIES))
        await subscribers.until(count * _MANY // _IDENTITIES)
    return subscribers.latencies


async def _one_commit(project: Project) -> float:
    """Milliseconds until the last of 200 users has the last of their rows: 500 are everybody's, 2 each one's own."""
    async with _subscribed(project, "guarded", _SUBSCRIBERS, _SUBSCRIBERS) as subscribers:
        url = cluster_of(project).url("postgres")
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            began = time.perf_counter()
            subscribers.sent = dict.fromkeys(range(10_000, 10_001 + _ROWS), began)
            await connection.execute(
                "insert into guarded select 10000 + n, case when n % 2 = 0 then 'all' else (n / 2 % 200)::text end, ''"
                " from generate_series(1, 1000) n"
            )
            own = sum(1 for n in range(1, _ROWS + 1) if n % 2)
            await subscribers.until(_SUBSCRIBERS * (_ROWS - own) + own)
    return (subscribers.latest - began) * 1000


@asynccontextmanager
async def _inserting(
    project: Project, table: str
) -> AsyncIterator[Callable[[_Subscribers, int, str], Awaitable[None]]]:
    """Return what writes one row into the emptied table, a transaction each."""
    url = cluster_of(project).url("postgres")
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute(f"truncate {table}".encode())
        statement = f"insert into {table} values (%s, %s, 'text')".encode()  # noqa: S608 - our own names

        async def insert(subscribers: _Subscribers, number: int, owner: str) -> None:
            subscribers.sent[number] = time.perf_counter()
            await connection.execute(statement, [number, owner])

        yield insert


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[18]
