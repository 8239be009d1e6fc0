"""Reading of objects: with a token or without, by condition, by range, as a download, or only what is known."""

from __future__ import annotations

import base64
import json
import uuid
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from tests.localbase.integration.storage.conftest import Api
from tests.support.stacks import Stack
from tests.support.users import Person, Users

_TEXT = {"content-type": "text/plain", "cache-control": "max-age=60"}


@pytest.fixture(scope="module")
def name(service: Api) -> str:
    """A public object of ten bytes."""
    name = f"{uuid.uuid4()}/ten bytes.txt"
    assert (
        service.send("POST", f"/object/open/{name}", content=b"0123456789", headers=_TEXT).status_code == 200
    )
    return name


@pytest.fixture(scope="module")
def address(storage: Stack, name: str) -> str:
    return f"{storage.api_url}/storage/v1/object/public/open/{name}"


def test_public_object_is_read_without_any_key(address: str) -> None:
    response = httpx.get(address)
    assert (response.status_code, response.content) == (200, b"0123456789")
    shown = {
        name: response.headers[name]
        for name in ("content-type", "cache-control", "accept-ranges", "x-robots-tag", "content-length")
    }
    assert shown == {
        "content-type": "text/plain",
        "cache-control": "max-age=60",
        "accept-ranges": "bytes",
        "x-robots-tag": "none",
        "content-length": "10",
    }
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


@pytest.mark.parametrize("mime", ["text/html", "text/html; charset=utf-8"])
def test_uploaded_page_is_shown_as_text_and_keeps_its_type(service: Api, mime: str) -> None:
    path = f"open/{uuid.uuid4()}"
    service.send("POST", f"/object/{path}", content=b"<p>", headers={"content-type": mime})
    for method in ("GET", "HEAD"):
        assert service.send(method, f"/object/public/{path}").headers["content-type"] == "text/plain"
    assert service.send("GET", f"/object/info/{path}").json()["content_type"] == mime


@pytest.mark.parametrize("path", ["/object/open/", "/object/authenticated/open/", "/object/info/open/"])
def test_object_of_a_public_bucket_is_read_with_any_token(anonymous: Api, name: str, path: str) -> None:
    assert anonymous.send("GET", path + name).status_code == 200


_NO_TOKEN = {
    "statusCode": "403",
    "code": "AccessDenied",
    "error": "Unauthorized",
    "message": "Invalid Compact JWS",
}


def test_request_without_a_caller_is_403_in_the_body(storage: Stack, name: str) -> None:
    for method, path in (
        ("GET", "/bucket"),
        ("POST", "/bucket"),
        ("GET", f"/object/authenticated/open/{name}"),
        ("POST", "/object/open/new.txt"),
        ("POST", "/object/list/open"),
        ("POST", f"/object/sign/open/{name}"),
        ("POST", f"/object/upload/sign/open/{name}"),
        ("DELETE", f"/object/open/{name}"),
        ("POST", "/object/copy"),
    ):
        response = httpx.request(method, f"{storage.api_url}/storage/v1{path}")
        assert (response.status_code, response.json()) == (400, _NO_TOKEN), (method, path)


@pytest.mark.parametrize("token", ["Bearer x", "Bearer a.b.c", "Basic eDp5", "Bearer"])
def test_bad_token_is_403_in_the_body(storage: Stack, token: str) -> None:
    response = httpx.get(f"{storage.api_url}/storage/v1/bucket", headers={"authorization": token})
    assert (response.status_code, response.json()) == (400, _NO_TOKEN)


def test_tag_in_any_form_says_unchanged(address: str) -> None:
    tag = httpx.get(address).headers["etag"]
    for condition in (tag, f"W/{tag}", f'"other", {tag}', f'W/"other",W/{tag}', "*", tag.strip('"')):
        response = httpx.get(address, headers={"if-none-match": condition})
        assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", tag), (
            condition
        )
    assert httpx.get(address, headers={"if-none-match": '"other"'}).status_code == 200


def test_time_says_unchanged_where_no_tag_does(address: str) -> None:
    modified = httpx.get(address).headers["last-modified"]
    later = format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)
    earlier = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    for since, status in ((modified, 304), (later, 304), (earlier, 200), ("nonsense", 200), ("", 200)):
        assert httpx.get(address, headers={"if-modified-since": since}).status_code == status, since
    assert (
        httpx.get(address, headers={"if-modified-since": later, "if-none-match": '"other"'}).status_code
        == 200
    )
    assert httpx.get(address, headers={"if-unmodified-since": earlier}).status_code == 412
    assert httpx.get(address, headers={"if-match": '"other"'}).status_code == 412


@pytest.mark.parametrize(
    ("byte_range", "status", "body", "shown"),
    [
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=-300", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=9-99999999999999999999999", 206, b"9", "bytes 9-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=-0", 416, b"", "bytes */10"),
        ("bytes=4-2", 200, b"0123456789", None),
        ("bytes=1-2,4-5", 200, b"0123456789", None),
        ("lines=1-2", 200, b"0123456789", None),
        ("bytes=", 200, b"0123456789", None),
    ],
)
def test_range_is_served_or_left_alone(
    address: str, byte_range: str, status: int, body: bytes, shown: str | None
) -> None:
    response = httpx.get(address, headers={"range": byte_range})
    assert (response.status_code, response.content, response.headers.get("content-range")) == (
        status,
        body,
        shown,
    )
    assert response.headers["content-length"] == str(len(body))


def test_range_of_another_state_is_not_served(address: str) -> None:
    tag = httpx.get(address).headers["etag"]
    headers = {"range": "bytes=0-1"}
    assert httpx.get(address, headers={**headers, "if-range": tag}).content == b"01"
    assert httpx.get(address, headers={**headers, "if-range": '"other"'}).content == b"0123456789"


@pytest.mark.parametrize(
    ("file_name", "shown"),
    [
        ("", "attachment;"),
        ("shirt.txt", "attachment; filename=shirt.txt; filename*=UTF-8''shirt.txt"),
        ('a "b"\r\nx', "attachment; filename=a%20%22b%22%0D%0Ax; filename*=UTF-8''a%20%22b%22%0D%0Ax"),
        ("hemd-ä.txt", "attachment; filename=hemd-%C3%A4.txt; filename*=UTF-8''hemd-%C3%A4.txt"),
    ],
)
def test_download_names_the_file_in_both_forms(address: str, file_name: str, shown: str) -> None:
    assert httpx.get(address, params={"download": file_name}).headers["content-disposition"] == shown


def test_object_without_download_has_no_disposition(address: str) -> None:
    assert "content-disposition" not in httpx.get(address).headers


def test_head_shows_the_headers_alone(address: str, anonymous: Api, name: str) -> None:
    whole, head = httpx.get(address), httpx.head(address)
    varying = ("date", "x-request-id")
    assert [(key, value) for key, value in head.headers.items() if key not in varying] == [
        (key, value) for key, value in whole.headers.items() if key not in varying
    ]
    assert head.content == b""
    assert anonymous.send("HEAD", f"/object/open/{name}").headers["content-length"] == "10"
    assert anonymous.send("HEAD", f"/object/open/{name}x").status_code == 400


def test_info_describes_the_object(api: Api, owner: Person) -> None:
    name = f"{owner.id}/{uuid.uuid4()}.txt"
    metadata = base64.b64encode(json.dumps({"colour": "red", "n": [1, "ä"]}).encode()).decode()
    made = api.send(
        "POST", f"/object/folders/{name}", content=b"abc", headers={**_TEXT, "x-metadata": metadata}
    ).json()
    info = api.send("GET", f"/object/info/folders/{name}").json()
    assert info == {
        "id": made["Id"],
        "name": name,
        "version": info["version"],
        "bucket_id": "folders",
        "size": 3,
        "content_type": "text/plain",
        "cache_control": "max-age=60",
        "etag": '"900150983cd24fb0d6963f7d28e17f72"',
        "metadata": {"colour": "red", "n": [1, "ä"]},
        "last_modified": info["last_modified"],
        "created_at": info["created_at"],
    }
    shown = owner.client.storage.from_("folders").info(name)
    assert shown["name"] == name
    assert owner.client.storage.from_("folders").exists(name) is True
    assert owner.client.storage.from_("folders").exists(name + "x") is False


@pytest.mark.parametrize("field", ["metadata", "userMetadata"])
def test_form_carries_user_metadata(api: Api, owner: Person, field: str) -> None:
    name = f"{owner.id}/{uuid.uuid4()}.txt"
    api.send(
        "POST",
        f"/object/folders/{name}",
        data={field: json.dumps({"a": 1}), "cacheControl": "7"},
        files={"file": ("a.txt", b"abc", "text/plain")},
    )
    info = api.send("GET", f"/object/info/folders/{name}").json()
    assert (info["metadata"], info["cache_control"], info["content_type"]) == (
        {"a": 1},
        "max-age=7",
        "text/plain",
    )


@pytest.mark.parametrize(
    "metadata",
    [
        "no base64 !",
        *(base64.b64encode(text).decode() for text in (b"[1]", b"{", b'{"a":' * 300 + b"1" + b"}" * 300)),
    ],
)
def test_metadata_that_is_no_object_is_left_out(api: Api, owner: Person, metadata: str) -> None:
    name = f"{owner.id}/{uuid.uuid4()}.txt"
    headers = {**_TEXT, "x-metadata": metadata}
    assert api.send("POST", f"/object/folders/{name}", content=b"x", headers=headers).status_code == 200
    assert api.send("GET", f"/object/info/folders/{name}").json()["metadata"] == {}


@pytest.mark.parametrize(
    ("rules", "status"),
    [
        ("noindex", 200),
        ("noindex, max-snippet: -1, googlebot: nofollow", 200),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", 200),
        ("unavailable_after: Wed, 25 Jun 2030", 200),
        ("everything", 400),
        ("max-snippet: many", 400),
        ("noindex,,nofollow", 400),
        ("", 400),
    ],
)
def test_robots_rules_are_checked_and_served(service: Api, storage: Stack, rules: str, status: int) -> None:
    path = f"/open/{uuid.uuid4()}"
    headers = {**_TEXT, "x-robots-tag": rules}
    assert service.send("POST", f"/object{path}", content=b"x", headers=headers).status_code == status
    if status == 200:
        response = httpx.get(f"{storage.api_url}/storage/v1/object/public{path}")
        assert response.headers["x-robots-tag"] == rules


def test_client_reads_what_it_wrote(users: Users, owner: Person) -> None:
    folder = owner.client.storage.from_("folders")
    name = f"{owner.id}/{uuid.uuid4()}.txt"
    folder.upload(name, b"abc", {"content-type": "text/plain", "cache-control": "5"})
    assert folder.download(name) == b"abc"
    folder.update(name, b"abcd", {"content-type": "text/plain"})
    assert folder.download(name) == b"abcd"
    assert users.service.storage.from_("folders").download(name) == b"abcd"


@pytest.mark.parametrize("key", ["a/../b", "a/./b", "..", "a\\b", "a#b", "ä", "x" * 1025])
def test_key_that_no_object_can_have_is_400(service: Api, key: str) -> None:
    response = service.send(
        "POST", "/object/copy", json={"bucketId": "open", "sourceKey": "a", "destinationKey": key}
    )
    assert (response.status_code, response.json()) == (
        400,
        {"statusCode": "400", "code": "InvalidKey", "error": "InvalidKey", "message": f"Invalid key: {key}"},
    )


@pytest.mark.parametrize("key", ["a///b.txt", "/a.txt", "a/", "//"])
def test_key_with_empty_parts_is_stored_and_listed_under_that_very_name(service: Api, key: str) -> None:
    folder = str(uuid.uuid4())
    assert service.send("POST", f"/object/open/{folder}{key}", content=b"x", headers=_TEXT).status_code == 200
    assert service.send("GET", f"/object/open/{folder}{key}").content == b"x"
    listed = service.send("POST", "/object/list-v2/open", json={"prefix": folder}).json()
    assert [item["name"] for item in listed["objects"]] == [folder + key]
    assert service.send("DELETE", f"/object/open/{folder}{key}").status_code == 200


def test_health_and_version_are_answered(service: Api, storage: Stack) -> None:
    assert httpx.get(f"{storage.api_url}/storage/v1/version").status_code == 200
    assert service.send("GET", "/health").json() == {"healthy": True}
    assert httpx.get(f"{storage.api_url}/storage/v1/health").status_code == 400


@pytest.mark.parametrize(
    ("method", "path"), [("PATCH", "/bucket"), ("GET", "/object/copy?a=b"), ("POST", "/no/where")]
)
def test_path_has_no_other_methods_than_upstreams(service: Api, method: str, path: str) -> None:
    response = service.send(method, path)
    assert (response.status_code, response.json()) == (
        404,
        {
            "statusCode": "404",
            "code": "InvalidRequest",
            "error": "Not Found",
            "message": f"Route {method}:{path} not found",
        },
    )
