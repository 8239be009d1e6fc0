"""Presigned addresses and POST policies over the S3 protocol, as browsers and other plain clients use them."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.localbase.integration.storage.conftest import stored_files
from tests.localbase.integration.storage.s3.s3_client import keys_in, s3_client
from tests.support.stacks import Stack
from tests.support.users import Person

_XML_CODE = ("<Code>", "</Code>")


@pytest.fixture(scope="module")
def s3(storage: Stack) -> Any:
    return s3_client(storage)


def code_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.text.partition("<Code>")[2].partition("</Code>")[0]


def test_presigned_address_reads_writes_and_deletes(s3: Any, bucket: str) -> None:
    place = {"Bucket": bucket, "Key": "folder/a b.txt"}
    put = s3.generate_presigned_url("put_object", {**place, "ContentType": "text/plain"})
    assert httpx.put(put, content=b"bytes", headers={"content-type": "text/plain"}).status_code == 200
    get = s3.generate_presigned_url("get_object", {**place, "ResponseContentType": "text/csv"})
    response = httpx.get(get)
    assert (response.content, response.headers["content-type"]) == (b"bytes", "text/csv")
    assert httpx.head(s3.generate_presigned_url("head_object", place)).headers["content-length"] == "5"
    assert httpx.delete(s3.generate_presigned_url("delete_object", place)).status_code == 204
    assert keys_in(s3.list_objects_v2(Bucket=bucket)) == []


def test_presigned_address_is_for_one_request(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"x")
    get = s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": "a"})
    refused = (403, "SignatureDoesNotMatch")
    assert code_of(httpx.put(get, content=b"y")) == refused
    assert code_of(httpx.delete(get)) == refused
    assert code_of(httpx.get(get.replace("/a?", "/b?"))) == refused
    assert code_of(httpx.get(get + "&response-content-type=text/html")) == refused
    assert code_of(httpx.get(get.replace("/a?", "/../a?").replace("/../", "/%2e%2e/"))) == refused
    assert httpx.get(get).content == b"x"


def test_copy_source_cannot_be_added_to_a_presigned_address(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="secret", Body=b"secret")
    put = s3.generate_presigned_url("put_object", {"Bucket": bucket, "Key": "a"})
    response = httpx.put(put, headers={"x-amz-copy-source": f"{bucket}/secret"})
    assert code_of(response) == (403, "AccessDenied")
    assert keys_in(s3.list_objects_v2(Bucket=bucket)) == ["secret"]


def test_presigned_address_ends(s3: Any, bucket: str) -> None:
    s3.put_object(Bucket=bucket, Key="a", Body=b"x")
    get = s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": "a"}, ExpiresIn=1)
    deadline = time.monotonic() + 20
    while (response := httpx.get(get)).status_code == 200 and time.monotonic() < deadline:
        pass
    assert code_of(response) == (400, "ExpiredToken")


def test_presigned_address_of_a_user_has_the_user_s_rights(
    storage: Stack, owner: Person, bucket: str
) -> None:
    mine = s3_client(storage, owner.token)
    place = {"Bucket": "folders", "Key": f"{owner.id}/presigned.txt"}
    assert httpx.put(mine.generate_presigned_url("put_object", place), content=b"x").status_code == 200
    assert httpx.get(mine.generate_presigned_url("get_object", place)).content == b"x"
    sealed = mine.generate_presigned_url("put_object", {"Bucket": bucket, "Key": "a"})
    assert code_of(httpx.put(sealed, content=b"x")) == (403, "AccessDenied")


def post(made: dict[str, Any], body: bytes, **fields: str) -> httpx.Response:
    """Sends a form as a browser does: the file last."""
    return httpx.post(
        made["url"], data={**made["fields"], **fields}, files={"file": ("a.txt", body, "text/plain")}
    )


def test_form_within_its_policy_is_stored(s3: Any, bucket: str) -> None:
    fields = {"Content-Type": "text/css", "x-amz-meta-colour": "red"}
    conditions = [{name: value} for name, value in fields.items()]
    made = s3.generate_presigned_post(bucket, "folder/a", Fields=fields, Conditions=conditions)
    response = post(made, b"bytes")
    head = s3.head_object(Bucket=bucket, Key="folder/a")
    assert (response.status_code, response.headers["etag"]) == (200, head["ETag"])
    assert (head["ContentType"], head["Metadata"]) == ("text/css", {"colour": "red"})


@pytest.mark.parametrize(
    ("status", "expected_status"), [("201", 201), ("204", 204), ("200", 200), ("302", 200)]
)
def test_form_says_which_status_it_wants(s3: Any, bucket: str, status: str, expected_status: int) -> None:
    fields = {"success_action_status": status}
    made = s3.generate_presigned_post(bucket, "a", Fields=fields, Conditions=[fields])
    response = post(made, b"x")
    assert response.status_code == expected_status
    assert (f"<Key>a</Key><ETag>{response.headers['etag']}</ETag>" in response.text) == (status == "201")


def test_form_outside_its_policy_is_refused(s3: Any, bucket: str, storage: Stack) -> None:
    before = stored_files(storage)
    made = s3.generate_presigned_post(
        bucket, "user/x", Conditions=[["starts-with", "$key", "user/"], ["content-length-range", 2, 4]]
    )
    assert code_of(post(made, b"xxx", key="other/x")) == (403, "AccessDenied")
    assert code_of(post(made, b"xxx", **{"x-amz-meta-a": "b"})) == (403, "AccessDenied")
    assert code_of(post({**made, "url": made["url"].replace(bucket, "open")}, b"xxx")) == (
        403,
        "AccessDenied",
    )
    assert code_of(post(made, b"x")) == (400, "EntityTooSmall")
    assert code_of(post(made, b"xxxxx")) == (413, "EntityTooLarge")
    signature = made["fields"]["x-amz-signature"]
    forged = {
        **made["fields"],
        "x-amz-signature": "0" + signature[1:] if signature[0] != "0" else "1" + signature[1:],
    }
    assert code_of(post({**made, "fields": forged}, b"xxx")) == (403, "SignatureDoesNotMatch")
    assert code_of(post(made, b"xxx", Key="user/y")) == (400, "InvalidSignature")
    assert stored_files(storage) == before
    assert post(made, b"xxx").status_code == 200


def test_form_of_a_user_has_the_user_s_rights(storage: Stack, owner: Person, bucket: str) -> None:
    mine = s3_client(storage, owner.token)
    assert post(mine.generate_presigned_post("folders", f"{owner.id}/form"), b"x").status_code == 200
    assert code_of(post(mine.generate_presigned_post(bucket, "form"), b"x")) == (403, "AccessDenied")


def test_form_that_has_ended_is_refused(s3: Any, bucket: str) -> None:
    made = s3.generate_presigned_post(bucket, "a", ExpiresIn=-1)
    assert code_of(post(made, b"x")) == (400, "ExpiredToken")


@pytest.mark.parametrize(
    "body", [b"", b"--x--\r\n", b'--x\r\ncontent-disposition: form-data; name="key"\r\n\r\na\r\n--x--']
)
def test_form_without_a_file_is_refused(storage: Stack, bucket: str, body: bytes) -> None:
    url = f"{storage.api_url}/storage/v1/s3/{bucket}"
    headers = {"content-type": "multipart/form-data; boundary=x"}
    response = httpx.post(url, content=body, headers=headers)
    assert response.status_code == 400
    assert urlsplit(url).path.endswith(bucket)
