"""The print emulator over HTTP, as the shop's functions use it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.shop.integration.emulators.conftest import Listener, Served

HEADERS = {"Authorization": "Bearer printify_emulator_token", "User-Agent": "Teesmith tests"}
ADDRESS = {
    "first_name": "Sam", "last_name": "Shopper", "email": "sam@example.com", "phone": "+1 555", "country": "US",
    "region": "CA", "address1": "1 Main St", "address2": "", "city": "Beverly Hills", "zip": "90210",
}  # fmt: skip


@pytest.fixture(scope="session")
def printify(emulators: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{emulators.url}/printify/v1", headers=HEADERS, timeout=30) as client:
        yield client


def picture(colour: str = "#f0492f") -> str:
    buffer = io.BytesIO()
    Image.new("RGBA", (200, 240), colour).save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def product_of(printify: httpx.Client, variants: tuple[int, ...] = (12126, 9000002)) -> dict[str, Any]:
    upload = printify.post(
        "/uploads/images.json", json={"file_name": "design.png", "contents": picture()}
    ).json()
    image = {"id": upload["id"], "x": 0.5, "y": 0.45, "scale": 1, "angle": 0}
    response = printify.post(
        "/shops/1/products.json",
        json={
            "title": "Otter",
            "description": "",
            "blueprint_id": 6,
            "print_provider_id": 29,
            "variants": [{"id": id, "price": 1990, "is_enabled": True} for id in variants],
            "print_areas": [
                {"variant_ids": list(variants), "placeholders": [{"position": "front", "images": [image]}]}
            ],
        },
    )
    assert response.status_code == 200
    product: dict[str, Any] = response.json()
    return product


def order_of(printify: httpx.Client, product: str, external: str, **more: Any) -> httpx.Response:
    lines = [{"product_id": product, "variant_id": 12126, "quantity": 2}]
    body = {
        "external_id": external,
        "label": "1",
        "line_items": lines,
        "shipping_method": 1,
        "address_to": ADDRESS,
    }
    return printify.post("/shops/1/orders.json", json={**body, **more})


def wait_for_status(printify: httpx.Client, id: str, status: str) -> dict[str, Any]:
    deadline = time.monotonic() + 15
    order: dict[str, Any] = {}
    while time.monotonic() < deadline:
        order = printify.get(f"/shops/1/orders/{id}.json").json()
        if order["status"] == status:
            return order
        time.sleep(0.02)
    raise AssertionError(f"the order is {order['status']}, not {status}")


def test_request_without_token_or_user_agent_is_rejected(emulators: Served) -> None:
    url = f"{emulators.url}/printify/v1/shops.json"
    assert httpx.get(url).status_code == 401
    assert httpx.get(url, headers={**HEADERS, "User-Agent": ""}).status_code == 403
    assert httpx.get(url, headers=HEADERS).json() == [
        {"id": 1, "title": "Teesmith", "sales_channel": "disconnected"}
    ]


def test_catalog_offers_the_variants_that_the_shop_sells(printify: httpx.Client) -> None:
    response = printify.get("/catalog/blueprints/6/print_providers/29/variants.json").json()
    titles = {variant["id"]: variant["title"] for variant in response["variants"]}
    assert (titles[12126], titles[24039], titles[9000001], titles[12013]) == (
        "Black / S", "Black / 4XL", "White / XS", "Orange / XL",
    )  # fmt: skip
    assert len(titles) == 15 * 7 + 7
    assert printify.get("/catalog/blueprints/7.json").status_code == 404


def test_uploads_are_content_addressed_and_must_be_pictures(printify: httpx.Client) -> None:
    first = printify.post(
        "/uploads/images.json", json={"file_name": "a.png", "contents": picture("#123456")}
    ).json()
    again = printify.post(
        "/uploads/images.json", json={"file_name": "b.png", "contents": picture("#123456")}
    ).json()
    assert (first["width"], first["height"], first["mime_type"]) == (200, 240, "image/png")
    assert again["id"] == first["id"]
    text = base64.b64encode(b"not a picture").decode()
    out = io.BytesIO()
    Image.new("1", (6400, 6400)).save(out, "PNG")
    large = base64.b64encode(out.getvalue()).decode()
    rejected = printify.post("/uploads/images.json", json={"file_name": "a.png", "contents": large})
    assert (rejected.status_code, "The file has too many pixels." in rejected.text) == (400, True)
    rejected = printify.post("/uploads/images.json", json={"file_name": "a.png", "contents": text})
    assert (rejected.status_code, rejected.json()["code"]) == (400, 8150)


def test_product_shows_the_whole_matrix_with_empty_placeholders(printify: httpx.Client) -> None:
    product = product_of(printify)
    enabled = [variant["id"] for variant in product["variants"] if variant["is_enabled"]]
    assert sorted(enabled) == [12126, 9000002]
    assert len(product["variants"]) == 112
    positions = {item["position"]: len(item["images"]) for item in product["print_areas"][0]["placeholders"]}
    assert positions == {"front": 1, "back": 0}
    assert printify.get(f"/shops/1/products/{product['id']}.json").json() == product
    assert printify.delete(f"/shops/1/products/{product['id']}.json").json() == {}
    assert printify.get(f"/shops/1/products/{product['id']}.json").status_code == 404


def test_incomplete_product_is_rejected_by_field(printify: httpx.Client) -> None:
    response = printify.post(
        "/shops/1/products.json", json={"title": "x", "blueprint_id": 6, "print_provider_id": 29}
    )
    assert response.status_code == 400
    assert response.json() == {
        "status": "error",
        "code": 8150,
        "message": "Validation failed.",
        "errors": {"reason": "variants: The variants field is required.", "code": 8150},
    }


def test_order_is_created_once_per_external_id(printify: httpx.Client) -> None:
    product = product_of(printify)
    first = order_of(printify, product["id"], "order-once")
    assert list(first.json()) == ["id"]
    again = order_of(printify, product["id"], "order-once")
    assert (again.status_code, again.json()["code"]) == (409, 8503)
    assert again.json()["order"] == {"id": first.json()["id"]}


def test_order_proceeds_to_delivery_with_signed_webhooks(printify: httpx.Client, listener: Listener) -> None:
    hook = {"topic": "order:shipment:created", "url": listener.url, "secret": "shhh"}
    registered = printify.post("/shops/1/webhooks.json", json=hook).json()
    id = order_of(printify, product_of(printify)["id"], "order-moving").json()["id"]
    early = printify.post(f"/shops/1/orders/{id}/send_to_production.json")
    if early.status_code == 400:  # the first seconds of an order take milliseconds here
        assert early.json()["code"] == 8502
        waiting = wait_for_status(printify, id, "on-hold")
        assert (waiting["total_price"], waiting["total_shipping"]) == (2 * 909, 475 + 240)
        sent = printify.post(f"/shops/1/orders/{id}/send_to_production.json")
        assert sent.status_code == 200
    done = wait_for_status(printify, id, "fulfilled")
    shipment = done["shipments"][0]
    assert (shipment["carrier"], shipment["number"][:4]) == ("USPS", "9400")
    assert done["metadata"]["shop_order_id"] == "order-moving"
    body = listener.wait_for(lambda _, body: id.encode() in body)
    headers = next(headers for headers, received in listener.received if received == body)
    expected = hmac.new(b"shhh", body, hashlib.sha256).hexdigest()
    assert headers["x-pfy-signature"] == f"sha256={expected}"
    event = json.loads(body)
    assert (event["type"], event["resource"]["id"]) == ("order:shipment:created", id)
    assert event["resource"]["data"]["carrier"]["tracking_number"] == shipment["number"]
    host = httpx.URL(listener.url).host
    assert (
        printify.delete(f"/shops/1/webhooks/{registered['id']}.json", params={"host": host}).status_code
        == 200
    )


def test_order_on_hold_is_cancelled_once(printify: httpx.Client) -> None:
    id = order_of(printify, product_of(printify)["id"], "order-cancelled").json()["id"]
    wait_for_status(printify, id, "on-hold")
    assert printify.post(f"/shops/1/orders/{id}/cancel.json").json()["status"] == "canceled"
    assert printify.post(f"/shops/1/orders/{id}/send_to_production.json").status_code == 400


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"line_items": []}, "line_items: The line items field is required."),
        ({"address_to": {**ADDRESS, "zip": ""}}, "address_to.zip: The address to.zip field is required."),
        (
            {"address_to": {**ADDRESS, "country": "ZZ"}},
            "address_to.country: The selected address to.country is invalid.",
        ),
        (
            {"line_items": [{"product_id": "none", "variant_id": 1, "quantity": 1}]},
            "line_items.0.product_id: The selected product id is invalid.",
        ),
    ],
)
def test_order_that_cannot_be_printed_is_rejected(
    printify: httpx.Client, change: dict[str, Any], reason: str
) -> None:
    response = order_of(printify, product_of(printify)["id"], f"refused {reason}", **change)
    assert (response.status_code, response.json()["errors"]["reason"]) == (400, reason)


def test_mockups_show_each_view_and_are_stored(printify: httpx.Client, emulators: Served) -> None:
    product = product_of(printify)
    base = f"{emulators.url}/printify/mockup/{product['id']}"
    seen = set()
    for view in (102048, 102049, 102046, 92581, 92584):
        response = httpx.get(f"{base}/12126/{view}/mockup.jpg?s=400", timeout=60)
        assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg")
        assert response.headers["cache-control"] == "public, max-age=86400"
        assert Image.open(io.BytesIO(response.content)).size == (400, 400)
        seen.add(response.content)
    assert len(seen) == 5
    assert httpx.get(f"{base}/12126/1/mockup.jpg").status_code == 404
    assert httpx.get(f"{base}/1/102048/mockup.jpg").status_code == 404
    again = httpx.get(f"{base}/9000002/92584/mockup.jpg?s=400")
    assert again.content in seen, "the same colour in another size is the same picture"
    unchanged = httpx.get(str(again.url), headers={"if-none-match": again.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert httpx.head(str(again.url)).headers["content-length"] == str(len(again.content))
