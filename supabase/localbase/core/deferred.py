"""What a process makes at its first use: its packages take their time, and its connections their memory."""

from __future__ import annotations

import asyncio
import gc
import importlib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")


class Deferred(Generic[T]):
    """Calls `make` once; uses that begin at once share it. What `make` puts on the stack is closed by `close`."""

    def __init__(self, make: Callable[[AsyncExitStack], Awaitable[T]]) -> None:
        self._make = make
        self._stack = AsyncExitStack()
        self._made: T | None = None
        self._making = asyncio.Lock()

    async def get(self) -> T:
        """Return what was made. What `make` raises is raised here, and the next use tries again."""
        if self._made is None:
            async with self._making, AsyncExitStack() as stack:
                if self._made is None:
                    self._made = await self._make(stack)
                    self._stack = stack.pop_all()
                    # It lives as long as the process: the collector looks at it no more.
                    gc.freeze()
        return self._made

    @property
    def made(self) -> T | None:
        """Return what was made, if it was."""
        return self._made

    async def close(self) -> None:
        """Closes it, if it was ever made."""
        async with self._making:
            await self._stack.aclose()


def deferred_client(make: Callable[[], httpx.AsyncClient]) -> Deferred[httpx.AsyncClient]:
    """An HTTP client, made apart from the event loop: it reads the system's certificates."""

    async def opened(stack: AsyncExitStack) -> httpx.AsyncClient:
        client = await asyncio.to_thread(make)
        stack.push_async_callback(client.aclose)
        return client

    return Deferred(opened)


async def imported(*modules: str) -> None:
    """Imports modules apart from the event loop: afterwards an `import` in the loop takes no time."""
    await asyncio.to_thread(lambda: [importlib.import_module(module) for module in modules])
