"""/storage/v1/bucket: names, limits, changes, and what a bucket must be before it goes."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

import pytest
from storage3.exceptions import StorageApiError

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.stacks import Stack
from tests.support.users import Person, Users

_BAD_NAME = (
    400,
    {
        "statusCode": "400",
        "code": "InvalidBucketName",
        "error": "Invalid Input",
        "message": "Bucket name invalid",
    },
)
_MISSING = (
    400,
    {
        "statusCode": "404",
        "code": "NoSuchBucket",
        "error": "Bucket not found",
        "message": "Bucket not found",
    },
)


def invalid(message: str, code: str = "InvalidRequest", error: str = "Error") -> tuple[int, dict[str, str]]:
    return 400, {"statusCode": "400", "code": code, "error": error, "message": message}


@pytest.mark.parametrize(
    "name",
    ["", "..", ".", "a/b", '["x"]', "a" * 101, " a", "a ", "a\nb", "ä", "a\\b", "a#b", "a%b"],
)
def test_bucket_name_that_is_none_is_400(service: Api, name: str) -> None:
    assert service.error("POST", "/bucket", json={"name": name}) == _BAD_NAME
    assert service.error("POST", "/bucket", json={"name": "fine", "id": name or "a/b"}) == _BAD_NAME
    if "/" not in name and name not in ("", ".", ".."):
        assert service.error("POST", f"/object/list/{quote(name)}", json={}) == _BAD_NAME


@pytest.mark.parametrize("name", ["a", "A_b!.*'() &$@=;:+,?-9", "b" * 100])
def test_bucket_name_of_safe_characters_is_taken(service: Api, name: str) -> None:
    assert service.send("POST", "/bucket", json={"name": name}).json() == {"name": name}
    bucket_ids = {bucket["id"] for bucket in service.send("GET", "/bucket").json()}
    assert name in bucket_ids


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, invalid("body must have required property 'name'")),
        ({"name": 5}, invalid("body must have required property 'name'")),
        ({"name": "x", "public": "yes"}, invalid("body/public must be boolean")),
        (
            {"name": "x", "file_size_limit": "abc"},
            invalid("Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B", error="InvalidRequest"),
        ),
        (
            {"name": "x", "file_size_limit": -1},
            invalid("Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B", error="InvalidRequest"),
        ),
        (
            {"name": "x", "file_size_limit": "51GB"},
            (
                400,
                {
                    "statusCode": "413",
                    "code": "EntityTooLarge",
                    "error": "Payload too large",
                    "message": "The object exceeded the maximum allowed size",
                },
            ),
        ),
        (
            {"name": "x", "allowed_mime_types": "image/png"},
            invalid("body/allowed_mime_types must be array"),
        ),
        ({"name": "x", "allowed_mime_types": [1]}, invalid("body/allowed_mime_types must be array")),
        (
            {"name": "x", "allowed_mime_types": ["image"]},
            (
                400,
                {
                    "statusCode": "415",
                    "code": "InvalidMimeType",
                    "error": "invalid_mime_type",
                    "message": "mime type image is not supported",
                },
            ),
        ),
    ],
)
def test_bucket_with_bad_settings_is_400(
    service: Api, body: dict[str, Any], expected: tuple[int, dict[str, str]]
) -> None:
    assert service.error("POST", "/bucket", json=body) == expected
    if body.get("name") == "x" and "public" not in body:
        assert service.error("PUT", "/bucket/sealed", json=body) == expected


@pytest.mark.parametrize(
    ("written", "limit"),
    [("20MB", 20_000_000), ("1.5kb", 1500), ("3B", 3), (1024, 1024), (None, None), (0, 0)],
)
def test_size_limit_is_read_in_powers_of_ten(
    service: Api, bucket: str, written: object, limit: int | None
) -> None:
    assert service.send("PUT", f"/bucket/{bucket}", json={"file_size_limit": written}).json() == {
        "message": "Successfully updated"
    }
    assert service.send("GET", f"/bucket/{bucket}").json()["file_size_limit"] == limit


def test_update_changes_what_it_names(users: Users, bucket: str) -> None:
    storage = users.service.storage
    storage.update_bucket(bucket, {"public": True, "file_size_limit": 2048})
    storage.update_bucket(bucket, {"public": True, "allowed_mime_types": ["image/*"]})
    updated = storage.get_bucket(bucket)
    assert (updated.public, updated.file_size_limit, updated.allowed_mime_types) == (True, 2048, ["image/*"])


def test_update_of_nothing_is_400(service: Api, bucket: str) -> None:
    assert service.error("PUT", f"/bucket/{bucket}", json={}) == invalid(
        "body must NOT have fewer than 1 properties"
    )
    assert service.error("PUT", "/bucket/nowhere", json={"public": True}) == _MISSING


def test_bucket_goes_only_when_it_is_empty(service: Api, users: Users, bucket: str, storage: Stack) -> None:
    before = stored_files(storage)
    for number in range(3):
        service.send("POST", f"/object/{bucket}/deep/{number}", content=b"x")
    assert service.error("DELETE", f"/bucket/{bucket}") == (
        400,
        {
            "statusCode": "409",
            "code": "ResourceNotEmpty",
            "error": "ResourceNotEmpty",
            "message": "The bucket you tried to delete is not empty",
        },
    )
    assert users.service.storage.empty_bucket(bucket) == {
        "message": "Empty bucket has been queued. Completion may take up to an hour."
    }
    assert stored_files(storage) == before
    assert users.service.storage.delete_bucket(bucket) == {"message": "Successfully deleted"}
    assert service.error("GET", f"/bucket/{bucket}") == _MISSING
    assert service.error("DELETE", f"/bucket/{bucket}") == _MISSING


def test_bucket_is_hidden_from_whom_policies_hide_it(
    api: Api, owner: Person, anonymous: Api, service: Api, bucket: str
) -> None:
    service.send("POST", f"/object/{bucket}/a", content=b"x")
    for method, path, body in (
        ("GET", f"/bucket/{bucket}", None),
        ("PUT", f"/bucket/{bucket}", {"public": True}),
        ("POST", f"/bucket/{bucket}/empty", None),
        ("DELETE", f"/bucket/{bucket}", None),
    ):
        assert api.error(method, path, json=body) == _MISSING
        assert anonymous.error(method, path, json=body) == _MISSING
    with pytest.raises(StorageApiError, match="row-level security"):
        owner.client.storage.create_bucket(f"mine-{uuid.uuid4()}")
    assert [listed.name for listed in owner.client.storage.list_buckets()] == ["folders"]


def test_emptying_takes_what_the_caller_may_delete(
    api: Api, owner: Person, stranger: Api, service: Api
) -> None:
    path = f"/object/folders/{owner.id}/{uuid.uuid4()}"
    api.send("POST", path, content=b"mine")
    assert stranger.send("POST", "/bucket/folders/empty").status_code == 200
    assert service.send("GET", path).content == b"mine"
    assert api.send("POST", "/bucket/folders/empty").status_code == 200
    assert service.send("GET", path).status_code == 400


def test_list_searches_sorts_and_pages(service: Api) -> None:
    mark = uuid.uuid4().hex[:8]
    names = [f"{mark}-{end}" for end in ("a", "B", "c_d", "cxd")]
    for name in names:
        service.send("POST", "/bucket", json={"name": name})

    def listed_names(**query: str) -> list[str]:
        response = service.send("GET", "/bucket", params={"search": mark, "sortColumn": "name", **query})
        return [bucket["name"].removeprefix(f"{mark}-") for bucket in response.json()]

    assert listed_names(sortOrder="asc", limit="2") == listed_names(sortOrder="asc")[:2]
    assert listed_names(sortOrder="asc", limit="2", offset="2") == listed_names(sortOrder="asc")[2:]
    assert listed_names(sortOrder="desc") == listed_names(sortOrder="asc")[::-1]
    assert listed_names(sortColumn="created_at") == ["a", "B", "c_d", "cxd"]
    # `_` and `%` are letters like others.
    assert listed_names(search=f"{mark.upper()}-C_D") == ["c_d"]
    assert listed_names(search="%") == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"limit": "0"}, "querystring/limit must be >= 1"),
        ({"limit": "x"}, "querystring/limit must be integer"),
        ({"offset": "-1"}, "querystring/offset must be integer"),
        ({"sortColumn": "owner"}, "querystring/sortColumn must be equal to one of the allowed values"),
        ({"sortOrder": "up"}, "querystring/sortOrder must be equal to one of the allowed values"),
    ],
)
def test_list_with_bad_paging_is_400(service: Api, query: dict[str, str], message: str) -> None:
    assert service.error("GET", "/bucket", params=query) == invalid(message)


def test_bucket_that_exists_is_409(service: Api, bucket: str) -> None:
    assert service.error("POST", "/bucket", json={"name": bucket}) == (
        400,
        {
            "statusCode": "409",
            "code": "BucketAlreadyExists",
            "error": "Duplicate",
            "message": "The resource already exists",
        },
    )
