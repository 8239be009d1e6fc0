"""WebSockets of the gateway: real connections, a service that does what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import uvicorn
import uvloop
from localbase.core.authenticator import Authenticator
from localbase.core.settings import Settings
from localbase.core.tokens.jwks import Jwks
from localbase.core.web.http import Request, Response
from localbase.core.web.http_server import HttpServer
from localbase.core.web.sockets import SocketConnection, SocketSession, text_frame
from localbase.gateway.app import App, Mount
from localbase.gateway.http.admission import Admission
from localbase.gateway.http.connection import LimitedProtocol
from localbase.gateway.http.head import opens_socket
from localbase.gateway.http.limits import Limits
from localbase.gateway.metrics import Metrics
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.localbase.unit.gateway.connections import GET, LONG, until

Serve = Callable[[SocketConnection], Awaitable[None]]


class Session:
    """A session that does what it was given."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self.ended = 0

    async def run(self, connection: SocketConnection) -> None:
        await self._serve(connection)

    def end(self) -> None:
        self.ended += 1


class Gateway:
    """A gateway with one service of WebSockets at `/sockets`."""

    def __init__(self, serve: Serve) -> None:
        self.serve = serve
        self.sessions: list[Session] = []
        self.metrics = Metrics()
        self.admission = Admission(LONG)
        self.server: HttpServer

    async def open(self, request: Request) -> SocketSession | Response:
        if request.path == "/refused":
            return Response(418, [("content-type", "text/plain")], b"no")
        if request.path == "/failing":
            raise RuntimeError
        self.sessions.append(Session(self.serve))
        return self.sessions[-1]

    async def handle(self, request: Request, _: object) -> Response:
        return Response(200, [], request.headers.get("upgrade", "none").encode())

    @property
    def address(self) -> str:
        return f"ws://127.0.0.1:{self.port}/sockets"

    @property
    def port(self) -> int:
        return int(self.server.servers[0].sockets[0].getsockname()[1])


@asynccontextmanager
async def gateway(serve: Serve, limits: Limits = LONG) -> AsyncIterator[Gateway]:
    made = Gateway(serve)
    made.admission = Admission(limits)

    async def healthy() -> bool:
        return True

    mount = Mount("/sockets", values=made.handle, sockets=made.open)
    authenticator = Authenticator(Settings().keys, verifying=Jwks())
    shared = {"limits": limits, "admission": made.admission, "socket_prefixes": (b"/sockets",)}
    config = uvicorn.Config(
        App([mount], authenticator, healthy, made.metrics),
        port=0,
        http=type("Protocol", (LimitedProtocol,), shared),
        lifespan="off",
        log_level="critical",
        ws="none",
        ws_max_size=1000,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        timeout_graceful_shutdown=20,
    )
    made.server = HttpServer(config)
    running = asyncio.create_task(made.server._serve())
    await until(lambda: made.server.started)
    try:
        yield made
    finally:
        made.server.end()
        await running


async def echo(connection: SocketConnection) -> None:
    while (message := await connection.receive()) is not None:
        data = message.encode() if isinstance(message, str) else message
        connection.write(text_frame(data))


def run(test: Awaitable[None]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(test, 20)

    uvloop.run(limited())


async def closed(client: ClientConnection) -> int:
    """The code of the closing frame; 1006 without one."""
    try:
        while True:
            await client.recv()
    except ConnectionClosed as error:
        return error.rcvd.code if error.rcvd else 1006


def test_messages_come_and_go() -> None:
    async def test() -> None:
        async with gateway(echo) as server:
            async with connect(server.address) as client:
                await client.send("grüße")
                assert await client.recv() == "grüße"
                await client.send([b"in ", b"parts"])
                assert await client.recv() == "in parts"
                assert client.response is not None
                assert "sec-websocket-extensions" not in client.response.headers
                assert 'localbase_sockets{service="other"} 1' in server.metrics.text().decode()
            await until(lambda: server.sessions[0].ended == 1)
            assert 'localbase_sockets{service="other"} 0' in server.metrics.text().decode()

    run(test())


def test_service_may_refuse_with_a_response() -> None:
    async def test() -> None:
        async with gateway(echo) as server:
            with pytest.raises(InvalidStatus) as refused:
                await connect(server.address + "/refused")
            response = refused.value.response
            assert (response.status_code, response.body) == (418, b"no")
            assert response.headers["x-request-id"]

    run(test())


def test_service_that_fails_is_a_500() -> None:
    async def test() -> None:
        async with gateway(echo) as server:
            with pytest.raises(InvalidStatus) as refused:
                await connect(server.address + "/failing")
            assert refused.value.response.status_code == 500
            assert refused.value.response.body == b'{"message":"An unexpected error occurred"}'

    run(test())


def test_session_that_fails_closes_with_1011() -> None:
    async def fail(connection: SocketConnection) -> None:
        await connection.receive()
        raise RuntimeError

    async def test() -> None:
        async with gateway(fail) as server, connect(server.address) as client:
            await client.send("now")
            assert await closed(client) == 1011
            assert server.sessions[0].ended == 1

    run(test())


def test_session_may_end_the_connection_with_a_reason() -> None:
    async def leave(connection: SocketConnection) -> None:
        connection.close(4000, "enough")
        assert await connection.receive() is None
        connection.write(text_frame(b"too late"))

    async def test() -> None:
        async with gateway(leave) as server, connect(server.address) as client:
            with pytest.raises(ConnectionClosed) as ended:
                await client.recv()
            assert ended.value.rcvd is not None
            assert (ended.value.rcvd.code, ended.value.rcvd.reason) == (4000, "enough")

    run(test())


def test_session_may_cut_the_connection() -> None:
    async def cut(connection: SocketConnection) -> None:
        connection.abort()

    async def test() -> None:
        async with gateway(cut) as server, connect(server.address) as client:
            assert await closed(client) == 1006

    run(test())


def test_sockets_count_among_the_connections() -> None:
    async def test() -> None:
        async with gateway(echo, replace(LONG, connections=2)) as server:
            async with connect(server.address) as one, connect(server.address) as two:
                # Both are being served, and neither gives way.
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                assert (await reader.readline()).startswith(b"HTTP/1.1 503 ")
                writer.close()
                for client in (one, two):
                    await client.send("still here")
                    assert await client.recv() == "still here"
            await until(lambda: all(session.ended for session in server.sessions))
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(GET)
            assert (await reader.readline()).startswith(b"HTTP/1.1 404 ")
            writer.close()

    run(test())


def test_client_that_fetches_nothing_for_long_is_cut_off() -> None:
    frame = text_frame(b"x" * 1_000_000)
    ended = asyncio.Event()

    async def flood(connection: SocketConnection) -> None:
        for _ in range(40):
            connection.write(frame)
        while await connection.receive() is not None:
            continue
        ended.set()

    async def test() -> None:
        async with gateway(flood, replace(LONG, write_seconds=0.3)) as server:
            async with connect(server.address, max_queue=1, max_size=None, close_timeout=0.1):
                await asyncio.wait_for(ended.wait(), 5)
            assert server.sessions[0].ended == 1

    run(test())


def test_server_that_ends_sends_its_sockets_away() -> None:
    async def test() -> None:
        async with gateway(echo) as server:
            client = await connect(server.address)
        assert await closed(client) == 1012
        assert server.sessions[0].ended == 1

    run(test())


def test_offer_of_another_protocol_is_not_taken() -> None:
    async def test() -> None:
        async with gateway(echo) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = b"GET /sockets HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"
            writer.write(head)
            response = await reader.readuntil(b"none")
            assert response.startswith(b"HTTP/1.1 200 ")
            writer.close()

    run(test())


@pytest.mark.parametrize(
    ("head", "opens"),
    [
        (b"GET /a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", True),
        (b"GET /a?b=c HTTP/1.1\r\nx: y\r\nupgrade:WebSocket \r\n\r\n", True),
        (b"GET /a/b HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", True),
        (b"GET /ab HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", False),
        (b"GET /b HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", False),
        (b"POST /a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", False),
        (b"GET /a HTTP/1.1\r\nUpgrade: h2c, websocket\r\n\r\n", False),
        (b"GET /a HTTP/1.1\r\nx: upgrade: websocket\r\n\r\n", False),
    ],
)
def test_request_for_a_socket_is_recognized(head: bytes, opens: bool) -> None:
    assert opens_socket(head, (b"/a",)) is opens
    assert not opens_socket(head, ())
