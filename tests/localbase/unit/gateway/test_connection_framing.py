"""gateway.connection: where a request begins and ends, and what is not a request."""

from __future__ import annotations

import asyncio

import pytest

from tests.localbase.unit.gateway.connections import (
    CHUNKED,
    GET,
    LONG,
    Client,
    Server,
    until,
    with_connection,
)


def test_client_without_a_continue_response_is_not_waited_for() -> None:
    async def steps(server: Server, client: Client) -> None:
        server.app.reads, server.app.response = False, b"no"
        client.send(b"POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 30\r\n\r\n")
        assert (await client.response())[2] == b"no"
        # Without its body the next request would be taken for it.
        client.send(GET)
        await client.ended()
        assert len(server.app.headers) == 1

    with_connection(LONG, steps)


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00",
        b"get / HTTP/1.1\r\n",
        b"GET / HTTP/1.1\nhost: x\n",
        b"GET / HTTP/1.1\r\nhost: x\r\n folded\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\na\0b: x\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\na: b\rc\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\na : b\r\n\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\n",
        b"GET / HTTP/1.1\r\na: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.0\r\nhost: x\r\nhost: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x, y\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x/y\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x@y\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1 \r\nhost: x\r\n\r\n",
        b"GET /  HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
)
def test_malformed_heads_are_rejected_at_once(data: bytes) -> None:
    async def steps(server: Server, client: Client) -> None:
        client.send(data)
        assert await client.rejected(400, b"Invalid HTTP request received.") < 5
        assert server.app.headers == []

    with_connection(LONG, steps)


@pytest.mark.parametrize("host", [b"", b"host:\r\n", b"Host: [::1]:80\r\n", b"host: a_b.example:\r\n"])
def test_host_of_an_old_client_may_be_absent_and_others_empty(host: bytes) -> None:
    async def steps(_: Server, client: Client) -> None:
        client.send(b"GET / HTTP/1.%d\r\n%b\r\n" % (bool(host), host))
        assert (await client.response())[0] == 200

    with_connection(LONG, steps)


@pytest.mark.parametrize("version", [b"2.0", b"0.9", b"1.2", b"3", b"11.1"])
def test_other_versions_of_http_are_rejected(version: bytes) -> None:
    async def steps(server: Server, client: Client) -> None:
        client.send(b"GET / HTTP/" + version + b"\r\nhost: x\r\n\r\n")
        await client.rejected(505, b"Only HTTP/1.0 and HTTP/1.1 are spoken here.")
        assert server.app.headers == []

    with_connection(LONG, steps)


@pytest.mark.parametrize("cut", [0, 1, 12, 30, 60, 75, 83, 88])
def test_trailer_fields_are_not_headers(cut: int) -> None:
    body = b"5\r\nhello\r\n0\r\nauthorization: Bearer t\r\n\r\n"
    data = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n" + body

    async def steps(server: Server, client: Client) -> None:
        client.send(data[:cut])
        await asyncio.sleep(0.01)
        client.send(data[cut:] + GET)
        assert [(await client.response())[2] for _ in range(2)] == [b"hello", b""]
        assert server.app.headers == [{b"host": b"x", b"transfer-encoding": b"chunked"}, {b"host": b"x"}]

    with_connection(LONG, steps)


def test_malformed_chunk_ends_the_connection() -> None:
    async def steps(server: Server, client: Client) -> None:
        client.send(CHUNKED + b"5\r\nhello\r\n")
        await asyncio.sleep(0.02)
        client.send(b"5\r\nhelloXX" + GET)
        await client.rejected(400, b"Invalid HTTP request received.")
        await until(lambda: server.app.ended == ["disconnect"])
        assert len(server.app.headers) == 1

    with_connection(LONG, steps)


@pytest.mark.parametrize(
    ("more", "body"),
    [
        (b"", b""),
        (b"content-length: 27\r\n", GET),
        (b"transfer-encoding: chunked\r\n", b"1b\r\n%b\r\n0\r\n\r\n" % GET),
    ],
)
def test_unsupported_upgrade_is_ignored(more: bytes, body: bytes) -> None:
    # Its body is no request, though it reads like one.
    head = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nUpgrade: h2c\r\n" + more + b"\r\n"
    sent = GET if body else b""
    assert len(GET) == 27

    async def steps(server: Server, client: Client) -> None:
        client.send(head + body + GET)
        assert [(await client.response())[2] for _ in range(2)] == [sent, b""]
        assert len(server.app.headers) == 2

    with_connection(LONG, steps)


def test_connect_method_is_rejected() -> None:
    async def steps(_: Server, client: Client) -> None:
        client.send(b"CONNECT localhost:80 HTTP/1.1\r\nhost: localhost:80\r\n\r\n")
        await client.rejected(400, b"Invalid HTTP request received.")

    with_connection(LONG, steps)


@pytest.mark.parametrize("reads", ["at once", "late", "never"])
def test_body_of_many_small_chunks_arrives_whole(reads: str) -> None:
    size = 100_000

    async def steps(server: Server, client: Client) -> None:
        server.app.reads = reads != "never"
        if reads == "late":
            server.app.go.clear()
        client.send(CHUNKED + b"1\r\na\r\n" * size + b"0\r\n\r\n" + GET)
        if reads == "late":
            await until(lambda: len(server.app.headers) == 1)
            server.app.go.set()
        first, second = [(await client.response())[2] for _ in range(2)]
        assert (first, second) == (b"a" * size if server.app.reads else b"", b"")
        assert len(server.app.headers) == 2

    with_connection(LONG, steps)
