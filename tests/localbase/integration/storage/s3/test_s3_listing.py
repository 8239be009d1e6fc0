"""Lists of objects over the S3 protocol, against the same list computed from the names."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest

from tests.localbase.integration.storage.conftest import Api
from tests.localbase.integration.storage.s3.s3_client import error_of, keys_in, s3_client
from tests.support.stacks import Stack

_NAMES = sorted(
    [
        *("B", "a", "a.txt", "a/1", "a/2", "a/b/1", "a/b/2", "a/c", "a-", "a0", "b/1", "b/2/3", "c"),
        *("d e/f+g", "d e/h", "x_y", "x%y".replace("%", "!"), "xzy", "z/z/z/z", "~".replace("~", "_")),
    ],
    key=str.encode,
)


@pytest.fixture(scope="module")
def s3(storage: Stack) -> Any:
    return s3_client(storage)


@pytest.fixture(scope="module")
def listed(s3: Any, service: Api) -> str:
    """A bucket with objects of all those names."""
    assert service.send("POST", "/bucket", json={"name": "listed-by-s3"}).status_code == 200
    for name in _NAMES:
        s3.put_object(Bucket="listed-by-s3", Key=name, Body=b"x")
    return "listed-by-s3"


def expected(prefix: str, delimiter: str) -> list[str]:
    """Names, and what they have in common up to the delimiter, in order."""
    entries: list[str] = []
    for name in _NAMES:
        if not name.startswith(prefix):
            continue
        rest, cut, _ = name[len(prefix) :].partition(delimiter) if delimiter else (name, "", "")
        shown = prefix + rest + cut if cut else name
        if shown not in entries:
            entries.append(shown)
    return entries


def shown(page: Any) -> list[str]:
    prefixes = [each["Prefix"] for each in page.get("CommonPrefixes", [])]
    return sorted([*keys_in(page), *prefixes], key=str.encode)


def pages_of(call: Any, token_in: str, token_out: str, **parameters: Any) -> Iterator[Any]:
    token: dict[str, str] = {}
    while True:
        page = call(**parameters, **token)
        yield page
        if not page["IsTruncated"]:
            return
        last = page.get(token_out) or page["Contents"][-1]["Key"]
        token = {token_in: last}


_EACH = pytest.mark.parametrize(
    ("prefix", "delimiter"),
    [
        ("", ""),
        ("", "/"),
        ("a", "/"),
        ("a/", "/"),
        ("a/b/", "/"),
        ("a/", ""),
        ("", "a"),
        ("x", ""),
        ("", "/b/"),
    ],
)


@_EACH
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_pages_of_version_2_hold_each_name_once(
    s3: Any, listed: str, prefix: str, delimiter: str, size: int
) -> None:
    parameters = {"Bucket": listed, "Prefix": prefix, "Delimiter": delimiter, "MaxKeys": size}
    pages = list(pages_of(s3.list_objects_v2, "ContinuationToken", "NextContinuationToken", **parameters))
    assert [name for page in pages for name in shown(page)] == expected(prefix, delimiter)
    assert all(page["KeyCount"] == len(shown(page)) <= size for page in pages)


@_EACH
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_pages_of_version_1_hold_each_name_once(
    s3: Any, listed: str, prefix: str, delimiter: str, size: int
) -> None:
    parameters = {"Bucket": listed, "Prefix": prefix, "Delimiter": delimiter, "MaxKeys": size}
    pages = list(pages_of(s3.list_objects, "Marker", "NextMarker", **parameters))
    assert [name for page in pages for name in shown(page)] == expected(prefix, delimiter)
    assert all("NextMarker" not in page for page in pages if not delimiter)


@pytest.mark.parametrize("start", ["", "a", "a/1", "a/zzz", "b", "zzz", "a/b/1"])
def test_list_begins_behind_start_after(s3: Any, listed: str, start: str) -> None:
    behind = [name for name in _NAMES if name.encode() > start.encode()]
    assert keys_in(s3.list_objects_v2(Bucket=listed, StartAfter=start)) == behind
    page = s3.list_objects_v2(Bucket=listed, StartAfter=start, Delimiter="/")
    folders = [name for name in expected("", "/") if any(each.startswith(name) for each in behind)]
    assert shown(page) == [name for name in folders if name.endswith("/") or name in behind]


def test_listed_object_shows_its_size_tag_and_time(s3: Any, listed: str) -> None:
    head = s3.head_object(Bucket=listed, Key="a")
    [one] = s3.list_objects_v2(Bucket=listed, MaxKeys=1, Prefix="a")["Contents"]
    assert (one["Key"], one["Size"], one["ETag"], one["StorageClass"]) == ("a", 1, head["ETag"], "STANDARD")
    assert one["LastModified"].replace(microsecond=0) == head["LastModified"]


def test_names_are_encoded_where_the_client_wants_it(s3: Any, listed: str) -> None:
    parameters = {"Bucket": listed, "Prefix": "d e/", "EncodingType": "url"}
    response = httpx.get(s3.generate_presigned_url("list_objects_v2", parameters))
    assert "<Key>d%20e%2Ff%2Bg</Key>" in response.text
    assert "<Prefix>d%20e%2F</Prefix>" in response.text
    assert error_of(s3.list_objects_v2, Bucket=listed, EncodingType="xml") == (400, "InvalidParameter")


def test_no_keys_are_listed_where_none_are_wanted(s3: Any, listed: str) -> None:
    page = s3.list_objects_v2(Bucket=listed, MaxKeys=0)
    assert (page["KeyCount"], page["IsTruncated"], keys_in(page)) == (0, False, [])


@pytest.mark.parametrize("token", ["x", "bDo", base64.b64encode(b"k:a").decode(), "/w=="])
def test_token_that_is_none_is_rejected(s3: Any, listed: str, token: str) -> None:
    assert error_of(s3.list_objects_v2, Bucket=listed, ContinuationToken=token) == (400, "InvalidParameter")


def test_text_that_postgres_cannot_hold_is_rejected(s3: Any, listed: str) -> None:
    assert error_of(s3.list_objects_v2, Bucket=listed, Prefix="a\0b") == (400, "InvalidParameter")
    assert error_of(s3.get_object, Bucket=listed, Key="a\0b") == (400, "InvalidParameter")


def test_prefix_is_no_pattern(s3: Any, listed: str) -> None:
    assert keys_in(s3.list_objects_v2(Bucket=listed, Prefix="x_")) == ["x_y"]
    assert keys_in(s3.list_objects_v2(Bucket=listed, Prefix="%")) == []
    assert keys_in(s3.list_objects_v2(Bucket=listed, Prefix="b")) == ["b/1", "b/2/3"]


@pytest.fixture
def large(bucket: str, connection: psycopg.Connection) -> Iterator[str]:
    """A bucket with 2,500 rows, which have no bytes: the sweep's tests must not meet them."""
    connection.execute(
        "insert into storage.objects (bucket_id, name, metadata)"
        " select %s, 'n' || lpad(n::text, 5, '0'), '{}' from generate_series(1, 2500) as n",
        [bucket],
    )
    yield bucket
    with connection.transaction():
        connection.execute("set local storage.allow_delete_query = 'true'")
        connection.execute("delete from storage.objects where bucket_id = %s", [bucket])


def test_large_bucket_is_listed_page_by_page(s3: Any, large: str) -> None:
    pages = list(s3.get_paginator("list_objects_v2").paginate(Bucket=large))
    assert [page["KeyCount"] for page in pages] == [1000, 1000, 500]
    assert [key for page in pages for key in keys_in(page)] == [f"n{n:05}" for n in range(1, 2501)]
