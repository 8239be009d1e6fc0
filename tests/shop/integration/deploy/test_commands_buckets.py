"""`python -m deploy buckets`: the buckets of supabase-config.toml, with their limits and their objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from deploy.buckets import bytes_of, read_buckets
from deploy.errors import CommandError
from tests.shop.integration.deploy.owner import Owner
from tests.support.stacks import ROOT, Stack

VIDEO = ROOT / "sql" / "storage" / "videos" / "demo-video.mp4"


class Storage:
    def __init__(self, stack: Stack) -> None:
        key = stack.secret_key
        headers = {"apikey": key, "authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=f"{stack.api_url}/storage/v1", headers=headers, timeout=30)

    def send(self, method: str, path: str, **sent: Any) -> httpx.Response:
        response = self._http.request(method, path, **sent)
        assert response.status_code == 200, response.text
        return response

    def bucket(self, name: str) -> dict[str, Any]:
        bucket = self.send("GET", f"/bucket/{name}").json()
        return {key: bucket[key] for key in ("public", "file_size_limit", "allowed_mime_types")}

    def remove(self, name: str) -> None:
        self.send("POST", f"/bucket/{name}/empty")
        self.send("DELETE", f"/bucket/{name}")


@pytest.fixture
def storage(stack: Stack, owner: Owner) -> Iterator[Storage]:
    yield Storage(stack)
    assert owner.run("buckets").code == 0


def lines(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.partition(" ")[2].startswith(("videos", "print-files"))]


UNCHANGED = [
    "buckets: videos: nothing to change",
    "buckets: videos/demo-video.mp4: nothing to change",
    "buckets: print-files: nothing to change",
]


def test_buckets_of_the_stack_need_no_change(owner: Owner) -> None:
    response = owner.run("buckets")
    assert (response.code, response.err) == (0, "")
    assert lines(response.out) == UNCHANGED
    assert all(line.endswith("nothing to change") for line in response.out.splitlines())


def test_buckets_are_made_with_their_limits_and_the_video_is_uploaded(owner: Owner, storage: Storage) -> None:
    storage.remove("videos")
    response = owner.run("buckets")
    assert (response.code, response.err) == (0, "")
    assert lines(response.out) == [
        "buckets: videos: made, public",
        f"buckets: videos/demo-video.mp4: uploaded, {VIDEO.stat().st_size} bytes",
        "buckets: print-files: nothing to change",
    ]
    assert storage.bucket("videos") == {
        "public": True, "file_size_limit": 52428800, "allowed_mime_types": ["video/mp4"],
    }  # fmt: skip
    served = storage.send("GET", "/object/public/videos/demo-video.mp4")
    assert served.headers["content-type"] == "video/mp4"
    assert served.content == VIDEO.read_bytes()
    assert lines(owner.run("buckets").out) == UNCHANGED


def test_bucket_with_other_settings_is_put_right(owner: Owner, storage: Storage) -> None:
    wrong = {"public": True, "file_size_limit": None, "allowed_mime_types": None}
    storage.send("PUT", "/bucket/print-files", json=wrong)
    response = owner.run("buckets")
    assert lines(response.out)[2] == (
        "buckets: print-files: changed public, file_size_limit, allowed_mime_types"
    )
    assert storage.bucket("print-files") == {
        "public": False, "file_size_limit": 52428800, "allowed_mime_types": ["image/png"],
    }  # fmt: skip


def test_object_with_other_bytes_is_replaced(owner: Owner, storage: Storage) -> None:
    other = bytes(VIDEO.stat().st_size)
    headers = {"content-type": "video/mp4", "x-upsert": "true"}
    storage.send("POST", "/object/videos/demo-video.mp4", content=other, headers=headers)
    assert "demo-video.mp4: uploaded" in owner.run("buckets").out
    assert storage.send("GET", "/object/public/videos/demo-video.mp4").content == VIDEO.read_bytes()


def test_bucket_sizes_are_read_as_the_official_command_line_reads_them() -> None:
    sizes: list[str | int] = ["50MiB", "50MB", "1 gib", "10", 10, "3KB"]
    assert [bytes_of(size) for size in sizes] == [52428800, 52428800, 2**30, 10, 10, 3072]
    with pytest.raises(CommandError, match="'much' is no size"):
        bytes_of("much")


def test_bucket_table_has_the_video_and_the_print_files() -> None:
    assert {"videos", "print-files"} <= {bucket.name for bucket in read_buckets()}


def test_pictures_of_the_demonstration_are_not_deployed() -> None:
    deployed = {bucket.name: bucket.objects for bucket in read_buckets()}
    assert deployed == dict.fromkeys(deployed, None) | {"videos": ROOT / "sql" / "storage" / "videos"}
