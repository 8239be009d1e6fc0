"""Header blocks: the bytes between a request line and the blank line, read by themselves.

What a block reads as is a function of its bytes alone, so it can be cached under them. Nothing is taken over from a
parser that has read anything else, such as the next request of the same connection.
"""

from __future__ import annotations

import re

import httptools

from localbase.core.web.http import LONGEST_BLOCK, HeaderBlock, headers_of
from localbase.gateway.http.head import names_one_host

LONGEST_BODY = 64 * 1024
# RFC 9112, 5: a token, a colon, a value without control characters. No folded lines, no bare CR or LF.
_LINES = re.compile(rb"(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*)+")
# These change how a message is framed, answered or numbered: the ASGI path knows them.
_LEFT_TO_ASGI = frozenset(
    (
        *("expect", "http2-settings", "keep-alive", "proxy-connection", "te", "trailer"),
        *("transfer-encoding", "upgrade", "x-request-id"),
    )
)


def split_content_length(block: bytes) -> tuple[bytes, int | None]:
    """The block with a 0 for the length of the body, and that length; None if it is absent, or unusually written.

    So the blocks of one client's requests are the same, however long their bodies are.
    """
    for name in (b"\r\nContent-Length: ", b"\r\ncontent-length: "):
        start = block.find(name) + len(name)
        if start >= len(name):
            end = block.find(b"\r\n", start)
            digits = block[start:] if end < 0 else block[start:end]
            if digits.isdigit() and len(digits) < 10 and b"%d" % int(digits) == digits:
                return block[:start] + b"0" + block[start + len(digits) :], int(digits)
    return block, None


def parse_header_block(block: bytes) -> HeaderBlock | None:
    """The headers of `block`, which begins with the CRLF behind the request line and ends before the blank line's.

    None for a block that the fast path does not fully understand: malformed, with a name that comes twice, with headers
    that concern the connection (`Connection: keep-alive` apart), or with the length of a large body.
    """
    if len(block) > LONGEST_BLOCK or not _LINES.fullmatch(block):
        return None
    if not names_one_host(block, b"1.1"):
        return None
    fields = _fields(block)
    if fields is None or len(fields) != block.count(b"\r\n"):
        return None
    headers = headers_of(fields)
    if len(headers) != len(fields):
        return None
    if (
        not _LEFT_TO_ASGI.isdisjoint(headers)
        or headers.get("connection", "keep-alive").lower() != "keep-alive"
    ):
        return None
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > 9 or int(length) > LONGEST_BODY:
        return None
    return HeaderBlock(headers, int(length))


class _Events:
    """The events of a parser for one head."""

    def __init__(self) -> None:
        self.fields: list[tuple[bytes, bytes]] = []
        self.begun = 0
        self.complete = 0

    def on_message_begin(self) -> None:
        self.begun += 1

    def on_header(self, name: bytes, value: bytes) -> None:
        self.fields.append((name, value.strip(b" \t")))

    def on_headers_complete(self) -> None:
        self.complete += 1


def _fields(block: bytes) -> list[tuple[bytes, bytes]] | None:
    """The fields as uvicorn's parser reads them; None unless they are exactly one head."""
    events = _Events()
    parser = httptools.HttpRequestParser(events)
    try:
        parser.feed_data(b"POST / HTTP/1.1" + block + b"\r\n\r\n")
    except (httptools.HttpParserError, httptools.HttpParserUpgrade):
        return None
    return events.fields if (events.begun, events.complete) == (1, 1) else None
