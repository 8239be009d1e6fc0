"""app_body: large bodies together stay within a limit."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from localbase.gateway.bodies import Bodies, BodyTooLarge, Overloaded
from localbase.gateway.disconnect import Disconnected

KB = 1024
Messages = asyncio.Queue[MutableMapping[str, Any]]


def part(size: int, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": b"x" * size, "more_body": more}


class Sender:
    """A request with a body that comes in parts."""

    def __init__(self, bodies: Bodies, *parts: dict[str, Any]) -> None:
        self.messages: Messages = asyncio.Queue()
        for each in parts:
            self.messages.put_nowait(each)
        self.finish = asyncio.Event()
        self.size = -1
        self.task = asyncio.create_task(self._work(bodies))

    async def _work(self, bodies: Bodies) -> None:
        async with bodies.received(self.messages.get, {}) as body:
            self.size = len(body)
            await self.finish.wait()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_largest_unfinished_body_gives_way_to_smaller_ones() -> None:
    async def steps() -> None:
        bodies = Bodies(1000 * KB)
        hoarder = Sender(bodies, part(900 * KB))
        await settle()
        small = Sender(bodies, part(400 * KB, more=False))
        await settle()
        assert small.size == 400 * KB
        with pytest.raises(Overloaded):
            await hoarder.task
        small.finish.set()
        await small.task

    asyncio.run(steps())


def test_body_that_is_itself_the_largest_is_rejected() -> None:
    async def steps() -> None:
        bodies = Bodies(1000 * KB)
        small = Sender(bodies, part(600 * KB))
        await settle()
        large = Sender(bodies, part(700 * KB))
        with pytest.raises(Overloaded):
            await large.task
        small.messages.put_nowait(part(1, more=False))
        await settle()
        assert small.size == 600 * KB + 1
        small.finish.set()
        await small.task

    asyncio.run(steps())


def test_bodies_that_are_worked_on_stay_and_free_their_memory_at_the_end() -> None:
    async def steps() -> None:
        bodies = Bodies(1000 * KB)
        first = Sender(bodies, part(900 * KB, more=False))
        await settle()
        with pytest.raises(Overloaded):
            await Sender(bodies, part(300 * KB, more=False)).task
        tiny = Sender(bodies, part(64 * KB, more=False))
        await settle()
        assert (first.size, tiny.size) == (900 * KB, 64 * KB)
        first.finish.set()
        await first.task
        again = Sender(bodies, part(900 * KB), part(100 * KB, more=False))
        await settle()
        assert again.size == 1000 * KB
        for sender in (again, tiny):
            sender.finish.set()
            await sender.task

    asyncio.run(steps())


def test_each_body_has_its_own_limit_and_needs_its_end() -> None:
    async def steps() -> None:
        bodies = Bodies()
        chunks = [part(16 * KB * KB) for _ in range(5)]
        with pytest.raises(BodyTooLarge):
            await Sender(bodies, *chunks).task
        with pytest.raises(Disconnected):
            await Sender(bodies, part(1), {"type": "http.disconnect"}).task
        with pytest.raises(Disconnected):
            await Sender(bodies, {"type": "http.disconnect"}).task
        messages: Messages = asyncio.Queue()
        with pytest.raises(BodyTooLarge):
            async with bodies.received(messages.get, {"content-length": str(65 * KB * KB)}):
                pass

    asyncio.run(steps())
