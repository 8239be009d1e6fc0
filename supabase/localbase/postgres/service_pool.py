"""Connections of the platform's own services (auth, storage), as a role of theirs.

Several statements with decisions between them are a transaction of psycopg's. One statement alone can go with its role
and settings in one way to the server (`document`), at a tenth of the processor time.
"""

from __future__ import annotations

import json
import select
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from localbase.postgres.pipeline import Command, ConnectionLost, PostgresError, Result
from localbase.postgres.pool import Database, PendingQuery, PoolExhausted
from localbase.postgres.transaction import Batch, Statement, TransactionContext, batch_of

Cursor = AsyncCursor[DictRow]
DocumentDone = Callable[[Any, Exception | None], None]
"""Takes the document, or the error in its place."""

_NO_SETTINGS: Mapping[str, str] = {}
_AS_SERVICE = TransactionContext(None)


class ServicePool:
    """A pool of connections that log in as one role. Open it inside the loop that uses it."""

    def __init__(self, url: str, *, size: int = 8, wait_seconds: float = 10.0) -> None:
        self._pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
            url,
            # A service that nobody calls has no connection: one that has worked takes 7 MB.
            min_size=0,
            max_size=size,
            open=False,
            timeout=wait_seconds,
            # As the Data API's pool: what a database or a role is set to reaches the services in time.
            max_idle=30,
            max_lifetime=1800,
            # A statement alone is a transaction of its own, and one way to the server instead of three.
            kwargs={"row_factory": dict_row, "autocommit": True},
            check=_check,
        )
        self._database = Database(url, size=size, wait_seconds=wait_seconds)

    async def open(self) -> None:
        """Opens the pool."""
        await self._pool.open()

    async def close(self) -> None:
        """Closes the pool."""
        await self._database.close()
        await self._pool.close()

    @asynccontextmanager
    async def begin(
        self,
        role: str | None = None,
        claims: bytes = b"{}",
        settings: Mapping[str, str] = _NO_SETTINGS,
        *,
        rollback: bool = False,
    ) -> AsyncIterator[Cursor]:
        """A transaction with `settings`; with `role` under that role's rights and policies, seeing `claims`.

        With `rollback` nothing of it stays: it asks what would be allowed.
        """
        values = dict(settings)
        if role is not None:
            # The role last: with its rights the other settings may not be the service's to set.
            values |= {"request.jwt.claims": claims.decode(), "role": role}
        try:
            async with (
                self._pool.connection() as connection,
                connection.transaction(force_rollback=rollback),
            ):
                cursor = connection.cursor()
                if values:
                    await set_locally(cursor, values)
                yield cursor
        except PoolTimeout as error:
            raise PoolExhausted from error

    async def one(self, sql: str, params: list[Any]) -> DictRow | None:
        """The first row of a single statement in a transaction of its own."""
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(sql.encode(), params)
                return await cursor.fetchone()
        except PoolTimeout as error:
            raise PoolExhausted from error

    async def document(
        self,
        sql: str,
        params: Sequence[str | None],
        role: str | None = None,
        claims: bytes = b"{}",
        settings: Mapping[str, str] = _NO_SETTINGS,
        *,
        before: Sequence[Statement] = (),
        rollback: bool = False,
    ) -> Any:
        """The JSON in the first row of a single statement with `$1`…, in a transaction as `begin` makes one; or None.

        The statements `before` it go out with it, each with a look at the data of its own. Raises psycopg's errors, as
        `begin` does.
        """
        if any("\0" in text for text in (*params, *settings.values()) if text):
            # On the wire such a text would end there.
            raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        values = [None if text is None else text.encode() for text in params]
        context = TransactionContext(role, claims, tuple(settings.items()))
        batch = batch_of(Statement(sql, values), context)
        if before:
            first = [*batch.commands[:-1], *(context.command(each.sql, *each.params) for each in before)]
            batch = Batch([*first, batch.commands[-1]], len(first))
        if rollback:
            undo = Command("rollback")
            batch = Batch([Command("begin"), *batch.commands, undo], batch.answering + 1, undo)
        try:
            rows = (await self._database.run_batch(batch)).rows
        except (PostgresError, ConnectionLost) as error:
            raise _as_psycopg(error) from error
        return _document_in(rows)

    def submit_document(self, sql: str, params: Sequence[str], done: DocumentDone) -> PendingQuery:
        """The same without a task: the loop calls `done` later. `params` have no NUL."""

        def ended(result: Result | None, error: Exception | None) -> None:
            if isinstance(error, PostgresError | ConnectionLost):
                error = _as_psycopg(error)
            done(_document_in(result.rows) if result else None, error)

        statement = Statement(sql, [text.encode() for text in params])
        return self._database.submit(batch_of(statement, _AS_SERVICE), ended)


def _document_in(rows: list[tuple[bytes | None, ...]]) -> Any:
    return json.loads(rows[0][0]) if rows and rows[0][0] is not None else None


def _as_psycopg(error: PostgresError | ConnectionLost) -> psycopg.Error:
    if isinstance(error, ConnectionLost):
        return psycopg.OperationalError(str(error))
    try:
        return psycopg.errors.lookup(error.sqlstate)(error.message)
    except KeyError:
        # A project's own state.
        unknown = psycopg.DatabaseError(error.message)
        unknown.sqlstate = error.sqlstate
        return unknown


async def _check(connection: AsyncConnection[Any]) -> None:
    """Raises `OperationalError` for a connection that has ended.

    The server says nothing of its own accord but that: only then it is asked, which would take as long as a statement.
    """
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN)
    if poll.poll(0):
        await AsyncConnectionPool.check_connection(connection)


async def set_locally(cursor: Cursor, values: Mapping[str, str]) -> None:
    """Sets parameters for the rest of the transaction, in this order."""
    calls = ", ".join(["set_config(%s, %s, true)"] * len(values))
    await cursor.execute(f"select {calls}".encode(), [part for pair in values.items() for part in pair])
