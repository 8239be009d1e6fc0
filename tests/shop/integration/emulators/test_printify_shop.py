"""The print emulator's other calls: changing and listing products, uploads, shipping, catalog and webhooks."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from tests.shop.integration.emulators.conftest import Listener, Served
from tests.shop.integration.emulators.test_printify import ADDRESS, HEADERS, order_of, picture, product_of


@pytest.fixture(scope="module")
def printify(emulators: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{emulators.url}/printify/v1", headers=HEADERS, timeout=30) as client:
        yield client


def reason(response: httpx.Response) -> tuple[int, int, str]:
    body = response.json()
    return response.status_code, body["code"], body["errors"]["reason"]


@pytest.fixture
def hook(printify: httpx.Client, listener: Listener) -> Iterator[dict[str, Any]]:
    """A webhook of the product's changes, without a secret."""
    made: dict[str, Any] = printify.post(
        "/shops/1/webhooks.json", json={"topic": "product:updated", "url": listener.url}
    ).json()
    yield made
    host = httpx.URL(listener.url).host
    printify.delete(f"/shops/1/webhooks/{made['id']}.json", params={"host": host})


def test_update_merges_variants_and_ignores_another_blueprint(printify: httpx.Client) -> None:
    product = product_of(printify, (12126,))
    image = product["print_areas"][0]["placeholders"][0]["images"][0]
    areas = [{"variant_ids": [12126, 12125], "placeholders": [{"position": "front", "images": [image]}]}]
    change = {
        "title": "Otter 2", "blueprint_id": 12, "variants": [{"id": 12125, "price": 2500, "is_enabled": True}],
        "print_areas": areas,
    }  # fmt: skip
    changed = printify.put(f"/shops/1/products/{product['id']}.json", json=change).json()
    prices = {variant["id"]: variant["price"] for variant in changed["variants"] if variant["is_enabled"]}
    assert prices == {12126: 1990, 12125: 2500}
    assert (changed["title"], changed["blueprint_id"]) == ("Otter 2", 6)
    assert changed["created_at"] == product["created_at"]


def test_update_that_leaves_a_variant_without_a_print_area_has_its_own_code(printify: httpx.Client) -> None:
    product = product_of(printify)
    areas = [{"variant_ids": [12126], "placeholders": []}]
    response = printify.put(f"/shops/1/products/{product['id']}.json", json={"print_areas": areas})
    assert reason(response) == (400, 8251, "print_areas: All variants must have a print area.")
    assert printify.get(f"/shops/1/products/{product['id']}.json").json() == product


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"title": 5}, "title: The title format is invalid."),
        ({"variants": [{"id": 1, "price": 1}]}, "variants.0.id: The selected variants.0.id is invalid."),
        ({"variants": [{"id": 12126}]}, "variants.0.price: The variants.0.price field is required."),
        (
            {"print_areas": [{"variant_ids": [12126, 9000002], "placeholders": [{"position": "sleeve"}]}]},
            "print_areas.0.placeholders: The position sleeve does not exist.",
        ),
    ],
)
def test_wrong_change_is_rejected_by_field(
    printify: httpx.Client, change: dict[str, Any], expected: str
) -> None:
    product = product_of(printify)
    response = printify.put(f"/shops/1/products/{product['id']}.json", json=change)
    assert reason(response) == (400, 8150, expected)


def test_shop_without_a_channel_cannot_publish(printify: httpx.Client) -> None:
    product = product_of(printify)
    response = printify.post(f"/shops/1/products/{product['id']}/publish.json", json={"title": True})
    assert reason(response) == (400, 8254, "Shop has no sales channel connected.")
    assert printify.post("/shops/1/products/none/publish.json").status_code == 404


def test_product_shows_a_picture_of_each_view_for_each_colour(printify: httpx.Client) -> None:
    product = product_of(printify, (12126, 12125, 9000001))
    images = product["images"]
    assert {tuple(image["variant_ids"]) for image in images} == {(12126, 12125), (9000001,)}
    assert [image["position"] for image in images].count("back") == 2
    assert len(images) == 2 * 6
    assert [image["is_default"] for image in images].count(True) == 1


def test_each_side_is_shown_with_what_is_printed_on_it(printify: httpx.Client) -> None:
    front, back = product_of(printify, (12126,)), product_of(printify, (12126,))
    placed = front["print_areas"][0]["placeholders"][0]["images"]
    areas = [{"variant_ids": [12126], "placeholders": [{"position": "back", "images": placed}]}]
    back = printify.put(f"/shops/1/products/{back['id']}.json", json={"print_areas": areas}).json()
    assert [len(side["images"]) for side in back["print_areas"][0]["placeholders"]] == [0, 1]

    def shown(product: dict[str, Any], position: str) -> bytes:
        address = next(image["src"] for image in product["images"] if image["position"] == position)
        return httpx.get(address, params={"s": 200}, timeout=30).raise_for_status().content

    assert shown(front, "front") != shown(back, "front")
    assert shown(front, "back") != shown(back, "back")


def test_lists_have_the_paginators_shape(printify: httpx.Client) -> None:
    for _ in range(3):
        product_of(printify, (12126,))
    first = printify.get("/shops/1/products.json", params={"limit": 2}).json()
    assert (first["current_page"], first["from"], first["to"], first["per_page"]) == (1, 1, 2, 2)
    assert first["prev_page_url"] is None
    assert first["last_page"] == -(-first["total"] // 2)
    second = printify.get("/shops/1/products.json", params={"limit": 2, "page": 2}).json()
    assert (second["from"], second["prev_page_url"]) == (3, "/?page=1")
    ids = [product["id"] for page in (first, second) for product in page["data"]]
    assert len(set(ids)) == len(ids)
    beyond = printify.get("/shops/1/products.json", params={"page": 10_000}).json()
    assert (beyond["data"], beyond["from"], beyond["to"], beyond["next_page_url"]) == ([], None, None, None)
    wrong = printify.get("/shops/1/products.json", params={"limit": "many", "page": "-1"}).json()
    assert (wrong["current_page"], wrong["per_page"]) == (1, 10)
    most = printify.get("/shops/1/products.json", params={"limit": 1000}).json()
    assert most["per_page"] == 50


def test_orders_are_listed_ten_at_a_time_by_status(printify: httpx.Client) -> None:
    id = order_of(printify, product_of(printify)["id"], "order-listed").json()["id"]
    page = printify.get("/shops/1/orders.json", params={"limit": 100}).json()
    assert page["per_page"] == 10
    assert id in [order["id"] for order in page["data"]]
    assert not [name for order in page["data"] for name in order if name.startswith("_")]
    none = printify.get("/shops/1/orders.json", params={"status": "has-issues"}).json()
    assert (none["data"], none["total"]) == ([], 0)


def test_other_shop_is_not_found(printify: httpx.Client) -> None:
    response = printify.get("/shops/2/products.json")
    assert response.status_code == 404
    assert set(response.json()) == {"error", "request_id"}


def test_catalog_describes_the_one_blueprint(printify: httpx.Client) -> None:
    (blueprint,) = printify.get("/catalog/blueprints.json").json()
    assert (blueprint["id"], blueprint["brand"], blueprint["model"]) == (6, "Gildan", "5000")
    assert printify.get("/catalog/blueprints/6.json").json() == blueprint
    providers = printify.get("/catalog/blueprints/6/print_providers.json")
    assert [provider["id"] for provider in providers.json()] == [29]
    assert providers.headers["x-ratelimit-limit"] == "100"
    assert printify.get("/shops.json").headers["x-ratelimit-limit"] == "600"
    assert printify.get("/catalog/blueprints/6/print_providers/39/variants.json").status_code == 404
    variants = printify.get("/catalog/blueprints/6/print_providers/29/variants.json").json()["variants"]
    assert {place["position"] for row in variants for place in row["placeholders"]} == {"front", "back"}


def test_shipping_costs_what_the_profile_says(printify: httpx.Client) -> None:
    body = printify.get("/catalog/blueprints/6/print_providers/29/shipping.json").json()
    profile = next(each for each in body["profiles"] if "US" in each["countries"])
    lines = [{"product_id": product_of(printify)["id"], "variant_id": 12126, "quantity": 3}]
    costs = printify.post(
        "/shops/1/orders/shipping.json", json={"line_items": lines, "address_to": ADDRESS}
    ).json()
    assert costs["standard"] == profile["first_item"]["cost"] + 2 * profile["additional_items"]["cost"]
    assert set(costs) == {"standard", "express", "priority", "printify_express", "economy"}
    elsewhere = {**ADDRESS, "country": "NZ"}
    far = printify.post(
        "/shops/1/orders/shipping.json", json={"line_items": lines, "address_to": elsewhere}
    ).json()
    assert far["standard"] > costs["standard"]
    nowhere = printify.post("/shops/1/orders/shipping.json", json={"line_items": lines})
    assert reason(nowhere)[2] == "address_to.country: The address to.country field is required."


@pytest.mark.parametrize("quantity", [0, -1, True, "2", 10**9])
def test_quantity_of_an_order_is_a_sensible_number(printify: httpx.Client, quantity: object) -> None:
    lines = [{"product_id": product_of(printify)["id"], "variant_id": 12126, "quantity": quantity}]
    response = order_of(printify, "", f"quantity {quantity}", line_items=lines)
    assert reason(response)[2].startswith("line_items.0.quantity: The quantity must be at ")


def test_variant_that_the_product_does_not_sell_is_refused(printify: httpx.Client) -> None:
    lines = [{"product_id": product_of(printify, (12125,))["id"], "variant_id": 12126, "quantity": 1}]
    response = order_of(printify, "", "variant not sold", line_items=lines)
    assert reason(response)[2] == "line_items.0.variant_id: The variant is not enabled in the product."


def test_upload_is_fetched_from_its_address_and_listed(printify: httpx.Client, tmp_path: Path) -> None:
    content = base64.b64decode(picture("#00aa55"))
    (tmp_path / "print.png").write_bytes(content)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        fetched = printify.post(
            "/uploads/images.json", json={"file_name": "print.png", "url": f"{address}/print.png"}
        )
        missing = printify.post(
            "/uploads/images.json", json={"file_name": "a.png", "url": f"{address}/missing.png"}
        )
        server.shutdown()
    upload = fetched.json()
    assert (fetched.status_code, upload["size"]) == (200, len(content))
    assert reason(missing) == (400, 8150, "url: The file could not be downloaded.")
    assert printify.get(f"/uploads/{upload['id']}.json").json() == upload
    assert upload in printify.get("/uploads.json", params={"limit": 50}).json()["data"]
    assert httpx.get(upload["preview_url"]).content == content
    assert printify.post(f"/uploads/{upload['id']}/archive.json").json() == {}
    assert printify.post("/uploads/none/archive.json").status_code == 404


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"contents": "aGk="}, "file_name: The file name field is required."),
        ({"file_name": "a.png"}, "contents: The contents field is required when url is not present."),
        ({"file_name": "a.png", "contents": "?"}, "contents: The contents field must be base64."),
        ({"file_name": "a.png", "url": "nowhere"}, "url: The file could not be downloaded."),
    ],
)
def test_wrong_upload_is_rejected_by_field(
    printify: httpx.Client, body: dict[str, str], expected: str
) -> None:
    assert reason(printify.post("/uploads/images.json", json=body)) == (400, 8150, expected)


def test_topic_has_one_webhook_whose_address_may_change(printify: httpx.Client, hook: dict[str, Any]) -> None:
    assert set(hook) == {"id", "topic", "url", "shop_id"}
    again = printify.post("/shops/1/webhooks.json", json={"topic": hook["topic"], "url": hook["url"]})
    assert reason(again)[2] == "topic: The topic has already been taken."
    path = f"/shops/1/webhooks/{hook['id']}.json"
    moved = printify.put(path, json={"url": f"{hook['url']}/2"}).json()
    assert moved["url"] == f"{hook['url']}/2"
    assert moved in printify.get("/shops/1/webhooks.json").json()
    assert reason(printify.put(path, json={"url": "nowhere"}))[2] == "url: The url format is invalid."
    for host in ({}, {"host": "other.example"}):
        wrong = printify.delete(path, params=host)
        assert reason(wrong)[2] == "host: The host must be the one of the webhook's url."


def test_webhook_without_a_secret_is_not_signed(
    printify: httpx.Client, hook: dict[str, Any], listener: Listener
) -> None:
    product = product_of(printify)
    printify.put(f"/shops/1/products/{product['id']}.json", json={"visible": False})
    listener.wait_for(lambda _, body: product["id"].encode() in body)
    headers, body = listener.received[-1]
    assert "x-pfy-signature" not in headers
    event = json.loads(body)
    assert event["type"] == "product:updated"
    assert event["resource"] == {
        "id": product["id"], "type": "product", "data": {"shop_id": 1, "action": None},
    }  # fmt: skip


def test_webhook_is_simulated(printify: httpx.Client, hook: dict[str, Any], listener: Listener) -> None:
    assert printify.post(f"/shops/1/webhooks/{hook['id']}/simulate.json").json() == {}
    event = json.loads(listener.wait_for(lambda _, body: b"5a96f649b2439217d070f507" in body))
    assert (event["type"], event["resource"]["type"]) == ("product:updated", "product")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"topic": "order:lost", "url": "https://a.example"}, "topic: The selected topic is invalid."),
        ({"topic": "product:created", "url": "a.example"}, "url: The url format is invalid."),
    ],
)
def test_wrong_webhook_is_rejected_by_field(
    printify: httpx.Client, body: dict[str, str], expected: str
) -> None:
    assert reason(printify.post("/shops/1/webhooks.json", json=body)) == (400, 8150, expected)
