"""The Data API's pool of connections: which request gets one, what runs on it, when it is replaced."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from localbase.postgres.batch import Batch, Identity, Statement, batch_of, command_of
from localbase.postgres.pipeline import Command, ConnectionLost, Done, Pipeline, PostgresError, Result

__all__ = [
    "Batch",
    "Database",
    "Flight",
    "Identity",
    "PoolExhausted",
    "PostgresError",
    "Result",
    "Statement",
    "batch_of",
]


class PoolExhausted(Exception):
    """No connection came free in time, or too many wait for one already."""


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
    ) -> None:
        self._url = url
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
        # With the loop's time at which each gives up.
        self._waiting: deque[tuple[float, _Waiting]] = deque()
        self._watch: asyncio.TimerHandle | None = None

    async def run(self, statement: Statement, identity: Identity) -> Result:
        """Runs `statement` as `identity`. Raises `PostgresError`, `PoolExhausted` or `ConnectionLost`."""
        pipeline = await self._acquire()
        try:
            return await _once(pipeline, statement, identity)
        finally:
            self._release(pipeline)

    def begin(self, batch: Batch, done: Done) -> Flight:
        """Runs `batch` without a task to wait for it; `done` is told later, from the loop.

        What `run` would raise is its error.
        """
        flight = Flight(self, batch, done)
        pipeline = self._take_idle()
        if pipeline is not None:
            flight.set_result(pipeline)
        elif self._open < self._size:
            self._open += 1
            flight.set_result(None)
        else:
            self._stand_in_line(flight)
        return flight

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

    async def _acquire(self) -> Pipeline:
        pipeline = self._take_idle()
        if pipeline is not None:
            return pipeline
        if self._open < self._size:
            self._open += 1
            return await self._opened()
        return await self._turn() or await self._opened()

    def _take_idle(self) -> Pipeline | None:
        while self._idle:
            pipeline = self._idle.pop()
            if pipeline.usable:
                return pipeline
            self._close(pipeline)
            self._open -= 1
        return None

    async def _opened(self) -> Pipeline:
        """A new connection, which has been counted already."""
        flushed = self._flushed
        try:
            pipeline = await Pipeline.connect(self._url)
        except BaseException:
            self._make_room()
            raise
        if flushed != self._flushed:
            # The settings of before: good for the request that waits for it.
            pipeline.retire()
        self._connections.add(pipeline)
        if self._ticking is None:
            self._ticking = asyncio.get_running_loop().call_later(self._tick_seconds, self._on_tick)
        return pipeline

    async def _turn(self) -> Pipeline | None:
        """Waits in line: for a connection, or (None) for the right to open one. Raises `PoolExhausted`."""
        turn: asyncio.Future[Pipeline | None] = asyncio.get_running_loop().create_future()
        self._stand_in_line(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            # What was handed over just before goes to the next in line.
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                pipeline = turn.result()
                if pipeline is None:
                    self._make_room()
                else:
                    self._release(pipeline)
            raise

    def _stand_in_line(self, who: _Waiting) -> None:
        """Whoever waits is told in time that there is no hope; in a line that is too long, at once."""
        loop = asyncio.get_running_loop()
        if len(self._waiting) >= _LONGEST_LINE:
            loop.call_soon(_give_up, who)
            return
        deadline = loop.time() + self._wait_seconds
        self._waiting.append((deadline, who))
        if self._watch is None:
            self._watch = loop.call_at(deadline, self._tell_late)

    def _tell_late(self) -> None:
        """Ends the waiting of all whose time is over. They stand in the order of their deadlines."""
        loop = asyncio.get_running_loop()
        self._watch = None
        while self._waiting and (self._waiting[0][0] <= loop.time() or self._waiting[0][1].done()):
            _give_up(self._waiting.popleft()[1])
        if self._waiting:
            self._watch = loop.call_at(self._waiting[0][0], self._tell_late)

    def _release(self, pipeline: Pipeline) -> None:
        if not pipeline.usable:
            self._close(pipeline)
            self._make_room()
        elif not self._serve_next(pipeline):
            pipeline.idle_since = self._tick
            self._idle.append(pipeline)

    def _make_room(self) -> None:
        """Where a connection was, whoever is next may open another, which counts from now on."""
        if not self._serve_next(None):
            self._open -= 1

    def _serve_next(self, pipeline: Pipeline | None) -> bool:
        """Hands over to whoever has waited longest, so that nobody who comes later goes before."""
        while self._waiting:
            _, turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(pipeline)
                return True
        return False


class _Waiting(Protocol):
    """Who stands in line for a connection: handed one, or (None) the right to open one that is counted already."""

    def done(self) -> bool: ...
    def set_result(self, pipeline: Pipeline | None, /) -> None: ...
    def set_exception(self, error: Exception, /) -> None: ...


class Flight:
    """A statement on its way to its result. Stands in line as a future would."""

    __slots__ = ("_again", "_batch", "_database", "_done", "_opening", "_pipeline", "_started")

    def __init__(self, database: Database, batch: Batch, done: Done) -> None:
        self._batch = batch
        self._database = database
        self._done: Done | None = done
        self._started = self._again = False
        self._pipeline: Pipeline | None = None
        self._opening: asyncio.Task[None] | None = None

    def done(self) -> bool:
        """Whether it no longer waits for a connection."""
        return self._started

    def set_result(self, pipeline: Pipeline | None) -> None:
        """Goes ahead on a connection, or opens one."""
        self._started = True
        if pipeline is None:
            self._opening = asyncio.get_running_loop().create_task(self._open())
        else:
            self._pipeline = pipeline
            self._send(pipeline)

    async def _open(self) -> None:
        try:
            pipeline = await self._database._opened()
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            self._tell(error)
            return
        if self._done is None:
            self._database._release(pipeline)
        else:
            self._pipeline = pipeline
            self._send(pipeline)

    def _send(self, pipeline: Pipeline) -> None:
        try:
            pipeline.begin(*self._batch, self._on_done)
        except ConnectionLost as error:
            # Whoever asks is not told before it has been answered that its question is on its way.
            asyncio.get_running_loop().call_soon(self._on_done, None, error)

    def _on_done(self, result: Result | None, error: Exception | None) -> None:
        pipeline = self._pipeline
        if pipeline is None:
            return
        if isinstance(error, PostgresError) and not self._again and _is_stale(error):
            self._again = True
            pipeline.forget()
            self._send(pipeline)
            return
        self._pipeline = None
        self._database._release(pipeline)
        if self._done is not None:
            self._done(result, error)

    def _tell(self, error: Exception) -> None:
        if self._done is not None:
            self._done(None, error)

    def set_exception(self, error: Exception) -> None:
        """It has waited in vain."""
        self._started = True
        self._tell(error)

    def cancel(self) -> None:
        """Nobody wants the result any more: `done` will not be called, and a statement that runs is cancelled."""
        self._started, self._done = True, None
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            self._database._release(pipeline)


def _give_up(who: _Waiting) -> None:
    if not who.done():
        who.set_exception(PoolExhausted())


_LONGEST_LINE = 1000
# How many ticks of the pool's timer make up the time for which a connection may be idle.
_TICKS = 3


async def _once(pipeline: Pipeline, statement: Statement, identity: Identity) -> Result:
    head = identity.commands
    commands = [*head, command_of(statement, identity), *identity.ending]
    try:
        return await _transaction(pipeline, commands, len(head), identity)
    except PostgresError as error:
        if not _is_stale(error):
            raise
        pipeline.forget()
        return await _transaction(pipeline, commands, len(head), identity)


def _is_stale(error: PostgresError) -> bool:
    """A plan made before a table changed, or a statement that somebody deallocated: prepared anew, it runs."""
    return error.sqlstate == "26000" or "cached plan" in error.message


async def _transaction(
    pipeline: Pipeline, commands: list[Command], answering: int, identity: Identity
) -> Result:
    if not identity.explicit:
        return await pipeline.run(commands, answering)
    try:
        return await pipeline.run(commands, answering)
    except PostgresError:
        # What failed took the transaction's end with it; the connection must not keep it open.
        await pipeline.run([identity.command("rollback")], 0)
        raise
