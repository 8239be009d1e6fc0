"""The end of a request's body: by its length (RFC 9112, 6.3) or by its chunks (7.1).

What a body carries is the parser's business. Here it is only cut off from what comes behind it; where the parser sees
the end elsewhere the connection is closed.
"""

from __future__ import annotations

import re
from typing import Protocol

_CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:;[\t\x20-\x7e\x80-\xff]*)?")
_LONGEST_CHUNK_LINE = 1024
_LONGEST_TRAILERS = 8192


class MalformedBody(Exception):
    """Chunks that are none."""


class Framing(Protocol):
    """The rest of one body."""

    def end_in(self, data: bytes) -> int | None:
        """Return where the body ends in `data`, its next bytes; None if it goes on behind them.

        Raises `MalformedBody`.
        """


class CountedBody:
    """A body of known length, not empty."""

    def __init__(self, length: int) -> None:
        self._missing = length

    def end_in(self, data: bytes) -> int | None:
        """Return where the body ends in `data`, or None."""
        end = self._missing if self._missing <= len(data) else None
        self._missing -= len(data)
        return end


class ChunkedBody:
    """A body in chunks, and the trailer fields behind it."""

    def __init__(self) -> None:
        # Bytes of the present chunk that are still to come, with its CRLF; then a line that has begun.
        self._missing = 0
        self._line = b""
        self._last = False
        self._trailers = 0

    def end_in(self, data: bytes) -> int | None:
        """Return where the body ends in `data`, or None."""
        at = 0
        while at < len(data):
            if self._missing:
                consumed = min(self._missing, len(data) - at)
                self._missing -= consumed
                at += consumed
                continue
            end = self._line_end(data, at)
            if end is None:
                return None
            at = end
            line, self._line = self._line[:-2], b""
            if self._last and not line:
                return at
            self._take_line(line)
        return None

    def _line_end(self, data: bytes, at: int) -> int | None:
        """Moves the present line's bytes from `data` to `_line`; where they end if the line is whole."""
        newline = data.find(b"\n", at)
        end = len(data) if newline < 0 else newline + 1
        self._line += data[at : min(end, at + _LONGEST_TRAILERS + 1)]
        if len(self._line) > (_LONGEST_TRAILERS if self._last else _LONGEST_CHUNK_LINE):
            raise MalformedBody
        if newline < 0:
            return None
        if not self._line.endswith(b"\r\n"):
            raise MalformedBody
        return end

    def _take_line(self, line: bytes) -> None:
        if self._last:
            self._trailers += len(line) + 2
            if self._trailers > _LONGEST_TRAILERS:
                raise MalformedBody
            return
        size = _CHUNK_LINE.fullmatch(line)
        if size is None:
            raise MalformedBody
        length = int(size[1], 16)
        self._last = not length
        self._missing = length + 2 if length else 0
