"""Bodies of the S3 protocol, whole and torn: stored decoded, or nothing of them stays."""

from __future__ import annotations

import base64
import socket
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from localbase.storage.s3.chunked import SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER

from tests.localbase.integration.storage.conftest import stored_files
from tests.localbase.integration.storage.s3.s3_client import error_of, s3_client
from tests.localbase.integration.storage.s3.s3_wire import UNSIGNED, response_of, signed_head
from tests.localbase.unit.storage.s3.signed_requests import chunked, unsigned_chunks
from tests.support.stacks import Stack

_MISMATCH = (403, "SignatureDoesNotMatch")


@pytest.fixture(scope="module")
def s3(storage: Stack) -> Any:
    return s3_client(storage)


def _body_of(mode: str, verified: Any, chunks: list[bytes]) -> bytes:
    crc32 = base64.b64encode(zlib.crc32(b"".join(chunks)).to_bytes(4, "big")).decode()
    trailers = None if mode == SIGNED else {"x-amz-checksum-crc32": crc32}
    return (
        unsigned_chunks(chunks, trailers or {})
        if mode == UNSIGNED_TRAILER
        else chunked(verified, chunks, trailers)
    )


def _chunked_head(storage: Stack, path: str, mode: str, chunks: list[bytes]) -> Any:
    size = sum(map(len, chunks))
    headers = {
        "content-encoding": "aws-chunked",
        "x-amz-decoded-content-length": str(size),
        **({} if mode == SIGNED else {"x-amz-trailer": "x-amz-checksum-crc32"}),
    }
    probe = signed_head(storage, "PUT", path, {**headers, "content-length": "0"}, payload=mode)
    length = len(_body_of(mode, probe.verified, chunks))
    return signed_head(storage, "PUT", path, {**headers, "content-length": str(length)}, payload=mode)


@pytest.mark.parametrize("mode", [SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER])
def test_chunked_body_is_stored_decoded(storage: Stack, bucket: str, s3: Any, mode: str) -> None:
    chunks = [b"first", b"x" * 100_000, b"last"]
    head = _chunked_head(storage, f"/{bucket}/a", mode, chunks)
    assert head.send(_body_of(mode, head.verified, chunks)) == (200, "")
    assert s3.get_object(Bucket=bucket, Key="a")["Body"].read() == b"".join(chunks)
    upload = s3.create_multipart_upload(Bucket=bucket, Key="b")["UploadId"]
    part = _chunked_head(storage, f"/{bucket}/b?partNumber=1&uploadId={upload}", mode, chunks)
    assert part.send(_body_of(mode, part.verified, chunks)) == (200, "")
    listed = s3.list_parts(Bucket=bucket, Key="b", UploadId=upload)["Parts"]
    assert [each["Size"] for each in listed] == [100_009]
    s3.abort_multipart_upload(Bucket=bucket, Key="b", UploadId=upload)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("mode", [SIGNED, SIGNED_TRAILER])
def test_chunk_that_was_not_signed_is_refused(storage: Stack, bucket: str, mode: str, s3: Any) -> None:
    chunks = [b"first", b"x" * 100_000, b"last"]
    head = _chunked_head(storage, f"/{bucket}/a", mode, chunks)
    body = _body_of(mode, head.verified, chunks)
    assert head.send(body.replace(b"xxx", b"xyx", 1)) == _MISMATCH
    assert error_of(s3.get_object, Bucket=bucket, Key="a") == (404, "NoSuchKey")


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("mode", [UNSIGNED, SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER])
@pytest.mark.parametrize("of_part", [False, True])
def test_body_that_breaks_off_leaves_nothing(
    storage: Stack, bucket: str, s3: Any, mode: str, of_part: bool
) -> None:
    chunks = [b"x" * 600_000] * 2
    path = f"/{bucket}/a"
    upload = ""
    if of_part:
        upload = s3.create_multipart_upload(Bucket=bucket, Key="a")["UploadId"]
        path += f"?partNumber=1&uploadId={upload}"
    if mode == UNSIGNED:
        head = signed_head(storage, "PUT", path, {"content-length": "1200000"})
        body = b"".join(chunks)
    else:
        head = _chunked_head(storage, path, mode, chunks)
        body = _body_of(mode, head.verified, chunks)
    before = stored_files(storage)
    with head.open() as wire:
        wire.sendall(body[:-100])
        deadline = time.monotonic() + 20
        while stored_files(storage) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(stored_files(storage) - before) == 1
        # As a client that is killed: no orderly end.
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert error_of(s3.get_object, Bucket=bucket, Key="a") == (404, "NoSuchKey")
    if of_part:
        assert "Parts" not in s3.list_parts(Bucket=bucket, Key="a", UploadId=upload)
        s3.abort_multipart_upload(Bucket=bucket, Key="a", UploadId=upload)


@pytest.mark.usefixtures("unchanged")
def test_body_longer_or_shorter_than_decoded_is_refused(storage: Stack, bucket: str) -> None:
    for announced in ("3", "5", "1000"):
        body = unsigned_chunks([b"aaaa"], {"x-amz-checksum-crc32": "rZeCzA=="})
        headers = {
            "x-amz-decoded-content-length": announced,
            "x-amz-trailer": "x-amz-checksum-crc32",
            "content-length": str(len(body)),
        }
        head = signed_head(storage, "PUT", f"/{bucket}/a", headers, payload=UNSIGNED_TRAILER)
        assert head.send(body) == (400, "IncompleteBody")


@pytest.mark.usefixtures("unchanged")
def test_part_without_a_length_is_refused(storage: Stack, bucket: str, s3: Any) -> None:
    upload = s3.create_multipart_upload(Bucket=bucket, Key="a")["UploadId"]
    path = f"/{bucket}/a?partNumber=1&uploadId={upload}"
    head = signed_head(storage, "PUT", path, {"transfer-encoding": "chunked"})
    assert head.send(b"1\r\nx\r\n0\r\n\r\n") == (400, "MissingContentLength")


@pytest.mark.usefixtures("unchanged")
def test_abort_during_a_part_leaves_nothing(storage: Stack, bucket: str, s3: Any) -> None:
    upload = {"Bucket": bucket, "Key": "a"}
    upload["UploadId"] = s3.create_multipart_upload(**upload)["UploadId"]
    path = f"/{bucket}/a?partNumber=1&uploadId={upload['UploadId']}"
    before = stored_files(storage)
    with signed_head(storage, "PUT", path, {"content-length": "700000"}).open() as wire:
        wire.sendall(b"x" * 600_000)
        deadline = time.monotonic() + 20
        while stored_files(storage) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        # As many bytes as are written at once.
        assert len(stored_files(storage) - before) == 1
        s3.abort_multipart_upload(**upload)
        wire.sendall(b"x" * 100_000)
        assert response_of(wire) == (404, "NoSuchUpload")


def test_same_part_at_once_is_stored_once(storage: Stack, bucket: str) -> None:
    s3 = s3_client(storage)
    before = stored_files(storage)
    upload = {"Bucket": bucket, "Key": "a"}
    upload["UploadId"] = s3.create_multipart_upload(**upload)["UploadId"]

    def send(letter: bytes) -> str:
        return str(s3.upload_part(**upload, PartNumber=1, Body=letter * 200_000)["ETag"])

    with ThreadPoolExecutor(4) as pool:
        etags = list(pool.map(send, [b"a", b"b", b"c", b"d"]))
    [part] = s3.list_parts(**upload)["Parts"]
    assert part["ETag"] in etags
    assert len(stored_files(storage) - before) == 1
    s3.abort_multipart_upload(**upload)
    assert stored_files(storage) == before
