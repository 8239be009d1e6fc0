"""Storage as functions use it: the requests that leave, and what becomes of the responses."""

import json

import httpx
import pytest
from _shared.clients.storage import Storage

from tests.shop.unit.functions.network import NETWORK_DOWN, Outcome, error_of, supabase_client

MISSING = {"statusCode": "404", "error": "not_found", "message": "Object not found"}


def storage(*responses: Outcome, seen: list[httpx.Request] | None = None) -> Storage:
    return Storage(supabase_client(*responses, seen=seen), "https://shop.example")


def test_print_file_is_stored_in_place_of_an_older_one_and_shown_by_the_public_address() -> None:
    seen: list[httpx.Request] = []
    stored = httpx.Response(200, json={"Key": "print-files/d.png"})
    signed = httpx.Response(200, json={"signedURL": "/object/sign/print-files/d.png?token=t"})
    store = storage(stored, signed, seen=seen)
    store.put("print-files", "d.png", b"PNG", "image/png")
    assert (
        store.address("print-files", "d.png", 60)
        == "https://shop.example/storage/v1/object/sign/print-files/d.png?token=t"
    )
    put, sign = seen
    assert put.url.path == "/storage/v1/object/print-files/d.png"
    assert (put.headers["x-upsert"], put.headers["authorization"]) == ("true", "Bearer key")
    assert b'filename="d.png"\r\nContent-Type: image/png\r\n\r\nPNG\r\n' in put.content
    assert b'name="cacheControl"\r\n\r\n3600\r\n' in put.content
    assert (sign.url.path, json.loads(sign.content)) == (
        "/storage/v1/object/sign/print-files/d.png",
        {"expiresIn": "60"},
    )


def test_objects_are_read_copied_and_removed() -> None:
    seen: list[httpx.Request] = []
    store = storage(
        httpx.Response(200, content=b"PNG"),
        httpx.Response(400, json=MISSING),
        httpx.Response(200),
        httpx.Response(400, json=MISSING),
        httpx.Response(200, json=[]),
        seen=seen,
    )
    assert (store.get("designs", "u/d/p.png"), store.get("designs", "none")) == (b"PNG", None)
    assert (store.copy("designs", "a", "shown", "b"), store.copy("designs", "none", "shown", "b")) == (
        True,
        False,
    )
    store.remove("designs", ["a", "b"])
    assert [(request.method, request.url.path) for request in seen] == [
        ("GET", "/storage/v1/object/designs/u/d/p.png"),
        ("GET", "/storage/v1/object/designs/none"),
        ("POST", "/storage/v1/object/copy"),
        ("POST", "/storage/v1/object/copy"),
        ("DELETE", "/storage/v1/object/designs"),
    ]
    names = {"bucketId": "designs", "sourceKey": "a", "destinationBucket": "shown", "destinationKey": "b"}
    assert (json.loads(seen[2].content), seen[2].headers["x-upsert"]) == (names, "true")
    assert json.loads(seen[4].content) == {"prefixes": ["a", "b"]}


def test_empty_object_is_not_a_missing_one() -> None:
    assert storage(httpx.Response(200, content=b"")).get("designs", "empty") == b""


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(400, json=MISSING | {"error": "Bucket not found", "message": "Bucket not found"}),
        httpx.Response(404, text="no gateway here"),
        httpx.ReadTimeout("slow"),
        NETWORK_DOWN,
    ],
)
def test_missing_bucket_or_gateway_is_not_a_missing_object(response: Outcome) -> None:
    store = storage(response, response)
    assert error_of(lambda: store.get("designs", "a")) == (502, "storage_unavailable")
    assert error_of(lambda: store.copy("designs", "a", "shown", "b")) == (502, "storage_unavailable")


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(400, json={"error": "Bucket not found"}),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={}),
        NETWORK_DOWN,
    ],
)
def test_storage_error_becomes_a_shop_error(response: Outcome) -> None:
    store = storage(response, response)
    assert error_of(lambda: store.put("b", "n", b"", "image/png")) == (502, "storage_unavailable")
    assert error_of(lambda: store.address("b", "n", 60)) == (502, "storage_unavailable")
