"""gateway.framing: where a body ends, however it is cut."""

from __future__ import annotations

import pytest
from localbase.gateway.http.framing import ChunkedBody, CountedBody, Framing, MalformedBody

_CHUNKS = b"3\r\nabc\r\n00A;name=value\r\n0123456789\r\n0\r\nx-sum: 1\r\nx-b: 2\r\n\r\n"


def _end(body: Framing, *parts: bytes) -> int | None:
    """Return where the body ends in all parts together, as it is found when they come one by one."""
    at = 0
    for part in parts:
        rest = part
        while rest and not body.is_complete:
            taken = body.take(rest)
            at, rest = at + taken, rest[taken:]
    return at if body.is_complete else None


@pytest.mark.parametrize("cut", range(len(_CHUNKS) + 1))
def test_chunked_body_ends_after_its_trailers(cut: int) -> None:
    behind = b"GET / HTTP/1.1"
    parts = [part for part in (_CHUNKS[:cut], _CHUNKS[cut:] + behind) if part]
    assert _end(ChunkedBody(), *parts) == len(_CHUNKS)
    assert _end(ChunkedBody(), *(bytes([byte]) for byte in _CHUNKS + behind)) == len(_CHUNKS)
    assert _end(ChunkedBody(), _CHUNKS[:cut]) == (None if cut < len(_CHUNKS) else cut)


@pytest.mark.parametrize("cut", range(6))
def test_body_with_content_length_ends_there(cut: int) -> None:
    assert _end(CountedBody(5), b"hello"[:cut], b"hello"[cut:] + b"GET") == 5
    assert _end(CountedBody(5), b"hell") is None


@pytest.mark.parametrize(
    "data",
    [
        b"x\r\n",
        b"\r\n",
        b"-1\r\n",
        b"0x3\r\n",
        b"3 \r\nabc",
        b"3\nabc\n",
        b"3;a\n\r\n",
        b"11111111111111111\r\n",
        b"3;" + b"x" * 2000 + b"\r\n",
        b"3" * 2000,
        b"0\r\nx: y\n\n",
        b"0\r\n" + b"x: y\r\n" * 2000,
        b"0\r\nx: " + b"y" * 20_000,
    ],
)
def test_malformed_chunks_are_rejected(data: bytes) -> None:
    with pytest.raises(MalformedBody):
        _end(ChunkedBody(), data)
    with pytest.raises(MalformedBody):
        _end(ChunkedBody(), *(bytes([byte]) for byte in data))


def test_chunked_body_takes_so_many_chunks_a_turn() -> None:
    body, data = ChunkedBody(), b"1\r\na\r\n" * 10_000
    taken = body.take(data)
    assert taken < 12_000
    assert _end(body, data[taken:], b"0\r\n\r\n") == len(data) - taken + 5
