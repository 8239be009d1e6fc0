"""The Data API's pool of connections: which request gets one, what runs on it, when it is replaced."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from localbase.postgres.pipeline import Command, ConnectionLost, Done, Pipeline, PostgresError, Result
from localbase.postgres.transaction import Batch, Statement, TransactionContext, batch_of


class PoolExhausted(Exception):
    """No connection came free in time, or too many queries are queued already."""


class Database:
    """A pool of pipelines to one Postgres. Opens connections as they are needed, up to `size`.

    Connections are renewed as PostgREST renews them (`db-pool-max-idletime`, `db-pool-max-lifetime`, in seconds): one
    that nothing used for `max_idle`, or that is older than `max_lifetime`, is closed, and `flush` replaces all.
    """

    def __init__(
        self,
        url: str,
        *,
        size: int = 20,
        wait_seconds: float = 10.0,
        max_idle: float = 30.0,
        max_lifetime: float = 1800.0,
        longest_queue: int = 1000,
        connect: Callable[[str], Awaitable[Pipeline]] = Pipeline.connect,
    ) -> None:
        """`longest_queue` is how many queries may wait for a connection, `connect` opens one to `url`."""
        self._url = url
        self._connect_to = connect
        self._longest_queue = longest_queue
        self._size = size
        self._wait_seconds = wait_seconds
        self._tick_seconds = max_idle / _TICKS
        self._max_lifetime = max_lifetime
        self._connections: set[Pipeline] = set()
        self._flushed = 0
        # One timer for the whole pool counts ticks: to note the time of each request would cost each request.
        self._tick = 0
        self._ticking: asyncio.TimerHandle | None = None
        self._idle: list[Pipeline] = []
        self._open = 0
        # With the loop's time at which each fails.
        self._queue: deque[tuple[float, PendingQuery]] = deque()
        self._expiry: asyncio.TimerHandle | None = None

    async def run(self, statement: Statement, context: TransactionContext) -> Result:
        """Runs `statement` under `context`. Raises `PostgresError`, `PoolExhausted` or `ConnectionLost`."""
        return await self.run_batch(batch_of(statement, context))

    async def run_batch(self, batch: Batch) -> Result:
        """The same for a batch that is already made."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def done(result: Result | None, error: Exception | None) -> None:
            if future.cancelled():
                return
            if result is None:
                future.set_exception(error or ConnectionLost())
            else:
                future.set_result(result)

        query = self.submit(batch, done)
        try:
            return await future
        finally:
            query.cancel()

    def submit(self, batch: Batch, done: Done) -> PendingQuery:
        """Runs `batch`. The loop calls `done` later, with the result or with one of the errors of `run`."""
        query = PendingQuery(self, batch, done)
        pipeline = self._take_idle()
        if pipeline is not None:
            query.start(pipeline)
        elif self._open < self._size:
            self._open += 1
            query.start(None)
        else:
            self._enqueue(query)
        return query

    def flush(self) -> None:
        """Replaces every connection: new ones have the settings that database and role have now.

        Idle ones are closed at once, those in use when their request is done.
        """
        self._flushed += 1
        for pipeline in self._connections:
            pipeline.retire()
        self._close_idle(self._idle[:])

    async def close(self) -> None:
        """Closes every idle connection."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        self._close_idle(self._idle[:])

    def _close_idle(self, pipelines: list[Pipeline]) -> None:
        for pipeline in pipelines:
            self._idle.remove(pipeline)
            self._close(pipeline)
            self._open -= 1

    def _close(self, pipeline: Pipeline) -> None:
        self._connections.discard(pipeline)
        pipeline.close()

    def _on_tick(self) -> None:
        """Closes what was idle for too long, and retires what is too old."""
        self._tick += 1
        loop = asyncio.get_running_loop()
        oldest = loop.time() - self._max_lifetime
        for pipeline in self._connections:
            if pipeline.opened_at < oldest:
                pipeline.retire()
        last_use = self._tick - _TICKS
        self._close_idle([p for p in self._idle if p.idle_since < last_use or not p.usable])
        self._ticking = loop.call_later(self._tick_seconds, self._on_tick) if self._connections else None

    @property
    def in_use(self) -> int:
        """Connections that are checked out now."""
        return self._open - len(self._idle)

    def _take_idle(self) -> Pipeline | None:
        while self._idle:
            pipeline = self._idle.pop()
            if pipeline.usable:
                return pipeline
            self._close(pipeline)
            self._open -= 1
        return None

    async def _connect(self) -> Pipeline:
        """A new connection, which has been counted already."""
        flushed = self._flushed
        try:
            pipeline = await self._connect_to(self._url)
        except BaseException:
            self._release_slot()
            raise
        if flushed != self._flushed:
            # It has the settings of before: good for the request that waits for it, and for no other.
            pipeline.retire()
        self._connections.add(pipeline)
        if self._ticking is None:
            self._ticking = asyncio.get_running_loop().call_later(self._tick_seconds, self._on_tick)
        return pipeline

    def _enqueue(self, query: PendingQuery) -> None:
        """Queues a query until a connection is free. It fails after a time, and at once if the queue is too long."""
        loop = asyncio.get_running_loop()
        if len(self._queue) >= self._longest_queue:
            # Deferred: the caller has no handle yet.
            loop.call_soon(query.fail, PoolExhausted())
            return
        deadline = loop.time() + self._wait_seconds
        self._queue.append((deadline, query))
        if self._expiry is None:
            self._expiry = loop.call_at(deadline, self._expire)

    def _expire(self) -> None:
        """Fails the queries that have waited too long. The queue is in the order of the deadlines."""
        loop = asyncio.get_running_loop()
        self._expiry = None
        while self._queue and (self._queue[0][0] <= loop.time() or not self._queue[0][1].queued):
            self._queue.popleft()[1].fail(PoolExhausted())
        if self._queue:
            self._expiry = loop.call_at(self._queue[0][0], self._expire)

    def _release(self, pipeline: Pipeline) -> None:
        if not pipeline.usable:
            self._close(pipeline)
            self._release_slot()
        elif not self._start_next(pipeline):
            pipeline.idle_since = self._tick
            self._idle.append(pipeline)

    def _release_slot(self) -> None:
        """A connection has gone: the next query may open another, which counts from now on."""
        if not self._start_next(None):
            self._open -= 1

    def _start_next(self, pipeline: Pipeline | None) -> bool:
        """First in, first out: the connection goes to the query that waits longest."""
        while self._queue:
            _, query = self._queue.popleft()
            if query.queued:
                query.start(pipeline)
                return True
        return False


class PendingQuery:
    """A batch between `submit` and its result: queued, opening a connection, or running on one."""

    __slots__ = ("_batch", "_database", "_done", "_failure", "_opening", "_pipeline", "_retried", "queued")

    def __init__(self, database: Database, batch: Batch, done: Done) -> None:
        self._batch = batch
        self._database = database
        self._done: Done | None = done
        # Whether it has neither begun nor ended: what the pool's queue goes by.
        self.queued = True
        self._retried = False
        self._pipeline: Pipeline | None = None
        self._opening: asyncio.Task[None] | None = None
        # The error of an explicit transaction, while that is rolled back.
        self._failure: PostgresError | None = None

    def start(self, pipeline: Pipeline | None) -> None:
        """Runs on `pipeline`, or on a new connection, which is counted already."""
        self.queued = False
        if pipeline is None:
            self._opening = asyncio.get_running_loop().create_task(self._open())
        else:
            self._pipeline = pipeline
            self._send(pipeline, self._batch.commands, self._batch.answering)

    def fail(self, error: Exception) -> None:
        """Ends with `error`, without having had a connection."""
        self.queued = False
        done, self._done = self._done, None
        if done is not None:
            done(None, error)

    def cancel(self) -> None:
        """`done` will not be called any more, and a statement that runs is cancelled. After the end it does nothing."""
        self.queued, self._done = False, None
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            self._database._release(pipeline)

    async def _open(self) -> None:
        try:
            pipeline = await self._database._connect()
        except Exception as error:  # noqa: BLE001 - `done` gets it
            self.fail(error)
            return
        if self._done is None:
            self._database._release(pipeline)
        else:
            self.start(pipeline)

    def _send(self, pipeline: Pipeline, commands: Sequence[Command], answering: int) -> None:
        try:
            pipeline.submit(commands, answering, self._on_done)
        except ConnectionLost as error:
            # Deferred: the caller has no handle yet.
            asyncio.get_running_loop().call_soon(self._on_done, None, error)

    def _on_done(self, result: Result | None, error: Exception | None) -> None:
        pipeline = self._pipeline
        if pipeline is None:
            return
        if self._failure is not None and result is not None:
            result, error = None, self._failure
        elif isinstance(error, PostgresError) and self._rolls_back(pipeline, error):
            return
        if isinstance(error, PostgresError) and self._retries(pipeline, error):
            return
        self._pipeline = None
        self._database._release(pipeline)
        done, self._done = self._done, None
        if done is not None:
            done(result, error)

    def _rolls_back(self, pipeline: Pipeline, error: PostgresError) -> bool:
        """Return what failed took the transaction's end with it; the connection must not keep it open."""
        if self._batch.rollback is None or self._failure is not None:
            return False
        self._failure = error
        self._send(pipeline, [self._batch.rollback], 0)
        return True

    def _retries(self, pipeline: Pipeline, error: PostgresError) -> bool:
        """Runs the batch once more if its plan is stale."""
        if self._retried or not _is_stale(error):
            return False
        self._retried, self._failure = True, None
        pipeline.forget()
        self._send(pipeline, self._batch.commands, self._batch.answering)
        return True


# How many ticks of the pool's timer make up the time for which a connection may be idle.
_TICKS = 3


def _is_stale(error: PostgresError) -> bool:
    """Tell whether a plan was made before a table changed, or its statement was deallocated: prepared anew, it runs."""
    return error.sqlstate == "26000" or "cached plan" in error.message
