"""The protocol of the fast path: which requests it offers, what falls back to ASGI, and the responses on the wire."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import uvicorn
from localbase.core.web.http import HeaderBlock
from localbase.core.web.http_server import HttpServer
from localbase.gateway.http.fast_protocol import FastPathProtocol, FastRequest, protocol_of
from localbase.gateway.http.header_block import parse_header_block

_HEAD = b"\r\nhost: x\r\napikey: k"
Steps = Callable[["_Wire", "_FastPath"], Awaitable[None]]


class _FastPath:
    """Takes requests and responds to them as a test says."""

    def __init__(self) -> None:
        self.accepted: list[tuple[bytes, bytes]] = []
        self.requests: list[FastRequest] = []
        self.takes = True
        self.cancelled = 0
        self.looked = 0

    def header_block(self, block: bytes) -> tuple[HeaderBlock, int] | None:
        self.looked += 1
        head = parse_header_block(block)
        return (head, head.length) if head is not None and "apikey" in head.headers else None

    def submit(
        self, line: bytes, head: HeaderBlock, body: bytes, protocol: FastPathProtocol
    ) -> FastRequest | None:
        if not self.takes or "apikey" not in head.headers:
            return None
        self.accepted.append((line, body))
        request = FastRequest(protocol)
        request.work = self
        self.requests.append(request)
        return request

    def cancel(self) -> None:
        self.cancelled += 1

    def respond(self, number: int) -> None:
        self.requests[number].send(200, (b"content-length: 5\r\n",), b"quick")


class _Wire:
    """A client on a bare socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    def send(self, line: bytes, head: bytes = _HEAD, body: bytes = b"") -> None:
        self.writer.write(line + head + b"\r\n\r\n" + body)

    async def response(self) -> tuple[bytes, bytes]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        return head, await self._reader.readexactly(int(length))

    async def ended(self) -> bool:
        return await self._reader.read() == b""


async def _app(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    body = b"slow " + message["body"]
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def _serving(fast_path: _FastPath) -> AsyncIterator[tuple[HttpServer, int]]:
    config = uvicorn.Config(
        _app,
        port=0,
        http=protocol_of(fast_path),
        lifespan="off",
        log_level="error",
        ws="none",
        timeout_graceful_shutdown=20,
    )
    server = HttpServer(config)
    running = asyncio.create_task(server._serve())
    await _until(lambda: server.started)
    try:
        yield server, server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.end()
        await running


def _run(steps: Steps) -> None:
    async def session() -> None:
        fast_path = _FastPath()
        async with _serving(fast_path) as (_, port):
            wire = _Wire(*await asyncio.open_connection("127.0.0.1", port))
            await steps(wire, fast_path)
            wire.writer.close()

    asyncio.run(session())


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - what is waited for lies in uvicorn, which has no event for it
        await asyncio.sleep(0.001)


def test_eligible_request_gets_the_response_of_the_fast_path() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        wire.send(b"GET /a HTTP/1.1")
        await _until(lambda: bool(fast_path.accepted))
        fast_path.respond(0)
        head, body = await wire.response()
        assert head.startswith(b"HTTP/1.1 200 OK\r\ndate: ")
        assert (body, fast_path.accepted) == (b"quick", [(b"GET /a HTTP/1.1", b"")])

    _run(steps)


def test_other_request_falls_back_to_the_asgi_path() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        fast_path.takes = False
        wire.send(b"GET /a HTTP/1.1")
        assert (await wire.response())[1] == b"slow "

    _run(steps)


def test_pipelined_requests_get_their_responses_in_order() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        for line in (b"GET /a HTTP/1.1", b"GET /b HTTP/1.1"):
            wire.send(line)
            await wire.writer.drain()
            await _until(lambda: bool(fast_path.accepted))
        fast_path.respond(0)
        assert (await wire.response())[1] == b"quick"
        await _until(lambda: len(fast_path.accepted) == 2)
        fast_path.respond(1)
        assert (await wire.response())[1] == b"quick"

    _run(steps)


def test_two_requests_in_one_write_get_their_responses_in_order() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        wire.writer.write(b"".join(b"GET /%c HTTP/1.1%b\r\n\r\n" % (name, _HEAD) for name in b"ab"))
        await _until(lambda: bool(fast_path.accepted))
        assert len(fast_path.accepted) == 1
        fast_path.respond(0)
        await _until(lambda: len(fast_path.accepted) == 2)
        fast_path.respond(1)
        assert [(await wire.response())[1] for _ in range(2)] == [b"quick", b"quick"]

    _run(steps)


def test_request_behind_one_of_the_asgi_path_is_read_unchanged() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        strange = b"GET /a HTTP/1.1\r\nhost: x\r\n\r\n"
        second = b"GET /b HTTP/1.1" + _HEAD + b"\r\n\r\n"
        for cut in range(1, len(second)):
            wire.writer.write(strange + second[:cut])
            assert (await wire.response())[1] == b"slow "
            wire.writer.write(second[cut:])
            await _until(lambda: bool(fast_path.accepted))
            fast_path.requests.pop().send(200, (b"content-length: 5\r\n",), b"quick")
            assert fast_path.accepted.pop() == (b"GET /b HTTP/1.1", b"")
            assert (await wire.response())[1] == b"quick"

    _run(steps)


@pytest.mark.parametrize("cut", [0, 2, 5])
def test_body_may_come_later_than_its_head(cut: int) -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        head = _HEAD + b"\r\ncontent-length: 5"
        wire.send(b"POST /b HTTP/1.1", head, b"world"[:cut])
        await _until(lambda: fast_path.looked == 1)
        wire.writer.write(b"world"[cut:])
        await _until(lambda: bool(fast_path.accepted))
        fast_path.respond(0)
        assert (await wire.response())[1] == b"quick"
        assert fast_path.accepted == [(b"POST /b HTTP/1.1", b"world")]

    _run(steps)


@pytest.mark.parametrize("cut", range(0, 64, 3))
def test_request_in_parts_falls_back_unchanged(cut: int) -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        fast_path.takes = False
        data = b"POST /b HTTP/1.1" + _HEAD + b"\r\ncontent-length: 5\r\n\r\nworld"
        wire.writer.write(data[:cut])
        await asyncio.sleep(0.01)
        wire.writer.write(data[cut:] + data)
        assert [(await wire.response())[1] for _ in range(2)] == [b"slow world", b"slow world"]

    _run(steps)


def test_work_for_a_client_that_has_gone_is_cancelled() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        wire.send(b"GET /a HTTP/1.1")
        await _until(lambda: bool(fast_path.accepted))
        wire.writer.close()
        await _until(lambda: fast_path.cancelled == 1)
        fast_path.respond(0)

    _run(steps)


def test_failure_closes_the_connection() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        wire.send(b"GET /a HTTP/1.1")
        await _until(lambda: bool(fast_path.accepted))
        fast_path.requests[0].fail()
        head, body = await wire.response()
        assert head.startswith(b"HTTP/1.1 500")
        assert b"connection: close" in head
        assert (body, await wire.ended()) == (b"Internal Server Error", True)

    _run(steps)


def test_running_request_gets_its_response_before_the_server_ends() -> None:
    async def session() -> None:
        fast_path = _FastPath()
        async with _serving(fast_path) as (server, port):
            wire = _Wire(*await asyncio.open_connection("127.0.0.1", port))
            wire.send(b"GET /a HTTP/1.1")
            await _until(lambda: bool(fast_path.accepted))
            server.end()
            await _until(
                lambda: all(
                    getattr(connection, "last", False) for connection in server.server_state.connections
                )
            )
            fast_path.respond(0)
            head, body = await wire.response()
            assert (b"connection: close" in head, body, await wire.ended()) == (True, b"quick", True)

    asyncio.run(session())


# Whether a file was closed, and sent whole.
_Ends = list[tuple[bool, bool]]


def _note_end(file: BinaryIO, ended: _Ends, is_whole: bool) -> None:
    ended.append((file.closed, is_whole))


@pytest.mark.parametrize("size", [0, 5, 9 << 20])
def test_file_comes_whole_behind_its_head_and_is_closed(tmp_path: Path, size: int) -> None:
    (tmp_path / "file").write_bytes(os.urandom(size))

    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        ended: _Ends = []
        for _ in range(2):
            wire.send(b"GET /a HTTP/1.1")
            await _until(lambda: bool(fast_path.requests))
            file = (tmp_path / "file").open("rb", buffering=0)
            lines = (b"content-length: %d\r\n" % size,)
            fast_path.requests.pop().send_file(lines, file, size, partial(_note_end, file, ended))
            head, body = await wire.response()
            assert head.startswith(b"HTTP/1.1 200 OK\r\ndate: ")
            assert body == (tmp_path / "file").read_bytes()
        await _until(lambda: ended == [(True, True)] * 2)

    _run(steps)


@pytest.mark.parametrize("leaves_before", [True, False])
def test_file_for_a_client_that_has_gone_is_closed_and_ended_once(
    tmp_path: Path, *, leaves_before: bool
) -> None:
    with (tmp_path / "file").open("wb") as sparse:
        sparse.truncate(1 << 28)

    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        ended: _Ends = []
        file = (tmp_path / "file").open("rb", buffering=0)
        wire.send(b"GET /a HTTP/1.1")
        await _until(lambda: bool(fast_path.requests))
        request = fast_path.requests[0]
        if leaves_before:
            wire.writer.close()
            await _until(lambda: fast_path.cancelled == 1)
        request.work = None
        request.send_file((), file, 1 << 28, partial(_note_end, file, ended))
        wire.writer.close()
        await _until(lambda: bool(ended))
        assert (ended, fast_path.cancelled) == ([(True, False)], int(leaves_before))

    _run(steps)


def test_client_of_a_file_that_cannot_be_sent_is_not_left_waiting() -> None:
    async def steps(wire: _Wire, fast_path: _FastPath) -> None:
        ended: _Ends = []
        wire.send(b"GET /a HTTP/1.1")
        await _until(lambda: bool(fast_path.requests))
        # it has no descriptor, as where none is left
        file = io.BytesIO(b"bytes")
        fast_path.requests.pop().send_file((), file, 5, partial(_note_end, file, ended))
        assert await wire.ended()
        assert ended == [(True, False)]

    _run(steps)
