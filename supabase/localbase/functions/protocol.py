"""The protocol of the gateway, the functions' host and a function's process over one connection.

The gateway writes `CALL slug request-id\\n` and waits. The host answers with a frame: GO, and hands the connection to a
process of the function, or ERROR with the reason. After GO the gateway sends HEAD (JSON: see `wsgi.py`) and the body's
bytes; the process answers with HEAD (`{"status", "headers"}`), any number of DATA and one END. A connection that ends
before END has been cut off.

A frame is one letter, four bytes of length and the payload. Each side bounds what it takes.
"""

from __future__ import annotations

import json
import struct
from typing import Any, Literal

GO, HEAD, DATA, END, ERROR = b"G", b"H", b"D", b"E", b"X"
_HEADER = struct.Struct("!cI")
HEADER_BYTES = _HEADER.size
LARGEST_PART = 64 * 1024
LARGEST_HEAD = 256 * 1024
LONGEST_CALL = 512

# Why a function gives no response: it cannot be loaded, too many requests wait for it, its process was ended
# for exceeding a limit, its process ended by itself, there is no such function, there is no Deno.
Reason = Literal["boot", "busy", "limit", "exit", "missing", "runtime"]


class ProtocolError(Exception):
    """The other side has sent what is no frame, or none that can come here."""


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """One frame's bytes."""
    return _HEADER.pack(kind, len(payload)) + payload


def parse_header(header: bytes) -> tuple[bytes, int]:
    """Kind and length of the frame that begins with these bytes. Raises `ProtocolError` for one that is too long."""
    kind, length = _HEADER.unpack(header)
    limit = {DATA: LARGEST_PART, HEAD: LARGEST_HEAD, ERROR: LONGEST_CALL}.get(kind, 0)
    if kind not in (GO, HEAD, DATA, END, ERROR) or length > limit:
        raise ProtocolError(f"a frame {kind!r} of {length} bytes")
    return kind, length


def encode(value: Any) -> bytes:
    """A JSON payload."""
    return json.dumps(value, separators=(",", ":")).encode()


def error_frame(reason: Reason) -> bytes:
    """The host's own response."""
    return frame(ERROR, reason.encode())


def call_line(slug: str, request_id: str) -> bytes:
    """The gateway's first line. Neither value holds spaces."""
    return f"CALL {slug} {request_id}\n".encode()
