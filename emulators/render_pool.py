"""Runs drawing in child processes, so that pictures never stall the protocols.

NumPy, OpenCV and the icon sets live only in the children, which leave after a quiet spell: at rest
the emulators are one small process.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.connection import wait as wait_for
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def _leave_with_parent() -> None:
    """A killed parent must not leave drawing processes behind."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait_for([sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class RenderPool:
    """A pool of at most `workers` drawing processes, started on demand and closed when idle."""

    def __init__(self, workers: int = 2, idle_seconds: float = 60.0) -> None:
        self._workers = workers
        self._idle_seconds = idle_seconds
        self._pool: ProcessPoolExecutor | None = None
        self._running = 0
        self._closing: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls `work` (a module-level function) in a child. A child that died is replaced, once."""
        call = partial(work, *args, **kwargs)
        self._running += 1
        if self._closing is not None:
            self._closing.cancel()
        try:
            try:
                return await asyncio.wrap_future(self._open().submit(call))
            except BrokenProcessPool:
                self.close()
                return await asyncio.wrap_future(self._open().submit(call))
        finally:
            self._running -= 1
            if self._running == 0:
                self._closing = asyncio.get_running_loop().call_later(self._idle_seconds, self.close)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, multiprocessing.get_context("spawn"), initializer=_leave_with_parent
            )
        return self._pool

    def close(self, *, wait: bool = False) -> None:
        """Lets the children go; with `wait`, after the work in hand (a second or two) and with nothing left behind."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=wait, cancel_futures=True)
