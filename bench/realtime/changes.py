"""The time of a change from its commit to its subscribers: `python -m bench.realtime.changes`.

On a small scratch stack, at the feed of changes and through WebSockets: 200 subscribers of one role, 200 users whom a
policy lets read, and 1,000 rows in one commit. A figure counts from the moment before the statement is sent until the
callback: through sockets that includes 200 clients in this process, which read one after the other.
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
from websockets.asyncio.client import ClientConnection, connect

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
    sockets_one = await _latencies(cluster, "plain", users=1, project=project)
    sockets_many = await _latencies(cluster, "guarded", users=_SUBSCRIBERS, project=project)
    return [
        Figure("through sockets, one role, p50", _quantile(sockets_one, 50), 50, "ms"),
        Figure("through sockets, one role, p95", _quantile(sockets_one, 95), 150, "ms"),
        Figure("through sockets, 200 users, p50", _quantile(sockets_many, 50), 100, "ms"),
        Figure("through sockets, 200 users, p95", _quantile(sockets_many, 95), 300, "ms"),
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


class _Sockets(_Subscribers):
    """The same through the gateway, each over a WebSocket of its own."""

    def __init__(self, project: Project, table: str, users: int) -> None:
        super().__init__(cluster_of(project), table, users)
        self._project = project
        self._address = (
            f"{project.settings.api_url.replace('http', 'ws', 1)}/realtime/v1/websocket"
            f"?apikey={project.settings.keys.publishable}&vsn=2.0.0"
        )
        self._sockets: list[ClientConnection] = []
        self._reading: list[asyncio.Task[None]] = []
        self._ready = 0

    async def __aenter__(self) -> _Sockets:
        for number in range(_SUBSCRIBERS):
            claims = {
                "role": "authenticated",
                "aud": "authenticated",
                "sub": str(number % self._users),
                "exp": 4_000_000_000,
            }
            token = self._project.signing.sign(claims)
            socket = await connect(self._address)
            change = {"event": "INSERT", "schema": "public", "table": self._table}
            payload = {"config": {"postgres_changes": [change]}, "access_token": token}
            await socket.send(json.dumps(["1", "1", "realtime:bench", "phx_join", payload]))
            self._sockets.append(socket)
            self._reading.append(asyncio.create_task(self._read(socket)))
            # A second takes a hundred joins.
            await asyncio.sleep(0.012)
        async with asyncio.timeout(60):
            while self._ready < _SUBSCRIBERS:
                self.news.clear()
                await self.news.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._reading:
            task.cancel()
        for socket in self._sockets:
            await socket.close()
        await super().__aexit__()

    async def _read(self, socket: ClientConnection) -> None:
        async for data in socket:
            message = json.loads(data)
            if message[3] == "postgres_changes":
                self.times.append(time.perf_counter())
            elif message[3] == "system" and message[4]["message"] == "Subscribed to PostgreSQL":
                self._ready += 1
            self.news.set()


async def _latencies(
    cluster: Cluster, table: str, *, users: int, project: Project | None = None
) -> list[float]:
    """Milliseconds from each statement to each subscriber, at the feed or, with `project`, through sockets."""
    columns = "id, body" if table == "plain" else "id, owner, body"
    values = "%s, 'text'" if table == "plain" else "%s, 'all', 'text'"
    insert = f"insert into {table} ({columns}) values ({values})".encode()  # noqa: S608 - our own names
    latencies = []
    made = _Sockets(project, table, users) if project else _Subscribers(cluster, table, users)
    async with made as subscribers:
        connection = await psycopg.AsyncConnection.connect(cluster.url("postgres"), autocommit=True)
        async with connection:
            await connection.execute(f"truncate {table}".encode())
            for number in range(_COMMITS):
                began = time.perf_counter()
                await connection.execute(insert, [number])
                await subscribers.until((number + 1) * _SUBSCRIBERS)
                latencies += [(moment - began) * 1000 for moment in subscribers.times[-_SUBSCRIBERS:]]
                await asyncio.sleep(_SECONDS_BETWEEN)
    return latencies


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
