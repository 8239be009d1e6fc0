"""Hears `NOTIFY pgrst`, the Data API's signal that the schema or its configuration has changed."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import psycopg

from localbase.core.cancellation import pause, raise_if_cancelled
from localbase.postgres.listening_connection import ListeningConnection

_log = logging.getLogger("localbase.schema_listener")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0


async def listen(url: str, channel: str, changed: Callable[[], Awaitable[None]]) -> None:
    """Calls `changed` once connected (for what was missed) and after every burst of notices, until it is cancelled."""
    seconds = _FIRST_PAUSE
    while True:
        try:
            connection = await ListeningConnection.connect(url, autocommit=True)
            async with connection:
                await connection.execute(psycopg.sql.SQL("listen {}").format(psycopg.sql.Identifier(channel)))
                seconds = _FIRST_PAUSE
                await changed()
                while True:
                    raise_if_cancelled()
                    async for _ in connection.notifies(stop_after=1):
                        continue
                    # A migration sends one notice a statement: the stragglers are taken before the schema is read.
                    async for _ in connection.notifies(timeout=0.02):
                        continue
                    await changed()
        except psycopg.OperationalError as error:
            _log.warning("listening on %s was cut off (%s); trying again", channel, str(error).strip())
        except Exception:  # noqa: BLE001 - no exception of the callback may end the listening
            _log.exception("what listens on %s failed; trying again", channel)
        await pause(seconds)
        seconds = min(seconds * 2, _LONGEST_PAUSE)
