"""What is made at its first use: once, for all who wait, and closed only if it was made."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from localbase.core.deferred import Deferred


class Makes:
    """Makes numbers, of which each is noted when it is made and when it is closed."""

    def __init__(self, *failures: int) -> None:
        self.events: list[str] = []
        self._failures = failures

    async def make(self, stack: AsyncExitStack) -> int:
        number = len([event for event in self.events if event.startswith("make")])
        self.events.append(f"make {number}")
        stack.callback(self.events.append, f"close {number}")
        await asyncio.sleep(0)
        if number in self._failures:
            raise OSError(f"no {number}")
        return number


def test_uses_that_begin_at_once_share_what_is_made() -> None:
    makes = Makes()

    async def work() -> list[int]:
        deferred = Deferred(makes.make)
        assert makes.events == []
        made = await asyncio.gather(*(deferred.get() for _ in range(3)))
        assert makes.events == ["make 0"]
        await deferred.close()
        return made

    assert asyncio.run(work()) == [0, 0, 0]
    assert makes.events == ["make 0", "close 0"]


def test_use_after_a_failure_tries_again_and_nothing_of_it_stays_open() -> None:
    makes = Makes(0)

    async def work() -> int:
        deferred = Deferred(makes.make)
        with pytest.raises(OSError, match="no 0"):
            await deferred.get()
        assert makes.events == ["make 0", "close 0"]
        return await deferred.get()

    assert asyncio.run(work()) == 1


def test_closing_makes_nothing_that_was_never_used() -> None:
    makes = Makes()
    asyncio.run(Deferred(makes.make).close())
    assert makes.events == []
