"""`aws-chunked` bodies, decoded as they come: signed chunks, with and without trailers, unsigned ones with trailers.

https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html and …/sigv4-streaming-trailers.html. The bytes of a
chunk are passed on before its signature is known, so that a chunk of any size costs no memory: the reader must throw
all away when the decoder raises.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from localbase.storage.aws import canonical, errors
from localbase.storage.aws.canonical import EMPTY_SHA256
from localbase.storage.s3.signature import Verified

SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
SIGNED_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
MODES = frozenset({SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER})

LONGEST_CHUNK_HEADER = 256
LONGEST_TRAILERS = 4096
_CHUNK_HEADER = re.compile(rb"([0-9a-fA-F]{1,16})(?:;chunk-signature=([0-9a-f]{64}))?")
_TRAILER_SIGNATURE = "x-amz-trailer-signature"
_CRLF = b"\r\n"

_State = Literal["header", "data", "data end", "trailers", "end"]


@dataclass(slots=True)
class SignatureChain:
    """Each chunk's signature covers the one before it; the first covers the request's."""

    verified: Verified
    previous: str = field(init=False)

    def __post_init__(self) -> None:
        self.previous = self.verified.signature

    def check_chunk(self, signature: str, content_hash: str) -> None:
        """Raises 403 unless `signature` signs the chunk that follows."""
        self._check(signature, "AWS4-HMAC-SHA256-PAYLOAD", f"{EMPTY_SHA256}\n{content_hash}")

    def check_trailers(self, signature: str, block: bytes) -> None:
        """Raises 403 unless `signature` signs the trailers, which are `name:value` lines."""
        self._check(signature, "AWS4-HMAC-SHA256-TRAILER", hashlib.sha256(block).hexdigest())

    def _check(self, signature: str, algorithm: str, rest: str) -> None:
        of = self.verified
        text = f"{algorithm}\n{of.moment}\n{of.scope}\n{self.previous}\n{rest}"
        if not canonical.same(canonical.signature(of.key, text), signature):
            raise errors.signature_does_not_match()
        self.previous = signature


class ChunkedDecoder:
    """Decodes one body of `length` decoded bytes; `trailers` holds the trailers once `finish` has returned."""

    def __init__(self, mode: str, length: int, chain: SignatureChain, trailers: frozenset[str]) -> None:
        """`trailers` are the names that `x-amz-trailer` has announced."""
        self._chain = chain if mode != UNSIGNED_TRAILER else None
        self._announced = trailers if mode != SIGNED else frozenset()
        self._has_trailers = mode != SIGNED
        self._missing = length
        self._state: _State = "header"
        self._pending = b""
        self._left = 0
        self._last = False
        self._chunk_signature = ""
        self._chunk_hash = hashlib.sha256()
        self.trailers: dict[str, str] = {}
        self._steps: dict[_State, Callable[[bytes, int, list[bytes]], int | None]] = {
            "header": self._header,
            "data": self._data,
            "data end": self._data_end,
            "trailers": self._read_trailers,
        }

    def feed(self, data: bytes) -> list[bytes]:
        """The decoded pieces that `data` completes. Raises S3's error for what is malformed or wrongly signed."""
        buffer = self._pending + data if self._pending else data
        pieces: list[bytes] = []
        at = 0
        while at < len(buffer):
            if self._state == "end":
                raise errors.invalid_request("Unexpected data after final chunk")
            consumed = self._steps[self._state](buffer, at, pieces)
            if consumed is None:
                break
            at += consumed
        self._pending = buffer[at:]
        return pieces

    def finish(self) -> None:
        """The body has ended. Raises 400 if its last chunk or its trailers have not come."""
        if self._state != "end":
            if self._has_trailers and self._state == "trailers":
                raise errors.malformed_trailer()
            raise errors.incomplete_body()

    def _header(self, buffer: bytes, at: int, pieces: list[bytes]) -> int | None:
        del pieces
        line = _line(buffer, at, LONGEST_CHUNK_HEADER)
        if line is None:
            return None
        match = _CHUNK_HEADER.fullmatch(line)
        if match is None or (match[2] is None) != (self._chain is None):
            raise errors.invalid_request("Invalid chunk header")
        self._left = int(match[1], 16)
        self._last = self._left == 0
        self._missing -= self._left
        if self._missing < 0:
            raise errors.incomplete_body()
        self._chunk_signature = (match[2] or b"").decode()
        self._chunk_hash = hashlib.sha256()
        self._state = "data"
        if self._last:
            self._close_chunk()
            self._state = "trailers" if self._has_trailers else "data end"
        return len(line) + len(_CRLF)

    def _data(self, buffer: bytes, at: int, pieces: list[bytes]) -> int:
        piece = buffer[at : at + self._left]
        pieces.append(piece)
        if self._chain is not None:
            self._chunk_hash.update(piece)
        self._left -= len(piece)
        if not self._left:
            self._close_chunk()
            self._state = "data end"
        return len(piece)

    def _data_end(self, buffer: bytes, at: int, pieces: list[bytes]) -> int | None:
        del pieces
        end = buffer[at : at + len(_CRLF)]
        if end != _CRLF[: len(end)]:
            raise errors.invalid_request("Missing CRLF after chunk data")
        if len(end) < len(_CRLF):
            return None
        self._state = "end" if self._last else "header"
        return len(_CRLF)

    def _close_chunk(self) -> None:
        if self._chain is not None:
            self._chain.check_chunk(self._chunk_signature, self._chunk_hash.hexdigest())

    def _read_trailers(self, buffer: bytes, at: int, pieces: list[bytes]) -> int | None:
        del pieces
        # Without any trailer the block is the empty line alone.
        stop = at if buffer.startswith(_CRLF, at) else buffer.find(_CRLF * 2, at)
        if (len(buffer) if stop < 0 else stop) - at > LONGEST_TRAILERS:
            raise errors.malformed_trailer()
        if stop < 0:
            return None
        self._take_trailers(buffer[at:stop])
        self._state = "end"
        return stop - at + (len(_CRLF) if stop == at else 2 * len(_CRLF))

    def _take_trailers(self, block: bytes) -> None:
        trailers: dict[str, str] = {}
        for line in block.split(_CRLF) if block else []:
            name, separator, value = line.decode("latin-1").partition(":")
            key = name.lower()
            if not separator or key in trailers:
                raise errors.malformed_trailer()
            trailers[key] = value.strip()
        signature = trailers.pop(_TRAILER_SIGNATURE, None)
        if trailers.keys() != self._announced or (signature is None) != (self._chain is None):
            raise errors.malformed_trailer()
        if self._chain is not None and signature is not None:
            signed = "".join(f"{name}:{value}\n" for name, value in sorted(trailers.items()))
            self._chain.check_trailers(signature, signed.encode("latin-1"))
        self.trailers = trailers


def _line(buffer: bytes, at: int, longest: int) -> bytes | None:
    """The line that begins at `at`, without its end; None if it has not come yet. Raises 413 if it is too long."""
    stop = buffer.find(_CRLF, at, at + longest + len(_CRLF))
    if stop < 0:
        if len(buffer) - at >= longest + len(_CRLF):
            raise errors.entity_too_large("chunk header", f"{longest} bytes")
        return None
    return buffer[at:stop]
