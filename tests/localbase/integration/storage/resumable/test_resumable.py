"""/upload/resumable: the protocol step by step, strangers, and what is left of uploads that end."""

from __future__ import annotations

import base64
import uuid

import httpx
import psycopg
import pytest

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.localbase.integration.storage.resumable.resumable import BYTES, TUS, Resumable, metadata
from tests.localbase.integration.storage.test_sweep import with_database
from tests.support.stacks import Stack
from tests.support.users import Person


@pytest.fixture
def name(owner: Person) -> str:
    return f"{owner.id}/{uuid.uuid4()}.txt"


def test_upload_goes_in_parts(api: Api, owner: Person, name: str) -> None:
    upload = Resumable(api, name)
    begun = upload.begin(10, contentType="text/plain", cacheControl="60", metadata='{"a":1}')
    assert (begun.status_code, begun.headers["tus-resumable"]) == (201, "1.0.0")
    assert upload.path.startswith("/upload/resumable/")
    identity = base64.urlsafe_b64decode(upload.path.rpartition("/")[2] + "==").decode()
    assert identity.startswith(f"folders/{name}/")
    assert upload.look().headers["upload-metadata"] == metadata(
        "folders", name, contentType="text/plain", cacheControl="60", metadata='{"a":1}'
    )
    for part, offset in ((b"01234", 5), (b"567", 8), (b"89", 10)):
        response = upload.send(offset - len(part), part)
        assert (response.status_code, response.headers["upload-offset"]) == (204, str(offset))
        assert "Upload-Offset" in response.headers["access-control-expose-headers"]
        if offset < 10:
            assert upload.offset() == offset
            assert api.send("GET", f"/object/folders/{name}").status_code == 400
    assert api.send("GET", f"/object/folders/{name}").content == b"0123456789"
    info = api.send("GET", f"/object/info/folders/{name}").json()
    assert {key: info[key] for key in ("size", "content_type", "cache_control", "metadata", "etag")} == {
        "size": 10,
        "content_type": "text/plain",
        "cache_control": "max-age=60",
        "metadata": {"a": 1},
        "etag": '"781e5e245d69b566979b86e28d23f2c7"',
    }
    # A client that has missed the last response hears that all is there.
    done = upload.look()
    assert (done.status_code, done.headers["upload-offset"], done.headers["upload-length"]) == (
        200,
        "10",
        "10",
    )
    shown = api.send("DELETE", "/object/folders", json={"prefixes": [name]}).json()
    assert [one["owner_id"] for one in shown] == [owner.id]


def test_upload_may_bring_bytes_at_once(api: Api, name: str) -> None:
    upload = Resumable(api, name)
    response = upload.begin(5, b"012")
    assert (response.status_code, response.headers["upload-offset"]) == (201, "3")
    assert upload.send(3, b"34").status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"01234"


def test_upload_without_bytes_is_an_object(api: Api, name: str) -> None:
    assert Resumable(api, name).begin(0).status_code == 201
    assert api.send("GET", f"/object/folders/{name}").content == b""


def test_server_says_what_it_speaks(api: Api) -> None:
    response = httpx.options(f"{api.stack.api_url}/storage/v1/upload/resumable")
    assert response.status_code == 204
    assert {key: response.headers[key] for key in ("tus-version", "tus-extension", "tus-max-size")} == {
        "tus-version": "1.0.0",
        "tus-extension": "creation,creation-with-upload,termination,expiration",
        "tus-max-size": str(50 << 20),
    }


@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"tus-resumable": "0.2.1"}, 412, "Tus-Resumable Required"),
        ({"upload-length": ""}, 400, "upload-length is required and must be a whole number"),
        ({"upload-length": "-1"}, 400, "upload-length is required and must be a whole number"),
        ({"upload-length": str(51 << 20)}, 413, "Maximum size exceeded\n"),
        ({"upload-metadata": ""}, 400, "Metadata header is required"),
        ({"upload-metadata": "bucketName ?"}, 400, "Invalid Upload-Metadata header"),
        (
            {"upload-metadata": "bucketName Zm9sZGVycw==,bucketName Zm9sZGVycw=="},
            400,
            "Invalid Upload-Metadata header",
        ),
        ({"upload-metadata": "a" * 17_000}, 400, "Upload-Metadata is too long"),
        ({"upload-metadata": metadata("folders", "a/../b")}, 400, "Invalid key: a/../b"),
        ({"upload-metadata": metadata("no/where", "a")}, 400, "Bucket name invalid"),
        ({"upload-metadata": metadata("nowhere", "a")}, 404, "Bucket not found"),
        (
            {"upload-metadata": metadata("pictures", "a", contentType="text/html")},
            415,
            "mime type text/html is not supported",
        ),
        (
            {"upload-metadata": metadata("sealed", "a")},
            403,
            "new row violates row-level security policy",
        ),
        ({"authorization": "Bearer x"}, 403, "Invalid Compact JWS"),
    ],
)
def test_upload_that_may_not_begin_leaves_nothing(
    api: Api, connection: psycopg.Connection, headers: dict[str, str], status: int, message: str
) -> None:
    count = "select count(*) from _localbase.storage_resumable_uploads"
    before = connection.execute(count).fetchone(), stored_files(api.stack)
    all_headers = {
        **TUS,
        **BYTES,
        "upload-length": "5",
        "upload-metadata": metadata("folders", "a"),
        **headers,
    }
    response = api.send("POST", "/upload/resumable", headers=all_headers, content=b"01234")
    assert (response.status_code, response.text, response.headers["tus-resumable"]) == (
        status,
        message,
        "1.0.0",
    )
    assert (connection.execute(count).fetchone(), stored_files(api.stack)) == before


def test_offset_that_is_not_the_uploads_is_409(api: Api, name: str) -> None:
    upload = Resumable(api, name)
    upload.begin(10, b"012")
    for offset in (0, 2, 4, 10, 11):
        response = upload.send(offset, b"x")
        assert (response.status_code, response.headers["upload-offset"]) == (409, "3"), offset
    assert upload.offset() == 3
    assert upload.send(3, b"3456789x").status_code == 413
    assert upload.send(3, iter([b"34", b"56789x"])).status_code == 413
    kept = upload.offset()
    assert upload.send(kept, b"0123456789"[kept:]).status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"0123456789"


def test_bytes_of_another_kind_are_415(api: Api, name: str) -> None:
    upload = Resumable(api, name)
    upload.begin(10)
    assert upload.send(0, b"x", headers={"content-type": "text/plain"}).status_code == 415
    assert upload.send(0, b"x", headers={"upload-offset": "x"}).status_code == 400
    assert upload.offset() == 0


def test_taken_name_is_refused_and_replaced_only_with_upsert(api: Api, name: str, storage: Stack) -> None:
    api.send("PUT", f"/object/folders/{name}", content=b"first")
    refused = Resumable(api, name).begin(3, b"new")
    assert (refused.status_code, refused.text) == (409, "The resource already exists")
    before = len(stored_files(storage))
    assert Resumable(api, name).begin(3, b"new", {"x-upsert": "true"}).status_code == 201
    assert api.send("GET", f"/object/folders/{name}").content == b"new"
    assert len(stored_files(storage)) == before


def test_name_taken_meanwhile_ends_the_upload(api: Api, name: str, storage: Stack) -> None:
    upload = Resumable(api, name)
    upload.begin(4, b"mine"[:2])
    before = stored_files(storage)
    api.send("PUT", f"/object/folders/{name}", content=b"other")
    response = upload.send(2, b"ne")
    assert (response.status_code, response.text) == (409, "The resource already exists")
    assert api.send("GET", f"/object/folders/{name}").content == b"other"
    assert len(stored_files(storage)) == len(before) + 1


def test_stranger_neither_continues_nor_ends_an_upload(api: Api, stranger: Api, name: str) -> None:
    upload = Resumable(api, name)
    upload.begin(5, b"012")
    assert upload.send(3, b"34", api=stranger).status_code == 404
    assert stranger.send("DELETE", upload.path, headers=TUS).status_code == 404
    assert upload.offset() == 3
    for wrong in (
        "x",
        "..",
        "%2e%2e",
        base64.urlsafe_b64encode(f"folders/{name}/{uuid.uuid4()}".encode()).decode(),
    ):
        response = api.send("HEAD", f"/upload/resumable/{wrong}", headers=TUS)
        assert response.status_code == 404, wrong


def test_permission_is_checked_at_every_part(api: Api, name: str, connection: psycopg.Connection) -> None:
    upload = Resumable(api, name)
    upload.begin(5, b"012")
    connection.execute('alter policy "folders: write" on storage.objects with check (false)')
    try:
        response = upload.send(3, b"34")
        assert (response.status_code, response.text) == (403, "new row violates row-level security policy")
        assert api.send("DELETE", upload.path, headers=TUS).status_code == 403
    finally:
        connection.execute(
            'alter policy "folders: write" on storage.objects with check'
            " (bucket_id = 'folders' and (storage.foldername(name))[1] = (select auth.uid())::text)"
        )
    assert upload.send(3, b"34").status_code == 204


def test_ended_upload_leaves_nothing(api: Api, name: str, storage: Stack) -> None:
    before = stored_files(storage)
    upload = Resumable(api, name)
    upload.begin(5, b"012")
    assert api.send("DELETE", upload.path, headers=TUS).status_code == 204
    assert upload.look().status_code == 404
    assert upload.send(3, b"34").status_code == 404
    assert stored_files(storage) == before
    done = Resumable(api, name)
    done.begin(1, b"x")
    response = api.send("DELETE", done.path, headers=TUS)
    assert (response.status_code, response.text) == (400, "The upload is complete already")


def test_expired_upload_is_410_and_swept(
    api: Api, name: str, storage: Stack, connection: psycopg.Connection
) -> None:
    from localbase.storage.backend.disk import DiskFiles
    from localbase.storage.tus.uploads import remove_expired

    upload = Resumable(api, name)
    begun = upload.begin(5, b"012")
    assert "upload-expires" in begun.headers
    before = stored_files(storage)
    version = upload.version
    connection.execute(
        "update _localbase.storage_resumable_uploads set expires_at = now() - interval '1 s' where version = %s",
        [version],
    )
    assert upload.look().status_code == 410
    assert upload.send(3, b"34").status_code == 410
    files = DiskFiles(storage.state / "storage")
    assert with_database(storage, lambda pool: remove_expired(pool, files)) == 1
    assert upload.look().status_code == 404
    assert {path.name for path in before - stored_files(storage)} == {f"{version}.part"}


def test_signed_upload_needs_its_token_alone(api: Api, owner: Person, anonymous: Api, name: str) -> None:
    token = api.send("POST", f"/object/upload/sign/folders/{name}").json()["token"]
    headers = {**TUS, "x-signature": token}
    begin = {**headers, "upload-length": "4", "upload-metadata": metadata("folders", name)}
    begun = anonymous.send("POST", "/upload/resumable/sign", headers=begin)
    assert begun.status_code == 201
    path = begun.headers["location"].partition("/storage/v1")[2]
    assert path.startswith("/upload/resumable/sign/")
    part = {**BYTES, "upload-offset": "0"}
    assert anonymous.send("PATCH", path, headers={**TUS, **part}, content=b"x").status_code == 400
    assert (
        anonymous.send(
            "PATCH", path.replace("/sign/", "/"), headers={**TUS, **part}, content=b"x"
        ).status_code
        == 404
    )
    assert anonymous.send("PATCH", path, headers={**headers, **part}, content=b"done").status_code == 204
    assert api.send("GET", f"/object/folders/{name}").content == b"done"
    other = {**begin, "upload-metadata": metadata("folders", f"{owner.id}/other")}
    refused = anonymous.send("POST", "/upload/resumable/sign", headers=other)
    assert (refused.status_code, refused.text) == (400, "Invalid signature")
    reading = api.send("POST", f"/object/sign/folders/{name}", json={"expiresIn": 60}).json()["signedURL"]
    download = {**begin, "x-signature": reading.partition("token=")[2]}
    assert (
        anonymous.send("POST", "/upload/resumable/sign", headers=download).text
        == "Token is not scoped for upload"
    )
