"""gateway.file_sender: files that are sent past the process's memory, to clients that read, stop reading, or leave."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvloop
from localbase.gateway.http.admission import shared_by_connections
from localbase.gateway.http.file_sender import FileProtocol
from localbase.gateway.http.limits import Limits

from tests.localbase.unit.gateway.connections import GET, LONG, App, Server, serving, until

_BYTES = os.urandom(1 << 20) * 24


class FileApp(App):
    """Responds with a part of a file."""

    def __init__(self, path: Path, start: int = 0, announced: int | None = None) -> None:
        super().__init__()
        self._path = path
        self._start = start
        self._announced = announced

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002 - ASGI's signature
        with self._path.open("rb") as file:
            size = self._announced or os.fstat(file.fileno()).st_size - self._start
            headers = [(b"content-length", b"%d" % size)]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await scope["localbase.send_file"](file.fileno(), self._start, size)
            await send({"type": "http.response.body", "body": b""})
        self.ended.append("responded")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(_BYTES)
    return path


def with_server(app: FileApp, steps: Callable[[Server], Awaitable[None]], limits: Limits = LONG) -> None:
    async def session() -> None:
        protocol = type("Files", (FileProtocol,), shared_by_connections(limits))
        async with serving(limits, app, protocol) as server:
            before = _open_files()
            await steps(server)
            await until(lambda: server.connections == 0 and _open_files() <= before)

    uvloop.run(session())


def _open_files() -> int:
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - as many as there are, not their paths


def test_two_files_come_whole_over_one_connection(path: Path) -> None:
    async def steps(server: Server) -> None:
        client = await server.connect()
        client.send(GET + GET)
        for _ in range(2):
            status, _, body = await client.response()
            assert (status, body == _BYTES[5:]) == (200, True)
        client.writer.close()

    with_server(FileApp(path, 5), steps)


def test_client_that_stops_reading_is_dropped_while_another_is_served(path: Path) -> None:
    async def steps(server: Server) -> None:
        idle, reading = await server.connect(), await server.connect()
        idle.writer.transport.pause_reading()  # type: ignore[attr-defined]
        idle.send(GET)
        reading.send(GET)
        assert (await reading.response())[2] == _BYTES
        await until(lambda: len(server.app.ended) == 2)
        idle.writer.close()
        reading.writer.close()

    with_server(FileApp(path), steps, replace(LONG, write_seconds=0.3))


def test_client_that_leaves_ends_the_sending(path: Path) -> None:
    async def steps(server: Server) -> None:
        client = await server.connect()
        client.send(GET)
        await client.reader.read(1000)
        client.writer.transport.abort()
        await until(lambda: server.app.ended == ["responded"])

    with_server(FileApp(path), steps)


def test_file_that_is_shorter_than_announced_gets_no_end(path: Path) -> None:
    async def steps(server: Server) -> None:
        client = await server.connect()
        client.send(GET)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
            await client.response()
        client.writer.close()

    with_server(FileApp(path, announced=len(_BYTES) + 1), steps)
