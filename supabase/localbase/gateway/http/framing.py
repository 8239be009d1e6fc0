"""The end of a request's body: by its length (RFC 9112, 6.3) or by its chunks (7.1).

What a body carries is the parser's business. Here it is only cut off from what comes behind it; where the parser sees
the end elsewhere the connection is closed.
"""

from __future__ import annotations

import re
from typing import Protocol

_CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n")
_LONGEST_CHUNK_LINE = 1024
_LONGEST_TRAILERS = 8192
# A client chooses the size of its chunks: so many take some milliseconds.
_MOST_CHUNKS = 2000


class MalformedBody(Exception):
    """Chunks that are none."""


class Framing(Protocol):
    """The rest of one body; `is_complete` once all of it was taken."""

    is_complete: bool

    def take(self, data: bytes) -> int:
        """Return how much of `data`, the body's next bytes, belongs to it and is enough for one turn of the loop.

        Raises `MalformedBody`.
        """


class CountedBody:
    """A body of known length, not empty."""

    def __init__(self, length: int) -> None:
        self._missing = length
        self.is_complete = False

    def take(self, data: bytes) -> int:
        """Return how much of `data` belongs to the body."""
        taken = min(self._missing, len(data))
        self._missing -= taken
        self.is_complete = not self._missing
        return taken


class ChunkedBody:
    """A body in chunks, and the trailer fields behind it."""

    def __init__(self) -> None:
        # Bytes of the present chunk that are still to come, with its CRLF; then a line that has begun.
        self._missing = 0
        self._line = b""
        self._last = False
        self._trailers = 0
        self.is_complete = False

    def take(self, data: bytes) -> int:
        """Return how much of `data` belongs to the body: all of it, unless the body ends or has too many chunks."""
        known = len(self._line)
        data, self._line = self._line + data, b""
        at = lines = 0
        while at < len(data) and lines < _MOST_CHUNKS and not self.is_complete:
            if self._missing:
                consumed = min(self._missing, len(data) - at)
                self._missing -= consumed
                at += consumed
                continue
            end = self._take_trailer(data, at) if self._last else self._begin_chunk(data, at)
            if end is None:
                self._line, at = data[at:], len(data)
                break
            at = end
            lines += 1
        return at - known

    def _begin_chunk(self, data: bytes, at: int) -> int | None:
        """Return where the line of the chunk that begins at `at` ends; None if that has not come."""
        line = _CHUNK_LINE.match(data, at, at + _LONGEST_CHUNK_LINE)
        if line is None:
            if b"\n" in data[at : at + _LONGEST_CHUNK_LINE] or len(data) - at >= _LONGEST_CHUNK_LINE:
                raise MalformedBody
            return None
        length = int(line[1], 16)
        self._last = not length
        self._missing = length + 2 if length else 0
        return line.end()

    def _take_trailer(self, data: bytes, at: int) -> int | None:
        """Return where the trailer field that begins at `at` ends, or None. An empty one is the body's end."""
        end = data.find(b"\n", at) + 1
        if self._trailers + (end or len(data)) - at > _LONGEST_TRAILERS:
            raise MalformedBody
        if not end:
            return None
        if not data.endswith(b"\r\n", at, end):
            raise MalformedBody
        self._trailers += end - at
        self.is_complete = end == at + 2
        return end
