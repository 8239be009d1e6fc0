"""The daily partitions of `realtime.messages`: made ahead, and dropped after three days."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime

import psycopg

from localbase.core.cancellation import pause
from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool

# Between two looks, and after one that failed: a machine may sleep over midnight.
_SECONDS, _SECONDS_AFTER_FAILURE = 3600.0, 60.0
_log = logging.getLogger("localbase.realtime")


class Partitions:
    """Maintains them over `pool`, which logs in as the owner of the table."""

    def __init__(self, pool: ServicePool) -> None:
        self._pool = pool
        self._task: asyncio.Task[None] | None = None

    async def maintain(self) -> bool:
        """Makes and drops what today wants. False, with a line in the log, where the database did not let it."""
        today = datetime.now(UTC).date()
        try:
            await self._pool.one("select realtime.maintain_messages(%s)", [today])
        except (psycopg.Error, PoolExhausted) as error:
            _log.warning("PartitionCreationFailed: %s", str(error).split("\n")[0])
            return False
        return True

    async def start(self) -> None:
        """Maintains them now, and from now on in the background."""
        done = await self.maintain()
        self._task = asyncio.get_running_loop().create_task(
            self._run(_SECONDS if done else _SECONDS_AFTER_FAILURE)
        )

    async def _run(self, seconds: float) -> None:
        while True:
            await pause(seconds)
            seconds = _SECONDS if await self.maintain() else _SECONDS_AFTER_FAILURE

    async def close(self) -> None:
        """Ends the background work."""
        if self._task is not None:
            self._task.cancel()
