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

from localbase.postgres.pipeline import Command, Pipeline, PostgresError, Result

__all__ = ["Database", "Identity", "PoolExhausted", "PostgresError", "Result", "Statement"]


@dataclass(frozen=True, slots=True)
class Statement:
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
        self._waiting: deque[asyncio.Future[Pipeline | None]] = deque()

    async def run(self, statement: Statement, identity: Identity) -> Result:
        """Runs `statement` as `identity`. Raises `PostgresError`, `PoolExhausted` or `ConnectionLost`."""
        pipeline = await self._acquire()
        try:
            return await _once(pipeline, statement, identity)
        finally:
            self._release(pipeline)

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
        if not self._serve_next(pipeline) and pipeline is not None:
            self._idle.append(pipeline)

    def _serve_next(self, pipeline: Pipeline | None) -> bool:
        """Hands over to whoever has waited longest, so that nobody who comes later goes before."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(pipeline)
                return True
        return False


def _give_up(turn: asyncio.Future[Pipeline | None]) -> None:
    if not turn.done():
        turn.set_exception(PoolExhausted())


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
        calls = (f"set_config(${2 * i + 1}, ${2 * i + 2}, true)" for i in range(len(names)))
        sql = _identity_sql[names] = "select " + ", ".join(calls)
    params: list[bytes | None] = []
    for name, value in pairs:
        params += (name.encode(), identity.claims if name == "request.jwt.claims" else value.encode())
    return [Command(sql, tuple(params)), *first]


def _command(statement: Statement, identity: Identity) -> Command:
    # Policies make a plan belong to a role: a plan kept for each spares Postgres planning anew at every change.
    return Command(statement.sql, statement.params, identity.role or "")


async def _once(pipeline: Pipeline, statement: Statement, identity: Identity) -> Result:
    head = identity.commands
    commands = [*head, _command(statement, identity), *identity.ending]
    try:
        return await _transaction(pipeline, commands, len(head), identity)
    except PostgresError as error:
        # A plan made before a table changed, or a statement that somebody deallocated: prepared anew, it runs.
        stale = error.sqlstate == "26000" or "cached plan" in error.message
        if not stale:
            raise
        pipeline.forget()
        return await _transaction(pipeline, commands, len(head), identity)


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
