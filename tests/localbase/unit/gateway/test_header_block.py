"""gateway.header_block: what a block of header lines reads as, by itself."""

from __future__ import annotations

import pytest
from localbase.core.web.http import LONGEST_BLOCK
from localbase.gateway.http.header_block import LONGEST_BODY, parse_header_block


def _read(*lines: bytes) -> tuple[dict[str, str], int] | None:
    head = parse_header_block(b"".join(b"\r\n" + line for line in lines))
    return (head.headers, head.length) if head else None


def test_names_are_in_lower_case_and_values_without_the_space_around_them() -> None:
    assert _read(b"Host: x", b"X-A:\t b c \t", b"Empty:", b"x-u: \xc3\xa9") == (
        {"host": "x", "x-a": "b c", "empty": "", "x-u": "\xc3\xa9"},
        0,
    )


@pytest.mark.parametrize("length", [0, 5, LONGEST_BODY])
def test_block_of_a_request_with_a_body_is_read(length: int) -> None:
    lines = b"host: x", b"Content-Length: %d " % length
    assert _read(*lines) == ({"host": "x", "content-length": str(length)}, length)


@pytest.mark.parametrize("value", [b"keep-alive", b"Keep-Alive"])
def test_keep_alive_header_is_supported(value: bytes) -> None:
    assert _read(b"host: x", b"Connection: " + value) == ({"host": "x", "connection": value.decode()}, 0)


@pytest.mark.parametrize(
    "lines",
    [
        (b"connection: close",),
        (b"connection: keep-alive, upgrade",),
        (b"proxy-connection: close",),
        (b"upgrade: websocket",),
        (b"expect: 100-continue",),
        (b"transfer-encoding: chunked",),
        (b"te: trailers",),
        (b"trailer: x",),
        (b"x-request-id: mine",),
        (b"content-length: 5", b"content-length: 5"),
        (b"content-length: 5", b"Content-Length: 6"),
        (b"content-length: +5",),
        (b"content-length: 5, 5",),
        (b"content-length:",),
        (b"content-length: -1",),
        (b"content-length: %d" % (LONGEST_BODY + 1),),
        (b"content-length: 99999999999999999999999",),
        (b"apikey: a", b"apikey: b"),
        (b"Accept: a", b"accept: b"),
        (b"authorization: a", b"Authorization: a"),
        (b"range: 0-0", b"range: 1-1"),
        (b"a : b",),
        (b" a: b",),
        (b"a: b", b" folded"),
        (b"a: b", b"\tfolded"),
        (b": b",),
        (b"a",),
        (b"",),
        (b"a: b", b""),
        (b"a: b\nc: d",),
        (b"a: b\rc: d",),
        (b"a: b\r",),
        (b"a: b\n",),
        (b"a: b\0",),
        (b"a: b\x1f",),
        (b"a: b\x7f",),
        (b"\xc3\xa9: b",),
        (b"a@b: c",),
        (b"a: " + b"x" * LONGEST_BLOCK,),
    ],
)
def test_unsupported_headers_fall_back_to_the_asgi_path(lines: tuple[bytes, ...]) -> None:
    assert _read(b"host: x", *lines) is None
    assert _read(*lines, b"host: x") is None


def test_block_must_begin_with_a_line_end() -> None:
    assert parse_header_block(b"host: x") is None
    assert parse_header_block(b"") is None


@pytest.mark.parametrize("lines", [(b"a: b",), (b"host: x", b"host: x"), (b"host: x y",), (b"a: host: x",)])
def test_block_without_one_host_falls_back_to_the_asgi_path(lines: tuple[bytes, ...]) -> None:
    assert _read(*lines) is None
