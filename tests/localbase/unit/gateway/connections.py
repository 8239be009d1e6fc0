"""A server with connection limits on a real socket, and clients that send it bytes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
import uvloop
from localbase.core.web.http_server import HttpServer
from localbase.gateway.http.connection import limited_protocol
from localbase.gateway.http.limits import Limits

LONG = Limits(
    head_bytes=1000,
    head_seconds=30,
    body_seconds=30,
    keep_alive_seconds=30,
    write_seconds=30,
    linger_seconds=1,
)
GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"


class App:
    """Responds with the request's body, and records how requests ended and with which headers."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.headers: list[dict[bytes, bytes]] = []
        self.response = b""
        self.reads = True
        self.go = asyncio.Event()
        self.go.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.headers.append(dict(scope["headers"]))
        body = b""
        await self.go.wait()
        while self.reads:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.ended.append("disconnect")
                return
            body += message["body"]
            if not message["more_body"]:
                break
        body = self.response or body
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        self.ended.append("responded")


class Server:
    """A server on a free port."""

    def __init__(self, app: App, server: HttpServer) -> None:
        self.app = app
        self.server = server
        self.port = server.servers[0].sockets[0].getsockname()[1]

    async def connect(self) -> Client:
        return Client(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20))

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.began = time.monotonic()

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def send_slowly(self, parts: Iterable[bytes]) -> None:
        """One part every 30 ms, until there is a response or the connection ends."""
        for part in parts:
            self.send(part)
            reading = asyncio.ensure_future(self.reader.read(1))
            done, _ = await asyncio.wait([reading], timeout=0.03)
            if done:
                if reading.result():
                    self.reader._buffer[:0] = reading.result()  # type: ignore[attr-defined]
                return
            reading.cancel()
            await asyncio.wait([reading])

    async def response(self) -> tuple[int, dict[str, str], bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in head[1:] if line)
        body = await self.reader.readexactly(int(headers["content-length"]))
        return int(head[0].split(" ")[1]), headers, body

    async def rejected(self, status: int, message: bytes) -> float:
        """Expects a response of the gateway's own and the connection's end; the seconds since it was opened."""
        status_code, headers, body = await self.response()
        assert (status_code, body) == (status, message)
        assert headers["connection"] == "close"
        assert headers["content-type"] == "text/plain; charset=utf-8"
        seconds = time.monotonic() - self.began
        assert await self.reader.read() == b""
        self.writer.close()
        return seconds

    async def ended(self) -> float:
        """Expects the connection's end without another byte; the seconds since it was opened."""
        assert await self.reader.read() == b""
        self.writer.close()
        return time.monotonic() - self.began


@asynccontextmanager
async def serving(
    limits: Limits, app: App | None = None, protocol: type[asyncio.Protocol] | None = None
) -> AsyncIterator[Server]:
    app = app or App()
    http = protocol or limited_protocol(limits)
    config = uvicorn.Config(
        app, port=0, http=http, lifespan="off", log_level="error", ws="none", timeout_graceful_shutdown=20
    )
    server = HttpServer(config)
    running = asyncio.create_task(server._serve())
    await until(lambda: server.started)
    try:
        yield Server(app, server)
    finally:
        app.go.set()
        server.end()
        await running


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.005)


def with_connection(limits: Limits, steps: Callable[[Server, Client], Awaitable[None]]) -> None:
    async def session() -> None:
        async with serving(limits) as server:
            client = await server.connect()
            await steps(server, client)
            client.writer.close()

    uvloop.run(session())
