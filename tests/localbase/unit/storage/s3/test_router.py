"""Every command that botocore sends reaches its own, and no other subresource is taken for one."""

from __future__ import annotations

import re
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSPreparedRequest
from botocore.config import Config
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.aws.errors import S3Error
from localbase.storage.s3.request import Level
from localbase.storage.s3.router import ROUTES, find_route

_OBJECT = {"Bucket": "bucket", "Key": "folder/key"}
_COPY = {"CopySource": "bucket/key"}
_UPLOAD = {"UploadId": "x"}
_TAGS = {"TagSet": [{"Key": "a", "Value": "b"}]}

_COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("list_buckets", {}),
    ("create_bucket", {"Bucket": "bucket"}),
    ("delete_bucket", {"Bucket": "bucket"}),
    ("head_bucket", {"Bucket": "bucket"}),
    ("get_bucket_location", {"Bucket": "bucket"}),
    ("get_bucket_versioning", {"Bucket": "bucket"}),
    ("list_multipart_uploads", {"Bucket": "bucket"}),
    ("list_objects_v2", {"Bucket": "bucket", "Prefix": "a"}),
    ("list_objects", {"Bucket": "bucket"}),
    ("delete_objects", {"Bucket": "bucket", "Delete": {"Objects": [{"Key": "a"}]}}),
    ("upload_part_copy", {**_OBJECT, **_COPY, **_UPLOAD, "PartNumber": 1}),
    ("copy_object", {**_OBJECT, **_COPY}),
    ("upload_part", {**_OBJECT, **_UPLOAD, "PartNumber": 1, "Body": b""}),
    ("put_object", {**_OBJECT, "Body": b""}),
    ("complete_multipart_upload", {**_OBJECT, **_UPLOAD}),
    ("create_multipart_upload", _OBJECT),
    ("abort_multipart_upload", {**_OBJECT, **_UPLOAD}),
    ("delete_object", _OBJECT),
    ("head_object", _OBJECT),
    ("list_parts", {**_OBJECT, **_UPLOAD}),
    ("get_object_tagging", _OBJECT),
    ("get_object", _OBJECT),
]
_UNSERVED: list[tuple[str, dict[str, Any]]] = [
    ("put_object_tagging", {**_OBJECT, "Tagging": _TAGS}),
    ("delete_object_tagging", _OBJECT),
    ("get_object_acl", _OBJECT),
    ("put_object_acl", {**_OBJECT, "ACL": "private"}),
    ("delete_object", {**_OBJECT, "VersionId": "1"}),
    ("get_object", {**_OBJECT, "PartNumber": 1}),
    ("get_bucket_acl", {"Bucket": "bucket"}),
    ("delete_bucket_policy", {"Bucket": "bucket"}),
    ("put_bucket_tagging", {"Bucket": "bucket", "Tagging": _TAGS}),
    ("list_object_versions", {"Bucket": "bucket"}),
]


class Sent(Exception):
    """Ends a call of botocore where it would go to the network."""

    def __init__(self, request: AWSPreparedRequest) -> None:
        self.request = request


class Recorder:
    """A client of botocore without a network: what it would have sent."""

    def __init__(self) -> None:
        self._client = boto3.client(
            "s3",
            endpoint_url="http://127.0.0.1/storage/v1/s3",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="local",
            config=Config(s3={"addressing_style": "path"}),
        )
        self._client.meta.events.register("before-send.s3", self._stop)

    def _stop(self, request: AWSPreparedRequest, **_: object) -> None:
        raise Sent(request)

    def command_of(self, method: str, parameters: dict[str, Any]) -> str:
        with pytest.raises(Sent) as caught:
            getattr(self._client, method)(**parameters)
        sent = caught.value.request
        path, _, query = sent.url.removeprefix("http://127.0.0.1/storage/v1/s3").partition("?")
        received = ReceivedRequest(sent.method, path, query, [])
        level: Level = ("service", "bucket", "object")[min(2, len(re.findall("/[^/]+", path)))]
        headers = {name.lower() for name in sent.headers}
        return find_route(sent.method, level, received.parameters(), headers).command


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


@pytest.mark.parametrize(("method", "parameters"), _COMMANDS, ids=[name for name, _ in _COMMANDS])
def test_command_of_botocore_finds_its_route(
    recorder: Recorder, method: str, parameters: dict[str, Any]
) -> None:
    assert recorder.command_of(method, parameters) == method


def test_every_route_is_reached_by_a_command() -> None:
    assert [route.command for route in ROUTES] == [name for name, _ in _COMMANDS]


@pytest.mark.parametrize(("method", "parameters"), _UNSERVED, ids=[name for name, _ in _UNSERVED])
def test_subresource_without_a_command_is_not_taken_for_one(
    recorder: Recorder, method: str, parameters: dict[str, Any]
) -> None:
    with pytest.raises(S3Error) as caught:
        recorder.command_of(method, parameters)
    assert (caught.value.status, caught.value.code) == (501, "NotImplemented")


@pytest.mark.parametrize(
    ("method", "level"), [("PATCH", "object"), ("POST", "object"), ("DELETE", "service")]
)
def test_method_without_a_command_is_rejected(method: str, level: Level) -> None:
    with pytest.raises(S3Error) as caught:
        find_route(method, level, {}, set())
    assert (caught.value.status, caught.value.code) == (405, "MethodNotAllowed")
