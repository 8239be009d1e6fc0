"""Copying and moving: permission on both ends, metadata, taken names, and bytes that stay for whom they belong to."""

from __future__ import annotations

import base64
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.stacks import Stack
from tests.support.users import Person

_TAKEN = (
    400,
    {
        "statusCode": "409",
        "code": "ResourceAlreadyExists",
        "error": "Duplicate",
        "message": "The resource already exists",
    },
)


@pytest.fixture
def name(api: Api, owner: Person) -> str:
    """An object of the owner."""
    name = f"{owner.id}/{uuid.uuid4()}/a.txt"
    headers = {
        "content-type": "text/plain",
        "cache-control": "max-age=9",
        "x-metadata": base64.b64encode(b'{"k":1}').decode(),
    }
    assert api.send("POST", f"/object/folders/{name}", content=b"abc", headers=headers).status_code == 200
    return name


def info(api: Api, name: str, bucket: str = "folders") -> dict[str, Any]:
    body = api.send("GET", f"/object/info/{bucket}/{name}").json()
    return {key: body.get(key) for key in ("content_type", "cache_control", "metadata", "size", "etag")}


def test_copy_has_bytes_and_metadata_of_its_own(api: Api, owner: Person, name: str) -> None:
    target = f"{name}.copy"
    body = {"bucketId": "folders", "sourceKey": name, "destinationKey": target}
    response = api.send("POST", "/object/copy", json=body)
    assert response.status_code == 200
    assert (
        response.json() | {"Key": f"folders/{target}", "name": target, "owner_id": owner.id}
        == response.json()
    )
    assert info(api, target) == info(api, name)
    api.send("DELETE", f"/object/folders/{name}")
    assert api.send("GET", f"/object/folders/{target}").content == b"abc"


def test_copy_replaces_with_upsert_alone(api: Api, name: str, storage: Stack) -> None:
    target = f"{name}.copy"
    body = {"bucketId": "folders", "sourceKey": name, "destinationKey": target}
    api.send("PUT", f"/object/folders/{target}", content=b"old")
    before = len(stored_files(storage))
    assert api.error("POST", "/object/copy", json=body) == _TAKEN
    assert api.send("POST", "/object/copy", json=body, headers={"x-upsert": "true"}).status_code == 200
    assert api.send("GET", f"/object/folders/{target}").content == b"abc"
    assert len(stored_files(storage)) == before


def test_copy_takes_new_metadata(api: Api, name: str) -> None:
    target = f"{name}.copy"
    body = {
        "bucketId": "folders",
        "sourceKey": name,
        "destinationKey": target,
        "copyMetadata": False,
        "metadata": {"mimetype": "text/css"},
    }
    headers = {"x-metadata": base64.b64encode(b'{"new":true}').decode()}
    assert api.send("POST", "/object/copy", json=body, headers=headers).status_code == 200
    assert info(api, target) == {
        **info(api, name),
        "content_type": "text/css",
        "metadata": {"new": True},
    }


def test_copy_to_another_bucket_meets_its_limits(service: Api, bucket: str, name: str) -> None:
    body = {
        "bucketId": "folders",
        "sourceKey": name,
        "destinationBucket": bucket,
        "destinationKey": "b.txt",
    }
    service.send("PUT", f"/bucket/{bucket}", json={"file_size_limit": 2})
    assert service.error("POST", "/object/copy", json=body)[1]["code"] == "EntityTooLarge"
    service.send(
        "PUT", f"/bucket/{bucket}", json={"file_size_limit": None, "allowed_mime_types": ["image/*"]}
    )
    assert service.error("POST", "/object/copy", json=body)[1]["code"] == "InvalidMimeType"
    assert service.error("POST", "/object/move", json=body)[1]["code"] == "InvalidMimeType"
    service.send("PUT", f"/bucket/{bucket}", json={"allowed_mime_types": None})
    assert service.send("POST", "/object/copy", json=body).status_code == 200
    assert service.send("GET", f"/object/{bucket}/b.txt").content == b"abc"


def test_client_copies_and_moves(api: Api, owner: Person, name: str) -> None:
    folder = owner.client.storage.from_("folders")
    assert folder.copy(name, f"{name}.copy")["Key"] == f"folders/{name}.copy"
    assert folder.move(f"{name}.copy", f"{name}.moved") == {"message": "Successfully moved"}
    assert api.send("GET", f"/object/folders/{name}.moved").content == b"abc"


def test_move_gives_the_bytes_another_name(api: Api, name: str, storage: Stack) -> None:
    before = stored_files(storage)
    target = f"{name}.moved"
    body = {"bucketId": "folders", "sourceKey": name, "destinationKey": target}
    assert api.send("POST", "/object/move", json=body).json() == {"message": "Successfully moved"}
    assert api.send("GET", f"/object/folders/{target}").content == b"abc"
    assert api.send("GET", f"/object/folders/{name}").status_code == 400
    assert stored_files(storage) == before


def test_move_to_a_taken_name_is_409(api: Api, name: str) -> None:
    target = f"{name}.taken"
    api.send("PUT", f"/object/folders/{target}", content=b"theirs")
    body = {"bucketId": "folders", "sourceKey": name, "destinationKey": target}
    assert api.error("POST", "/object/move", json=body) == _TAKEN
    assert api.send("GET", f"/object/folders/{target}").content == b"theirs"
    assert api.send("GET", f"/object/folders/{name}").content == b"abc"


def test_move_across_buckets_needs_permission_on_both(api: Api, service: Api, bucket: str, name: str) -> None:
    body = {
        "bucketId": "folders",
        "sourceKey": name,
        "destinationBucket": bucket,
        "destinationKey": "b.txt",
    }
    assert api.error("POST", "/object/move", json=body)[1]["code"] == "AccessDenied"
    assert service.send("POST", "/object/move", json=body).json() == {"message": "Successfully moved"}
    assert service.send("GET", f"/object/{bucket}/b.txt").content == b"abc"


@pytest.mark.parametrize("field", ["bucketId", "sourceKey", "destinationKey"])
@pytest.mark.parametrize("verb", ["copy", "move"])
def test_body_without_a_place_is_400(api: Api, verb: str, field: str) -> None:
    body = {"bucketId": "folders", "sourceKey": "a", "destinationKey": "b"}
    del body[field]
    assert api.error("POST", f"/object/{verb}", json=body) == (
        400,
        {
            "statusCode": "400",
            "code": "InvalidRequest",
            "error": "Error",
            "message": f"body must have required property '{field}'",
        },
    )


def test_uploads_of_one_name_at_once_leave_one(api: Api, owner: Person, storage: Stack) -> None:
    before = len(stored_files(storage))
    path = f"/object/folders/{owner.id}/{uuid.uuid4()}"
    with ThreadPoolExecutor(8) as pool:
        statuses = list(
            pool.map(lambda number: api.send("POST", path, content=b"%d" % number).status_code, range(8))
        )
    assert sorted(statuses) == [200] + [400] * 7
    with ThreadPoolExecutor(8) as pool:
        statuses = list(
            pool.map(lambda number: api.send("PUT", path, content=b"%d" % number).status_code, range(8))
        )
    assert statuses == [200] * 8
    assert len(stored_files(storage)) == before + 1
    assert api.send("GET", path).content in {b"%d" % number for number in range(8)}
