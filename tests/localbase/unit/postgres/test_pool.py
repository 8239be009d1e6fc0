"""The pool: which query gets a connection, and what becomes of the connection."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from localbase.postgres.pipeline import (
    Command,
    ConnectionLost,
    ConnectionRefused,
    Done,
    PostgresError,
    Result,
)
from localbase.postgres.pool import Database, PoolExhausted
from localbase.postgres.transaction import Statement, TransactionContext, batch_of

_RESULT = Result([(b"1",)])
_STALE = PostgresError(
    dict.fromkeys(("detail", "hint", "schema", "table", "column", "constraint"))
    | {"sqlstate": "0A000", "message": "cached plan must not change result type"}
)


class _Pipeline:
    """A connection that responds when the test calls `end`."""

    def __init__(self) -> None:
        self.usable = True
        self.closed = False
        self.opened_at = asyncio.get_running_loop().time()
        self.idle_since = 0
        self.forgotten = 0
        self.batches: list[list[str]] = []
        self.done: Done | None = None

    def submit(self, commands: Sequence[Command], answering: int, done: Done) -> None:
        self.answering = answering
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
    """A pool of fake connections, and the outcomes of its queries."""

    def __init__(self, *, size: int = 1, wait_seconds: float = 60, longest_queue: int = 1000) -> None:
        self.pipelines: list[_Pipeline] = []
        self.outcomes: list[tuple[Result | None, Exception | None]] = []
        self.refuses = False
        self.database = Database(
            "", size=size, wait_seconds=wait_seconds, longest_queue=longest_queue, connect=self._connect
        )

    async def _connect(self, _: str) -> Any:
        if self.refuses:
            raise ConnectionRefused("no")
        self.pipelines.append(_Pipeline())
        return self.pipelines[-1]

    def submit(self, context: TransactionContext | None = None) -> Any:
        batch = batch_of(Statement("select 1"), context or TransactionContext(None))
        return self.database.submit(batch, lambda *outcome: self.outcomes.append(outcome))


async def _turns() -> None:
    """Lets started tasks run until they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_queries_beyond_the_pool_are_queued() -> None:
    async def steps() -> None:
        pool = _Pool(size=2)
        for _ in range(5):
            pool.submit()
        await _turns()
        first, second = pool.pipelines
        assert pool.database.in_use == 2
        for pipeline in (first, second, first, second, first):
            pipeline.end()
        assert (pool.outcomes, pool.database.in_use) == ([(_RESULT, None)] * 5, 0)

    asyncio.run(steps())


def test_queued_query_fails_after_the_wait() -> None:
    async def steps() -> None:
        pool = _Pool(wait_seconds=0)
        pool.submit()
        pool.submit()
        while not pool.outcomes:  # noqa: ASYNC110 - a timer of the loop, which has no event
            await asyncio.sleep(0)
        await _turns()
        assert isinstance(pool.outcomes[0][1], PoolExhausted)
        pool.pipelines[0].end()
        assert (len(pool.outcomes), pool.database.in_use) == (2, 0)

    asyncio.run(steps())


def test_queued_queries_fail_each_at_its_deadline() -> None:
    async def steps() -> None:
        pool = _Pool(wait_seconds=0.05)
        pool.submit()
        await _turns()
        task = asyncio.create_task(pool.database.run(Statement("select 1"), TransactionContext(None)))
        pool.submit()
        gone = pool.submit()
        gone.cancel()
        await asyncio.sleep(0.02)
        pool.submit()
        with pytest.raises(PoolExhausted):
            await task
        while len(pool.outcomes) < 2:  # noqa: ASYNC110 - a timer of the loop, which has no event
            await asyncio.sleep(0)
        assert [type(error) for _, error in pool.outcomes] == [PoolExhausted] * 2
        pool.pipelines[0].end()
        assert (pool.outcomes[2:], pool.database.in_use) == ([(_RESULT, None)], 0)

    asyncio.run(steps())


def test_query_beyond_the_longest_queue_fails_at_once() -> None:
    async def steps() -> None:
        pool = _Pool(longest_queue=2)
        for _ in range(4):
            pool.submit()
        assert pool.outcomes == []
        await _turns()
        assert [type(error) for _, error in pool.outcomes] == [PoolExhausted]
        for _ in range(3):
            pool.pipelines[0].end()
        assert (pool.outcomes[1:], pool.database.in_use) == ([(_RESULT, None)] * 3, 0)

    asyncio.run(steps())


def test_stale_plan_is_prepared_anew_once() -> None:
    async def steps() -> None:
        pool = _Pool()
        pool.submit()
        await _turns()
        pipeline = pool.pipelines[0]
        pipeline.end(None, _STALE)
        assert (pool.outcomes, pipeline.forgotten, len(pipeline.batches)) == ([], 1, 2)
        pipeline.end(None, _STALE)
        assert (pool.outcomes, pool.database.in_use) == ([(None, _STALE)], 0)

    asyncio.run(steps())


def test_failed_explicit_transaction_is_rolled_back_before_the_error() -> None:
    async def steps() -> None:
        pool = _Pool()
        pool.submit(TransactionContext(None, isolation="serializable"))
        await _turns()
        pipeline = pool.pipelines[0]
        pipeline.end(None, _STALE)
        assert (pool.outcomes, pipeline.batches[-1]) == ([], ["rollback"])
        pipeline.end()
        explicit = ["begin isolation level serializable", "select 1", "commit"]
        assert (pipeline.batches, pipeline.forgotten) == ([explicit, ["rollback"], explicit], 1)
        pipeline.end(None, _STALE)
        pipeline.end()
        assert (pool.outcomes, pool.database.in_use) == ([(None, _STALE)], 0)

    asyncio.run(steps())


def test_connection_lost_during_a_rollback_is_the_error() -> None:
    async def steps() -> None:
        pool = _Pool()
        pool.submit(TransactionContext(None, rollback=True))
        await _turns()
        lost = ConnectionLost("gone")
        pool.pipelines[0].end(None, _STALE)
        pool.pipelines[0].end(None, lost, usable=False)
        assert (pool.outcomes, pool.database.in_use) == ([(None, lost)], 0)

    asyncio.run(steps())


def test_lost_connection_frees_its_slot() -> None:
    async def steps() -> None:
        pool = _Pool()
        pool.submit()
        pool.submit()
        await _turns()
        lost = ConnectionLost("gone")
        pool.pipelines[0].end(None, lost, usable=False)
        await _turns()
        assert (pool.pipelines[0].closed, len(pool.pipelines)) == (True, 2)
        pool.pipelines[1].end()
        assert (pool.outcomes, pool.database.in_use) == ([(None, lost), (_RESULT, None)], 0)

    asyncio.run(steps())


def test_refused_connection_fails_the_query_and_frees_its_slot() -> None:
    async def steps() -> None:
        pool = _Pool()
        pool.refuses = True
        pool.submit()
        await _turns()
        assert isinstance(pool.outcomes[0][1], ConnectionRefused)
        assert pool.database.in_use == 0

    asyncio.run(steps())


@pytest.mark.parametrize("moment", ["opening", "running", "waiting", "over"])
def test_cancelled_query_calls_nothing_and_frees_its_slot(moment: str) -> None:
    async def steps() -> None:
        pool = _Pool()
        blocking = pool.submit() if moment == "waiting" else None
        query = pool.submit()
        if moment != "opening":
            await _turns()
        if moment == "over":
            pool.pipelines[0].end()
        query.cancel()
        await _turns()
        if blocking:
            pool.pipelines[0].end()
        assert len(pool.outcomes) == (moment in ("waiting", "over"))
        assert pool.database.in_use == 0
        assert pool.pipelines[0].closed == (moment == "running")

    asyncio.run(steps())
