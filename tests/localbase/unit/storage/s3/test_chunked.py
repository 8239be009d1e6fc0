"""`aws-chunked` bodies: decoded wherever they are torn, and refused for anything that is not as announced."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.aws.errors import S3Error
from localbase.storage.s3.body import plan_body, read_body, read_whole
from localbase.storage.s3.chunked import SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER
from localbase.storage.s3.signature import Verified

from tests.localbase.unit.storage.s3.signed_requests import by_header, chunked, unsigned_chunks, verified


def base64_of(digest: bytes) -> str:
    return base64.b64encode(digest).decode()


_CHUNKS = (b"first chunk", b"x" * 70, b"\r\n0\r\n\r\n")
_DATA = b"".join(_CHUNKS)
_CRC32 = base64_of(zlib.crc32(_DATA).to_bytes(4, "big"))
_SHA256 = base64_of(hashlib.sha256(_DATA).digest())
_CRC_TRAILER = {"x-amz-checksum-crc32": _CRC32}


class Sent:
    """A request with a chunked body, as `mode` has it."""

    def __init__(
        self,
        mode: str,
        trailers: Mapping[str, str] | None = None,
        *,
        chunks: Sequence[bytes] = _CHUNKS,
        announced: Mapping[str, str] | None = None,
    ) -> None:
        data = b"".join(chunks)
        headers = {"x-amz-content-sha256": mode, "x-amz-decoded-content-length": str(len(data))}
        if trailers:
            headers["x-amz-trailer"] = ",".join(trailers)
        self.request: ReceivedRequest = by_header("PUT", headers={**headers, **(announced or {})})
        self.verified: Verified = verified(self.request)
        self.body = (
            unsigned_chunks(chunks, trailers or {})
            if mode == UNSIGNED_TRAILER
            else chunked(self.verified, chunks, trailers)
        )

    def decode(self, body: bytes | None = None, *, sizes: Sequence[int] = ()) -> bytes:
        return asyncio.run(self._decode(self.body if body is None else body, sizes))

    async def _decode(self, body: bytes, sizes: Sequence[int]) -> bytes:
        plan = plan_body(self.request, self.verified)
        pieces = read_body(torn(body, sizes), plan, self.verified)
        return b"".join([piece async for piece in pieces])

    def rejection(self, body: bytes | None = None) -> tuple[int, str]:
        with pytest.raises(S3Error) as caught:
            self.decode(body)
        return caught.value.status, caught.value.code


async def torn(body: bytes, sizes: Sequence[int]) -> AsyncIterator[bytes]:
    at = 0
    for size in sizes:
        yield body[at : at + size]
        at += size
    yield body[at:]


_MODES: list[tuple[str, dict[str, str] | None]] = [
    (SIGNED, None),
    (SIGNED_TRAILER, _CRC_TRAILER),
    (UNSIGNED_TRAILER, _CRC_TRAILER),
    (UNSIGNED_TRAILER, {**_CRC_TRAILER, "x-amz-checksum-sha256": _SHA256}),
]
_each_mode = pytest.mark.parametrize(("mode", "trailers"), _MODES)


@_each_mode
def test_chunked_body_is_decoded(mode: str, trailers: dict[str, str] | None) -> None:
    assert Sent(mode, trailers).decode() == _DATA
    assert Sent(mode, trailers).decode(sizes=[1] * 2000) == _DATA


@given(sizes=st.lists(st.integers(0, 200), max_size=12), which=st.sampled_from(_MODES))
def test_chunked_body_may_be_torn_anywhere(
    sizes: list[int], which: tuple[str, dict[str, str] | None]
) -> None:
    assert Sent(*which).decode(sizes=sizes) == _DATA


@_each_mode
def test_chunked_body_that_ends_early_is_rejected(mode: str, trailers: dict[str, str] | None) -> None:
    sent = Sent(mode, trailers)
    for end in range(len(sent.body)):
        assert sent.rejection(sent.body[:end])[0] == 400, end


@_each_mode
def test_chunked_body_that_goes_on_is_rejected(mode: str, trailers: dict[str, str] | None) -> None:
    sent = Sent(mode, trailers)
    assert sent.rejection(sent.body + b"0\r\n\r\n") == (400, "InvalidRequest")


@pytest.mark.parametrize("mode", [SIGNED, SIGNED_TRAILER])
def test_changed_byte_of_a_signed_body_is_rejected(mode: str) -> None:
    sent = Sent(mode, _CRC_TRAILER if mode == SIGNED_TRAILER else None)
    for at in range(len(sent.body)):
        forged = sent.body[:at] + bytes([sent.body[at] ^ 1]) + sent.body[at + 1 :]
        if forged.lower() == sent.body.lower():
            continue
        assert sent.rejection(forged)[0] in (400, 403, 413), at


def test_signed_chunks_in_another_order_are_rejected() -> None:
    sent = Sent(SIGNED, chunks=[b"aaaa", b"bbbb"])
    line = len(b"4;chunk-signature=") + 64 + 2 + 4 + 2
    swapped = sent.body[line : 2 * line] + sent.body[:line] + sent.body[2 * line :]
    assert sent.rejection(swapped) == (403, "SignatureDoesNotMatch")


def test_signed_mode_wants_signatures() -> None:
    sent = Sent(SIGNED, chunks=[b"aaaa"])
    assert sent.rejection(b"4\r\naaaa\r\n0\r\n\r\n") == (400, "InvalidRequest")


@pytest.mark.parametrize(
    "trailers",
    [{"x-amz-checksum-crc32": "AAAAAA=="}, {"x-amz-checksum-crc32": "?"}, {"x-amz-checksum-crc32": ""}],
)
@pytest.mark.parametrize("mode", [SIGNED_TRAILER, UNSIGNED_TRAILER])
def test_wrong_trailing_checksum_is_rejected(mode: str, trailers: dict[str, str]) -> None:
    assert Sent(mode, trailers).rejection() == (400, "BadDigest")


def test_trailers_must_be_those_that_were_announced() -> None:
    sent = Sent(UNSIGNED_TRAILER, _CRC_TRAILER)
    malformed = (400, "MalformedTrailerError")
    assert sent.rejection(unsigned_chunks(_CHUNKS, {})) == malformed
    assert sent.rejection(unsigned_chunks(_CHUNKS, {"x-amz-checksum-sha256": _SHA256})) == malformed
    assert sent.rejection(unsigned_chunks(_CHUNKS, {**_CRC_TRAILER, "x-amz-meta-a": "b"})) == malformed
    assert sent.rejection(unsigned_chunks(_CHUNKS, {"x-amz-checksum-crc32": "A" * 5000})) == malformed


def test_trailers_of_a_signed_body_must_be_signed() -> None:
    sent = Sent(SIGNED_TRAILER, _CRC_TRAILER)
    signature = sent.body.index(b"x-amz-trailer-signature")
    assert sent.rejection(sent.body[:signature] + b"\r\n") == (400, "MalformedTrailerError")
    forged = sent.body[:-68] + b"0" * 64 + b"\r\n\r\n"
    assert sent.rejection(forged) == (403, "SignatureDoesNotMatch")


@pytest.mark.parametrize(
    "body",
    [
        b"-1\r\n",
        b"0x4\r\naaaa\r\n",
        b"4;x=y\r\naaaa\r\n",
        b" 4\r\naaaa\r\n",
        b"4\naaaa\n",
        b"\r\n",
        b"4\r\naaaaXX0\r\n",
        b"11111111111111111\r\n",
    ],
)
def test_malformed_chunk_is_rejected(body: bytes) -> None:
    sent = Sent(UNSIGNED_TRAILER, _CRC_TRAILER, chunks=[b"aaaa"])
    assert sent.rejection(body) == (400, "InvalidRequest") or sent.rejection(body) == (400, "IncompleteBody")


def test_chunk_header_without_an_end_is_rejected() -> None:
    sent = Sent(UNSIGNED_TRAILER, _CRC_TRAILER)
    assert sent.rejection(b"1" * 258) == (413, "EntityTooLarge")


def test_chunk_larger_than_announced_is_rejected_before_its_bytes_come() -> None:
    sent = Sent(UNSIGNED_TRAILER, _CRC_TRAILER)
    assert sent.rejection(b"ffffffffffff\r\n") == (400, "IncompleteBody")


def test_decoded_length_must_come_true() -> None:
    longer = Sent(UNSIGNED_TRAILER, _CRC_TRAILER, announced={"x-amz-decoded-content-length": "1000"})
    assert longer.rejection() == (400, "IncompleteBody")
    shorter = Sent(UNSIGNED_TRAILER, _CRC_TRAILER, announced={"x-amz-decoded-content-length": "10"})
    assert shorter.rejection() == (400, "IncompleteBody")


def test_chunked_body_needs_its_decoded_length() -> None:
    request = by_header("PUT", headers={"x-amz-content-sha256": SIGNED})
    with pytest.raises(S3Error) as caught:
        plan_body(request, verified(request))
    assert (caught.value.status, caught.value.code) == (400, "MissingContentLength")


@pytest.mark.parametrize(
    "headers",
    [
        {"x-amz-content-sha256": UNSIGNED_TRAILER},
        {"x-amz-content-sha256": UNSIGNED_TRAILER, "x-amz-trailer": "x-amz-meta-a"},
        {"x-amz-content-sha256": SIGNED, "x-amz-trailer": "x-amz-checksum-crc32"},
        {"x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-trailer": "x-amz-checksum-crc32"},
    ],
)
def test_announced_trailers_must_fit_the_body(headers: dict[str, str]) -> None:
    request = by_header("PUT", headers={**headers, "x-amz-decoded-content-length": "4"})
    with pytest.raises(S3Error) as caught:
        plan_body(request, verified(request))
    assert (caught.value.status, caught.value.code) == (400, "MalformedTrailerError")


@pytest.mark.parametrize("payload", ["STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD", "x", "0" * 63])
def test_unknown_payload_hash_is_rejected(payload: str) -> None:
    request = by_header("PUT", headers={"x-amz-content-sha256": payload})
    with pytest.raises(S3Error) as caught:
        plan_body(request, verified(request))
    assert (caught.value.status, caught.value.code) == (400, "InvalidParameter")


def plain(body: bytes, *, signed: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
    """Reads a body that is not chunked; `signed` is the one that botocore hashed."""
    request = by_header("PUT", body=body if signed is None else signed, headers=headers)
    result = verified(request)
    return asyncio.run(read_whole(torn(body, [3]), plan_body(request, result), result, 1000))


def test_plain_body_must_be_the_one_that_was_signed() -> None:
    assert plain(b"payload") == b"payload"
    with pytest.raises(S3Error) as caught:
        plain(b"payloae", signed=b"payload")
    assert (caught.value.status, caught.value.code) == (400, "XAmzContentSHA256Mismatch")


@pytest.mark.parametrize("body", [b"payloa", b"payload2", b""])
def test_plain_body_must_have_its_length(body: bytes) -> None:
    with pytest.raises(S3Error) as caught:
        plain(body, signed=b"payload")
    assert (caught.value.status, caught.value.code) == (400, "IncompleteBody")


def test_whole_body_is_bounded() -> None:
    with pytest.raises(S3Error) as caught:
        plain(b"x" * 1001)
    assert (caught.value.status, caught.value.code) == (413, "EntityTooLarge")


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "content-md5",
            base64_of(hashlib.md5(b"payload", usedforsecurity=False).digest()),
            "A" * 22 + "==",
        ),
        (
            "x-amz-checksum-crc32",
            base64_of(zlib.crc32(b"payload").to_bytes(4, "big")),
            "AAAAAA==",
        ),
        (
            "x-amz-checksum-sha1",
            base64_of(hashlib.sha1(b"payload", usedforsecurity=False).digest()),
            "A" * 27 + "=",
        ),
    ],
)
def test_checksum_in_a_header_is_checked(name: str, good: str, bad: str) -> None:
    assert plain(b"payload", headers={name: good}) == b"payload"
    with pytest.raises(S3Error) as caught:
        plain(b"payload", headers={name: bad})
    assert (caught.value.status, caught.value.code) == (400, "BadDigest")
    with pytest.raises(S3Error) as caught:
        plain(b"payload", headers={name: "no digest"})
    assert (caught.value.status, caught.value.code) == (400, "InvalidDigest")
