"""A response that precedes the end of its request reaches a client that reads only when all is sent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import uvicorn
from localbase.core.web.http_server import HttpServer
from localbase.core.web.lingering import LingeringProtocol

from tests.localbase.unit.gateway.connections import GET, LONG, App, serving, until

_TRIES = 30
_BODY = b"x" * (3 << 20)
_HEAD = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"


def _exchange(port: int, head: bytes, body: bytes) -> bytes:
    """Sends all of it, then reads all that comes. Raises `ConnectionError` for a reset."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head + body)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@asynccontextmanager
async def _plainly_serving(app: App) -> AsyncIterator[int]:
    """A server without limits of connections, as Studio has it."""
    config = uvicorn.Config(
        app,
        port=0,
        http=LingeringProtocol,
        lifespan="off",
        log_level="error",
        ws="none",
        timeout_graceful_shutdown=20,
    )
    server = HttpServer(config)
    running = asyncio.create_task(server._serve())
    await until(lambda: server.started)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.end()
        await running


async def _all_are_answered(app: App, port: int, head: bytes) -> None:
    app.reads, app.response = False, b"too large"
    for _ in range(_TRIES):
        response = await asyncio.to_thread(_exchange, port, head, _BODY)
        assert response.startswith(b"HTTP/1.1 200 OK\r\n")
        assert response.endswith(b"\r\n\r\ntoo large")


@pytest.mark.parametrize(
    "head", [_HEAD % len(_BODY), _HEAD.replace(b"1.1", b"1.0") % len(_BODY)], ids=["1.1", "1.0"]
)
def test_early_response_reaches_the_client_of_the_gateway(head: bytes) -> None:
    async def attempt() -> None:
        async with serving(LONG) as server:
            await _all_are_answered(server.app, server.port, head)

    asyncio.run(attempt())


def test_early_response_reaches_the_client_of_studio() -> None:
    async def attempt() -> None:
        app = App()
        async with _plainly_serving(app) as port:
            await _all_are_answered(app, port, _HEAD % len(_BODY))

    asyncio.run(attempt())


def test_connection_beyond_the_limit_reads_why() -> None:
    async def attempt() -> None:
        async with serving(replace(LONG, connections=1)) as server:
            server.app.go.clear()
            busy = await server.connect()
            busy.send(GET)
            await until(lambda: bool(server.app.headers))
            for _ in range(_TRIES):
                head = _HEAD % len(_BODY)
                response = await asyncio.to_thread(_exchange, server.port, head, _BODY)
                assert response.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
                assert response.endswith(b"\r\n\r\nToo many connections.")
            busy.writer.close()

    asyncio.run(attempt())


def test_connection_ends_for_a_client_that_sends_on() -> None:
    """Both with `connection: close` and without."""

    async def attempt() -> None:
        async with serving(replace(LONG, linger_bytes=1 << 20, linger_seconds=20)) as server:
            server.app.reads, server.app.response = False, b"no"
            for head in (_HEAD, _HEAD.replace(b"connection: close\r\n", b"")):
                client = await server.connect()
                client.send(head % (1 << 30))
                assert (await client.response())[2] == b"no"
                with pytest.raises(ConnectionError):
                    while True:
                        client.send(_BODY)
                        await client.writer.drain()
                await until(lambda: server.connections == 0)

    asyncio.run(attempt())


def test_connection_ends_for_a_client_that_never_ends() -> None:
    async def attempt() -> None:
        async with serving(replace(LONG, linger_seconds=0.3)) as server:
            server.app.reads, server.app.response = False, b"no"
            client = await server.connect()
            client.send(_HEAD % (1 << 20))
            assert (await client.response())[2] == b"no"
            assert await client.reader.read() == b""
            await until(lambda: server.connections == 0)

    asyncio.run(attempt())
