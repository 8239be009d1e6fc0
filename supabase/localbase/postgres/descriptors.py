"""Waiting in the loop for a descriptor of libpq's."""

from __future__ import annotations

import asyncio


async def ready(descriptor: int, *, writing: bool) -> None:
    """Returns when the descriptor can be read, or written."""
    loop = asyncio.get_running_loop()
    turn: asyncio.Future[None] = loop.create_future()
    add, remove = (loop.add_writer, loop.remove_writer) if writing else (loop.add_reader, loop.remove_reader)

    def wake() -> None:
        if not turn.done():
            turn.set_result(None)

    add(descriptor, wake)
    try:
        await turn
    finally:
        remove(descriptor)
