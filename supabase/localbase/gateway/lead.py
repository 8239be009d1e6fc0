"""Which of several gateways on one database (`[db] external_url`) is the first: it alone serves Realtime and sweeps.

The first holds an advisory lock of Postgres, which ends with its session: the next one to ask has it, a second after
the first has ended. One that is cut off from the database loses it too: it gives up by itself before the server lets
another have the lock. So does one that was frozen, as soon as it goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import psycopg

from localbase.core.cancellation import pause

_log = logging.getLogger("localbase")
# Beside that of `postgres/external.py`.
_KEY = 0x6C6F63616C0002
# Between two questions for the lock, and two proofs that it is held still; a proof must come at once.
_ASK_SECONDS, _PROVE_SECONDS, _ANSWER_SECONDS = 1.0, 2.0, 5.0
# The server ends the session of a holder that says nothing for so long. More than the two above together.
_SILENCE = "set idle_session_timeout = '20s'"
# A replica grants locks of its own.
_ASK = "select not pg_catalog.pg_is_in_recovery() and pg_catalog.pg_try_advisory_lock(%s)"

OTHER = "Realtime runs in another gateway of this database"


class Lead:
    """The question whether this gateway is the first. `change` hears each new answer."""

    def __init__(self, url: str, change: Callable[[bool], Awaitable[None]]) -> None:
        self._url = url
        self._change = change
        self._connection: psycopg.AsyncConnection | None = None
        self._is_first = False

    async def ask(self) -> bool:
        """Asks for the lock. True where it is held from now on."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                if self._connection is None:
                    self._connection = await psycopg.AsyncConnection.connect(
                        self._url, autocommit=True, application_name="localbase gateway"
                    )
                    await self._connection.execute(_SILENCE)
                row = await (await self._connection.execute(_ASK, [_KEY])).fetchone()
        except (psycopg.Error, TimeoutError):
            await self._drop()
            return False
        if row is not None and row[0]:
            await self._tell(is_first=True)
        return self._is_first

    async def run(self) -> None:
        """Asks until the lock is held, and again whenever it is lost."""
        while True:
            if not self._is_first and not await self.ask():
                await pause(_ASK_SECONDS)
                continue
            await pause(_PROVE_SECONDS)
            if not await self._is_held():
                _log.warning("the session that made this gateway the first has ended; asking again")
                # Told before the lock goes on: there are never two.
                await self._tell(is_first=False)
                await self._drop()

    async def close(self) -> None:
        """Gives the lock on."""
        await self._drop()

    async def _is_held(self) -> bool:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                assert self._connection is not None
                await self._connection.execute("select")
        except (psycopg.Error, TimeoutError):
            return False
        return True

    async def _tell(self, *, is_first: bool) -> None:
        self._is_first = is_first
        if is_first:
            _log.info("this gateway is the first of its database")
        await self._change(is_first)

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
