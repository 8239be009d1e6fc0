"""A caller of `http()` waits on its connection alone: whatever becomes of the call, the connection ends."""

from __future__ import annotations

import asyncio

from localbase.background.http_address import listening_socket
from localbase.background.http_calls import HttpCalls


class Interrupted(HttpCalls):
    """Ends as each call arrives: its task has not begun."""

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super()._begin(reader, writer)
        for call in self._calls:
            call.cancel()


class Late(HttpCalls):
    """Gets each call once it has ended."""

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ending = asyncio.ensure_future(self.__aexit__())
        ending.add_done_callback(lambda _: super(Late, self)._begin(reader, writer))


async def _heard(kind: type[HttpCalls]) -> bytes:
    """All that a caller hears, who says nothing and waits."""
    listening = listening_socket()
    async with asyncio.timeout(4), kind(listening, "key", 1):
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        heard = await reader.read()
        writer.close()
    return heard


def test_call_that_is_cancelled_before_it_has_begun_is_closed() -> None:
    assert asyncio.run(_heard(Interrupted)) == b""


def test_call_that_arrives_after_the_end_is_closed() -> None:
    assert asyncio.run(_heard(Late)) == b""
