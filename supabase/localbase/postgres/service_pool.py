"""ServicePool of the platform's own services (auth, storage), several statements each, as a role of theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from localbase.postgres.pool import PoolExhausted

Cursor = AsyncCursor[DictRow]


class ServicePool:
    """A pool of connections that log in as one role. Open it inside the loop that uses it."""

    def __init__(self, url: str, *, size: int = 8, wait_seconds: float = 10.0) -> None:
        self._pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=size,
            open=False,
            timeout=wait_seconds,
            # As the Data API's pool: what a database or a role is set to reaches the services in time.
            max_idle=30,
            max_lifetime=1800,
            kwargs={"row_factory": dict_row},
            check=AsyncConnectionPool.check_connection,
        )

    async def open(self) -> None:
        """Opens the pool."""
        await self._pool.open()

    async def close(self) -> None:
        """Closes the pool."""
        await self._pool.close()

    @asynccontextmanager
    async def begin(self, role: str | None = None, claims: bytes = b"{}") -> AsyncIterator[Cursor]:
        """A transaction; with `role` it runs under that role's rights and policies, seeing `claims`."""
        try:
            async with self._pool.connection() as connection, connection.transaction():
                cursor = connection.cursor()
                if role is not None:
                    await cursor.execute(
                        "select set_config('request.jwt.claims', %s, true), set_config('role', %s, true)",
                        [claims.decode(), role],
                    )
                yield cursor
        except PoolTimeout as error:
            raise PoolExhausted from error

    async def one(self, sql: str, params: list[Any]) -> DictRow | None:
        """The first row of a single statement in a transaction of its own."""
        async with self.begin() as cursor:
            await cursor.execute(sql.encode(), params)
            return await cursor.fetchone()
