"""core.http_server: ends at once where nothing is being answered, and answers what has begun."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import pytest
import uvicorn
from localbase.core.web.http_server import HttpServer
from localbase.gateway.http.connection import limited_protocol
from localbase.gateway.http.limits import Limits

_Scope = MutableMapping[str, Any]
_Send = Callable[[_Scope], Awaitable[None]]
_REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


class Slow:
    """Answers when `go` is set."""

    def __init__(self) -> None:
        self.begun, self.go = asyncio.Event(), asyncio.Event()

    async def __call__(self, _scope: _Scope, _receive: Callable[[], Awaitable[_Scope]], send: _Send) -> None:
        self.begun.set()
        await self.go.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


class Serving:
    """A server over `app` on a socket that outlives it."""

    def __init__(self, app: Slow, graceful: int = 5, coming: float = 0.1) -> None:
        self.held = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.held.getsockname()[1])
        config = uvicorn.Config(
            app,
            http=limited_protocol(Limits(coming_seconds=coming)),
            ws="none",
            lifespan="off",
            access_log=False,
            timeout_graceful_shutdown=graceful,
        )
        self.server = HttpServer(config)

    async def __aenter__(self) -> asyncio.Task[None]:
        serving = asyncio.create_task(self.server.serve([self.held.dup()]))
        _, writer = await self.connect()
        writer.close()
        return serving

    async def __aexit__(self, *_: object) -> None:
        self.held.close()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)


async def seconds_to_end(clients: int) -> float:
    app = Slow()
    app.go.set()
    made = Serving(app)
    async with made as serving:
        idle = [await made.connect() for _ in range(clients)]
        for reader, writer in idle:
            writer.write(_REQUEST)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 OK\r\n")
        began = time.monotonic()
        made.server.end()
        await serving
        spent = time.monotonic() - began
        for reader, writer in idle:
            assert await reader.read() == b""
            writer.close()
    return spent


@pytest.mark.parametrize("clients", [0, 3])
def test_server_without_work_ends_at_once(clients: int) -> None:
    # uvicorn's own server would take 0.1 to 0.3 s. A busy machine may stop one of them for so long, not all.
    assert min(asyncio.run(seconds_to_end(clients)) for _ in range(5)) < 0.1


def test_request_that_has_begun_or_is_coming_is_answered() -> None:
    async def scenario() -> None:
        app = Slow()
        made = Serving(app, graceful=30, coming=20)
        async with made as serving:
            reader, writer = await made.connect()
            writer.write(_REQUEST)
            await app.begun.wait()
            # This client is accepted, but its request has yet to come.
            coming, late = await made.connect()
            made.server.end()
            await asyncio.sleep(0.1)
            late.write(_REQUEST)
            app.go.set()
            for each in (reader, coming):
                whole = await each.read()
                assert whole.startswith(b"HTTP/1.1 200 OK\r\n")
                assert b"\r\nconnection: close\r\n" in whole
                assert whole.endswith(b"ok")
            await serving
            writer.close()
            late.close()

    asyncio.run(scenario())


def test_client_that_comes_later_waits_for_the_next_server() -> None:
    async def scenario() -> None:
        made = Serving(Slow())
        async with made as serving:
            made.server.end()
            await serving
            _, writer = await made.connect()
            writer.write(_REQUEST)
            await writer.drain()
            accepted, _ = made.held.accept()
            accepted.settimeout(10)
            assert accepted.recv(len(_REQUEST)) == _REQUEST
            accepted.close()
            writer.close()

    asyncio.run(scenario())


def test_client_that_sends_nothing_does_not_hold_the_server_up() -> None:
    async def scenario() -> None:
        made = Serving(Slow())
        async with made as serving:
            reader, writer = await made.connect()
            made.server.end()
            assert await asyncio.wait_for(reader.read(), 3) == b""
            await serving
            writer.close()

    asyncio.run(scenario())


def test_request_without_an_end_is_cancelled_in_time() -> None:
    async def scenario() -> None:
        app = Slow()
        made = Serving(app, graceful=1)
        async with made as serving:
            _, writer = await made.connect()
            writer.write(_REQUEST)
            await app.begun.wait()
            made.server.end()
            await serving
            assert not app.go.is_set()
            writer.close()

    asyncio.run(scenario())


def test_date_of_responses_moves_on() -> None:
    async def scenario() -> None:
        made = Serving(Slow())
        async with made as serving:
            first = made.server.server_state.default_headers
            # They are made anew with each second.
            deadline = asyncio.get_running_loop().time() + 60
            while made.server.server_state.default_headers == first:
                assert asyncio.get_running_loop().time() < deadline
                await asyncio.sleep(0.01)
            assert [name for name, _ in first] == [b"date", b"server"]
            made.server.end()
            await serving

    asyncio.run(scenario())
