"""Attacks on others, or on an object, by values, policies and requests at once."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.localbase.integration.storage.resumable.resumable import Resumable
from tests.localbase.integration.storage.s3.s3_client import s3_client
from tests.support.random_cases import cases
from tests.support.stacks import Stack
from tests.support.users import Person

_LINES = "text/html\r\nset-cookie: a=b"


@pytest.fixture
def name(owner: Person) -> str:
    return f"{owner.id}/{uuid.uuid4()}.txt"


@pytest.mark.parametrize("mime", [_LINES, "text/html\nx-more: 1", "text/тест", "text/plain\x00", "a/\x7f"])
def test_media_type_that_no_header_can_carry_is_415(api: Api, name: str, mime: str) -> None:
    refused = f"mime type {mime} is not supported"
    resumable = Resumable(api, name).begin(3, b"abc", contentType=mime)
    assert (resumable.status_code, resumable.text) == (415, refused)
    api.send("POST", f"/object/folders/{name}", content=b"abc", headers={"content-type": "text/plain"})
    copy = {"bucketId": "folders", "sourceKey": name, "destinationKey": f"{name}.copy", "copyMetadata": False}
    response = api.error("POST", "/object/copy", json={**copy, "metadata": {"mimetype": mime}})
    assert response == (
        400,
        {
            "statusCode": "415",
            "code": "InvalidMimeType",
            "error": "invalid_mime_type",
            "message": refused,
        },
    )
    assert api.send("GET", f"/object/folders/{name}.copy").status_code == 400


def test_form_field_with_line_ends_is_no_media_type(api: Api, name: str) -> None:
    response = api.send(
        "POST",
        f"/object/folders/{name}",
        data={"contentType": _LINES},
        files={"": ("blob", b"abc", "text/plain")},
    )
    assert (response.status_code, response.json()["code"]) == (400, "InvalidMimeType")
    assert api.send("GET", f"/object/folders/{name}").json()["code"] == "NoSuchKey"


@pytest.mark.parametrize("value", ["max-age=1\r\nset-cookie: a=b", "тест"])
def test_cache_control_that_no_header_can_carry_is_400(api: Api, name: str, value: str) -> None:
    api.send("POST", f"/object/folders/{name}", content=b"abc", headers={"content-type": "text/plain"})
    copy = {"bucketId": "folders", "sourceKey": name, "destinationKey": f"{name}.copy", "copyMetadata": False}
    response = api.error("POST", "/object/copy", json={**copy, "metadata": {"cacheControl": value}})
    assert response == (
        400,
        {
            "statusCode": "400",
            "code": "InvalidRequest",
            "error": "Error",
            "message": "cacheControl must be a header's value",
        },
    )


_MANY = {
    "statusCode": "400",
    "code": "InvalidRequest",
    "error": "InvalidRequest",
    "message": "reach fields limit",
}
_LARGE = {
    "statusCode": "413",
    "code": "EntityTooLarge",
    "error": "Payload too large",
    "message": "The form exceeded the maximum allowed size",
}


@pytest.mark.parametrize(
    ("part", "error"),
    [
        (b'Content-Disposition: form-data; name="a"\r\n\r\n\r\n', _MANY),
        (b'Content-Disposition: form-data; name="%d"\r\n\r\n' + b"x" * 900_000 + b"\r\n", _LARGE),
        (b"x-more: " + b"x" * 4000 + b"\r\n\r\n\r\n", _MANY),
    ],
    ids=["empty", "large", "of headers"],
)
def test_form_that_comes_to_no_file_is_refused_before_its_end(
    anonymous: Api, part: bytes, error: dict[str, str]
) -> None:
    parts = [b"--edge\r\n" + part.replace(b"%d", b"%d" % number) for number in range(9)]
    begin = b"".join(parts) * (1 + 4_000_000 // len(b"".join(parts)))
    response = anonymous.early_response(
        "/object/sealed/a.txt",
        {"content-type": "multipart/form-data; boundary=edge", "content-length": str(100 << 20)},
        begin,
    )
    assert response == (400, error)


def test_policy_that_sleeps_ends_and_others_are_served(
    api: Api, service: Api, bucket: str, connection: psycopg.Connection
) -> None:
    policy = f'"{bucket}: sleeps"'
    connection.execute(
        f"""
        create policy {policy} on storage.objects for insert to authenticated
        with check (bucket_id = '{bucket}' and pg_sleep(1000) is not null)
        """.encode()
    )

    def upload(number: int) -> tuple[int, dict[str, Any]]:
        return api.error("POST", f"/object/{bucket}/{number}", content=b"x")

    started = time.monotonic()
    try:
        with ThreadPoolExecutor(8) as pool:
            responses = list(pool.map(upload, range(8)))
    finally:
        connection.execute(f"drop policy {policy} on storage.objects".encode())
    assert time.monotonic() - started < 30
    timed_out = {
        "statusCode": "544",
        "code": "DatabaseTimeout",
        "error": "DatabaseTimeout",
        "message": "The connection to the database timed out",
    }
    assert responses == [(544, timed_out)] * 8
    assert service.send("POST", f"/object/{bucket}/a", content=b"x").status_code == 200


def test_resumable_upload_that_two_requests_complete_has_its_bytes(
    api: Api, name: str, connection: psycopg.Connection, storage: Stack
) -> None:
    upload = Resumable(api, name)
    upload.begin(6)
    assert upload.send(0, b"abc").status_code == 204
    with psycopg.connect(storage.admin_db_url) as holder, ThreadPoolExecutor(2) as pool:
        holder.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"folders/{name}"])
        last = pool.submit(upload.send, 3, b"def")
        _wait_for_waiters(connection, 1)
        look = pool.submit(upload.look)
        _wait_for_waiters(connection, 2)
        holder.rollback()
        assert last.result().status_code == 204
        response = look.result()
    assert (response.status_code, response.headers["upload-offset"]) == (200, "6")
    assert api.send("GET", f"/object/folders/{name}").content == b"abcdef"


def test_object_that_is_being_replaced_is_read_whole(service: Api, bucket: str) -> None:
    def put(number: int) -> int:
        content = bytes([number % 256]) * 300_000
        return service.send("PUT", f"/object/{bucket}/a", content=content).status_code

    def read(_: int) -> tuple[int, int, bool]:
        response = service.send("GET", f"/object/{bucket}/a", headers={"range": "bytes=10-"})
        return response.status_code, len(response.content), _is_of_one_writing(response.content)

    assert put(0) == 200
    with ThreadPoolExecutor(1) as writer, ThreadPoolExecutor(4) as readers:
        puts = writer.map(put, range(cases(20)))
        responses = set(readers.map(read, range(cases(200))))
        assert set(puts) == {200}
    assert responses == {(206, 299_990, True)}


def test_object_that_is_being_replaced_is_read_whole_by_s3(service: Api, bucket: str) -> None:
    def put(number: int) -> int:
        content = bytes([number % 256]) * 300_000
        return service.send("PUT", f"/object/{bucket}/a", content=content).status_code

    def read(_: int) -> tuple[int, bool]:
        content = client.get_object(Bucket=bucket, Key="a")["Body"].read()
        return len(content), _is_of_one_writing(content)

    client = s3_client(service.stack)
    assert put(0) == 200
    with ThreadPoolExecutor(2) as writer, ThreadPoolExecutor(4) as readers:
        puts = writer.map(put, range(cases(40)))
        responses = set(readers.map(read, range(cases(200))))
        assert set(puts) == {200}
    assert responses == {(300_000, True)}


@pytest.mark.parametrize("metadata", ["null", "[1]", '"x"', '{"size": "abc"}', '{"size": []}'])
def test_row_that_sql_gave_any_metadata_is_read(
    service: Api, bucket: str, connection: psycopg.Connection, metadata: str
) -> None:
    service.send("POST", f"/object/{bucket}/a", content=b"abc")
    connection.execute(
        "update storage.objects set metadata = %s, user_metadata = '[1]' where bucket_id = %s",
        [metadata, bucket],
    )
    assert service.send("GET", f"/object/{bucket}/a").content == b"abc"
    info = service.send("GET", f"/object/info/{bucket}/a").json()
    assert (info["size"], info["metadata"]) == (0, None)


def test_object_that_a_trigger_leaves_out_is_403(
    service: Api, bucket: str, connection: psycopg.Connection, storage: Stack
) -> None:
    trigger = f'"skip {bucket}"'
    connection.execute(
        f"""
        create function public.{trigger}() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger {trigger} before insert on storage.objects for each row
          when (new.bucket_id = '{bucket}') execute function public.{trigger}()
        """.encode()
    )
    before = stored_files(storage)
    try:
        response = service.error("POST", f"/object/{bucket}/a", content=b"abc")
    finally:
        connection.execute(f"drop function public.{trigger} cascade".encode())
    assert response == (
        400,
        {
            "statusCode": "403",
            "code": "AccessDenied",
            "error": "Unauthorized",
            "message": "A trigger leaves the object out",
        },
    )
    assert stored_files(storage) == before


def _is_of_one_writing(content: bytes) -> bool:
    """Tell whether all bytes are the same."""
    return content == content[:1] * len(content)


def _wait_for_waiters(connection: psycopg.Connection, count: int) -> None:
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        row = connection.execute(
            "select count(*) from pg_locks where locktype = 'advisory' and not granted"
        ).fetchone()
        if row == (count,):
            return
        time.sleep(0.01)
    raise AssertionError(f"not {count} requests wait for the object")
