"""A batch whose server ends before it has read it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop
from localbase.postgres.pipeline import Command, ConnectionLost, Pipeline

# AuthenticationOk, ReadyForQuery and an ErrorResponse (PostgreSQL, "Message Formats").
_WELCOME = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I"
_FIELDS = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"
_FATAL = b"E" + (len(_FIELDS) + 4).to_bytes(4, "big") + _FIELDS
_SECONDS = 20


class Server(threading.Thread):
    """Welcomes one client, and ends with `last` as its last words once it is `asked`, without reading what."""

    def __init__(self, folder: Path, last: bytes) -> None:
        super().__init__(daemon=True)
        self.url = f"host={folder} port=5432 user=u dbname=d gssencmode=disable"
        self.asked = threading.Event()
        self._last = last
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()

    def run(self) -> None:
        with self._listening:
            connection, _ = self._listening.accept()
        with connection:
            connection.recv(1024)
            connection.sendall(_WELCOME)
            self.asked.wait(_SECONDS)
            connection.sendall(self._last)


async def outcome(server: Server) -> tuple[object, Exception | None]:
    pipeline = await Pipeline.connect(server.url)
    ended = asyncio.get_running_loop().create_future()
    pipeline.submit([Command("select 1")], 0, lambda *result: ended.set_result(result))
    server.asked.set()
    async with asyncio.timeout(_SECONDS):
        result: tuple[object, Exception | None] = await ended
    pipeline.close()
    return result


@pytest.mark.parametrize("last", [_FATAL, _FATAL * 2, _FATAL[:20], b""])
@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_batch_of_a_server_that_ends_unread_is_lost_at_once(
    tmp_path: Path, run: Callable[[Coroutine[Any, Any, Any]], Any], last: bytes
) -> None:
    server = Server(tmp_path, last)
    server.start()
    result, error = run(outcome(server))
    assert result is None
    assert isinstance(error, ConnectionLost)
    server.join(_SECONDS)
