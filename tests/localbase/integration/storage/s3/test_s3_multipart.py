"""Multipart uploads over the S3 protocol: parts, completion, abort, copies, and boto3's transfer manager."""

from __future__ import annotations

import hashlib
import io
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
from boto3.s3.transfer import TransferConfig

from tests.localbase.integration.storage.conftest import stored_files
from tests.localbase.integration.storage.s3.s3_client import error_of, s3_client
from tests.support.stacks import Stack

_MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def s3(storage: Stack) -> Any:
    return s3_client(storage)


def begin(s3: Any, bucket: str, key: str = "a", **parameters: Any) -> dict[str, str]:
    """An upload under way, as further calls name it."""
    made = s3.create_multipart_upload(Bucket=bucket, Key=key, **parameters)
    return {"Bucket": bucket, "Key": key, "UploadId": made["UploadId"]}


def add(s3: Any, upload: dict[str, str], number: int, body: bytes) -> dict[str, Any]:
    """A part, as the completion names it."""
    return {"PartNumber": number, "ETag": s3.upload_part(**upload, PartNumber=number, Body=body)["ETag"]}


def bytes_of(size: int, seed: bytes = b"bytes") -> bytes:
    return hashlib.shake_128(seed).digest(size)


def read(s3: Any, bucket: str, key: str = "a") -> bytes:
    body: bytes = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    return body


def test_parts_become_one_object(s3: Any, bucket: str, storage: Stack) -> None:
    before = stored_files(storage)
    upload = begin(s3, bucket, ContentType="text/plain", CacheControl="max-age=5", Metadata={"colour": "red"})
    second = add(s3, upload, 2, b"b" * 100)
    first = add(s3, upload, 1, b"a" * 200_000)
    listed = s3.list_parts(**upload)
    assert [(part["PartNumber"], part["Size"], part["ETag"]) for part in listed["Parts"]] == [
        (1, 200_000, first["ETag"]),
        (2, 100, second["ETag"]),
    ]
    done = s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": [first, second]})
    assert (done["Bucket"], done["Key"], done["Location"]) == (bucket, "a", f"{bucket}/a")
    assert read(s3, bucket) == b"a" * 200_000 + b"b" * 100
    head = s3.head_object(Bucket=bucket, Key="a")
    assert (head["ContentType"], head["CacheControl"], head["Metadata"]) == (
        "text/plain",
        "max-age=5",
        {"colour": "red"},
    )
    assert (head["ETag"], head["ContentLength"]) == (done["ETag"], 200_100)
    assert error_of(s3.list_parts, **upload) == (404, "NoSuchUpload")
    assert len(stored_files(storage) - before) == 1


def test_completion_takes_the_parts_it_names(s3: Any, bucket: str, storage: Stack) -> None:
    before = stored_files(storage)
    upload = begin(s3, bucket)
    parts = [add(s3, upload, number, f"{number};".encode()) for number in (1, 2, 3)]
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": [parts[0], parts[2]]})
    assert read(s3, bucket) == b"1;3;"
    assert len(stored_files(storage) - before) == 1


def test_part_that_is_sent_again_replaces_the_older_one(s3: Any, bucket: str, storage: Stack) -> None:
    before = stored_files(storage)
    upload = begin(s3, bucket)
    old = add(s3, upload, 1, b"old")
    new = add(s3, upload, 1, b"newer")
    assert len(stored_files(storage) - before) == 1
    stale = {"Parts": [old]}
    assert error_of(s3.complete_multipart_upload, **upload, MultipartUpload=stale) == (400, "InvalidChecksum")
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": [new]})
    assert read(s3, bucket) == b"newer"


def test_completion_that_does_not_fit_is_rejected(s3: Any, bucket: str) -> None:
    upload = begin(s3, bucket)
    parts = [add(s3, upload, number, b"x") for number in (1, 2)]

    def complete(named: list[dict[str, Any]]) -> tuple[int, str]:
        return error_of(s3.complete_multipart_upload, **upload, MultipartUpload={"Parts": named})

    assert complete([parts[1], parts[0]]) == (400, "InvalidPartOrder")
    assert complete([parts[0], parts[0]]) == (400, "InvalidPartOrder")
    assert complete([*parts, {"PartNumber": 3, "ETag": parts[0]["ETag"]}]) == (400, "MissingPart")
    assert complete([{"PartNumber": 1, "ETag": '"x"'}]) == (400, "InvalidChecksum")
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})


def test_completion_checks_the_checksum_of_the_whole(s3: Any, bucket: str) -> None:
    upload = begin(s3, bucket, ChecksumAlgorithm="CRC32", ChecksumType="FULL_OBJECT")
    parts = {"Parts": [add(s3, upload, 1, b"1234"), add(s3, upload, 2, b"56789")]}
    wrong = {"MultipartUpload": parts, "ChecksumCRC32": "AAAAAA==", "ChecksumType": "FULL_OBJECT"}
    assert error_of(s3.complete_multipart_upload, **upload, **wrong) == (400, "BadDigest")
    s3.complete_multipart_upload(**upload, **{**wrong, "ChecksumCRC32": "y/Q5Jg=="})
    assert read(s3, bucket) == b"123456789"


def test_abort_removes_the_parts(s3: Any, bucket: str, storage: Stack) -> None:
    before = stored_files(storage)
    upload = begin(s3, bucket)
    add(s3, upload, 1, b"x" * 10_000)
    assert len(stored_files(storage) - before) == 1
    response = s3.abort_multipart_upload(**upload)
    assert response["ResponseMetadata"]["HTTPStatusCode"] == 204
    assert stored_files(storage) == before
    assert error_of(s3.abort_multipart_upload, **upload) == (404, "NoSuchUpload")
    assert error_of(s3.upload_part, **upload, PartNumber=1, Body=b"x") == (404, "NoSuchUpload")


def test_bucket_of_an_upload_under_way_is_not_deleted(s3: Any, bucket: str) -> None:
    upload = begin(s3, bucket)
    assert error_of(s3.delete_bucket, Bucket=bucket) == (409, "ResourceReferenced")
    s3.abort_multipart_upload(**upload)
    s3.delete_bucket(Bucket=bucket)


def test_upload_is_of_one_bucket_and_key(s3: Any, bucket: str) -> None:
    upload = begin(s3, bucket)
    other = {**upload, "Key": "b"}
    assert error_of(s3.upload_part, **other, PartNumber=1, Body=b"x") == (404, "NoSuchUpload")
    assert error_of(s3.list_parts, **other) == (404, "NoSuchUpload")
    assert error_of(s3.complete_multipart_upload, **{**upload, "Bucket": "open"}) == (404, "NoSuchUpload")
    assert error_of(s3.abort_multipart_upload, **other) == (404, "NoSuchUpload")


@pytest.mark.parametrize("number", [0, 10_001, -1])
def test_part_number_is_between_1_and_10000(s3: Any, bucket: str, number: int) -> None:
    upload = begin(s3, bucket)
    assert error_of(s3.upload_part, **upload, PartNumber=number, Body=b"x") == (400, "InvalidParameter")
    assert add(s3, upload, 10_000, b"x")


def test_parts_are_listed_page_by_page(s3: Any, bucket: str) -> None:
    upload = begin(s3, bucket)
    for number in (1, 5, 9):
        add(s3, upload, number, b"x")
    pages = list(s3.get_paginator("list_parts").paginate(**upload, PaginationConfig={"PageSize": 2}))
    assert [[part["PartNumber"] for part in page["Parts"]] for page in pages] == [[1, 5], [9]]


def test_uploads_under_way_are_listed_page_by_page(s3: Any, bucket: str) -> None:
    keys = ["a", "a", "b/1", "b/2", "c"]
    made = sorted((begin(s3, bucket, key)["Key"], "") for key in keys)
    assert len(made) == 5
    for size in (1, 2, 100):
        pages = list(
            s3.get_paginator("list_multipart_uploads").paginate(
                Bucket=bucket, PaginationConfig={"PageSize": size}
            )
        )
        assert [each["Key"] for page in pages for each in page.get("Uploads", [])] == keys
        grouped = list(
            s3.get_paginator("list_multipart_uploads").paginate(
                Bucket=bucket, Delimiter="/", PaginationConfig={"PageSize": size}
            )
        )
        assert [each["Key"] for page in grouped for each in page.get("Uploads", [])] == ["a", "a", "c"]
        prefixes = [each["Prefix"] for page in grouped for each in page.get("CommonPrefixes", [])]
        assert prefixes == ["b/"]
    below = s3.list_multipart_uploads(Bucket=bucket, Prefix="b/")
    assert [each["Key"] for each in below["Uploads"]] == ["b/1", "b/2"]


def test_part_is_copied_from_another_object(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="source", Body=b"0123456789")
    upload = begin(s3, bucket)
    source = {"Bucket": bucket, "Key": "source"}
    whole = s3.upload_part_copy(**upload, PartNumber=1, CopySource=source)
    some = s3.upload_part_copy(**upload, PartNumber=2, CopySource=source, CopySourceRange="bytes=2-4")
    parts = [
        {"PartNumber": number, "ETag": response["CopyPartResult"]["ETag"]}
        for number, response in ((1, whole), (2, some))
    ]
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
    assert read(s3, bucket) == b"0123456789234"


@pytest.mark.parametrize(
    "byte_range", ["bytes=0-10", "bytes=5-2", "bytes=5-", "bytes=-5", "5-6", "bytes=0-1,3-4"]
)
def test_copied_range_must_be_there(s3: Any, bucket: str, byte_range: str) -> None:
    s3.put_object(Bucket=bucket, Key="source", Body=b"0123456789")
    upload = begin(s3, bucket)
    copy = {"PartNumber": 1, "CopySource": f"{bucket}/source", "CopySourceRange": byte_range}
    assert error_of(s3.upload_part_copy, **upload, **copy) == (400, "InvalidRange")


def test_parts_together_have_the_object_s_limit(s3: Any, storage: Stack) -> None:
    before = stored_files(storage)
    upload = begin(s3, "pictures", ContentType="image/png")
    add(s3, upload, 1, b"x" * 6000)
    too_large = (413, "EntityTooLarge")
    assert error_of(s3.upload_part, **upload, PartNumber=2, Body=b"x" * 5000) == too_large
    add(s3, upload, 1, b"x" * 10_000)
    assert error_of(s3.upload_part, **upload, PartNumber=2, Body=b"x" * 241) == too_large
    add(s3, upload, 2, b"x" * 240)
    s3.abort_multipart_upload(**upload)
    assert stored_files(storage) == before


def test_parts_at_once_have_the_object_s_limit(storage: Stack) -> None:
    before = stored_files(storage)
    s3 = s3_client(storage, max_pool_connections=12)
    upload = begin(s3, "pictures", ContentType="image/png")
    outcomes: list[bool] = []

    def send(number: int) -> None:
        try:
            add(s3, upload, number, b"x" * 3000)
            outcomes.append(True)
        except s3.exceptions.ClientError:
            outcomes.append(False)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(1, 13)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(outcomes) == 3
    assert len(stored_files(storage) - before) == 3
    s3.abort_multipart_upload(**upload)


def test_completion_at_once_leaves_one_object(storage: Stack, bucket: str) -> None:
    before = stored_files(storage)
    s3 = s3_client(storage)
    upload = begin(s3, bucket)
    parts = {"Parts": [add(s3, upload, number, bytes_of(300_000)) for number in (1, 2)]}

    def complete() -> None:
        try:
            s3.complete_multipart_upload(**upload, MultipartUpload=parts)
        except s3.exceptions.ClientError as error:
            assert error.response["Error"]["Code"] == "NoSuchUpload"

    threads = [threading.Thread(target=complete) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read(s3, bucket) == bytes_of(300_000) * 2
    assert len(stored_files(storage) - before) == 1


@pytest.mark.parametrize("checksums", ["when_supported", "when_required"])
def test_transfer_manager_uploads_and_downloads_in_parts(
    storage: Stack, bucket: str, tmp_path: Path, checksums: str
) -> None:
    s3 = s3_client(storage, request_checksum_calculation=checksums, response_checksum_validation=checksums)
    data = bytes_of(13 * _MEGABYTE)
    config = TransferConfig(multipart_threshold=5 * _MEGABYTE, multipart_chunksize=5 * _MEGABYTE)
    s3.upload_fileobj(io.BytesIO(data), bucket, "big", Config=config)
    target = tmp_path / "big"
    s3.download_file(bucket, "big", str(target), Config=config)
    assert target.read_bytes() == data
    s3.copy({"Bucket": bucket, "Key": "big"}, bucket, "copy", Config=config)
    assert s3.head_object(Bucket=bucket, Key="copy")["ContentLength"] == len(data)


def test_upload_that_has_expired_is_removed(
    s3: Any, bucket: str, storage: Stack, connection: psycopg.Connection
) -> None:
    before = stored_files(storage)
    upload = begin(s3, bucket)
    add(s3, upload, 1, b"x")
    fresh = begin(s3, bucket, "fresh")
    add(s3, fresh, 1, b"x")
    connection.execute(
        "update storage.s3_multipart_uploads set created_at = now() - interval '25 hours' where id = %s",
        [upload["UploadId"]],
    )
    assert remove_expired_uploads(storage) == 1
    assert error_of(s3.list_parts, **upload) == (404, "NoSuchUpload")
    assert len(s3.list_parts(**fresh)["Parts"]) == 1
    assert len(stored_files(storage) - before) == 1


def remove_expired_uploads(stack: Stack) -> int:
    """Return what the hourly sweep does."""
    import asyncio

    from localbase.postgres.service_pool import ServicePool
    from localbase.storage.backend.disk import DiskFiles
    from localbase.storage.s3.uploads import remove_expired

    async def run() -> int:
        pool = ServicePool(stack.db_url.replace("//postgres:", "//supabase_storage_admin:"), size=1)
        await pool.open()
        try:
            return await remove_expired(pool, DiskFiles(stack.state / "storage"), 86_400)
        finally:
            await pool.close()

    return asyncio.run(run())
