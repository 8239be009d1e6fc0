"""core.http_connection: how long, how large and how many. Real sockets, with limits short enough for a test."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
import uvloop
from localbase.core.http_connection import LimitedProtocol, limited_protocol
from localbase.core.http_limits import Limits

_LONG = Limits(
    head_bytes=1000,
    head_seconds=30,
    body_seconds=30,
    keep_alive_seconds=30,
    write_seconds=30,
    linger_seconds=1,
)
_GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
_POST = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n"
_CHUNKED = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"


class _App:
    """Answers with the body that it was sent, and records how requests ended and with which headers."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.headers: list[dict[bytes, bytes]] = []
        self.answer = b""
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
        body = self.answer or body
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        self.ended.append("answered")


class _Server:
    """A server on a free port."""

    def __init__(self, app: _App, server: uvicorn.Server) -> None:
        self.app = app
        self.server = server
        self.port = server.servers[0].sockets[0].getsockname()[1]

    async def connect(self) -> _Client:
        return _Client(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20))

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)


class _Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.began = time.monotonic()

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def send_slowly(self, parts: Iterable[bytes]) -> None:
        """One part every 30 ms, until there is an answer or the connection ends."""
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

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in head[1:] if line)
        body = await self.reader.readexactly(int(headers["content-length"]))
        return int(head[0].split(" ")[1]), headers, body

    async def rejected(self, status: int, message: bytes) -> float:
        """Expects an answer of the gateway's own and the connection's end; the seconds since it was opened."""
        found, headers, body = await self.answer()
        assert (found, body) == (status, message)
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
async def _serving(limits: Limits) -> AsyncIterator[_Server]:
    app = _App()
    config = uvicorn.Config(
        app, port=0, http=limited_protocol(limits), lifespan="off", log_level="error", ws="none"
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve())
    await _until(lambda: server.started)
    try:
        yield _Server(app, server)
    finally:
        app.go.set()
        server.should_exit = True
        await running


async def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.005)


def _with(limits: Limits, steps: Callable[[_Server, _Client], Awaitable[None]]) -> None:
    async def session() -> None:
        async with _serving(limits) as server:
            client = await server.connect()
            await steps(server, client)
            client.writer.close()

    uvloop.run(session())


_LATE = b"The request did not arrive in time."


def test_a_connection_that_asks_nothing_is_closed() -> None:
    async def steps(_: _Server, client: _Client) -> None:
        assert 0.15 < await client.rejected(408, _LATE) < 2

    _with(replace(_LONG, head_seconds=0.2), steps)


@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\nhost: x", _GET[:-1], b"\r\n\r\nGET"])
def test_a_head_has_its_time_from_its_first_byte(begun: bytes) -> None:
    async def steps(_: _Server, client: _Client) -> None:
        await asyncio.sleep(0.2)
        client.send(begun)
        assert 0.45 < await client.rejected(408, _LATE) < 2

    _with(replace(_LONG, head_seconds=0.3), steps)


def test_a_head_in_single_bytes_gets_no_more_time() -> None:
    async def steps(_: _Server, client: _Client) -> None:
        client.send(_GET)
        assert (await client.answer())[0] == 200
        client.began = time.monotonic()
        await client.send_slowly(bytes([byte]) for byte in _GET)
        assert 0.25 < await client.rejected(408, _LATE) < 2

    _with(replace(_LONG, head_seconds=0.3), steps)


@pytest.mark.parametrize("cut", [1, 500, 999, 1000, 1001, 1016])
@pytest.mark.parametrize("whole", [True, False])
def test_a_large_head_is_refused(cut: int, whole: bool) -> None:
    head = b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 163 + b"cc: bbbbbbbb\r\n"
    assert len(head) + 2 == 1010
    data = head + (b"\r\n" if whole else b"d: " + b"x" * 100_000)

    async def steps(server: _Server, client: _Client) -> None:
        client.send(data[:cut])
        await asyncio.sleep(0.02)
        client.send(data[cut:])
        await client.rejected(431, b"The request's headers are too large.")
        assert server.app.headers == []

    _with(_LONG, steps)


def test_a_head_of_just_the_size_is_none_too_large() -> None:
    head = b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 161 + b"c: bbbbbbbb\r\n\r\n"
    head = head.replace(b"c: b", b"c: b" + b"b" * (1000 - len(head)))

    async def steps(_: _Server, client: _Client) -> None:
        for data in (head, head[:900], head[900:]):
            client.send(data)
            await asyncio.sleep(0.02)
        assert [(await client.answer())[0] for _ in range(2)] == [200, 200]

    _with(_LONG, steps)


@pytest.mark.parametrize(
    ("head", "part"),
    [(_POST % 1000, b"x" * 10), (_CHUNKED, b"64\r\nxx"), (_CHUNKED, b"1\r\nx\r\n0\r\nx: y\r\n")],
)
def test_a_body_that_does_not_go_on_is_given_up(head: bytes, part: bytes) -> None:
    async def steps(server: _Server, client: _Client) -> None:
        client.send(head + part)
        assert 0.25 < await client.rejected(408, _LATE) < 2
        await _until(lambda: server.app.ended == ["disconnect"])

    _with(replace(_LONG, body_seconds=0.3), steps)


def test_a_body_below_the_rate_is_given_up_and_one_above_it_is_not() -> None:
    limits = replace(_LONG, body_seconds=0.2, body_bytes_per_second=1000)

    async def steps(_: _Server, client: _Client) -> None:
        client.send(_POST % 100)
        await client.send_slowly([b"x"] * 100)
        assert 0.15 < await client.rejected(408, _LATE) < 2

    async def faster(_: _Server, client: _Client) -> None:
        client.send(_POST % 2000)
        await client.send_slowly([b"x" * 100] * 20)
        assert (await client.answer())[2] == b"x" * 2000
        assert time.monotonic() - client.began > 0.4

    _with(limits, steps)
    _with(limits, faster)


def test_an_application_that_does_not_read_is_not_the_clients_fault() -> None:
    size = 300_000

    async def steps(server: _Server, client: _Client) -> None:
        server.app.go.clear()
        client.send(_POST % size + b"x" * size)
        await asyncio.sleep(0.5)
        server.app.go.set()
        status, _, body = await client.answer()
        assert (status, len(body)) == (200, size)

    _with(replace(_LONG, body_seconds=0.1), steps)


def test_what_is_sent_after_the_answer_must_end_soon() -> None:
    async def steps(server: _Server, client: _Client) -> None:
        server.app.reads, server.app.answer = False, b"no"
        client.send(_POST % 1_000_000 + b"x")
        assert (await client.answer())[2] == b"no"
        await client.send_slowly([b"x" * 1000] * 1000)
        assert 0.25 < await client.ended() < 2

    _with(replace(_LONG, body_seconds=0.3), steps)


def test_a_client_that_was_not_told_to_continue_is_not_waited_for() -> None:
    async def steps(server: _Server, client: _Client) -> None:
        server.app.reads, server.app.answer = False, b"no"
        client.send(b"POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 30\r\n\r\n")
        assert (await client.answer())[2] == b"no"
        # Without its body the next request would be taken for it.
        client.send(_GET)
        await client.ended()
        assert len(server.app.headers) == 1

    _with(_LONG, steps)


def test_an_idle_connection_is_kept_for_a_while() -> None:
    async def steps(_: _Server, client: _Client) -> None:
        for _number in range(3):
            client.send(_GET)
            assert (await client.answer())[0] == 200
            await asyncio.sleep(0.25)
        client.began = time.monotonic()
        assert 0.02 < await client.ended() < 2

    _with(replace(_LONG, keep_alive_seconds=0.4, head_seconds=0.1), steps)


def test_more_connections_than_the_limit_are_refused() -> None:
    async def steps(server: _Server, first: _Client) -> None:
        second = await server.connect()
        for client in (first, second):
            client.send(_GET)
            assert (await client.answer())[0] == 200
        third = await server.connect()
        status, headers, body = await third.answer()
        assert (status, headers["retry-after"], body) == (503, "1", b"Too many connections.")
        await third.ended()
        second.writer.close()
        await _until(lambda: server.connections == 1)
        fourth = await server.connect()
        fourth.send(_GET)
        assert (await fourth.answer())[0] == 200
        fourth.writer.close()

    _with(replace(_LONG, connections=2), steps)


def test_an_answer_that_is_not_fetched_is_dropped() -> None:
    async def steps(server: _Server, client: _Client) -> None:
        server.app.answer = b"x" * 30_000_000
        client.send(_GET)
        await _until(lambda: server.connections == 1)
        await _until(lambda: server.connections == 0)
        assert time.monotonic() - client.began > 0.25

    _with(replace(_LONG, write_seconds=0.3), steps)


def test_an_answer_that_is_fetched_slowly_arrives() -> None:
    async def steps(server: _Server, client: _Client) -> None:
        server.app.answer = b"x" * 30_000_000
        client.send(_GET)
        await client.reader.readuntil(b"\r\n\r\n")
        size = 0
        while size < len(server.app.answer):
            part = await client.reader.read(1_000_000)
            assert part
            size += len(part)
            await asyncio.sleep(0.02)

    _with(replace(_LONG, write_seconds=0.4), steps)


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00",
        b"get / HTTP/1.1\r\n",
        b"GET / HTTP/1.1\nhost: x\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n folded\r\n",
        b"GET / HTTP/1.1\r\na\0b: x\r\n",
        b"GET / HTTP/1.1\r\na: b\rc\r\n",
        b"GET / HTTP/1.1\r\na : b\r\n\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\n",
    ],
)
def test_malformed_heads_are_refused_at_once(data: bytes) -> None:
    async def steps(server: _Server, client: _Client) -> None:
        client.send(data)
        assert await client.rejected(400, b"Invalid HTTP request received.") < 5
        assert server.app.headers == []

    _with(_LONG, steps)


@pytest.mark.parametrize("cut", [0, 1, 12, 30, 60, 75, 83, 88])
def test_trailer_fields_are_no_headers(cut: int) -> None:
    body = b"5\r\nhello\r\n0\r\nauthorization: Bearer t\r\n\r\n"
    data = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n" + body

    async def steps(server: _Server, client: _Client) -> None:
        client.send(data[:cut])
        await asyncio.sleep(0.01)
        client.send(data[cut:] + _GET)
        assert [(await client.answer())[2] for _ in range(2)] == [b"hello", b""]
        assert server.app.headers == [{b"host": b"x", b"transfer-encoding": b"chunked"}, {b"host": b"x"}]

    _with(_LONG, steps)


def test_a_malformed_chunk_ends_the_connection() -> None:
    async def steps(server: _Server, client: _Client) -> None:
        client.send(_CHUNKED + b"5\r\nhello\r\n")
        await asyncio.sleep(0.02)
        client.send(b"5\r\nhelloXX" + _GET)
        await client.rejected(400, b"Invalid HTTP request received.")
        await _until(lambda: server.app.ended == ["disconnect"])
        assert len(server.app.headers) == 1

    _with(_LONG, steps)


@pytest.mark.parametrize(
    ("more", "body"),
    [
        (b"", b""),
        (b"content-length: 27\r\n", _GET),
        (b"transfer-encoding: chunked\r\n", b"1b\r\n%b\r\n0\r\n\r\n" % _GET),
    ],
)
def test_an_upgrade_that_is_not_offered_is_an_ordinary_request(more: bytes, body: bytes) -> None:
    # Its body is no request, though it reads like one.
    head = b"POST / HTTP/1.1\r\nconnection: upgrade\r\nUpgrade: h2c\r\n" + more + b"\r\n"
    sent = _GET if body else b""
    assert len(_GET) == 27

    async def steps(server: _Server, client: _Client) -> None:
        client.send(head + body + _GET)
        assert [(await client.answer())[2] for _ in range(2)] == [sent, b""]
        assert len(server.app.headers) == 2

    _with(_LONG, steps)


def test_a_tunnel_is_refused() -> None:
    async def steps(_: _Server, client: _Client) -> None:
        client.send(b"CONNECT localhost:80 HTTP/1.1\r\nhost: localhost:80\r\n\r\n")
        await client.rejected(400, b"Invalid HTTP request received.")

    _with(_LONG, steps)


def test_a_timer_is_not_set_for_each_request() -> None:
    async def steps(server: _Server, client: _Client) -> None:
        [connection] = server.server.server_state.connections
        assert isinstance(connection, LimitedProtocol)
        timer = connection._timer
        for _ in range(5):
            client.send(_GET)
            assert (await client.answer())[0] == 200
            assert connection._timer is timer

    _with(_LONG, steps)
