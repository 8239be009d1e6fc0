"""/storage/v1: the public bucket with byte ranges, and objects under policies, over HTTP and the official client."""

from __future__ import annotations

import uuid

import httpx
import pytest
from storage3.exceptions import StorageApiError

from tests.support.stacks import Stack
from tests.support.users import Person, Users


@pytest.fixture(scope="module")
def users(services: Stack) -> Users:
    return Users(services)


@pytest.fixture(scope="module")
def owner(users: Users) -> Person:
    # This project has no profiles table, so no admins.
    return users.new("owner")


def public_url(services: Stack, name: str) -> str:
    return f"{services.api_url}/storage/v1/object/public/pictures/{name}"


def test_configured_bucket_is_filled_from_its_folder(services: Stack) -> None:
    response = httpx.get(public_url(services, "note.txt"))
    assert (response.status_code, response.content) == (200, b"twelve bytes")
    assert response.headers["content-type"].startswith("text/plain")
    assert response.headers["cache-control"] == "max-age=3600"
    assert response.headers["accept-ranges"] == "bytes"
    assert response.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    ("byte_range", "status", "body", "shown"),
    [
        ("bytes=0-5", 206, b"twelve", "bytes 0-5/12"),
        ("bytes=7-", 206, b"bytes", "bytes 7-11/12"),
        ("bytes=-5", 206, b"bytes", "bytes 7-11/12"),
        ("bytes=0-1000", 206, b"twelve bytes", "bytes 0-11/12"),
        ("bytes=50-60", 416, None, "bytes */12"),
    ],
)
def test_byte_ranges_of_public_objects_are_served(
    services: Stack, byte_range: str, status: int, body: bytes | None, shown: str
) -> None:
    response = httpx.get(public_url(services, "note.txt"), headers={"range": byte_range})
    assert response.status_code == status
    assert response.headers["content-range"] == shown
    if body is not None:
        assert response.content == body


def test_unchanged_object_is_304(services: Stack) -> None:
    tag = httpx.get(public_url(services, "note.txt")).headers["etag"]
    response = httpx.get(public_url(services, "note.txt"), headers={"if-none-match": tag})
    assert (response.status_code, response.content) == (304, b"")


@pytest.mark.parametrize("name", ["missing.txt", "../../etc/passwd", "..%2F..%2Fetc%2Fpasswd", "a//b", "%00"])
def test_missing_object_is_not_found(services: Stack, name: str) -> None:
    response = httpx.get(public_url(services, name))
    assert response.status_code in (400, 404)
    assert "root:" not in response.text


def test_private_bucket_has_no_public_address(services: Stack) -> None:
    response = httpx.get(f"{services.api_url}/storage/v1/object/public/private/x.txt")
    assert response.status_code == 400
    assert response.json() == {
        "statusCode": "404",
        "code": "NoSuchBucket",
        "error": "Bucket not found",
        "message": "Bucket not found",
    }


def test_owner_uploads_lists_downloads_and_removes(owner: Person) -> None:
    bucket = owner.client.storage.from_("private")
    name = f"{owner.id}/deep/{uuid.uuid4()}.txt"
    bucket.upload(name, b"mine", {"content-type": "text/plain", "cache-control": "60"})
    assert bucket.download(name) == b"mine"
    folder = bucket.list(f"{owner.id}/deep")
    assert [one["name"] for one in folder] == [name.rsplit("/", 1)[1]]
    assert folder[0]["metadata"]["mimetype"] == "text/plain"
    assert [(one["name"], one["id"]) for one in bucket.list(owner.id)] == [("deep", None)]
    with pytest.raises(StorageApiError, match="already exists"):
        bucket.upload(name, b"again", {"content-type": "text/plain"})
    bucket.update(name, b"changed", {"content-type": "text/plain"})
    assert bucket.download(name) == b"changed"
    assert [one["name"] for one in bucket.remove([name])] == [name]
    with pytest.raises(StorageApiError, match="Object not found"):
        bucket.download(name)


def test_stranger_can_neither_read_nor_write_nor_remove(owner: Person, users: Users) -> None:
    stranger = users.new("stranger").client.storage.from_("private")
    name = f"{owner.id}/secret.txt"
    owner.client.storage.from_("private").upload(
        name, b"mine", {"content-type": "text/plain", "upsert": "true"}
    )
    with pytest.raises(StorageApiError, match="Object not found"):
        stranger.download(name)
    with pytest.raises(StorageApiError, match="row-level security"):
        stranger.upload(f"{owner.id}/intruder.txt", b"x", {"content-type": "text/plain"})
    assert stranger.remove([name]) == []
    assert stranger.list(owner.id) == []
    assert owner.client.storage.from_("private").download(name) == b"mine"


def test_too_large_object_leaves_nothing_behind(owner: Person, services: Stack) -> None:
    before = sorted((services.state / "storage").rglob("*-*"))
    with pytest.raises(StorageApiError, match="exceeded the maximum allowed size"):
        owner.client.storage.from_("private").upload(f"{owner.id}/big", b"x" * 10_241)
    assert sorted((services.state / "storage").rglob("*-*")) == before


def test_bucket_takes_its_mime_types_only(users: Users) -> None:
    with pytest.raises(StorageApiError, match="mime type application/pdf is not supported"):
        users.service.storage.from_("pictures").upload("a.pdf", b"x", {"content-type": "application/pdf"})


@pytest.mark.parametrize("token", ["", "Bearer forged", "Bearer a.b.c"])
def test_upload_requires_a_valid_token(services: Stack, token: str) -> None:
    headers = {"authorization": token} if token else {}
    response = httpx.post(
        f"{services.api_url}/storage/v1/object/private/x.txt", content=b"x", headers=headers
    )
    assert response.status_code == 400


def test_buckets_are_visible_to_the_service_role_only(users: Users, owner: Person) -> None:
    assert {bucket.name for bucket in users.service.storage.list_buckets()} == {"pictures", "private"}
    assert owner.client.storage.list_buckets() == []
    with pytest.raises(StorageApiError, match="row-level security"):
        owner.client.storage.create_bucket("mine")
