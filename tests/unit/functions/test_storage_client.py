"""Storage as functions use it: the requests that leave, and what becomes of the responses."""

import json

import httpx
import pytest
from _shared.clients.storage import Storage

from tests.unit.functions.network import NETWORK_DOWN, Outcome, error_of, transport


def test_print_file_is_stored_in_place_of_an_older_one_and_shown_by_the_public_address() -> None:
    seen: list[httpx.Request] = []
    signed = httpx.Response(200, json={"signedURL": "/object/sign/print-files/d.png?token=t"})
    store = Storage(
        "http://inner", "https://shop.example", "key", transport(httpx.Response(200), signed, seen=seen)
    )
    store.put("print-files", "d.png", b"PNG", "image/png")
    assert (
        store.address("print-files", "d.png", 60)
        == "https://shop.example/storage/v1/object/sign/print-files/d.png?token=t"
    )
    put, sign = seen
    assert (put.url.path, put.content) == ("/storage/v1/object/print-files/d.png", b"PNG")
    assert (put.headers["x-upsert"], put.headers["content-type"]) == ("true", "image/png")
    assert json.loads(sign.content) == {"expiresIn": 60}


def test_objects_are_read_copied_and_removed() -> None:
    seen: list[httpx.Request] = []
    missing = httpx.Response(
        400, json={"statusCode": "404", "error": "not_found", "message": "Object not found"}
    )
    store = Storage(
        "http://inner",
        "http://inner",
        "key",
        transport(
            httpx.Response(200, content=b"PNG"),
            missing,
            httpx.Response(200),
            missing,
            httpx.Response(200),
            seen=seen,
        ),
    )
    assert (store.get("designs", "u/d/p.png"), store.get("designs", "none")) == (b"PNG", None)
    assert (store.copy("designs", "a", "shown", "b"), store.copy("designs", "none", "shown", "b")) == (
        True,
        False,
    )
    store.remove("designs", ["a", "b"])
    assert [(request.method, request.url.path) for request in seen] == [
        ("GET", "/storage/v1/object/authenticated/designs/u/d/p.png"),
        ("GET", "/storage/v1/object/authenticated/designs/none"),
        ("POST", "/storage/v1/object/copy"),
        ("POST", "/storage/v1/object/copy"),
        ("DELETE", "/storage/v1/object/designs"),
    ]
    names = {"bucketId": "designs", "sourceKey": "a", "destinationBucket": "shown", "destinationKey": "b"}
    assert (json.loads(seen[2].content), seen[2].headers["x-upsert"]) == (names, "true")
    assert json.loads(seen[4].content) == {"prefixes": ["a", "b"]}


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(
            400, json={"statusCode": "404", "error": "Bucket not found", "message": "Bucket not found"}
        ),
        httpx.Response(404, text="no gateway here"),
        NETWORK_DOWN,
    ],
)
def test_missing_bucket_or_gateway_is_not_a_missing_object(response: Outcome) -> None:
    store = Storage("http://inner", "http://inner", "key", transport(response))
    assert error_of(lambda: store.get("designs", "a")) == (502, "storage_unavailable")


@pytest.mark.parametrize("response", [httpx.Response(400, json={"error": "Bucket not found"}), NETWORK_DOWN])
def test_storage_error_becomes_a_shop_error(response: Outcome) -> None:
    store = Storage("http://inner", "http://inner", "key", transport(response))
    assert error_of(lambda: store.put("b", "n", b"", "image/png")) == (502, "storage_unavailable")
