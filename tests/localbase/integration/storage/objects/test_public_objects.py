"""Public objects by the fast path: the same responses as by ASGI, and nothing that has been taken away."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.stacks import Stack

# A request that names its own id is left to the ASGI path.
_BY_ASGI = {"x-request-id": "public-objects"}
_BYTES = b"0123456789" * 200_000


@pytest.fixture(scope="module")
def folder(service: Api) -> str:
    """Objects of several kinds in a public bucket, below a folder of the test's own."""
    folder = str(uuid.uuid4())
    kinds = {
        "page.html": (b"<p>", {"content-type": "text/html"}),
        "empty": (b"", {"content-type": "text/plain", "cache-control": "max-age=60"}),
        "large(1)!,$&=;:@+'*.bin": (_BYTES, {"content-type": "image/png"}),
        "a//b": (b"two slashes", {}),
    }
    for name, (content, headers) in kinds.items():
        sent = service.send("POST", f"/object/open/{folder}/{name}", content=content, headers=headers)
        assert sent.status_code == 200, sent.text
    return folder


@pytest.fixture
def client(storage: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{storage.api_url}/storage/v1/object/public") as client:
        yield client


def _seen(response: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    named = [pair for pair in response.headers.multi_items() if pair[0] not in ("date", "x-request-id")]
    return response.status_code, named, response.content


@pytest.mark.parametrize(
    ("name", "status"),
    [
        *(("page.html", 200), ("empty", 200), ("large(1)!,$&=;:@+'*.bin", 200), ("a//b", 200)),
        *(("none", 400), ("~", 400), ("empty?download=x", 200), ("p%61ge.html", 200)),
    ],
)
def test_both_ways_to_a_public_object_respond_alike(
    client: httpx.Client, folder: str, name: str, status: int
) -> None:
    fast, by_asgi = (client.get(f"/open/{folder}/{name}", headers=headers) for headers in ({}, _BY_ASGI))
    assert by_asgi.headers["x-request-id"] == _BY_ASGI["x-request-id"] != fast.headers["x-request-id"]
    assert _seen(fast) == _seen(by_asgi)
    assert fast.status_code == status


@pytest.mark.parametrize("headers", [{"range": "bytes=2-4"}, {"if-none-match": "*"}, {"if-match": '"x"'}])
def test_conditions_on_a_public_object_count_on_the_same_connection(
    client: httpx.Client, folder: str, headers: dict[str, str]
) -> None:
    path = f"/open/{folder}/large(1)!,$&=;:@+'*.bin"
    assert client.get(path).content == _BYTES
    assert client.get(path, headers=headers).status_code in (206, 304, 412)


def test_bad_token_and_bad_key_do_not_close_what_is_public(client: httpx.Client, folder: str) -> None:
    for headers in ({"authorization": "Bearer x"}, {"apikey": "x"}):
        assert client.get(f"/open/{folder}/page.html", headers=headers).status_code == 200


def test_object_of_a_bucket_that_is_public_no_more_is_gone_at_once(
    client: httpx.Client, service: Api, bucket: str, connection: psycopg.Connection
) -> None:
    service.send("POST", f"/object/{bucket}/a", content=b"a")
    outcomes = []
    for is_public in (False, True, False):
        connection.execute("update storage.buckets set public = %s where id = %s", [is_public, bucket])
        fast, by_asgi = (client.get(f"/{bucket}/a", headers=headers) for headers in ({}, _BY_ASGI))
        assert _seen(fast) == _seen(by_asgi)
        outcomes.append(fast.status_code)
    assert outcomes == [400, 200, 400]


def test_object_that_was_replaced_or_removed_is_read_as_it_is_now(
    client: httpx.Client, service: Api, folder: str
) -> None:
    path = f"open/{folder}/changing"
    for content in (b"first", b"second"):
        service.send("POST", f"/object/{path}", content=content, headers={"x-upsert": "true"})
        assert client.get(f"/{path}").content == content
    service.send("DELETE", f"/object/{path}")
    assert client.get(f"/{path}").json()["error"] == "not_found"


def test_row_whose_bytes_have_gone_is_an_object_not_found(
    client: httpx.Client, service: Api, storage: Stack, folder: str
) -> None:
    before = stored_files(storage)
    service.send("POST", f"/object/open/{folder}/lost", content=b"lost")
    for file in stored_files(storage) - before:
        file.unlink()
    fast, by_asgi = (client.get(f"/open/{folder}/lost", headers=headers) for headers in ({}, _BY_ASGI))
    assert _seen(fast) == _seen(by_asgi)
    assert fast.json()["code"] == "NoSuchKey"
    # the sweep's tests look for rows like this one
    service.send("DELETE", f"/object/open/{folder}/lost")


def test_requests_sent_behind_one_another_are_answered_in_their_order(storage: Stack, folder: str) -> None:
    parts = urlsplit(storage.api_url)
    names = ["page.html", "large(1)!,$&=;:@+'*.bin", "none", "a/../empty", "empty", "page.html"]
    lines = [f"GET /storage/v1/object/public/open/{folder}/{name} HTTP/1.1\r\nHost: x\r\n" for name in names]
    with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30) as wire:
        wire.sendall(("\r\n".join(lines) + "connection: close\r\n\r\n").encode())
        received = wire.makefile("rb").read()
    assert received.count(_BYTES) == 1
    # The bytes of an object end where the next response's head begins.
    assert b"<p>HTTP/1.1 200 OK" in received
    assert b"789HTTP/1.1 400 Bad Request" in received
    assert received.endswith(b"<p>")
    assert received.count(b"HTTP/1.1 ") == len(names)
