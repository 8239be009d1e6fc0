"""postgres.listening_connection: waits without waking up, and hears what psycopg's own hears."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import TypeVarTuple

import psycopg
from localbase.postgres.listening_connection import ListeningConnection

from tests.support.stacks import Stack

_Arguments = TypeVarTuple("_Arguments")


class TimedLoop(asyncio.SelectorEventLoop):
    """Notes the delays of the timers that are set."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []
        self.timed = asyncio.Event()

    def call_later(
        self,
        delay: float,
        callback: Callable[[*_Arguments], object],
        *args: *_Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        self.delays.append(delay)
        self.timed.set()
        return super().call_later(delay, callback, *args, context=context)


def test_listener_hears_a_notice_and_sets_no_short_timer(stack: Stack) -> None:
    async def listen() -> list[str]:
        async with await ListeningConnection.connect(stack.db_url, autocommit=True) as connection:
            await connection.execute("listen here")
            loop.delays.clear()
            loop.timed.clear()
            hearing = asyncio.create_task(_payloads(connection, None))
            await loop.timed.wait()
            async with await psycopg.AsyncConnection.connect(stack.db_url, autocommit=True) as other:
                await other.execute("notify here, 'a word'")
            return await hearing

    loop = TimedLoop()
    try:
        assert loop.run_until_complete(listen()) == ["a word"]
    finally:
        loop.close()
    assert loop.delays[0] == 60


async def _payloads(connection: ListeningConnection, seconds: float | None) -> list[str]:
    return [each.payload async for each in connection.notifies(timeout=seconds, stop_after=1)]


def test_listener_waits_no_longer_than_it_was_given(stack: Stack) -> None:
    async def listen() -> list[str]:
        async with await ListeningConnection.connect(stack.db_url, autocommit=True) as connection:
            await connection.execute("listen here")
            return await asyncio.wait_for(_payloads(connection, 0.01), 10)

    assert asyncio.run(listen()) == []
