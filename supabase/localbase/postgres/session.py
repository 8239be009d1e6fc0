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

from localbase.postgres.pipeline import Command, ConnectionLost, Done, Pipeline, PostgresError, Result

__all__ = ["Database", "Flight", "Identity", "PoolExhausted", "PostgresError", "Result", "Statement"]


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

    @property
    def explicit(self) -> bool:
        """Whether the transaction is begun and ended by commands of its own."""
        return self.rollback or self.isolation is not None

    @cached_property
    def commands(self) -> list[Command]:
        """What makes a transaction run under it."""
        # A level must be there before the first statement takes its snapshot: it cannot be set like the rest.
        level = f"begin isolation level {self.isolation}" if self.isolation else "begin"
        return [*([Command(level)] if self.explicit else []), *_identity_commands(self)]

    @cached_property
    def ending(self) -> list[Command]:
        """What ends an explicit transaction."""
        if self.rollback:
            # Deferred constraints speak now or never: that error is the request's.
            return [Command("set constraints all immediate"), Command("rollback")]
        return [Command("commit")] if self.explicit else []


class PoolExhausted(Exception):
    """No connection came free in time."""


class Database:
    """A pool of pipelines to one Postgres. Opens connections as they are needed, up to `size`."""

    def __init__(self, url: str, *, size: int = 20, wait_seconds: float = 10.0) -> None:
        self._url = url
        self._size = size
        self._wait_seconds = wait_seconds
        self._idle: list[Pipeline] = []
        self._open = 0
        self._waiting: deque[_Waiting] = deque()

    async def run(self, statement: Statement, identity: Identity) -> Result:
        """Runs `statement` as `identity`. Raises `PostgresError`, `PoolExhausted` or `ConnectionLost`."""
        pipeline = await self._acquire()
        try:
            return await _once(pipeline, statement, identity)
        finally:
            self._release(pipeline)

    def begin(self, statement: Statement, identity: Identity, done: Done) -> Flight:
        """Runs `statement` without a task to wait for it; `done` is told later, from the loop.

        What `run` would raise is its error. Not for an identity whose transaction is explicit.
        """
        flight = Flight(self, statement, identity, done)
        while self._idle:
            pipeline = self._idle.pop()
            if pipeline.usable:
                flight.set_result(pipeline)
                return flight
            pipeline.close()
            self._open -= 1
        if self._open < self._size:
            flight.set_result(None)
        else:
            self._waiting.append(flight)
            flight.patience = asyncio.get_running_loop().call_later(self._wait_seconds, flight.give_up)
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
        deadline = asyncio.get_running_loop().time() + self._wait_seconds
        while True:
            while self._idle:
                pipeline = self._idle.pop()
                if pipeline.usable:
                    return pipeline
                pipeline.close()
                self._open -= 1
            if self._open < self._size:
                return await self._connect()
            handed = await self._turn(deadline)
            if handed is not None:
                return handed

    async def _connect(self) -> Pipeline:
        self._open += 1
        return await self._opened()

    async def _opened(self) -> Pipeline:
        """A new connection, which has been counted already."""
        try:
            return await Pipeline.connect(self._url)
        except BaseException:
            self._open -= 1
            self._serve_next(None)
            raise

    async def _turn(self, deadline: float) -> Pipeline | None:
        """Waits in line: for a connection, or (None) for the right to open one. Raises `PoolExhausted`."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[Pipeline | None] = loop.create_future()
        self._waiting.append(turn)
        timer = loop.call_at(deadline, _give_up, turn)
        try:
            return await turn
        except asyncio.CancelledError:
            # What was handed over just before goes to the next in line.
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._pass_on(turn.result())
            raise
        finally:
            timer.cancel()

    def _release(self, pipeline: Pipeline) -> None:
        if pipeline.usable:
            self._pass_on(pipeline)
        else:
            pipeline.close()
            self._open -= 1
            self._serve_next(None)

    def _pass_on(self, pipeline: Pipeline | None) -> None:
        if not (self._waiting and self._serve_next(pipeline)) and pipeline is not None:
            self._idle.append(pipeline)

    def _serve_next(self, pipeline: Pipeline | None) -> bool:
        """Hands over to whoever has waited longest, so that nobody who comes later goes before."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(pipeline)
                return True
        return False


class _Waiting(Protocol):
    """Who stands in line for a connection: handed one, or (None) the right to open one."""

    def done(self) -> bool: ...
    def set_result(self, pipeline: Pipeline | None, /) -> None: ...


class Flight:
    """A statement on its way to its result. Stands in line as a future would."""

    __slots__ = (
        *("_again", "_commands", "_database", "_done", "_opening", "_pipeline", "_started", "_wanted"),
        "patience",
    )

    def __init__(self, database: Database, statement: Statement, identity: Identity, done: Done) -> None:
        head = identity.commands
        self._commands = [*head, Command(statement.sql, statement.params, identity.role or "")]
        self._wanted = len(head)
        self._database = database
        self._done: Done | None = done
        self._started = self._again = False
        self._pipeline: Pipeline | None = None
        self._opening: asyncio.Task[None] | None = None
        self.patience: asyncio.TimerHandle | None = None

    def done(self) -> bool:
        """Whether it no longer waits for a connection."""
        return self._started

    def set_result(self, pipeline: Pipeline | None) -> None:
        """Goes ahead on a connection, or opens one."""
        self._started = True
        if self.patience is not None:
            self.patience.cancel()
        if pipeline is None:
            # Counted now, for whoever comes before the task has begun.
            self._database._open += 1
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
            pipeline.begin(self._commands, self._wanted, self._on_done)
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

    def give_up(self) -> None:
        """It has waited too long."""
        self._started = True
        self._tell(PoolExhausted())

    def cancel(self) -> None:
        """Nobody wants the result any more: `done` will not be called, and a statement that runs is cancelled."""
        self._started, self._done = True, None
        if self.patience is not None:
            self.patience.cancel()
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            self._database._release(pipeline)


def _give_up(turn: asyncio.Future[Pipeline | None]) -> None:
    if not turn.done():
        turn.set_exception(PoolExhausted())


_KEPT_TEXTS = 1024
_identity_sql: dict[tuple[str, ...], str] = {}


def _identity_commands(identity: Identity) -> list[Command]:
    pairs = list(identity.settings)
    if identity.read_only:
        pairs.append(("transaction_read_only", "on"))
    if identity.role is not None:
        pairs.append(("request.jwt.claims", ""))
        pairs.append(("role", identity.role))
    first = [Command(identity.before, (), identity.role or "")] if identity.before is not None else []
    if not pairs:
        return first
    names = tuple([name for name, _ in pairs])
    sql = _identity_sql.get(names)
    if sql is None:
        if len(_identity_sql) >= _KEPT_TEXTS:
            _identity_sql.clear()
        calls = (f"set_config({_name(name)}, ${place}, true)" for place, name in enumerate(names, 1))
        sql = _identity_sql[names] = "select " + ", ".join(calls)
    params = [identity.claims if name == "request.jwt.claims" else value.encode() for name, value in pairs]
    return [Command(sql, tuple(params)), *first]


def _name(setting: str) -> str:
    """A setting's name as a constant that reads the same whatever `standard_conforming_strings` says."""
    text = setting.replace("'", "''")
    if "\\" not in text:
        return f"'{text}'"
    doubled = text.replace("\\", "\\\\")
    return f"E'{doubled}'"


def _command(statement: Statement, identity: Identity) -> Command:
    # Policies make a plan belong to a role: a plan kept for each spares Postgres planning anew at every change.
    return Command(statement.sql, statement.params, identity.role or "")


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
        await pipeline.run([Command("rollback")], 0)
        raise
