"""Uploads of one caller at the same time: those beyond the limit wait, unread, for one to end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from localbase.storage import errors


@dataclass(slots=True)
class _Places:
    free: asyncio.Semaphore
    users: int = 0


@dataclass(slots=True)
class UploadSlots:
    """`at_once` uploads for each caller, `waiting` more in line for at most `seconds`."""

    at_once: int = 16
    waiting: int = 64
    seconds: float = 30.0
    _places: dict[str, _Places] = field(default_factory=dict)

    @asynccontextmanager
    async def slot(self, caller: str) -> AsyncIterator[None]:
        """One place of `caller` for as long as the block runs. Raises 429 when none comes free in time."""
        places = self._places.setdefault(caller, _Places(asyncio.Semaphore(self.at_once)))
        if places.users >= self.at_once + self.waiting:
            raise errors.too_many_uploads()
        places.users += 1
        try:
            try:
                async with asyncio.timeout(self.seconds):
                    await places.free.acquire()
            except TimeoutError as error:
                raise errors.too_many_uploads() from error
            try:
                yield
            finally:
                places.free.release()
        finally:
            places.users -= 1
            if not places.users:
                self._places.pop(caller, None)
