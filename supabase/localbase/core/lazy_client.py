"""An HTTP client that is made at its first use: its package and the system's certificates take their time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx


class LazyClient:
    """Calls `make` once, apart from the event loop."""

    def __init__(self, make: Callable[[], httpx.AsyncClient]) -> None:
        self._make = make
        self._client: httpx.AsyncClient | None = None
        # Calls that begin at once share one.
        self._opening = asyncio.Lock()

    async def opened(self) -> httpx.AsyncClient:
        """The client."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._make)
        return self._client

    async def close(self) -> None:
        """Closes its connections, if it was ever made."""
        if self._client is not None:
            await self._client.aclose()
