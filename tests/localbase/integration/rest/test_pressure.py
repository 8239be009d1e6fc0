"""More requests than connections, clients that go away, a lost server: no request hangs, no connection leaks."""

from __future__ import annotations

import asyncio
import json
import re
import time

import httpx
import psycopg
import pytest
from localbase.core.authenticator import Caller, caller_of
from localbase.core.settings import ApiSettings, Settings
from localbase.core.web.http import Request, Response
from localbase.postgres.pool import Database, PoolExhausted
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.rest.service import RestService

from tests.localbase.integration.rest.conftest import Api
from tests.support.stacks import Stack

SERVICE = caller_of({"role": "service_role"}, "service_role")


@pytest.fixture
def login(library: Stack) -> str:
    """The database as the Data API's login role."""
    return library.db_url.replace("postgres:postgres@", "authenticator:postgres@")


def wait_request(seconds: float) -> Request:
    return Request("GET", "/rpc/wait_stably", f"seconds={seconds}".encode(), {})


async def responses(service: RestService, requests: list[Request], caller: Caller) -> list[Response]:
    return await asyncio.gather(*(service.handle(request, caller) for request in requests))


def test_request_that_waits_too_long_for_a_connection_is_503(login: str) -> None:
    async def steps() -> list[Response]:
        database = Database(login, size=2, wait_seconds=0.3)
        service = RestService(database, Settings(api=ApiSettings(schemas=("public",))))
        await service.load_catalog()
        received = await responses(service, [wait_request(0.8)] * 4, SERVICE)
        assert database.in_use == 0
        received += await responses(service, [wait_request(0.01)] * 8, SERVICE)
        await database.close()
        return received

    all_received = asyncio.run(steps())
    assert sorted(response.status for response in all_received) == [204] * 10 + [503] * 2
    late = next(response for response in all_received if response.status == 503)
    assert json.loads(late.body) == {
        "code": "PGRST003",
        "details": None,
        "hint": None,
        "message": "Timed out acquiring connection from connection pool.",
    }
    assert ("Proxy-Status", "PostgREST; error=PGRST003") in late.headers


def test_connections_are_assigned_first_in_first_out(login: str) -> None:
    async def steps() -> list[int]:
        database = Database(login, size=1)
        done: list[int] = []

        async def work(number: int) -> None:
            await database.run(Statement("select pg_sleep(0.01)"), TransactionContext(None))
            done.append(number)

        tasks = [asyncio.create_task(work(number)) for number in range(8)]
        await asyncio.sleep(0.02)
        # One in the middle of the queue is cancelled: the others move up.
        tasks[5].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert database.in_use == 0
        await database.close()
        return done

    assert asyncio.run(steps()) == [0, 1, 2, 3, 4, 6, 7]


def test_cancelled_request_ends_its_statement(login: str, database: psycopg.Connection) -> None:
    async def steps() -> None:
        pool = Database(login, size=1, wait_seconds=5)
        task = asyncio.create_task(
            pool.run(Statement("select pg_sleep(30), 'left behind'"), TransactionContext(None))
        )
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # Its place is free at once.
        result = await pool.run(Statement("select 'next'"), TransactionContext(None))
        assert result.rows == [(b"next",)]
        await pool.close()

    asyncio.run(steps())
    assert running(database, "left behind") == 0


def test_client_that_hangs_up_ends_its_statement(api: Api, database: psycopg.Connection) -> None:
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(
            api.url("/rpc/wait_stably?seconds=30"),
            headers=api.headers("service_role"),
            timeout=httpx.Timeout(5, read=0.5),
        )
    assert running(database, "wait_stably") == 0
    assert api.get("/rpc/wait_stably?seconds=0.3").status_code == 204


def running(database: psycopg.Connection, text: str) -> int:
    """Statements of the Data API that hold `text` and still run after a moment."""
    deadline = time.monotonic() + 5
    while True:
        row = database.execute(
            "select count(*) from pg_stat_activity where state = 'active' and usename = 'authenticator'"
            " and position(%s in query) > 0",
            [text],
        ).fetchone()
        assert row is not None
        if row[0] == 0 or time.monotonic() > deadline:
            return int(row[0])
        time.sleep(0.02)


def test_pool_without_a_server_fails_and_recovers(login: str) -> None:
    async def steps() -> int:
        nowhere = Database(re.sub(r":\d+/", ":1/", login), size=1, wait_seconds=1)
        service = RestService(nowhere, Settings())
        # Without a schema cache the error is upstream's.
        response = await service.handle(wait_request(0), SERVICE)
        assert (response.status, json.loads(response.body)["code"]) == (503, "PGRST002")
        assert nowhere.in_use == 0
        return response.status

    assert asyncio.run(steps()) == 503


def test_queued_requests_time_out(login: str) -> None:
    async def steps() -> float:
        database = Database(login, size=1, wait_seconds=0.2)
        holder = asyncio.create_task(database.run(Statement("select pg_sleep(1)"), TransactionContext(None)))
        await asyncio.sleep(0.05)
        began = time.monotonic()
        with pytest.raises(PoolExhausted):
            await database.run(Statement("select 1"), TransactionContext(None))
        waited = time.monotonic() - began
        await holder
        await database.close()
        return waited

    assert 0.15 < asyncio.run(steps()) < 0.9
