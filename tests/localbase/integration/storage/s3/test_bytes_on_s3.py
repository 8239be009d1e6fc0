"""A project of which the bytes lie on S3, by `[storage.bytes]`: here on that of another project."""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx
import pytest
from localbase.core.project import open_project
from localbase.core.settings import ByteStoreSettings
from localbase.storage.backend.disk import DiskFiles
from localbase.storage.backend.s3 import S3Files
from localbase.storage.backend.s3_bucket import S3Bucket
from localbase.storage.errors import BytesUnavailable
from localbase.storage.sweep import Swept, sweep
from PIL import Image

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.localbase.integration.storage.resumable.resumable import Resumable
from tests.localbase.integration.storage.s3.bytes_on_s3 import Wire, project_on_s3
from tests.localbase.integration.storage.s3.s3_client import s3_client
from tests.localbase.integration.storage.test_sweep import kill_gateway, wait_until_up, with_database

Result = TypeVar("Result")
_PREFIX = "of a test/+/"
_MEGABYTE = 1 << 20
_DOWN = {
    "statusCode": "503",
    "code": "ServiceUnavailable",
    "error": "service_unavailable",
    "message": "The storage of the objects' bytes is unavailable, please try again",
}


@dataclass(frozen=True, slots=True)
class Place:
    """The project as its service role, the bucket that holds its bytes, and the wire between them."""

    api: Api
    s3: Any
    wire: Wire

    def stored(self) -> dict[str, int]:
        """Version and size of all that lies in the bucket."""
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="bytes", Prefix=_PREFIX)
        contents = [each for page in pages for each in page.get("Contents", [])]
        return {each["Key"].removeprefix(_PREFIX): each["Size"] for each in contents}

    def put(self, name: str, content: Any) -> httpx.Response:
        return self.api.send("PUT", f"/object/open/{name}", content=content)

    def get(self, name: str, **headers: str) -> httpx.Response:
        return self.api.send("GET", f"/object/open/{name}", headers=headers)

    def version(self, name: str) -> str:
        return str(self.api.send("GET", f"/object/info/open/{name}").json()["version"])

    def settings(self) -> ByteStoreSettings:
        stack = self.api.stack
        return open_project(stack.root, stack.environ).settings.storage.byte_store

    def with_files(
        self, work: Callable[[S3Files], Awaitable[Result]], settings: ByteStoreSettings | None = None
    ) -> Result:
        """Runs `work` with the project's files."""

        async def run() -> Result:
            staging = DiskFiles(self.api.stack.state / "storage")
            files = S3Files(S3Bucket(settings or self.settings(), pauses=(0.01,)), staging)
            try:
                return await work(files)
            finally:
                await files.close()

        return asyncio.run(run())

    def swept(self) -> Swept:
        async def run(pool: Any) -> Swept:
            files = S3Files(S3Bucket(self.settings()), DiskFiles(self.api.stack.state / "storage"))
            try:
                return await sweep(pool, files, older_than=0)
            finally:
                await files.close()

        return with_database(self.api.stack, run)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with project_on_s3() as (project, service, wire):
        yield Place(Api(project, project.service_role_key), s3_client(service), wire)


@pytest.fixture
def name() -> str:
    return f"{uuid.uuid4()}.bin"


def bytes_of(size: int) -> bytes:
    return hashlib.shake_128(b"bytes").digest(size)


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


async def chunks_of(content: bytes) -> AsyncIterator[bytes]:
    yield content


@pytest.mark.parametrize("size", [0, 1, 70 * _MEGABYTE])
def test_object_of_any_size_lies_in_the_bucket_and_not_on_the_disk(
    place: Place, name: str, size: int
) -> None:
    content = bytes_of(size)
    assert place.put(name, content).status_code == 200
    assert place.stored()[place.version(name)] == size
    assert stored_files(place.api.stack) == set()
    response = place.get(name)
    assert (response.status_code, response.headers["etag"]) == (200, f'"{md5(content)}"')
    assert response.content == content


@pytest.mark.parametrize(
    ("byte_range", "start", "end"),
    [("bytes=0-0", 0, 1), ("bytes=100-299999", 100, 300_000), ("bytes=-7", 499_993, 500_000)],
)
def test_range_is_read_of_the_service(place: Place, byte_range: str, start: int, end: int) -> None:
    content = bytes_of(500_000)
    place.put("ranges", content)
    response = place.get("ranges", range=byte_range)
    assert (response.status_code, response.content) == (206, content[start:end])


def test_connection_that_breaks_in_mid_object_is_made_again(place: Place, name: str) -> None:
    content = bytes_of(3 * _MEGABYTE)
    place.put(name, content)
    version = place.version(name)
    place.wire.end_connections()
    place.wire.breaks_after = _MEGABYTE

    async def read(files: S3Files) -> bytes:
        return b"".join([chunk async for chunk in files.read(version)])

    assert place.with_files(read) == content
    assert place.wire.breaks_after is None


def test_copy_move_replacement_and_removal_are_those_of_the_bucket(place: Place, name: str) -> None:
    place.put(name, b"first")
    first = place.version(name)
    copied = {"bucketId": "open", "sourceKey": name, "destinationKey": f"{name}-copy"}
    assert place.api.send("POST", "/object/copy", json=copied).status_code == 200
    moved = {"bucketId": "open", "sourceKey": f"{name}-copy", "destinationKey": f"{name}-moved"}
    assert place.api.send("POST", "/object/move", json=moved).status_code == 200
    copy = place.version(f"{name}-moved")
    assert {first, copy} <= set(place.stored())
    assert first != copy
    place.put(name, b"second")
    assert first not in place.stored()
    assert [place.get(each).content for each in (name, f"{name}-moved")] == [b"second", b"first"]
    second = place.version(name)
    gone = place.api.send("DELETE", "/object/open", json={"prefixes": [name, f"{name}-moved"]})
    assert len(gone.json()) == 2
    assert {second, copy} & set(place.stored()) == set()


def test_resumable_upload_survives_a_kill(place: Place, name: str) -> None:
    content = bytes_of(6 * _MEGABYTE)
    upload = Resumable(place.api, name, "open")
    assert upload.begin(len(content)).status_code == 201
    assert upload.send(0, content[: 5 * _MEGABYTE]).status_code == 204
    kill_gateway(place.api.stack)
    wait_until_up(place.api)
    offset = upload.offset()
    assert offset == 5 * _MEGABYTE
    assert upload.send(offset, content[offset:]).status_code == 204
    assert place.get(name).content == content
    assert stored_files(place.api.stack) == set()


def test_upload_that_was_sent_before_a_crash_is_completed_again(place: Place) -> None:
    version, content = str(uuid.uuid4()), b"sent already"

    async def note(received: int) -> None:
        assert received == len(content)

    async def check() -> None:
        """No other writer."""

    async def complete_twice(files: S3Files) -> list[Any]:
        await files.append(version, 0, chunks_of(content), len(content), note, check)
        try:
            return [await files.complete(version, len(content)), await files.complete(version, len(content))]
        finally:
            await files.remove(version)

    first, second = place.with_files(complete_twice)
    assert first == second
    assert (first.size, first.etag) == (len(content), f'"{md5(content)}"')
    with pytest.raises(FileNotFoundError):
        place.with_files(lambda files: files.complete(version, len(content)))


def test_picture_is_drawn_of_the_service_s_bytes(place: Place) -> None:
    out = io.BytesIO()
    Image.new("RGB", (400, 200), "red").save(out, "PNG")
    place.api.send("PUT", "/object/open/p.png", content=out.getvalue(), headers={"content-type": "image/png"})
    drawn = place.api.send("GET", "/render/image/public/open/p.png", params={"width": "100"})
    assert drawn.status_code == 200, drawn.text
    assert Image.open(io.BytesIO(drawn.content)).size[0] == 100


def test_sweep_removes_what_no_row_names_and_nothing_else(place: Place, name: str) -> None:
    place.put(name, b"named")
    orphan, foreign = str(uuid.uuid4()), "notes.txt"
    for key in (orphan, foreign):
        place.s3.put_object(Bucket="bytes", Key=_PREFIX + key, Body=b"left")
    torn = str(uuid.uuid4())
    place.s3.create_multipart_upload(Bucket="bytes", Key=_PREFIX + torn)
    swept = place.swept()
    assert (swept.removed, swept.lost) == (2, [])
    assert orphan not in place.stored()
    assert {foreign, place.version(name)} <= set(place.stored())
    assert "Uploads" not in place.s3.list_multipart_uploads(Bucket="bytes")
    place.s3.delete_object(Bucket="bytes", Key=f"{_PREFIX}{place.version(name)}")
    assert place.swept().lost == [f"open/{name}"]
    assert place.api.error("GET", f"/object/open/{name}")[1]["code"] == "NoSuchKey"


def test_service_that_is_down_is_a_clear_error_and_loses_nothing(place: Place, name: str) -> None:
    place.put(name, b"before")
    other = f"{name}-other"
    place.put(other, b"goes")
    with place.wire.cut():
        assert place.api.error("PUT", f"/object/open/{name}", content=b"lost") == (503, _DOWN)
        assert place.api.error("GET", f"/object/open/{name}") == (503, _DOWN)
        assert place.api.error("GET", f"/render/image/public/open/{name}") == (503, _DOWN)
        # The row decides; the sweep removes the bytes.
        version = place.version(other)
        assert len(place.api.send("DELETE", "/object/open", json={"prefixes": [other]}).json()) == 1
    assert place.get(name).content == b"before"
    assert stored_files(place.api.stack) == set()
    assert version in place.stored()
    place.swept()
    assert version not in place.stored()


def test_resumable_upload_waits_for_a_service_that_is_down(place: Place, name: str) -> None:
    upload = Resumable(place.api, name, "open")
    upload.begin(4)
    with place.wire.cut():
        response = upload.send(0, b"here")
        assert (response.status_code, response.text) == (503, _DOWN["message"])
    assert upload.look().headers["upload-offset"] == "4"
    assert place.get(name).content == b"here"


def test_wrong_keys_are_a_clear_error_in_the_log(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    wrong = replace(place.settings(), secret_access_key="a-wrong-secret")
    with caplog.at_level(logging.ERROR, "localbase.storage"), pytest.raises(BytesUnavailable):
        place.with_files(lambda files: files.write(chunks_of(b"x"), 10), wrong)
    [line] = [record.getMessage() for record in caplog.records]
    assert line == (
        f"the objects' bytes: PUT on the bucket bytes at {place.wire.endpoint} failed: 403 SignatureDoesNotMatch"
    )
    assert stored_files(place.api.stack) == set()
