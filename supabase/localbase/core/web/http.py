"""HTTP as plain values: what a service is given and what it answers. Only the gateway knows ASGI."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

if TYPE_CHECKING:
    from localbase.core.authenticator import Authenticator, Caller

# Larger blocks of headers are neither cached nor understood by the fast path.
LONGEST_BLOCK = 8192


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `path` is decoded and lies below the service's mount; `query` is the raw query string."""

    method: str
    path: str
    query: bytes
    headers: dict[str, str]
    body: bytes = b""
    peer: str = ""
    id: str = ""
    # The path as it came over the wire, below the mount.
    raw_path: str = ""
    # `http` or `https`, where a trusted proxy says what its client speaks (`gateway/forwarding.py`).
    proto: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """One finished answer: `body` is sent as it is."""

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""


class Interrupted(Exception):
    """A streamed answer has been cut off: its client must see that it has no end."""


@dataclass(frozen=True, slots=True)
class StreamedResponse:
    """An answer that is sent while it is made. `parts` may raise `Interrupted`; `close` is called in any case."""

    status: int
    headers: list[tuple[str, str]]
    parts: AsyncIterator[bytes]
    close: Callable[[], None]


ANY_LENGTH = "localbase-any-length"
"""In a header block the value of `content-length`, where the block was read without it."""


@dataclass(slots=True, eq=False)
class HeaderBlock:
    """The headers of one block of bytes; `length` is the body's. Two blocks are equal only if they are the same object.

    `caller` was found by `authenticator`, and is valid until the time `until`.
    """

    headers: dict[str, str]
    length: int
    caller: Caller | None = None
    authenticator: Authenticator | None = None
    until: float = 0.0


class FastResponse(Protocol):
    """Takes the response to one request of the fast path: status, header lines (each with its end) and body."""

    def __call__(self, status: int, lines: bytes, body: bytes, /) -> None: ...

    def with_file(self, lines: bytes, file: BinaryIO, size: int) -> None:
        """Takes a file of `size` bytes as the body, and closes it."""

    def invalid_header(self, status: int) -> None:
        """Takes the status of a response that has a header which HTTP cannot carry."""

    def internal_error(self) -> None:
        """Called while an unexpected exception is handled."""


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers as text, names in lower case; what comes twice is joined by a comma."""
    headers: dict[str, str] = {}
    for name, value in raw:
        key = name.decode("latin-1").lower()
        text = value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


# The gateway says these itself.
GATEWAY_HEADERS = {b"access-control-allow-origin", b"access-control-expose-headers", b"x-request-id"}


# A longer value is a client's, sent back, or a text of its own: it would fill the cache and not come again.
_LONGEST_CACHED = 256


def wire(name: str, value: str) -> tuple[bytes, bytes]:
    """A header as ASGI has it. Most are the same in every answer."""
    return _cached_wire(name, value) if len(value) <= _LONGEST_CACHED else _wire(name, value)


def _wire(name: str, value: str) -> tuple[bytes, bytes]:
    return name.lower().encode("latin-1"), value.encode("latin-1")


_cached_wire = lru_cache(maxsize=4096)(_wire)


def has_no_body(status: int) -> bool:
    """Tell whether an answer ends with its headers, which then tell no length (RFC 9110, 8.6)."""
    return status < 200 or status in (204, 304)


class InvalidHeader(Exception):
    """A header that has no form in HTTP: only the database can have said it."""


_NOT_IN_NAMES = re.compile(b'[\x00-\x1f\x7f()<>@,;:\\[\\]={} \t\\\\"]')
_NOT_IN_VALUES = re.compile(b"[\x00-\x08\x0a-\x1f\x7f]")


def _line(name: str, value: str) -> bytes:
    return _cached_line(name, value) if len(value) <= _LONGEST_CACHED else _plain_line(name, value)


def _plain_line(name: str, value: str) -> bytes:
    """A header's line; empty for the gateway's own. Judged as uvicorn judges it."""
    pair = wire(name, value)
    if _NOT_IN_NAMES.search(pair[0]) or _NOT_IN_VALUES.search(pair[1]):
        raise InvalidHeader
    return b"" if pair[0] in GATEWAY_HEADERS else b"%b: %b\r\n" % pair


_cached_line = lru_cache(maxsize=4096)(_plain_line)


def lines_of(headers: Iterable[tuple[str, str]], size: int | None = None) -> bytes:
    """Headers as lines of HTTP/1.1, without the gateway's own; the length of a body of `size` bytes at the end.

    A service may give the length itself. Without a size there is none. Raises `InvalidHeader`.
    """
    text, length = b"", b"" if size is None else b"content-length: %d\r\n" % size
    for name, value in headers:
        if name.lower() == "content-length":
            length = b"" if size is None else _line(name, value)
        else:
            text += _line(name, value)
    return text + length


def text_of(header: str) -> str:
    """A header's value as the UTF-8 text that it may be: a server hands its bytes over as Latin-1."""
    return header if header.isascii() else header.encode("latin-1").decode("utf-8", "replace")


def header_of(text: str) -> str:
    """A text as a header's value: its UTF-8 bytes as Latin-1, on one line."""
    if text.isascii() and text.isprintable():
        return text
    return (
        text.encode(errors="replace")
        .decode("latin-1")
        .replace("\r", " ")
        .replace("\n", " ")
        .replace("\0", " ")
    )


def json_response(status: int, value: Any, headers: list[tuple[str, str]] | None = None) -> Response:
    """`value` as compact UTF-8 JSON."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, [("content-type", "application/json; charset=utf-8"), *(headers or [])], body)
