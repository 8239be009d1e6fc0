"""Loops that begin again after every failure end when they are cancelled, also where what they await goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from localbase.core.cancellation import pause, raise_if_cancelled

_SECONDS = 10


async def cancelled(work: Callable[[], Awaitable[None]]) -> asyncio.Future[None]:
    """The end of a task that is cancelled once, when it waits."""
    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task], timeout=_SECONDS)
    return task


@pytest.mark.parametrize("failure", [None, OSError("the connection was lost")])
def test_pause_ends_what_was_cancelled_before_it(failure: Exception | None) -> None:
    turns = 0

    async def turn() -> None:
        nonlocal turns
        turns += 1
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        if failure is not None:
            raise failure

    async def work() -> None:
        while True:
            with suppress(OSError):
                await turn()
            await pause(0)

    assert asyncio.run(cancelled(work)).cancelled()
    assert turns == 1


def test_cancellation_that_was_meant_for_a_time_limit_ends_nothing() -> None:
    async def work() -> str:
        with suppress(TimeoutError):
            async with asyncio.timeout(0):
                await asyncio.Event().wait()
        raise_if_cancelled()
        await pause(0)
        return "done"

    assert asyncio.run(work()) == "done"
