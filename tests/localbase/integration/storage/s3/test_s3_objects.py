"""The S3 protocol's commands on buckets and objects, by boto3 with the project's S3 keys."""

from __future__ import annotations

import base64
import hashlib
import io
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.localbase.integration.storage.s3.s3_client import error_of, keys_in, message_of, s3_client
from tests.support.stacks import Stack


@pytest.fixture(scope="module")
def s3(storage: Stack) -> Any:
    return s3_client(storage)


def status_of(response: Any) -> int:
    return int(response["ResponseMetadata"]["HTTPStatusCode"])


def test_bucket_is_created_found_and_deleted(s3: Any) -> None:
    created = s3.create_bucket(Bucket="made-by-s3")
    assert (status_of(created), created["Location"]) == (200, "/made-by-s3")
    assert error_of(s3.create_bucket, Bucket="made-by-s3") == (409, "BucketAlreadyExists")
    head = s3.head_bucket(Bucket="made-by-s3")
    assert (status_of(head), head["BucketRegion"]) == (200, "local")
    assert s3.get_bucket_location(Bucket="made-by-s3")["LocationConstraint"] == "local"
    assert s3.get_bucket_versioning(Bucket="made-by-s3")["Status"] == "Suspended"
    names = {each["Name"]: each["CreationDate"] for each in s3.list_buckets()["Buckets"]}
    assert datetime.now(UTC) - names["made-by-s3"] < timedelta(minutes=5)
    s3.put_object(Bucket="made-by-s3", Key="a", Body=b"x")
    assert error_of(s3.delete_bucket, Bucket="made-by-s3") == (409, "ResourceNotEmpty")
    s3.delete_object(Bucket="made-by-s3", Key="a")
    assert status_of(s3.delete_bucket(Bucket="made-by-s3")) == 204
    assert error_of(s3.head_bucket, Bucket="made-by-s3") == (404, "404")
    assert error_of(s3.get_bucket_location, Bucket="made-by-s3") == (404, "NoSuchBucket")


def test_public_bucket_is_created_by_its_acl(s3: Any, storage: Stack) -> None:
    s3.create_bucket(Bucket="public-by-s3", ACL="public-read")
    s3.put_object(Bucket="public-by-s3", Key="a.txt", Body=b"all", ContentType="text/plain")
    response = httpx.get(f"{storage.api_url}/storage/v1/object/public/public-by-s3/a.txt")
    assert (response.status_code, response.content) == (200, b"all")


def test_object_is_written_and_read_with_its_metadata(s3: Any, bucket: str) -> None:
    written = s3.put_object(
        Bucket=bucket,
        Key="folder/a b+(c).txt",
        Body=b"some text",
        ContentType="text/plain",
        CacheControl="max-age=77",
        Metadata={"Colour": "red", "size": "xl"},
    )
    assert written["ETag"] == f'"{hashlib.md5(b"some text", usedforsecurity=False).hexdigest()}"'
    read = s3.get_object(Bucket=bucket, Key="folder/a b+(c).txt")
    assert read["Body"].read() == b"some text"
    head = s3.head_object(Bucket=bucket, Key="folder/a b+(c).txt")
    for response in (read, head):
        assert response["ContentLength"] == 9
        assert response["ContentType"] == "text/plain"
        assert response["CacheControl"] == "max-age=77"
        assert response["Metadata"] == {"colour": "red", "size": "xl"}
        assert response["ETag"] == written["ETag"]
        assert datetime.now(UTC) - response["LastModified"] < timedelta(minutes=5)
    assert s3.get_object_tagging(Bucket=bucket, Key="folder/a b+(c).txt")["TagSet"] == []


def test_object_of_a_page_is_contained(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a.html", Body=b"<script>", ContentType="text/html")
    headers = s3.get_object(Bucket=bucket, Key="a.html")["ResponseMetadata"]["HTTPHeaders"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in headers["content-security-policy"]


def test_missing_object_and_bucket_have_their_codes(s3: Any, bucket: str) -> None:
    assert error_of(s3.get_object, Bucket=bucket, Key="missing") == (404, "NoSuchKey")
    assert error_of(s3.head_object, Bucket=bucket, Key="missing") == (404, "404")
    assert error_of(s3.get_object, Bucket=bucket, Key="folder/") == (404, "NoSuchKey")
    assert error_of(s3.put_object, Bucket="missing", Key="a", Body=b"x") == (404, "NoSuchBucket")
    assert error_of(s3.list_objects_v2, Bucket="missing") == (404, "NoSuchBucket")
    assert error_of(s3.delete_object, Bucket="missing", Key="a") == (404, "NoSuchBucket")
    assert message_of(s3.get_object, Bucket=bucket, Key="missing") == "Object not found"


def test_error_is_xml_with_its_resource(s3: Any, bucket: str) -> None:
    url = s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": "a b"})
    response = httpx.get(url)
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/xml; charset=utf-8"
    assert response.text == (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f"<Error><Resource>{bucket}/a%20b</Resource><Code>NoSuchKey</Code><Message>Object not found</Message></Error>"
    )


@pytest.mark.parametrize(
    ("byte_range", "body", "shown"),
    [
        ("bytes=0-5", b"twelve", "bytes 0-5/12"),
        ("bytes=7-", b"bytes", "bytes 7-11/12"),
        ("bytes=-5", b"bytes", "bytes 7-11/12"),
        ("bytes=0-1000", b"twelve bytes", "bytes 0-11/12"),
    ],
)
def test_range_of_an_object_is_read(s3: Any, bucket: str, byte_range: str, body: bytes, shown: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"twelve bytes")
    response = s3.get_object(Bucket=bucket, Key="a", Range=byte_range)
    assert (status_of(response), response["Body"].read(), response["ContentRange"]) == (206, body, shown)
    assert response["ContentLength"] == len(body)
    head = s3.head_object(Bucket=bucket, Key="a", Range=byte_range)
    assert (status_of(head), head["ContentLength"]) == (206, len(body))


def test_range_behind_the_end_is_rejected(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"twelve bytes")
    assert error_of(s3.get_object, Bucket=bucket, Key="a", Range="bytes=12-") == (416, "InvalidRange")


def test_conditions_of_a_read_are_honoured(s3: Any, bucket: str) -> None:
    etag = s3.put_object(Bucket=bucket, Key="a", Body=b"x")["ETag"]
    place = {"Bucket": bucket, "Key": "a"}
    later, earlier = datetime.now(UTC) + timedelta(days=1), datetime.now(UTC) - timedelta(days=1)
    assert s3.get_object(**place, IfMatch=etag)["Body"].read() == b"x"
    assert s3.get_object(**place, IfNoneMatch='"other"')["Body"].read() == b"x"
    assert s3.get_object(**place, IfModifiedSince=earlier)["Body"].read() == b"x"
    assert s3.get_object(**place, IfUnmodifiedSince=later)["Body"].read() == b"x"
    assert error_of(s3.get_object, **place, IfMatch='"other"') == (412, "PreconditionFailed")
    assert error_of(s3.get_object, **place, IfUnmodifiedSince=earlier) == (412, "PreconditionFailed")
    assert error_of(s3.get_object, **place, IfNoneMatch=etag) == (304, "304")
    assert error_of(s3.head_object, **place, IfModifiedSince=later) == (304, "304")


def test_response_headers_are_overridden_by_parameters(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"x")
    moment = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    response = s3.get_object(
        Bucket=bucket,
        Key="a",
        ResponseContentType="text/csv",
        ResponseContentDisposition='attachment; filename="b.csv"',
        ResponseCacheControl="no-store",
        ResponseContentEncoding="identity",
        ResponseContentLanguage="de",
        ResponseExpires=moment,
    )
    assert response["ContentType"] == "text/csv"
    assert response["ContentDisposition"] == 'attachment; filename="b.csv"'
    assert response["CacheControl"] == "no-store"
    assert response["ContentEncoding"] == "identity"
    assert response["ContentLanguage"] == "de"
    assert response["ExpiresString"] == "Wed, 02 Jan 2030 03:04:05 GMT"


def test_response_header_cannot_be_split(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"x", ContentType="text/plain")
    parameters = {"Bucket": bucket, "Key": "a", "ResponseContentType": "text/html\r\nset-cookie: a=b"}
    response = httpx.get(s3.generate_presigned_url("get_object", parameters))
    assert (response.status_code, response.headers["content-type"]) == (200, "text/plain")
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize("algorithm", ["CRC32", "SHA1", "SHA256"])
@pytest.mark.parametrize("signed", [True, False])
def test_object_is_written_with_a_checksum_of_each_kind(
    storage: Stack, bucket: str, algorithm: str, signed: bool
) -> None:
    s3 = s3_client(storage, s3={"addressing_style": "path", "payload_signing_enabled": signed})
    s3.put_object(Bucket=bucket, Key="a", Body=io.BytesIO(b"x" * 100_000), ChecksumAlgorithm=algorithm)
    assert s3.get_object(Bucket=bucket, Key="a")["Body"].read() == b"x" * 100_000


def test_wrong_checksum_stores_nothing(s3: Any, bucket: str) -> None:
    wrong = base64.b64encode(zlib.crc32(b"other").to_bytes(4, "big")).decode()
    place = {"Bucket": bucket, "Key": "a", "Body": b"bytes"}
    assert error_of(s3.put_object, **place, ChecksumCRC32=wrong) == (400, "BadDigest")
    assert error_of(s3.put_object, **place, ContentMD5="A" * 22 + "==") == (400, "BadDigest")
    assert error_of(s3.get_object, Bucket=bucket, Key="a") == (404, "NoSuchKey")


def test_write_may_be_for_new_objects_only(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"first", IfNoneMatch="*")
    again = error_of(s3.put_object, Bucket=bucket, Key="a", Body=b"second", IfNoneMatch="*")
    assert again == (412, "PreconditionFailed")
    assert s3.get_object(Bucket=bucket, Key="a")["Body"].read() == b"first"
    other = error_of(s3.put_object, Bucket=bucket, Key="a", Body=b"second", IfMatch='"x"')
    assert other == (501, "NotImplemented")


def test_empty_folder_is_shown_by_a_placeholder(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="folder/", Body=b"")
    assert keys_in(s3.list_objects_v2(Bucket=bucket)) == ["folder/.emptyFolderPlaceholder"]


def test_names_hold_the_characters_that_s3_calls_safe(s3: Any, bucket: str) -> None:
    name = "a/test!$&'() *+,:;=@?-_.ing"
    s3.put_object(Bucket=bucket, Key=name, Body=b"x")
    assert keys_in(s3.list_objects_v2(Bucket=bucket)) == [name]
    assert s3.get_object(Bucket=bucket, Key=name)["Body"].read() == b"x"
    refused = message_of(s3.put_object, Bucket=bucket, Key="test[]^|", Body=b"x")
    assert refused == "Invalid key: test[]^|"


def test_object_that_is_too_large_or_of_a_wrong_type_is_rejected(s3: Any) -> None:
    picture = {"Bucket": "pictures", "Key": "a", "ContentType": "image/png"}
    assert error_of(s3.put_object, **picture, Body=b"x" * 10_241) == (413, "EntityTooLarge")
    wrong = {**picture, "ContentType": "text/html", "Body": b"x"}
    assert error_of(s3.put_object, **wrong) == (415, "InvalidMimeType")


def test_objects_are_deleted_one_by_one_and_in_bulk(s3: Any, bucket: str) -> None:
    for name in ("a", "b", "c"):
        s3.put_object(Bucket=bucket, Key=name, Body=b"x")
    assert status_of(s3.delete_object(Bucket=bucket, Key="a")) == 204
    assert status_of(s3.delete_object(Bucket=bucket, Key="a")) == 204
    objects = [{"Key": "b"}, {"Key": "missing"}]
    response = s3.delete_objects(Bucket=bucket, Delete={"Objects": objects})
    assert (response["Deleted"], response.get("Errors", [])) == (objects, [])
    response = s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "c"}], "Quiet": True})
    assert "Deleted" not in response
    assert keys_in(s3.list_objects_v2(Bucket=bucket)) == []


def test_object_is_copied_with_its_own_or_new_metadata(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a b", Body=b"x", ContentType="text/plain", Metadata={"a": "1"})
    copied = s3.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": "a b"})
    head = s3.head_object(Bucket=bucket, Key="copy")
    assert (head["ContentType"], head["Metadata"]) == ("text/plain", {"a": "1"})
    assert copied["CopyObjectResult"]["ETag"] == head["ETag"]
    s3.copy_object(
        Bucket=bucket,
        Key="copy",
        CopySource=f"{bucket}/copy",
        MetadataDirective="REPLACE",
        ContentType="text/csv",
        Metadata={"b": "2"},
    )
    head = s3.head_object(Bucket=bucket, Key="copy")
    assert (head["ContentType"], head["Metadata"]) == ("text/csv", {"b": "2"})
    assert s3.get_object(Bucket=bucket, Key="copy")["Body"].read() == b"x"


def test_copy_honours_conditions_on_its_source(s3: Any, bucket: str) -> None:
    etag = s3.put_object(Bucket=bucket, Key="a", Body=b"x")["ETag"]
    copy = {"Bucket": bucket, "Key": "b", "CopySource": f"{bucket}/a"}
    assert error_of(s3.copy_object, **copy, CopySourceIfMatch='"other"') == (412, "PreconditionFailed")
    assert error_of(s3.copy_object, **copy, CopySourceIfNoneMatch=etag) == (412, "PreconditionFailed")
    assert status_of(s3.copy_object(**copy, CopySourceIfMatch=etag)) == 200
    missing = {**copy, "CopySource": f"{bucket}/missing"}
    assert error_of(s3.copy_object, **missing) == (404, "NoSuchKey")
