"""Cancellation of loops that begin again after every failure.

What a task awaits may swallow its cancellation. Before Python 3.12 `asyncio.wait_for`, by which psycopg's pool waits,
returns what came in the same turn; and an error met while connections are closed takes CancelledError's place. The loop
would go on, and what waits for its end would wait for ever. So each of its turns looks whether it was cancelled.
"""

from __future__ import annotations

import asyncio


def raise_if_cancelled() -> None:
    """Raises `CancelledError` where the present task was cancelled and went on."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def pause(seconds: float) -> None:
    """Sleeps before the next turn. Raises `CancelledError` for a cancellation of now or of before."""
    raise_if_cancelled()
    await asyncio.sleep(seconds)
