"""How long a change takes from its commit to its subscribers: `python -m bench.realtime_changes`.

On a small scratch stack, at the feed of changes: 200 subscribers of one role, 200 users whom a policy lets read, and
1,000 rows in one commit. A figure counts from the moment before the statement is sent.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Iterator

import psycopg
import uvloop
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.pool import Database
from localbase.realtime.changes.feed import Change, ChangeFeed, ChangeRequest, ChangeSubscription

from bench.figures import Figure
from bench.scratch import scratch_stack

_CONFIG = """
project_id = "changes"
[api]
port = 24351
schemas = ["public"]
[db]
port = 24352
[local_smtp]
port = 24354
smtp_port = 24355
[edge_runtime]
enabled = false
"""
_TABLE = """
create table plain (id int primary key, body text);
create table guarded (id int primary key, owner text, body text);
alter table guarded enable row level security;
create policy members on guarded for select to authenticated using (owner = 'all' or owner = auth.jwt() ->> 'sub');
grant select on plain, guarded to anon, authenticated;
alter publication supabase_realtime add table plain, guarded;
"""
_SUBSCRIBERS, _COMMITS, _ROWS = 200, 100, 1000
_SECONDS_BETWEEN = 0.05


def realtime_figures() -> Iterator[Figure]:
    """Latencies of changes."""
    with scratch_stack(_CONFIG, _TABLE) as project, Progress().step("changes of the database"):
        figures = uvloop.run(_measure(project))
    yield from figures


async def _measure(project: Project) -> list[Figure]:
    cluster = cluster_of(project)
    one = await _latencies(cluster, "plain", users=1)
    many = await _latencies(cluster, "guarded", users=_SUBSCRIBERS)
    whole = await _one_commit(cluster)
    return [
        Figure("change to 200 subscribers of one role, p50", _quantile(one, 50), 50, "ms"),
        Figure("change to 200 subscribers of one role, p95", _quantile(one, 95), 150, "ms"),
        Figure("change to 200 users, p50", _quantile(many, 50), 100, "ms"),
        Figure("change to 200 users, p95", _quantile(many, 95), 300, "ms"),
        Figure("1,000 rows in one commit to 200 users, all", whole, 5000, "ms"),
    ]


class _Subscribers:
    """As many subscriptions to one table as the figures name, and the times at which they got each row."""

    def __init__(self, cluster: Cluster, table: str, users: int) -> None:
        self._table, self._users = table, users
        self._database = Database(cluster.near_url("supabase_realtime_admin"), size=4)
        self._feed = ChangeFeed(cluster.near_url("supabase_replication_admin"), self._database)
        self._subscriptions: list[ChangeSubscription] = []
        self.times: list[float] = []
        self.news = asyncio.Event()

    async def __aenter__(self) -> _Subscribers:
        for number in range(_SUBSCRIBERS):
            claims = json.dumps({"role": "authenticated", "sub": str(number % self._users)}).encode()
            request = ChangeRequest(1, "INSERT", "public", self._table)
            self._subscriptions.append(
                await self._feed.subscribe([request], "authenticated", claims, self._deliver, lambda _: None)
            )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._feed.close()
        await self._database.close()

    def _deliver(self, _: Change) -> None:
        self.times.append(time.perf_counter())
        self.news.set()

    async def until(self, count: int) -> None:
        """Waits for so many deliveries since the start."""
        async with asyncio.timeout(60):
            while len(self.times) < count:
                self.news.clear()
                await self.news.wait()


async def _latencies(cluster: Cluster, table: str, *, users: int) -> list[float]:
    """Milliseconds from each statement to each subscriber."""
    columns = "id, body" if table == "plain" else "id, owner, body"
    values = "%s, 'text'" if table == "plain" else "%s, 'all', 'text'"
    insert = f"insert into {table} ({columns}) values ({values})".encode()  # noqa: S608 - our own names
    found = []
    async with _Subscribers(cluster, table, users) as subscribers:
        connection = await psycopg.AsyncConnection.connect(cluster.url("postgres"), autocommit=True)
        async with connection:
            for number in range(_COMMITS):
                began = time.perf_counter()
                await connection.execute(insert, [number])
                await subscribers.until((number + 1) * _SUBSCRIBERS)
                found += [(moment - began) * 1000 for moment in subscribers.times[-_SUBSCRIBERS:]]
                await asyncio.sleep(_SECONDS_BETWEEN)
    return found


async def _one_commit(cluster: Cluster) -> float:
    """Milliseconds until the last of 200 users has the last of their rows: 500 are everybody's, 2 each one's own."""
    async with _Subscribers(cluster, "guarded", _SUBSCRIBERS) as subscribers:
        connection = await psycopg.AsyncConnection.connect(cluster.url("postgres"), autocommit=True)
        async with connection:
            began = time.perf_counter()
            await connection.execute(
                "insert into guarded select 10000 + n, case when n % 2 = 0 then 'all' else (n / 2 % 200)::text end, ''"
                " from generate_series(1, 1000) n"
            )
            own = sum(1 for n in range(1, _ROWS + 1) if n % 2)
            await subscribers.until(_SUBSCRIBERS * (_ROWS - own) + own)
    return (subscribers.times[-1] - began) * 1000


def _quantile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


if __name__ == "__main__":
    for figure in realtime_figures():
        sys.stdout.write(f"{figure}\n")
