"""Statements that run without a task: who gets a connection, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from localbase.postgres import session
from localbase.postgres.pipeline import (
    Command,
    ConnectionLost,
    ConnectionRefused,
    Done,
    Pipeline,
    PostgresError,
)
from localbase.postgres.session import Database, Identity, PoolExhausted, Result, Statement, batch_of

_RESULT = Result([(b"1",)])
_STALE = PostgresError(
    dict.fromkeys(("detail", "hint", "schema", "table", "column", "constraint"))
    | {"sqlstate": "0A000", "message": "cached plan must not change result type"}
)


class _Pipeline:
    """A connection that answers when it is told to."""

    def __init__(self) -> None:
        self.usable = True
        self.closed = False
        self.opened_at = asyncio.get_running_loop().time()
        self.idle_since = 0
        self.forgotten = 0
        self.batches: list[list[str]] = []
        self.done: Done | None = None

    def begin(self, commands: Sequence[Command], answering: int, done: Done) -> None:
        assert answering == len(commands) - 1
        self.batches.append([command.sql for command in commands])
        self.usable, self.done = False, done

    def end(
        self, result: Result | None = _RESULT, error: Exception | None = None, *, usable: bool = True
    ) -> None:
        assert self.done is not None
        self.usable = usable
        self.done(result, error)

    def forget(self) -> None:
        self.forgotten += 1

    def close(self) -> None:
        self.closed = True

    def retire(self) -> None:
        self.usable = False


class _Pool:
    """A database whose connections are played, and what came of its statements."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, size: int = 1, patience: float = 60) -> None:
        self.pipelines: list[_Pipeline] = []
        self.told: list[tuple[Result | None, Exception | None]] = []
        self.refuses = False
        monkeypatch.setattr(Pipeline, "connect", self._connect)
        self.database = Database("", size=size, wait_seconds=patience)

    async def _connect(self, _: str) -> Any:
        if self.refuses:
            raise ConnectionRefused("no")
        self.pipelines.append(_Pipeline())
        return self.pipelines[-1]

    def begin(self) -> Any:
        batch = batch_of(Statement("select 1"), Identity(None))
        return self.database.begin(batch, lambda *given: self.told.append(given))


async def _turns() -> None:
    """Lets tasks that were begun come to where they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_requests_beyond_the_pool_wait_in_line(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch, size=2)
        for _ in range(5):
            pool.begin()
        await _turns()
        first, second = pool.pipelines
        assert pool.database.in_use == 2
        for pipeline in (first, second, first, second, first):
            pipeline.end()
        assert (pool.told, pool.database.in_use) == ([(_RESULT, None)] * 5, 0)

    asyncio.run(steps())


def test_who_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch, patience=0)
        pool.begin()
        pool.begin()
        while not pool.told:  # noqa: ASYNC110 - a timer of the loop, which tells nobody
            await asyncio.sleep(0)
        await _turns()
        assert isinstance(pool.told[0][1], PoolExhausted)
        pool.pipelines[0].end()
        assert (len(pool.told), pool.database.in_use) == (2, 0)

    asyncio.run(steps())


def test_everyone_who_waits_is_told_in_his_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch, patience=0.05)
        pool.begin()
        await _turns()
        task = asyncio.create_task(pool.database.run(Statement("select 1"), Identity(None)))
        pool.begin()
        gone = pool.begin()
        gone.cancel()
        await asyncio.sleep(0.02)
        pool.begin()
        with pytest.raises(PoolExhausted):
            await task
        while len(pool.told) < 2:  # noqa: ASYNC110 - a timer of the loop, which tells nobody
            await asyncio.sleep(0)
        assert [type(error) for _, error in pool.told] == [PoolExhausted] * 2
        pool.pipelines[0].end()
        assert (pool.told[2:], pool.database.in_use) == ([(_RESULT, None)], 0)

    asyncio.run(steps())


def test_a_line_that_is_too_long_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        monkeypatch.setattr(session, "_LONGEST_LINE", 2)
        pool = _Pool(monkeypatch)
        for _ in range(4):
            pool.begin()
        assert pool.told == []
        await _turns()
        assert [type(error) for _, error in pool.told] == [PoolExhausted]
        for _ in range(3):
            pool.pipelines[0].end()
        assert (pool.told[1:], pool.database.in_use) == ([(_RESULT, None)] * 3, 0)

    asyncio.run(steps())


def test_a_stale_plan_is_made_anew_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch)
        pool.begin()
        await _turns()
        pipeline = pool.pipelines[0]
        pipeline.end(None, _STALE)
        assert (pool.told, pipeline.forgotten, len(pipeline.batches)) == ([], 1, 2)
        pipeline.end(None, _STALE)
        assert (pool.told, pool.database.in_use) == ([(None, _STALE)], 0)

    asyncio.run(steps())


def test_a_lost_connection_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch)
        pool.begin()
        pool.begin()
        await _turns()
        lost = ConnectionLost("gone")
        pool.pipelines[0].end(None, lost, usable=False)
        await _turns()
        assert (pool.pipelines[0].closed, len(pool.pipelines)) == (True, 2)
        pool.pipelines[1].end()
        assert (pool.told, pool.database.in_use) == ([(None, lost), (_RESULT, None)], 0)

    asyncio.run(steps())


def test_a_refused_connection_is_told_and_leaves_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch)
        pool.refuses = True
        pool.begin()
        await _turns()
        assert isinstance(pool.told[0][1], ConnectionRefused)
        assert pool.database.in_use == 0

    asyncio.run(steps())


@pytest.mark.parametrize("moment", ["opening", "running", "waiting", "over"])
def test_a_cancelled_statement_tells_nobody_and_gives_its_place_back(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    async def steps() -> None:
        pool = _Pool(monkeypatch)
        blocking = pool.begin() if moment == "waiting" else None
        flight = pool.begin()
        if moment != "opening":
            await _turns()
        if moment == "over":
            pool.pipelines[0].end()
        flight.cancel()
        await _turns()
        if blocking:
            pool.pipelines[0].end()
        assert len(pool.told) == (moment in ("waiting", "over"))
        assert pool.database.in_use == 0
        assert pool.pipelines[0].closed == (moment == "running")

    asyncio.run(steps())
