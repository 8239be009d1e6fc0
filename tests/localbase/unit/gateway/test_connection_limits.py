"""gateway.connection: how long, how large and how many. Real sockets, with limits short enough for a test."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest
from localbase.gateway.http.admission import Admission
from localbase.gateway.http.connection import LimitedProtocol

from tests.localbase.unit.gateway.connections import (
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


def test_silent_connection_is_closed() -> None:
    async def steps(_: Server, client: Client) -> None:
        assert 0.15 < await client.rejected(408, _LATE) < 2

    with_connection(replace(LONG, head_seconds=0.2), steps)


@pytest.mark.parametrize("begun", [b"G", b"GET / HTTP/1.1\r\nhost: x", GET[:-1], b"\r\n\r\nGET"])
def test_head_timeout_starts_at_its_first_byte(begun: bytes) -> None:
    async def steps(_: Server, client: Client) -> None:
        await asyncio.sleep(0.2)
        client.send(begun)
        assert 0.45 < await client.rejected(408, _LATE) < 2

    with_connection(replace(LONG, head_seconds=0.3), steps)


def test_head_timeout_is_not_extended_by_single_bytes() -> None:
    async def steps(_: Server, client: Client) -> None:
        client.send(GET)
        assert (await client.response())[0] == 200
        client.began = time.monotonic()
        await client.send_slowly(bytes([byte]) for byte in GET)
        assert 0.25 < await client.rejected(408, _LATE) < 2

    with_connection(replace(LONG, head_seconds=0.3), steps)


@pytest.mark.parametrize("cut", [1, 500, 999, 1000, 1001, 1016])
@pytest.mark.parametrize("whole", [True, False])
def test_large_head_is_rejected(cut: int, whole: bool) -> None:
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


def test_head_of_exactly_the_limit_is_accepted() -> None:
    head = GET[:-2] + b"a: b\r\n" * 160 + b"c: bbbbb\r\n\r\n"
    head = head.replace(b"c: b", b"c: b" + b"b" * (1000 - len(head)))

    async def steps(_: Server, client: Client) -> None:
        for data in (head, head[:900], head[900:]):
            client.send(data)
            await asyncio.sleep(0.02)
        assert [(await client.response())[0] for _ in range(2)] == [200, 200]

    with_connection(LONG, steps)


@pytest.mark.parametrize(
    ("head", "part"),
    [(POST % 1000, b"x" * 10), (CHUNKED, b"64\r\nxx"), (CHUNKED, b"1\r\nx\r\n0\r\nx: y\r\n")],
)
def test_stalled_body_times_out(head: bytes, part: bytes) -> None:
    async def steps(server: Server, client: Client) -> None:
        client.send(head + part)
        assert 0.25 < await client.rejected(408, _LATE) < 2
        await until(lambda: server.app.ended == ["disconnect"])

    with_connection(replace(LONG, body_seconds=0.3), steps)


def test_body_below_the_minimal_rate_times_out() -> None:
    limits = replace(LONG, body_seconds=0.2, body_bytes_per_second=1000)

    async def steps(_: Server, client: Client) -> None:
        client.send(POST % 100)
        await client.send_slowly([b"x"] * 100)
        assert 0.15 < await client.rejected(408, _LATE) < 2

    async def faster(_: Server, client: Client) -> None:
        client.send(POST % 2000)
        await client.send_slowly([b"x" * 100] * 20)
        assert (await client.response())[2] == b"x" * 2000
        assert time.monotonic() - client.began > 0.4

    with_connection(limits, steps)
    with_connection(limits, faster)


def test_body_timeout_excludes_an_application_that_does_not_read() -> None:
    size = 300_000

    async def steps(server: Server, client: Client) -> None:
        server.app.go.clear()
        client.send(POST % size + b"x" * size)
        await asyncio.sleep(0.5)
        server.app.go.set()
        status, _, body = await client.response()
        assert (status, len(body)) == (200, size)

    with_connection(replace(LONG, body_seconds=0.1), steps)


def test_body_after_the_response_must_end_soon() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.reads, server.app.response = False, b"no"
        client.send(POST % 1_000_000 + b"x")
        assert (await client.response())[2] == b"no"
        await client.send_slowly([b"x" * 1000] * 1000)
        assert 0.25 < await client.ended() < 2

    with_connection(replace(LONG, body_seconds=0.3), steps)


def test_idle_connection_is_closed_after_the_keep_alive_time() -> None:
    async def steps(_: Server, client: Client) -> None:
        for _number in range(3):
            client.send(GET)
            assert (await client.response())[0] == 200
            await asyncio.sleep(0.25)
        client.began = time.monotonic()
        assert 0.02 < await client.ended() < 2

    with_connection(replace(LONG, keep_alive_seconds=0.4, head_seconds=0.1), steps)


def test_new_connection_replaces_the_oldest_without_a_whole_request() -> None:
    async def steps(server: Server, oldest: Client) -> None:
        oldest.send(b"GET / HT")
        idle = await server.connect()
        idle.send(GET)
        assert (await idle.response())[0] == 200
        third, fourth = await server.connect(), await server.connect()
        await oldest.rejected(503, b"Too many connections.")
        await idle.ended()
        for client in (third, fourth):
            client.send(GET)
            assert (await client.response())[0] == 200
            client.writer.close()

    with_connection(replace(LONG, connections=2), steps)


def test_new_connection_replaces_one_with_half_a_body() -> None:
    async def steps(server: Server, slow: Client) -> None:
        slow.send(POST % 100 + b"x")
        await until(lambda: len(server.app.headers) == 1)
        client = await server.connect()
        client.send(GET)
        assert (await client.response())[0] == 200
        await slow.rejected(503, b"Too many connections.")
        await until(lambda: server.app.ended == ["disconnect", "responded"])
        client.writer.close()

    with_connection(replace(LONG, connections=1), steps)


def test_connection_above_the_limit_is_rejected_while_all_others_are_answered() -> None:
    async def steps(server: Server, first: Client) -> None:
        server.app.go.clear()
        second = await server.connect()
        for client in (first, second):
            client.send(GET)
        await until(lambda: len(server.app.headers) == 2)
        third = await server.connect()
        status, headers, body = await third.response()
        assert (status, headers["retry-after"], body) == (503, "1", b"Too many connections.")
        await third.ended()
        server.app.go.set()
        for client in (first, second):
            assert (await client.response())[0] == 200
        second.writer.close()
        await until(lambda: server.connections == 1)
        fourth = await server.connect()
        fourth.send(GET)
        assert (await fourth.response())[0] == 200
        fourth.writer.close()

    with_connection(replace(LONG, connections=2), steps)


def test_address_with_the_most_connections_loses_one_first() -> None:
    gone: list[str] = []

    class IdleConnection:
        unsent_bytes = 0
        owes_request = True

        def __init__(self, name: str) -> None:
            self.name = name

        def give_way(self) -> None:
            gone.append(self.name)

        def abort(self) -> None:
            raise AssertionError

    admission = Admission(replace(LONG, connections=4))
    assert admission.admit(IdleConnection("lone"), "1.1.1.1")
    for number in range(6):
        assert admission.admit(IdleConnection(f"many {number}"), "2.2.2.2")
    assert gone == ["many 0", "many 1", "many 2"]
    assert admission.admit(IdleConnection("new"), "3.3.3.3")
    assert gone == ["many 0", "many 1", "many 2", "many 3"]


def test_longest_unread_response_is_dropped_when_the_sum_is_too_large() -> None:
    async def steps(server: Server, first: Client) -> None:
        server.app.response = b"x" * 20_000_000
        second = await server.connect()
        for client in (first, second):
            client.send(GET)
            await client.reader.readuntil(b"\r\n\r\n")
        await until(lambda: server.connections == 1)
        size = len(await second.reader.readexactly(20_000_000))
        assert size == 20_000_000
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await first.reader.readexactly(20_000_000)
        second.writer.close()

    with_connection(replace(LONG, unsent_bytes=25_000_000), steps)


def test_half_closed_client_gets_its_responses() -> None:
    async def steps(server: Server, client: Client) -> None:
        client.send(GET + POST % 5 + b"hello" + GET)
        client.writer.write_eof()
        assert [(await client.response())[2] for _ in range(3)] == [b"", b"hello", b""]
        await client.ended()
        await until(lambda: server.connections == 0)

    with_connection(LONG, steps)


def test_client_that_half_closes_during_a_request_is_gone() -> None:
    async def slow(server: Server, client: Client) -> None:
        server.app.go.clear()
        client.send(GET)
        await until(lambda: len(server.app.headers) == 1)
        client.writer.write_eof()
        assert 0.15 < await client.ended() < 2
        await until(lambda: server.connections == 0)

    async def half(server: Server, client: Client) -> None:
        client.send(POST % 5 + b"he")
        client.writer.write_eof()
        await client.ended()
        await until(lambda: server.app.ended == ["disconnect"])

    for steps in (slow, half):
        with_connection(replace(LONG, half_closed_seconds=0.2), steps)


def test_unread_response_is_dropped() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.response = b"x" * 30_000_000
        client.send(GET)
        await until(lambda: server.connections == 1)
        await until(lambda: server.connections == 0)
        assert time.monotonic() - client.began > 0.25

    with_connection(replace(LONG, write_seconds=0.3), steps)


def test_slowly_read_response_is_complete() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.response = b"x" * 30_000_000
        client.send(GET)
        await client.reader.readuntil(b"\r\n\r\n")
        size = 0
        while size < len(server.app.response):
            part = await client.reader.read(1_000_000)
            assert part
            size += len(part)
            await asyncio.sleep(0.02)

    with_connection(replace(LONG, write_seconds=0.4), steps)


def test_timer_is_reused_between_requests() -> None:
    async def steps(server: Server, client: Client) -> None:
        [connection] = server.server.server_state.connections
        assert isinstance(connection, LimitedProtocol)
        timer = connection._timer
        for _ in range(5):
            client.send(GET)
            assert (await client.response())[0] == 200
            assert connection._timer is timer

    with_connection(LONG, steps)
