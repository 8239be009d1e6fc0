"""core.http_connection: how long, how large and how many. Real sockets, with limits short enough for a test."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest
from localbase.core.http_connection import LimitedProtocol

from tests.unit.localbase.connections import (
    CHUNKED,
    GET,
    LONG,
    POST,
    Client,
    Server,
    until,
    with_connection,
)

_LATE = b"The request did not arrive in time."


def test_a_connection_that_asks_nothing_is_closed() -> None:
    async def steps(_: Server, client: Client) -> None:
        assert 0.15 < await client.rejected(408, _LATE) < 2

    with_connection(replace(LONG, head_seconds=0.2), steps)


@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\nhost: x", GET[:-1], b"\r\n\r\nGET"])
def test_a_head_has_its_time_from_its_first_byte(begun: bytes) -> None:
    async def steps(_: Server, client: Client) -> None:
        await asyncio.sleep(0.2)
        client.send(begun)
        assert 0.45 < await client.rejected(408, _LATE) < 2

    with_connection(replace(LONG, head_seconds=0.3), steps)


def test_a_head_in_single_bytes_gets_no_more_time() -> None:
    async def steps(_: Server, client: Client) -> None:
        client.send(GET)
        assert (await client.answer())[0] == 200
        client.began = time.monotonic()
        await client.send_slowly(bytes([byte]) for byte in GET)
        assert 0.25 < await client.rejected(408, _LATE) < 2

    with_connection(replace(LONG, head_seconds=0.3), steps)


@pytest.mark.parametrize("cut", [1, 500, 999, 1000, 1001, 1016])
@pytest.mark.parametrize("whole", [True, False])
def test_a_large_head_is_refused(cut: int, whole: bool) -> None:
    head = b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 163 + b"cc: bbbbbbbb\r\n"
    assert len(head) + 2 == 1010
    data = head + (b"\r\n" if whole else b"d: " + b"x" * 100_000)

    async def steps(server: Server, client: Client) -> None:
        client.send(data[:cut])
        await asyncio.sleep(0.02)
        client.send(data[cut:])
        await client.rejected(431, b"The request's headers are too large.")
        assert server.app.headers == []

    with_connection(LONG, steps)


def test_a_head_of_just_the_size_is_none_too_large() -> None:
    head = b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 161 + b"c: bbbbbbbb\r\n\r\n"
    head = head.replace(b"c: b", b"c: b" + b"b" * (1000 - len(head)))

    async def steps(_: Server, client: Client) -> None:
        for data in (head, head[:900], head[900:]):
            client.send(data)
            await asyncio.sleep(0.02)
        assert [(await client.answer())[0] for _ in range(2)] == [200, 200]

    with_connection(LONG, steps)


@pytest.mark.parametrize(
    ("head", "part"),
    [(POST % 1000, b"x" * 10), (CHUNKED, b"64\r\nxx"), (CHUNKED, b"1\r\nx\r\n0\r\nx: y\r\n")],
)
def test_a_body_that_does_not_go_on_is_given_up(head: bytes, part: bytes) -> None:
    async def steps(server: Server, client: Client) -> None:
        client.send(head + part)
        assert 0.25 < await client.rejected(408, _LATE) < 2
        await until(lambda: server.app.ended == ["disconnect"])

    with_connection(replace(LONG, body_seconds=0.3), steps)


def test_a_body_below_the_rate_is_given_up_and_one_above_it_is_not() -> None:
    limits = replace(LONG, body_seconds=0.2, body_bytes_per_second=1000)

    async def steps(_: Server, client: Client) -> None:
        client.send(POST % 100)
        await client.send_slowly([b"x"] * 100)
        assert 0.15 < await client.rejected(408, _LATE) < 2

    async def faster(_: Server, client: Client) -> None:
        client.send(POST % 2000)
        await client.send_slowly([b"x" * 100] * 20)
        assert (await client.answer())[2] == b"x" * 2000
        assert time.monotonic() - client.began > 0.4

    with_connection(limits, steps)
    with_connection(limits, faster)


def test_an_application_that_does_not_read_is_not_the_clients_fault() -> None:
    size = 300_000

    async def steps(server: Server, client: Client) -> None:
        server.app.go.clear()
        client.send(POST % size + b"x" * size)
        await asyncio.sleep(0.5)
        server.app.go.set()
        status, _, body = await client.answer()
        assert (status, len(body)) == (200, size)

    with_connection(replace(LONG, body_seconds=0.1), steps)


def test_what_is_sent_after_the_answer_must_end_soon() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.reads, server.app.answer = False, b"no"
        client.send(POST % 1_000_000 + b"x")
        assert (await client.answer())[2] == b"no"
        await client.send_slowly([b"x" * 1000] * 1000)
        assert 0.25 < await client.ended() < 2

    with_connection(replace(LONG, body_seconds=0.3), steps)


def test_an_idle_connection_is_kept_for_a_while() -> None:
    async def steps(_: Server, client: Client) -> None:
        for _number in range(3):
            client.send(GET)
            assert (await client.answer())[0] == 200
            await asyncio.sleep(0.25)
        client.began = time.monotonic()
        assert 0.02 < await client.ended() < 2

    with_connection(replace(LONG, keep_alive_seconds=0.4, head_seconds=0.1), steps)


def test_more_connections_than_the_limit_are_refused() -> None:
    async def steps(server: Server, first: Client) -> None:
        second = await server.connect()
        for client in (first, second):
            client.send(GET)
            assert (await client.answer())[0] == 200
        third = await server.connect()
        status, headers, body = await third.answer()
        assert (status, headers["retry-after"], body) == (503, "1", b"Too many connections.")
        await third.ended()
        second.writer.close()
        await until(lambda: server.connections == 1)
        fourth = await server.connect()
        fourth.send(GET)
        assert (await fourth.answer())[0] == 200
        fourth.writer.close()

    with_connection(replace(LONG, connections=2), steps)


def test_an_answer_that_is_not_fetched_is_dropped() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.answer = b"x" * 30_000_000
        client.send(GET)
        await until(lambda: server.connections == 1)
        await until(lambda: server.connections == 0)
        assert time.monotonic() - client.began > 0.25

    with_connection(replace(LONG, write_seconds=0.3), steps)


def test_an_answer_that_is_fetched_slowly_arrives() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.answer = b"x" * 30_000_000
        client.send(GET)
        await client.reader.readuntil(b"\r\n\r\n")
        size = 0
        while size < len(server.app.answer):
            part = await client.reader.read(1_000_000)
            assert part
            size += len(part)
            await asyncio.sleep(0.02)

    with_connection(replace(LONG, write_seconds=0.4), steps)


def test_a_timer_is_not_set_for_each_request() -> None:
    async def steps(server: Server, client: Client) -> None:
        [connection] = server.server.server_state.connections
        assert isinstance(connection, LimitedProtocol)
        timer = connection._timer
        for _ in range(5):
            client.send(GET)
            assert (await client.answer())[0] == 200
            assert connection._timer is timer

    with_connection(LONG, steps)
