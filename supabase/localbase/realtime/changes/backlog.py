"""Changes for the subscribers with patterns among their filters: no other subscriber waits for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from localbase.realtime.changes.delivery import Subscriber
from localbase.realtime.log.pgoutput import Delete, Insert
from localbase.realtime.log.replication import CommittedChange

Subscribers = Sequence[Subscriber]
_MOST_ROWS, _MOST_BYTES = 20_000, 32 << 20


class _Delivery(NamedTuple):
    batch: Sequence[CommittedChange]
    subscribers: Subscribers
    size: int


class Backlog:
    """Delivers batches one after the other, in a task that ends with the last of them."""

    def __init__(
        self,
        deliver: Callable[[Sequence[CommittedChange], Subscribers], Awaitable[None]],
        lost: Callable[[Subscribers], None],
        *,
        most_rows: int = _MOST_ROWS,
    ) -> None:
        """`deliver` must not raise. `lost` hears who will not get a batch, because too many rows or bytes wait."""
        self._deliver = deliver
        self._lost = lost
        self._most_rows = most_rows
        self._waiting: deque[_Delivery] = deque()
        self._rows = self._bytes = 0
        self._task: asyncio.Task[None] | None = None

    def put(self, batch: Sequence[CommittedChange], subscribers: Subscribers) -> None:
        """Takes a batch for these subscribers."""
        size = sum(_size(committed) for committed in batch)
        if self._waiting and (self._rows + len(batch) > self._most_rows or self._bytes + size > _MOST_BYTES):
            self._lost(subscribers)
            return
        self._rows += len(batch)
        self._bytes += size
        self._waiting.append(_Delivery(batch, subscribers, size))
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, subscribers, size = self._waiting[0]
                await self._deliver(batch, [one for one in subscribers if not one.closed])
                self._waiting.popleft()
                self._rows -= len(batch)
                self._bytes -= size
        finally:
            self._task = None

    async def close(self) -> None:
        """Drops what waits, and ends what is being delivered."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task


def _size(committed: CommittedChange) -> int:
    change = committed.change
    rows = [] if isinstance(change, Delete) else [change.new]
    if not isinstance(change, Insert) and change.old is not None:
        rows.append(change.old)
    return sum(len(value) for row in rows for value in row if isinstance(value, bytes))
