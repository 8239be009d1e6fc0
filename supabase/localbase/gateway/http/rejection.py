"""The response to a client that is turned away before its request has reached an application."""

from __future__ import annotations

from collections.abc import Iterable

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

_MESSAGES = {
    400: b"Invalid HTTP request received.",
    408: b"The request did not arrive in time.",
    414: b"The request's path is too long.",
    431: b"The request's headers are too large.",
    503: b"Too many connections.",
    505: b"Only HTTP/1.0 and HTTP/1.1 are spoken here.",
}


def rejection(status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The whole answer, with `headers` before its own."""
    message = _MESSAGES[status]
    lines = [name + b": " + value + b"\r\n" for name, value in headers]
    lines.append(b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % len(message))
    lines.append(b"retry-after: 1\r\n" if status == 503 else b"")
    return b"".join((STATUS_LINE[status], *lines, b"connection: close\r\n\r\n", message))
