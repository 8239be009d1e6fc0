"""Clients that go away before they are answered."""

from __future__ import annotations

import asyncio

from starlette.types import Receive

_PATIENCE_SECONDS = 0.2


class Disconnected(Exception):
    """The client has disconnected."""


class CancelOnDisconnect:
    """Cancels the work on a request when its client disconnects: the response would not be read.

    Most requests are done within a moment: the connection is watched only after it.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watching: asyncio.Task[None] | None = None
        self._hung_up = False

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        self._work = asyncio.current_task()
        self._timer = loop.call_later(_PATIENCE_SECONDS, self._watch)

    def _watch(self) -> None:
        self._watching = asyncio.get_running_loop().create_task(self._until_gone())

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            continue
        if self._work is not None:
            self._hung_up = True
            self._work.cancel()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._timer.cancel()
        if self._watching is not None:
            self._watching.cancel()
        if self._hung_up and self._work is not None:
            self._work.uncancel()
            if kind is not None and issubclass(kind, asyncio.CancelledError):
                raise Disconnected
