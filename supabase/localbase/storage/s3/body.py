"""A request's body as its signature, its length and its checksums have it.

The bytes are passed on while they are looked at; what was announced and did not come true is raised at the end, before
the stream says that it is over. A writer that throws away what a broken stream has brought stores nothing wrong.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from localbase.storage.aws import canonical, errors
from localbase.storage.aws.canonical import UNSIGNED_PAYLOAD, ReceivedRequest
from localbase.storage.s3 import checksums
from localbase.storage.s3.checksums import Checksum
from localbase.storage.s3.chunked import MODES, SIGNED, ChunkedDecoder, SignatureChain
from localbase.storage.s3.signature import Verified

_SHA256 = re.compile(r"[0-9a-f]{64}")
_LENGTH = re.compile(r"[0-9]{1,15}")
_CONTENT_MD5 = "content-md5"


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """A body as it was announced; `length` is the decoded one, None if it was not announced."""

    length: int | None
    mode: str
    payload_sha256: str | None
    expected: dict[str, bytes]
    trailers: frozenset[str]


def plan_body(request: ReceivedRequest, verified: Verified) -> BodyPlan:
    """Reads what the headers say of the body. Raises 400 for what cannot be."""
    payload = verified.payload_hash
    mode = payload if payload in MODES else ""
    if not mode and payload != UNSIGNED_PAYLOAD and not _SHA256.fullmatch(payload):
        raise errors.invalid_parameter("x-amz-content-sha256")
    length = _length(request, "x-amz-decoded-content-length" if mode else "content-length")
    if mode and length is None:
        raise errors.missing_content_length()
    trailers = frozenset(
        name.strip().lower() for name in (request.header("x-amz-trailer") or "").split(",") if name.strip()
    )
    if trailers and (mode in ("", SIGNED) or not trailers <= checksums.ALGORITHMS.keys()):
        raise errors.malformed_trailer()
    if mode not in ("", SIGNED) and not trailers:
        raise errors.malformed_trailer()
    return BodyPlan(
        length=length,
        mode=mode,
        payload_sha256=payload if _SHA256.fullmatch(payload) else None,
        expected=_expected(request),
        trailers=trailers,
    )


async def read_body(chunks: AsyncIterator[bytes], plan: BodyPlan, verified: Verified) -> AsyncIterator[bytes]:
    """The decoded body. Raises S3's error as soon as it is not what was announced, at the latest at its end."""
    decoder = (
        ChunkedDecoder(plan.mode, plan.length or 0, SignatureChain(verified), plan.trailers)
        if plan.mode
        else None
    )
    payload = hashlib.sha256() if plan.payload_sha256 else None
    running = _running(plan)
    size = 0
    async for chunk in chunks:
        for piece in decoder.feed(chunk) if decoder else (chunk,):
            size += len(piece)
            if plan.length is not None and size > plan.length:
                raise errors.incomplete_body()
            if payload:
                payload.update(piece)
            for checksum in running.values():
                checksum.update(piece)
            yield piece
    if decoder:
        decoder.finish()
    if plan.length is not None and size != plan.length:
        raise errors.incomplete_body()
    if payload and not canonical.same(payload.hexdigest(), plan.payload_sha256 or ""):
        raise errors.content_sha256_mismatch()
    _check(running, plan.expected, decoder.trailers if decoder else {})


async def read_whole(chunks: AsyncIterator[bytes], plan: BodyPlan, verified: Verified, limit: int) -> bytes:
    """The decoded body at once. Raises 413 above `limit` bytes, before it is read if the length was announced."""
    if (plan.length or 0) > limit:
        raise errors.entity_too_large("body", f"{limit} bytes")
    parts: list[bytes] = []
    size = 0
    async for piece in read_body(chunks, plan, verified):
        size += len(piece)
        if size > limit:
            raise errors.entity_too_large("body", f"{limit} bytes")
        parts.append(piece)
    return b"".join(parts)


def _running(plan: BodyPlan) -> dict[str, Checksum]:
    names = plan.expected.keys() | plan.trailers
    running: dict[str, Checksum] = {
        name: checksums.ALGORITHMS[name]() for name in names if name != _CONTENT_MD5
    }
    if _CONTENT_MD5 in names:
        running[_CONTENT_MD5] = hashlib.md5(usedforsecurity=False)
    return running


def _check(running: dict[str, Checksum], expected: dict[str, bytes], trailers: dict[str, str]) -> None:
    for name, checksum in running.items():
        digest = checksum.digest()
        if name in expected and expected[name] != digest:
            raise errors.bad_digest(name)
        if name in trailers and trailers[name] != base64.b64encode(digest).decode():
            raise errors.bad_digest(name)


def _expected(request: ReceivedRequest) -> dict[str, bytes]:
    """The digests that headers announce."""
    digests: dict[str, bytes] = {}
    for name in (_CONTENT_MD5, *checksums.ALGORITHMS):
        value = request.header(name)
        if value is None:
            continue
        size = 16 if name == _CONTENT_MD5 else len(checksums.ALGORITHMS[name]().digest())
        digest = checksums.decoded(value, size)
        if digest is None:
            raise errors.invalid_digest(name)
        digests[name] = digest
    return digests


def _length(request: ReceivedRequest, name: str) -> int | None:
    value = request.header(name)
    if value is None:
        return None
    if not _LENGTH.fullmatch(value):
        raise errors.invalid_parameter(name)
    return int(value)
