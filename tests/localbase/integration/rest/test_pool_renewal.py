"""Connections of the pool are replaced: on a reload of the schema cache, when idle for long, and when old."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from localbase.postgres.pool import Database
from localbase.postgres.transaction import Statement, TransactionContext

from tests.localbase.integration.rest.conftest import Api, until
from tests.support.stacks import Stack

_WHO = Statement("select pg_backend_pid()")
_NOBODY = TransactionContext(None)


@pytest.fixture
def login(library: Stack) -> str:
    """The database as the Data API's login role."""
    return library.db_url.replace("postgres:postgres@", "authenticator:postgres@")


@pytest.fixture
def database(library: Stack) -> Iterator[psycopg.Connection]:
    """A superuser's connection, which may set what it likes for the database and sees every session."""
    url = library.db_url.replace("postgres:postgres@", "supabase_admin:postgres@")
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


async def backend(database: Database) -> int:
    """The server's process behind the connection that a request gets."""
    return int((await database.run(_WHO, _NOBODY)).rows[0][0] or 0)


def is_connected(connection: psycopg.Connection, pid: int) -> bool:
    row = connection.execute("select from pg_stat_activity where pid = %s", [pid]).fetchone()
    return row is not None


async def becomes_true(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10
    while not holds() and time.monotonic() < deadline:  # noqa: ASYNC110 - what the server does tells nothing here
        await asyncio.sleep(0.05)
    return holds()


def run(steps: Callable[[], Awaitable[None]]) -> None:
    async def run_steps() -> None:
        await steps()

    asyncio.run(run_steps())


def test_database_setting_reaches_earlier_sessions(api: Api, database: psycopg.Connection) -> None:
    url = "/rpc/setting_of?name=app.greeting"

    def at_once() -> set[str]:
        with ThreadPoolExecutor(10) as pool:
            return {response.text for response in pool.map(lambda _: api.get(url), range(20))}

    assert at_once() == {"null"}
    try:
        for value in ("one", "two"):
            database.execute(f"alter database postgres set app.greeting = '{value}'".encode())
            database.execute("notify pgrst, 'reload schema'")
            # A connection that is opened while the schema is read has the new value before the others are replaced.
            deadline = time.monotonic() + 10
            while (shown := at_once()) != {f'"{value}"'} and time.monotonic() < deadline:
                continue
            assert shown == {f'"{value}"'}
    finally:
        database.execute("alter database postgres reset app.greeting")
        database.execute("notify pgrst, 'reload config'")
    assert until(lambda: api.get(url), lambda response: response.text in ("null", '""')).text in (
        "null",
        '""',
    )


def test_idle_connections_are_closed_and_busy_ones_stay(login: str, database: psycopg.Connection) -> None:
    async def steps() -> None:
        pool = Database(login, max_idle=0.6)
        first = await backend(pool)
        for _ in range(30):
            assert await backend(pool) == first
            await asyncio.sleep(0.05)
        assert await becomes_true(lambda: not is_connected(database, first))
        assert await backend(pool) != first
        await pool.close()

    run(steps)


def test_busy_connection_is_replaced_at_its_lifetime(login: str, database: psycopg.Connection) -> None:
    async def steps() -> None:
        pool = Database(login, max_idle=0.3, max_lifetime=1)
        first = await backend(pool)
        deadline = time.monotonic() + 10
        while await backend(pool) == first and time.monotonic() < deadline:  # noqa: ASYNC110 - it is used all the time
            await asyncio.sleep(0.01)
        assert await backend(pool) != first
        assert await becomes_true(lambda: not is_connected(database, first))
        await pool.close()

    run(steps)


def test_request_that_runs_during_a_flush_is_finished(login: str, database: psycopg.Connection) -> None:
    async def steps() -> None:
        pool = Database(login, size=2)
        idle = await backend(pool)
        slow = asyncio.create_task(pool.run(Statement("select pg_backend_pid() from pg_sleep(0.5)"), _NOBODY))
        await asyncio.sleep(0.1)
        assert pool.in_use == 1
        pool.flush()
        running = int((await slow).rows[0][0] or 0)
        assert running == idle
        assert await becomes_true(lambda: not is_connected(database, running))
        assert pool.in_use == 0
        assert await backend(pool) != running
        await pool.close()

    run(steps)
