"""Data requests as somebody: one statement, one transaction, one round trip.

A request goes out in a single write: Bind/Execute of a prepared `set_config` statement (role, claims, settings), of the
pre-request function's call where there is one, of the prepared query, and Sync. To Postgres that is one implicit
transaction: role and settings end with it, an error rolls it back, and the connection stays usable. `set_config('role',
…)` stands in a statement of its own, for privileges and policies of a statement are resolved before it runs.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from localbase.core.kept import Kept
from localbase.postgres.pipeline import Command, ConnectionLost, Done, Pipeline, PostgresError, Result

__all__ = ["Batch", "Database", "Flight", "Identity", "PoolExhausted", "PostgresError", "Result", "Statement"]


class Statement(NamedTuple):
    """SQL with `$1`… and its parameters in text form (None is NULL). Keep `sql` stable: plans are kept by its text."""

    sql: str
    params: tuple[bytes | None, ...] = ()


@dataclass(frozen=True)
class Identity:
    """As whom, and under which settings, a statement runs. `role` None keeps the login role.

    `settings` are transaction-local (`search_path`, `request.method`, …). `rollback` undoes the work at the end;
    `isolation` is a level other than Postgres's own default.
    """

    role: str | None
    claims: bytes = b"{}"
    settings: tuple[tuple[str, str], ...] = ()
    read_only: bool = False
    rollback: bool = False
    # A statement that runs before the request's own, under the same role and settings: it may refuse, or set more.
    before: str | None = None
    isolation: str | None = None
    # Whether statements are prepared and kept for the next time.
    prepared: bool = True

    @property
    def variant(self) -> str | None:
        """Which of a statement's plans it runs by. Policies make a plan belong to a role."""
        return (self.role or "") if self.prepared else None

    def command(self, sql: str, *params: bytes | None) -> Command:
        """A statement that is the same for every role."""
        return Command(sql, params, "" if self.prepared else None)

    @property
    def explicit(self) -> bool:
        """Whether the transaction is begun and ended by commands of its own."""
        return self.rollback or self.isolation is not None

    @cached_property
    def commands(self) -> list[Command]:
        """What makes a transaction run under it."""
        # A level must be there before the first statement takes its snapshot: it cannot be set like the rest.
        level = f"begin isolation level {self.isolation}" if self.isolation else "begin"
        return [*([self.command(level)] if self.explicit else []), *_identity_commands(self)]

    @cached_property
    def ending(self) -> list[Command]:
        """What ends an explicit transaction."""
        if self.rollback:
            # Deferred constraints speak now or never: that error is the request's.
            return [self.command("set constraints all immediate"), self.command("rollback")]
        return [self.command("commit")] if self.explicit else []


class Batch(NamedTuple):
    """A statement with all that goes out with it. `answering` is its place."""

    commands: list[Command]
    answering: int


def batch_of(statement: Statement, identity: Identity) -> Batch:
    """What runs `statement` as `identity`. Not for an identity whose transaction is explicit."""
    head = identity.commands
    return Batch([*head, _command(statement, identity)], len(head))


class PoolExhausted(Exception):
    """No connection came free in time, or too many wait for one already."""


class Database:
    """A pool of pipelines to one Postgres. Opens connections as they are needed, up to `size`."""

    def __init__(self, url: str, *, size: int = 20, wait_seconds: float = 10.0) -> None:
        self._url = url
        self._size = size
        self._wait_seconds = wait_seconds
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

    async def close(self) -> None:
        """Closes every idle connection."""
        while self._idle:
            self._idle.pop().close()
            self._open -= 1

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
            pipeline.close()
            self._open -= 1
        return None

    async def _opened(self) -> Pipeline:
        """A new connection, which has been counted already."""
        try:
            return await Pipeline.connect(self._url)
        except BaseException:
            self._make_room()
            raise

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
            pipeline.close()
            self._make_room()
        elif not self._serve_next(pipeline):
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
_identity_sql: Kept[tuple[str, ...], str] = Kept(1024)


def _identity_commands(identity: Identity) -> list[Command]:
    pairs = list(identity.settings)
    if identity.read_only:
        pairs.append(("transaction_read_only", "on"))
    if identity.role is not None:
        pairs.append(("request.jwt.claims", ""))
        pairs.append(("role", identity.role))
    first = [Command(identity.before, (), identity.variant)] if identity.before is not None else []
    if not pairs:
        return first
    names = tuple([name for name, _ in pairs])
    sql = _identity_sql.get(names)
    if sql is None:
        calls = [
            f"pg_catalog.set_config({_name(name)}, ${place}, true)" for place, name in enumerate(names, 1)
        ]
        # A row without columns: what was set need not come back. A function takes a hundred arguments at most.
        lots = [", ".join(calls[at : at + 50]) for at in range(0, len(calls), 50)]
        sql = f"select where {' + '.join(f'pg_catalog.num_nulls({lot})' for lot in lots)} = 0"
        _identity_sql.put(names, sql)
    params = [identity.claims if name == "request.jwt.claims" else value.encode() for name, value in pairs]
    return [identity.command(sql, *params), *first]


def _name(setting: str) -> str:
    """A setting's name as a constant that reads the same whatever `standard_conforming_strings` says."""
    text = setting.replace("'", "''")
    if "\\" not in text:
        return f"'{text}'"
    doubled = text.replace("\\", "\\\\")
    return f"E'{doubled}'"


def _command(statement: Statement, identity: Identity) -> Command:
    return Command(statement.sql, statement.params, identity.variant)


async def _once(pipeline: Pipeline, statement: Statement, identity: Identity) -> Result:
    head = identity.commands
    commands = [*head, _command(statement, identity), *identity.ending]
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
