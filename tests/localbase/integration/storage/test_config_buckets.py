"""The buckets of `[storage.buckets]`: filled from their folder where they are empty, and only there."""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from localbase.core.project import open_project
from localbase.core.settings import BucketSettings
from localbase.storage.backend.disk import DiskFiles, Files, StoredFile
from localbase.storage.config_buckets import make_buckets
from localbase.storage.errors import BytesUnavailable

from tests.localbase.integration.storage.conftest import Api
from tests.localbase.integration.storage.test_sweep import with_database
from tests.support.stacks import Stack


class Started:
    """A start's work on one bucket, on the storage project's database."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self.bucket = f"configured-{uuid.uuid4()}"
        self.folder = folder
        self._stack = stack

    def again(self, files: Files | None = None, *, public: bool = False) -> None:
        project = open_project(self._stack.root, self._stack.environ)
        buckets = {self.bucket: BucketSettings(public=public, objects_path=str(self.folder))}
        settings = replace(project.settings, storage=replace(project.settings.storage, buckets=buckets))
        used = files or DiskFiles(self._stack.state / "storage")
        with_database(self._stack, lambda pool: make_buckets(replace(project, settings=settings), pool, used))


class Unavailable(DiskFiles):
    """Writes one version, then fails."""

    written = 0

    async def write(self, chunks: AsyncIterator[bytes], limit: int) -> StoredFile:
        self.written += 1
        if self.written > 1:
            raise BytesUnavailable
        return await super().write(chunks, limit)


@pytest.fixture
def started(storage: Stack, tmp_path: Path) -> Started:
    (tmp_path / "inner").mkdir()
    (tmp_path / "page.html").write_text("page")
    (tmp_path / "inner" / "unknown").write_bytes(b"\0bytes")
    return Started(storage, tmp_path)


def texts(service: Api, bucket: str) -> dict[str, str]:
    """Content of each object that the bucket has of these."""
    responses = {
        name: service.send("GET", f"/object/{bucket}/{name}")
        for name in ("page.html", "inner/unknown", "late.txt")
    }
    return {name: response.text for name, response in responses.items() if response.status_code == 200}


def test_empty_bucket_is_filled_with_all_files_below_its_folder(started: Started, service: Api) -> None:
    started.again()
    assert texts(service, started.bucket) == {"page.html": "page", "inner/unknown": "\0bytes"}
    about = service.send("GET", f"/object/info/{started.bucket}/page.html").json()
    assert (about["content_type"], about["size"], about["cache_control"]) == ("text/html", 4, "max-age=3600")
    unknown = service.send("GET", f"/object/info/{started.bucket}/inner/unknown").json()
    assert unknown["content_type"] == "application/octet-stream"


def test_next_start_leaves_objects_as_people_have_left_them(started: Started, service: Api) -> None:
    started.again()
    path = f"/object/{started.bucket}"
    service.send("PUT", f"{path}/page.html", content=b"changed")
    assert service.send("DELETE", f"{path}/inner/unknown").status_code == 200
    (started.folder / "late.txt").write_text("late")
    started.again(public=True)
    assert texts(service, started.bucket) == {"page.html": "changed"}
    assert service.send("GET", f"/bucket/{started.bucket}").json()["public"] is True


def test_bucket_of_which_the_bytes_cannot_be_stored_is_filled_at_the_next_start(
    started: Started, service: Api, storage: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "localbase.storage"):
        started.again(Unavailable(storage.state / "storage"))
    assert "cannot be filled now" in caplog.text
    assert service.send("GET", f"/bucket/{started.bucket}").status_code == 200
    assert texts(service, started.bucket) == {}
    started.again()
    assert set(texts(service, started.bucket)) == {"page.html", "inner/unknown"}


def test_bucket_without_its_folder_is_made_empty(
    started: Started, service: Api, caplog: pytest.LogCaptureFixture
) -> None:
    started.folder = started.folder / "missing"
    started.again()
    assert f"there is no folder {started.folder}" in caplog.text
    assert service.send("GET", f"/bucket/{started.bucket}").json()["name"] == started.bucket
