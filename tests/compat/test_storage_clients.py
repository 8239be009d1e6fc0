"""Every method of the official clients for Storage is in compatibility.toml, each proved by the client itself."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from storage3 import SyncStorageClient

from tests.support.stacks import ROOT, Stack
from tests.support.users import Users
from tools.compatibility import Row, read_rows

_CLIENTS = ("storage-js", "storage3")


@pytest.fixture(scope="module")
def seen(storage: Stack) -> dict[str, Any]:
    person = Users(storage).new("javascript")
    done = subprocess.run(
        [
            *("node", "tests/compat/storage.mjs", storage.api_url, storage.anon_key),
            *(person.token, person.id, storage.service_role_key),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def error_body(message: str, code: str, status: int = 400) -> dict[str, Any]:
    return {"error": message, "status": status, "code": code}


def test_javascript_client_makes_changes_and_deletes_buckets(seen: dict[str, Any]) -> None:
    names = [name for name in seen if name.split(" ")[0].endswith(("Bucket", "Buckets"))]
    assert {name: seen[name] for name in names} == {
        "createBucket": {"name": seen["createBucket"]["name"]},
        "updateBucket": {"message": "Successfully updated"},
        "getBucket": [seen["createBucket"]["name"], True, 2048],
        "listBuckets": [True],
        "deleteBucket full": error_body("The bucket you tried to delete is not empty", "409"),
        "emptyBucket": {"message": "Empty bucket has been queued. Completion may take up to an hour."},
        "deleteBucket": {"message": "Successfully deleted"},
        "createBucket as user": error_body("new row violates row-level security policy", "403"),
    }


def test_javascript_client_uploads_every_kind_of_body(seen: dict[str, Any]) -> None:
    assert seen["bodies"] == {
        "text": [True, 9],
        "buffer": [True, 4],
        "array": [True, 4],
        "blob": [True, 4],
        "file": [True, 4],
        "form": [True, 4],
        "params": [True, 3],
        "stream": [True, 4],
    }
    assert seen["upload"] == [True, 36]
    assert seen["upload again"] == error_body("The resource already exists", "409")
    assert (seen["upload upsert"], seen["update"]) == (True, True)


def test_javascript_client_describes_copies_and_moves(seen: dict[str, Any]) -> None:
    assert seen["info"] == [True, 5, {"colour": "blue"}, "text/plain;charset=UTF-8"]
    assert (seen["exists"], seen["copy"], seen["move"]) == (True, True, {"message": "Successfully moved"})
    assert seen["exists not"] is False or seen["exists not"]["error"]
    assert seen["move to a taken name"] == error_body("The resource already exists", "409")


def test_javascript_client_lists_by_page_and_folder(seen: dict[str, Any]) -> None:
    assert seen["list"][0] == "one.txt.moved"
    assert (seen["listV2"], seen["listV2 folders"]) == ([True, 1, "string"], True)


def test_javascript_client_signs_addresses(seen: dict[str, Any]) -> None:
    assert seen["createSignedUrl"] == "string"
    assert seen["signed"] == [200, "three", "attachment; filename=three.txt; filename*=UTF-8''three.txt"]
    assert seen["createSignedUrls"] == [True, False]
    assert (seen["createSignedUploadUrl"], seen["uploadToSignedUrl"]) == ("string", True)
    assert seen["getPublicUrl"].startswith("/storage/v1/render/image/public/open/a%20b.png?")


def test_javascript_client_downloads_and_removes(seen: dict[str, Any]) -> None:
    assert seen["stream"] == 5
    assert seen["download transformed"]["error"] == "The source image is invalid or unsupported for rendering"
    assert seen["remove"] == [True, True]
    assert seen["download gone"]["error"] == "Object not found"
    assert (seen["purgeCache"], seen["purgeBucketCache"]) == ({"message": "success"}, {"message": "success"})


def test_javascript_client_hears_what_is_not_served(seen: dict[str, Any]) -> None:
    for name in ("analytics", "vectors", "getBucketLifecycle"):
        assert seen[name]["error"] == "The feature is not enabled for this resource", name


def rows_of(client: str) -> list[Row]:
    return [row for row in read_rows() if row.section == f"Storage: `{client}`"]


def installed_methods(client: str) -> set[str]:
    if client == "storage3":
        made = SyncStorageClient("http://127.0.0.1:1/storage/v1/", {})
        return set(_methods(made, "")) | set(_methods(made.from_("x"), "from_."))
    done = subprocess.run(
        ["node", "tests/compat/storage_methods.mjs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def _methods(client: object, prefix: str) -> Iterator[str]:
    for name, value in inspect.getmembers(client):
        if not name.startswith("_") and inspect.ismethod(value):
            yield prefix + name


@pytest.mark.parametrize("client", _CLIENTS)
def test_table_has_each_method_of_the_installed_client(client: str) -> None:
    named = [name for row in rows_of(client) for name in re.findall(r"`([\w.]+)`", row.feature)]
    installed = installed_methods(client)
    assert len(installed) > 20
    assert sorted(named) == sorted(installed)


@pytest.mark.parametrize("client", _CLIENTS)
def test_method_works_or_belongs_to_a_feature_that_is_off(client: str) -> None:
    assert {row.state for row in rows_of(client)} <= {"works", "no"}
