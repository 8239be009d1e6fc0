"""Lists of objects, compared with a model of them: folders, prefixes, pages, sorting, and letters of any kind."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.localbase.integration.storage.conftest import Api
from tests.support.users import Person

_PARTS = ["a", "A", "a-b", "a b", "aa", "Z", "x_y", "x%", "x!", "0"]
_names = st.lists(
    st.lists(st.sampled_from(_PARTS), min_size=1, max_size=3).map("/".join),
    min_size=1,
    max_size=25,
    unique=True,
)


@pytest.fixture
def rows(connection: psycopg.Connection, bucket: str) -> Iterator[Any]:
    """Puts these names into the test's bucket, without bytes, each a second after the one before."""

    def put(names: list[str]) -> str:
        with connection.transaction():
            connection.execute("set local storage.allow_delete_query = 'true'")
            connection.execute("delete from storage.objects where bucket_id = %s", [bucket])
            for number, name in enumerate(names):
                connection.execute(
                    "insert into storage.objects (bucket_id, name, created_at, updated_at)"
                    " values (%s, %s, now() + %s * interval '1 s', now() - %s * interval '1 s')",
                    [bucket, name, number, number],
                )
        return bucket

    yield put
    put([])


def level(names: list[str], prefix: str) -> list[str]:
    """Return what lies directly below `prefix`.

    Names, and folders with a slash at their end, in the order of their bytes.
    """
    entries = set()
    for name in names:
        if name.startswith(prefix):
            head, slash, _ = name.removeprefix(prefix).partition("/")
            entries.add(prefix + head + slash)
    return sorted(entries, key=str.encode)


def pages(api: Api, bucket: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    cursor = None
    for _ in range(100):
        response = api.send(
            "POST", f"/object/list-v2/{bucket}", json=body | ({"cursor": cursor} if cursor else {})
        )
        assert response.status_code == 200, response.text
        page = response.json()
        yield page
        if not page["hasNext"]:
            return
        cursor = page["nextCursor"]
    raise AssertionError("the pages have no end")


def listed(page: dict[str, Any]) -> list[str]:
    return [one["name"] for one in (*page["folders"], *page["objects"])]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=_names,
    prefix=st.sampled_from(["", "a", "a/", "a-b/", "x_", "x%", "A/a/"]),
    order=st.sampled_from(["asc", "desc"]),
    limit=st.integers(1, 5),
)
def test_v2_pages_hold_each_name_once(
    service: Api, rows: Any, names: list[str], prefix: str, order: str, limit: int
) -> None:
    bucket = rows(names)
    body = {"prefix": prefix, "limit": limit, "sortBy": {"column": "name", "order": order}}
    expected = sorted((name for name in names if name.startswith(prefix)), key=str.encode)
    flat = list(itertools.chain.from_iterable(listed(page) for page in pages(service, bucket, body)))
    assert flat == (expected if order == "asc" else expected[::-1])
    expected = level(names, prefix)
    entries = []
    for page in pages(service, bucket, {**body, "with_delimiter": True}):
        assert len(listed(page)) <= limit
        entries += sorted(listed(page), key=str.encode, reverse=order == "desc")
    assert entries == (expected if order == "asc" else expected[::-1])


@pytest.mark.parametrize("column", ["created_at", "updated_at"])
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("delimiter", [True, False])
def test_v2_sorts_by_time(service: Api, rows: Any, column: str, order: str, delimiter: bool) -> None:
    names = [f"f/{letter}" for letter in "cabfed"]
    bucket = rows(names)
    body = {
        "prefix": "f/",
        "limit": 2,
        "with_delimiter": delimiter,
        "sortBy": {"column": column, "order": order},
    }
    entries = list(itertools.chain.from_iterable(listed(page) for page in pages(service, bucket, body)))
    assert entries == (names if (column == "created_at") == (order == "asc") else names[::-1])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=_names,
    prefix=st.sampled_from(["", "a", "A", "a-b", "x%", "nowhere"]),
    order=st.sampled_from(["asc", "desc"]),
    limit=st.integers(1, 5),
)
def test_v1_pages_hold_each_name_once(
    service: Api, rows: Any, names: list[str], prefix: str, order: str, limit: int
) -> None:
    bucket = rows(names)
    entries: list[tuple[str, bool]] = []
    for offset in range(0, 1000, limit):
        body = {
            "prefix": prefix,
            "limit": limit,
            "offset": offset,
            "sortBy": {"column": "name", "order": order},
        }
        page = service.send("POST", f"/object/list/{bucket}", json=body).json()
        entries += [(one["name"], one["id"] is None) for one in page]
        if not page:
            break
    below = f"{prefix}/" if prefix else ""
    # Capital and small letters are alike to v1, in the prefix and in the names of folders.
    folders: set[str] = set()
    files: set[str] = set()
    for name in names:
        if name.lower().startswith(below.lower()):
            head, slash, _ = name[len(below) :].partition("/")
            (folders if slash else files).add(head.lower() if slash else name)
    assert len(entries) == len(folders) + len(files)
    assert {name.lower() for name, is_folder in entries if is_folder} == folders
    in_order = [name.lower() + "/" * is_folder for name, is_folder in entries]
    assert in_order == sorted(in_order, key=str.encode, reverse=order == "desc")


def test_v1_searches_below_the_prefix(service: Api, rows: Any) -> None:
    bucket = rows(["a/Shirt-1", "a/shirt-2/x", "a/shoe", "b/shirt", "a/x%y", "a/x_y", "a/xay"])

    def listed_names(**body: object) -> list[str]:
        response = service.send("POST", f"/object/list/{bucket}", json={"prefix": "a", **body})
        return [one["name"] for one in response.json()]

    assert listed_names(search="sh") == ["Shirt-1", "shirt-2", "shoe"]
    assert listed_names(search="SHI") == ["Shirt-1", "shirt-2"]
    assert listed_names(search="x%") == ["x%y"]
    assert listed_names(search="x_") == ["x_y"]
    assert listed_names(search="nothing") == []


@pytest.mark.parametrize("column", ["created_at", "updated_at", "last_accessed_at"])
def test_v1_sorts_folders_before_times(service: Api, rows: Any, column: str) -> None:
    bucket = rows(["b", "folder/x", "a", "other/y"])
    body = {"prefix": "", "sortBy": {"column": column, "order": "asc"}}
    response = service.send("POST", f"/object/list/{bucket}", json=body).json()
    assert [one["name"] for one in response][:2] == ["folder", "other"]
    assert {one["name"] for one in response} == {"a", "b", "folder", "other"}
    if column != "last_accessed_at":
        assert [one["name"] for one in response][2:] == (["b", "a"] if column == "created_at" else ["a", "b"])


def test_client_lists_folders_and_files(api: Api, owner: Person) -> None:
    for name in ("deep/er/x.txt", "deep/a.txt", "b.txt"):
        api.send("PUT", f"/object/folders/{owner.id}/{name}", content=b"x")
    bucket = owner.client.storage.from_("folders")
    assert [(one["name"], one["id"] is None) for one in bucket.list(owner.id)] == [
        ("b.txt", False),
        ("deep", True),
    ]
    assert [one["name"] for one in bucket.list(f"{owner.id}/deep", {"limit": 1, "offset": 1})] == ["er"]
    page = bucket.list_v2({"prefix": f"{owner.id}/", "with_delimiter": True})
    assert [one.name for one in page.folders] == [f"{owner.id}/deep/"]
    assert [one.name for one in page.objects] == [f"{owner.id}/b.txt"]


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("list", {"limit": "x"}, "body/limit must be integer"),
        ("list", {"limit": 0}, "body/limit must be >= 1"),
        ("list", {"offset": -1}, "body/offset must be >= 0"),
        ("list", {"prefix": 5}, "body/prefix must be string"),
        ("list", {"sortBy": "name"}, "body/sortBy must be object"),
        (
            "list",
            {"sortBy": {"column": "x"}},
            "body/sortBy/column must be equal to one of the allowed values",
        ),
        (
            "list-v2",
            {"sortBy": {"order": "x"}},
            "body/sortBy/order must be equal to one of the allowed values",
        ),
        (
            "list-v2",
            {"sortBy": {"column": "last_accessed_at"}},
            "body/sortBy/column must be equal to one of the allowed values",
        ),
    ],
)
def test_list_with_bad_options_is_400(service: Api, path: str, body: dict[str, Any], message: str) -> None:
    assert service.error("POST", f"/object/{path}/open", json=body) == (
        400,
        {"statusCode": "400", "code": "InvalidRequest", "error": "Error", "message": message},
    )


@pytest.mark.parametrize("cursor", ["x", "bDo=", "bGFzdA==", "bDphCmM6bmFtZTsgZHJvcA==", "/w=="])
def test_cursor_of_another_kind_is_400(service: Api, cursor: str) -> None:
    status, body = service.error("POST", "/object/list-v2/open", json={"cursor": cursor})
    assert (status, body["message"]) == (400, "Invalid Parameter continuation token")


def test_empty_bucket_lists_nothing(service: Api, bucket: str) -> None:
    assert service.send("POST", f"/object/list/{bucket}", json={"prefix": ""}).json() == []
    assert service.send("POST", f"/object/list-v2/{bucket}", json={}).json() == {
        "hasNext": False,
        "folders": [],
        "objects": [],
    }
    assert service.send("POST", f"/object/list/{uuid.uuid4()}", json={}).json() == []
