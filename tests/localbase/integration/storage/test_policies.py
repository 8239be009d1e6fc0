"""Policies decide uploads: each right is asked for by itself, and sees what is uploaded and by which operation."""

from __future__ import annotations

import uuid

import psycopg
import pytest
from storage3.exceptions import StorageApiError

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.stacks import Stack
from tests.support.users import Person, Users

_DENIED = (
    400,
    {
        "statusCode": "403",
        "code": "AccessDenied",
        "error": "Unauthorized",
        "message": "new row violates row-level security policy",
    },
)
_TAKEN = (
    400,
    {
        "statusCode": "409",
        "code": "ResourceAlreadyExists",
        "error": "Duplicate",
        "message": "The resource already exists",
    },
)
_MISSING = (
    400,
    {"statusCode": "404", "code": "NoSuchKey", "error": "not_found", "message": "Object not found"},
)
_TEXT = {"content-type": "text/plain"}


def test_right_to_insert_alone_lets_upload(anonymous: Api, service: Api) -> None:
    name = f"/object/inbox/{uuid.uuid4()}.txt"
    response = anonymous.send("POST", name, content=b"for you", headers=_TEXT)
    assert response.status_code == 200
    assert response.json()["Key"] == name.removeprefix("/object/")
    assert anonymous.error("GET", name) == _MISSING
    assert service.send("GET", name).content == b"for you"
    assert anonymous.error("POST", name, content=b"again", headers=_TEXT) == _TAKEN
    # To replace it, the right to update is needed.
    assert anonymous.error("PUT", name, content=b"again", headers=_TEXT) == _DENIED
    assert anonymous.send("DELETE", "/object/inbox", json={"prefixes": [name]}).json() == []


def test_client_uploads_with_the_right_to_insert_alone(users: Users) -> None:
    name = f"{uuid.uuid4()}.txt"
    done = users.anonymous.storage.from_("inbox").upload(name, b"x", {"content-type": "text/plain"})
    assert (done.path, done.full_path) == (name, f"inbox/{name}")


@pytest.mark.parametrize(
    ("content", "headers"),
    [(b"x" * 100, _TEXT), (b"x", {"content-type": "text/html"})],
    ids=["length", "type"],
)
def test_policy_sees_type_and_length_before_the_bytes_come(
    anonymous: Api, storage: Stack, content: bytes, headers: dict[str, str]
) -> None:
    before = stored_files(storage)
    assert (
        anonymous.error("POST", f"/object/inbox/{uuid.uuid4()}", content=content, headers=headers) == _DENIED
    )
    assert stored_files(storage) == before


def test_policy_sees_the_operation(api: Api, owner: Person) -> None:
    name = f"{uuid.uuid4()}.png"
    png = {"content-type": "image/png"}
    assert api.send("POST", f"/object/pictures/{name}", content=b"x", headers=png).status_code == 200
    copied = {"bucketId": "pictures", "sourceKey": name, "destinationKey": f"copy-{name}"}
    assert api.error("POST", "/object/copy", json=copied) == _DENIED
    with pytest.raises(StorageApiError, match="row-level security"):
        owner.client.storage.from_("pictures").create_signed_upload_url(f"signed-{name}")


def test_permission_is_a_question_that_leaves_nothing(anonymous: Api, connection: psycopg.Connection) -> None:
    count = "select count(*) from storage.objects"
    before = connection.execute(count).fetchone()
    for name in ("a.txt", "b.txt"):
        assert anonymous.error("POST", f"/object/sealed/{name}", content=b"x", headers=_TEXT) == _DENIED
    assert connection.execute(count).fetchone() == before


def test_stranger_meets_what_is_not_there(api: Api, stranger: Api, owner: Person) -> None:
    path = f"/object/folders/{owner.id}/{uuid.uuid4()}.txt"
    name = path.removeprefix("/object/folders/")
    assert api.send("POST", path, content=b"mine", headers=_TEXT).status_code == 200
    for method, place in (
        ("GET", path),
        ("GET", path.replace("/object/", "/object/authenticated/")),
        ("GET", path.replace("/object/", "/object/info/")),
        ("DELETE", path),
    ):
        assert stranger.error(method, place) == _MISSING
    assert stranger.send("HEAD", path).status_code == 400
    assert stranger.error("PUT", path, content=b"theirs", headers=_TEXT) == _DENIED
    assert stranger.error("POST", f"/object/sign/folders/{name}", json={"expiresIn": 60}) == _MISSING
    assert stranger.error("POST", f"/object/upload/sign/folders/{name}") == _DENIED
    for verb in ("copy", "move"):
        body = {"bucketId": "folders", "sourceKey": name, "destinationKey": f"{owner.id}/stolen"}
        assert stranger.error("POST", f"/object/{verb}", json=body) == _MISSING
    listing = {"prefix": f"{owner.id}/"}
    assert stranger.send("POST", "/object/list/folders", json=listing).json() == []
    assert stranger.send("POST", "/object/list-v2/folders", json=listing).json()["objects"] == []
    assert stranger.send("DELETE", "/object/folders", json={"prefixes": [name]}).json() == []
    assert api.send("GET", path).content == b"mine"


def test_sql_cannot_delete_what_has_bytes(storage: Stack) -> None:
    with psycopg.connect(storage.db_url, autocommit=True) as connection:
        for table in ("objects", "buckets"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="Use the Storage API instead"):
                connection.execute(f"delete from storage.{table}")


def test_owner_is_the_user_who_uploads(api: Api, owner: Person, connection: psycopg.Connection) -> None:
    name = f"{owner.id}/{uuid.uuid4()}"
    made = api.send("POST", f"/object/folders/{name}", content=b"x").json()
    row = connection.execute(
        "select owner::text, owner_id, version, metadata from storage.objects where id = %s", [made["Id"]]
    ).fetchone()
    assert row is not None
    assert row[:2] == (owner.id, owner.id)
    assert str(uuid.UUID(row[2])) == row[2]
    assert {name: row[3][name] for name in ("size", "contentLength", "mimetype", "cacheControl")} == {
        "size": 1,
        "contentLength": 1,
        "mimetype": "application/octet-stream",
        "cacheControl": "no-cache",
    }
