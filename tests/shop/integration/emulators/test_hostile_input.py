"""Every endpoint of the emulators with hostile values: each response is the vendor's own error.

The emulators run in this process, so that their exceptions fail the test instead of becoming a 500.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from emulators.app import build_app
from emulators.core.settings import Settings
from tests.support.random_cases import cases, few

DEEP = "\ue000deep"  # replaced by brackets by the thousand, which no Python value could hold
TEXTS = (
    "", "²", "٣", "-1", "9" * 30, "9" * 5000, "1e999", "NaN", "\x00", "é" * 300, "[", "|", "http://[", "http://a:b/",
    "data:;base64,é", "\u202e", "_public", "pm_card_visa", "²" * 16, "../..", "a.b.c",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    "", "²", "é" * 300, "\x00", "http://[", "data:;base64,é", None, True, False, -1, 1.5, 2**63, 10**400,
    float("nan"), float("inf"), "\ud800", [], {}, [[]], [{}], [None], ["²"], {"": None}, {"\ud800": 1}, DEEP,
)  # fmt: skip
AUTHORIZATIONS = ("", "Basic", "Basic é", "Basic //8=", "Bearer", "Bearer \xff", "Token", "Bearer sk_test_x")

INTENT = {
    "amount": "990",
    "currency": "usd",
    "metadata[a]": "b",
    "shipping[name]": "A",
    "shipping[address][city]": "B",
}
CARD = {"type": "card", "card[number]": "4242424242424242", "card[exp_month]": "1", "card[exp_year]": "44"}
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=="
PRODUCT = {
    "title": "T", "description": "D", "tags": ["x"], "blueprint_id": 6, "print_provider_id": 29, "visible": True,
    "variants": [{"id": 12124, "price": 100, "is_enabled": True, "sku": "s"}],
    "print_areas": [{"variant_ids": [12124], "placeholders": [
        {"position": "front", "images": [{"id": "IMAGE", "x": 0.5, "y": 0.5, "scale": 1, "angle": 0}]}]}],
}  # fmt: skip
PLACE = {
    "first_name": "A", "last_name": "B", "country": "US", "region": "CA", "address1": "1", "address2": "", "city": "C",
    "zip": "90210", "email": "a@b.co", "phone": "1", "company": "",
}  # fmt: skip
ORDER = {
    "external_id": "e", "label": "l", "shipping_method": 1, "is_printify_express": False, "is_economy_shipping": False,
    "line_items": [{"product_id": "PRODUCT", "variant_id": 12124, "quantity": 1}], "address_to": PLACE,
}  # fmt: skip
# refused by the model's moderation, so that nothing is drawn
DRAWING = {
    "input": {"prompt": "a naked woman", "seed": 1, "number_of_images": 1, "input_images": ["data:,x"]},
    "webhook": "http://127.0.0.1:9/hook", "webhook_events_filter": ["completed"],
}  # fmt: skip
PHOTO = {"input": {"prompt": "a naked woman", "input_image": "data:,x", "seed": 1}}
PLAN = {
    "seed": 7, "vendors": ["stripe"], "requests": {"latency": 0, "latency_ms": 1, "error": 0},
    "webhooks": {"duplicate": 0, "reorder": 0, "reorder_ms": 1},
}  # fmt: skip
SIGN_IN = {
    "client_id": "emulator.apps.googleusercontent.com", "redirect_uri": "http://127.0.0.1/back", "state": "s",
    "response_type": "code", "scope": "openid", "nonce": "n", "account": "A|a@b.co",
}  # fmt: skip
REDEEM = {
    "client_id": "emulator.apps.googleusercontent.com", "client_secret": "GOCSPX-emulator", "code": "c",
    "grant_type": "authorization_code", "redirect_uri": "http://127.0.0.1/back",
}  # fmt: skip
PAGE = {"page": "1", "limit": "5", "starting_after": "x", "status": "pending", "host": "a"}


@dataclass(frozen=True)
class Endpoint:
    """One endpoint with a valid request. `form` is sent in the query of a GET."""

    method: str
    path: str
    json: Any = None
    form: dict[str, str] | None = None


ENDPOINTS = (
    Endpoint(
        "POST",
        "/stripe/v1/payment_intents",
        form=INTENT | {"payment_method": "pm_card_visa", "confirm": "true"},
    ),
    Endpoint("POST", "/stripe/v1/payment_intents/INTENT", form=INTENT),
    Endpoint("POST", "/stripe/v1/payment_intents/INTENT/confirm", form={"payment_method": "pm_card_visa"}),
    Endpoint("POST", "/stripe/v1/payment_intents/INTENT/cancel", form={"cancellation_reason": "abandoned"}),
    Endpoint(
        "POST",
        "/stripe/v1/payment_methods?key=pk_test_x",
        form=CARD | {"billing_details[address][city]": "C"},
    ),
    Endpoint("POST", "/stripe/v1/tokens", form={name: CARD[name] for name in CARD if name != "type"}),
    Endpoint(
        "POST", "/stripe/v1/refunds", form={"payment_intent": "INTENT", "amount": "1", "reason": "duplicate"}
    ),
    Endpoint("POST", "/stripe/v1/webhook_endpoints", form={"url": "http://a/", "enabled_events[]": "*"}),
    Endpoint(
        "GET", "/stripe/v1/payment_intents", form=PAGE | {"customer": "c", "expand[]": "data.latest_charge"}
    ),
    Endpoint(
        "GET", "/stripe/v1/payment_intents/INTENT", form={"expand[]": "payment_method", "client_secret": "x"}
    ),
    Endpoint("GET", "/stripe/v1/refunds", form={"limit": "5", "payment_intent": "x", "charge": "x"}),
    Endpoint("GET", "/stripe/challenge/INTENT", form={"client_secret": "x", "return_url": "http://a"}),
    Endpoint("POST", "/printify/v1/uploads/images.json", json={"file_name": "a.png", "contents": IMAGE}),
    Endpoint(
        "POST", "/printify/v1/uploads/images.json", json={"file_name": "a.png", "url": "http://127.0.0.1:9/"}
    ),
    Endpoint("POST", "/printify/v1/shops/1/products.json", json=PRODUCT),
    Endpoint("PUT", "/printify/v1/shops/1/products/PRODUCT.json", json=PRODUCT),
    Endpoint("POST", "/printify/v1/shops/1/orders.json", json=ORDER),
    Endpoint("POST", "/printify/v1/shops/1/orders/shipping.json", json=ORDER),
    Endpoint(
        "POST",
        "/printify/v1/shops/1/webhooks.json",
        json={"topic": "order:created", "url": "http://a/", "secret": ""},
    ),
    Endpoint("PUT", "/printify/v1/shops/1/webhooks/HOOK.json", json={"url": "http://a/"}),
    Endpoint("DELETE", "/printify/v1/shops/1/webhooks/none.json", form=PAGE),
    Endpoint("GET", "/printify/v1/shops/1/products.json", form=PAGE),
    Endpoint("GET", "/printify/v1/shops/1/orders.json", form=PAGE),
    Endpoint("GET", "/printify/v1/uploads.json", form=PAGE),
    Endpoint("GET", "/printify/mockup/none/1/1/a.jpg", form={"s": "100"}),
    Endpoint("POST", "/replicate/v1/models/openai/gpt-image-1.5/predictions", json=DRAWING),
    Endpoint("POST", "/replicate/v1/models/black-forest-labs/flux-kontext-pro/predictions", json=PHOTO),
    Endpoint("POST", "/replicate/v1/predictions", json=DRAWING | {"version": "openai/gpt-image-1.5"}),
    Endpoint("PUT", "/faults", json=PLAN),
    Endpoint("GET", "/google/o/oauth2/v2/auth", form=SIGN_IN),
    Endpoint("POST", "/google/o/oauth2/v2/auth", form=SIGN_IN),
    Endpoint("POST", "/google/token", form=REDEEM),
    Endpoint("GET", "/zippopotam/us/90210", form={"x": "1"}),
)


class Vendors:
    """The emulators, with an intent, a product and a webhook; INTENT, PRODUCT and HOOK are replaced by their ids."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._ids: dict[str, str] = {}
        image = self.made(
            "POST", "/printify/v1/uploads/images.json", {"file_name": "a.png", "contents": IMAGE}
        )
        self._ids["IMAGE"] = image["id"]
        self._ids["PRODUCT"] = self.made("POST", "/printify/v1/shops/1/products.json", PRODUCT)["id"]
        hook = {"topic": "order:updated", "url": "http://127.0.0.1:9/", "secret": "x"}
        self._ids["HOOK"] = self.made("POST", "/printify/v1/shops/1/webhooks.json", hook)["id"]
        intent = self.send("POST", "/stripe/v1/payment_intents", urlencode(INTENT).encode())
        self._ids["INTENT"] = intent.json()["id"]

    def made(self, method: str, path: str, body: Any) -> dict[str, Any]:
        response = self.send(method, path, self.json(body))
        assert response.status_code == 200, response.text
        created: dict[str, Any] = response.json()
        return created

    def json(self, body: Any) -> bytes:
        text = json.dumps(body).replace(json.dumps(DEEP), "[" * 3000 + "]" * 3000)
        return self.named(text).encode()

    def named(self, text: str) -> str:
        for name, id in self._ids.items():
            text = text.replace(name, id)
        return text

    def send(self, method: str, path: str, content: bytes = b"", **headers: str) -> httpx.Response:
        token = "sk_test_x"
        if "/printify/" in path:
            token = "printify_emulator_token"
        elif "/replicate/" in path:
            token = "r8_emulator"
        form = "application/x-www-form-urlencoded"
        sent = {"authorization": f"Bearer {token}", "user-agent": "tests", "content-type": form}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}

        async def call() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                raw = [
                    (name.encode(), value.encode("utf-8", "surrogatepass")) for name, value in sent.items()
                ]
                return await client.request(method, path, content=content, headers=raw)

        return asyncio.run(call())

    def call_endpoint(
        self, endpoint: Endpoint, json_body: Any, form: list[tuple[str, str]], **headers: str
    ) -> httpx.Response:
        path, content = self.named(endpoint.path), self.json(json_body)
        if endpoint.form is not None:
            text = self.named(urlencode(form, errors="surrogatepass"))
            content = b"" if endpoint.method in ("GET", "DELETE") else text.encode()
            if not content:
                path += ("&" if "?" in path else "?") + text
        return self.send(endpoint.method, path, content, **headers)


@pytest.fixture(scope="module")
def vendors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vendors]:
    folder = tmp_path_factory.mktemp("hostile")
    yield Vendors(build_app(Settings(9, folder, folder)))


def nodes(value: Any) -> list[tuple[Any, ...]]:
    """The path of every node in a JSON value, its own included."""
    paths: list[tuple[Any, ...]] = [()]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        paths += [(key, *path) for path in nodes(child)]
    return paths


def changed(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    """A copy with another node at `path`."""
    if not path:
        return to
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], to)
    return copy


def turned(values: Sequence[Any], by: int) -> list[Any]:
    """From another one on, so that neighbours do not get the same ones first."""
    first = by % len(values)
    return [*values[first:], *values[:first]]


def assert_is_vendor_response(response: httpx.Response) -> None:
    assert response.status_code < 500, response.text
    response.content.decode()


@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in ENDPOINTS if endpoint.json is not None],
    ids=lambda endpoint: endpoint.path,
)
def test_any_value_in_a_body_gets_a_response(vendors: Vendors, endpoint: Endpoint) -> None:
    for place, path in enumerate(nodes(endpoint.json)):
        for value in few(turned(VALUES, place * 9), 9):
            assert_is_vendor_response(
                vendors.call_endpoint(endpoint, changed(endpoint.json, path, value), [])
            )


@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in ENDPOINTS if endpoint.form is not None],
    ids=lambda endpoint: endpoint.path,
)
def test_any_text_in_a_form_gets_a_response(vendors: Vendors, endpoint: Endpoint) -> None:
    fields = list((endpoint.form or {}).items())
    for place, (name, _) in enumerate(fields):
        others = fields[:place] + fields[place + 1 :]
        for text in few(turned(TEXTS, place * 8), 8):
            assert_is_vendor_response(vendors.call_endpoint(endpoint, None, [*others, (name, text)]))
        for other in (f"{name}[]", f"{name}[²]", f"{name}[a]", name + "[a]" * 1000, "", "[", name + "]["):
            assert_is_vendor_response(vendors.call_endpoint(endpoint, None, [*fields, (other, "1")]))


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_any_bytes_and_headers_get_a_response(vendors: Vendors, endpoint: Endpoint) -> None:
    path = vendors.named(endpoint.path)
    bodies = (
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'"\\ud800"',
        b"1e999",
        b"9" * 5000,
        b"%",
        b"%ff=%ff&[=",
    )
    for body in bodies:
        assert_is_vendor_response(vendors.send(endpoint.method, path, body))
        assert_is_vendor_response(
            vendors.send(endpoint.method, path, body, content_type="multipart/form-data")
        )
    for value in AUTHORIZATIONS:
        assert_is_vendor_response(vendors.send(endpoint.method, path, authorization=value))
    for value in ("wait=²", "wait=" + "9" * 5000, "wait=-1", "wait=1e9"):
        assert_is_vendor_response(vendors.send(endpoint.method, path, prefer=value, idempotency_key=value))


@settings(
    max_examples=cases(50), deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(data=st.data())
def test_random_requests_get_a_response(vendors: Vendors, data: st.DataObject) -> None:
    endpoint = data.draw(st.sampled_from(ENDPOINTS))
    leaves = st.one_of(st.sampled_from(VALUES), st.text(max_size=20), st.integers(), st.floats())
    anything = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    )
    if endpoint.json is not None:
        body = endpoint.json
        for _ in range(data.draw(st.integers(1, 4))):
            body = changed(body, data.draw(st.sampled_from(nodes(body))), data.draw(anything))
        assert_is_vendor_response(vendors.call_endpoint(endpoint, body, []))
    else:
        names = st.one_of(st.sampled_from(sorted(endpoint.form or {})), st.text(max_size=12))
        form = data.draw(st.lists(st.tuples(names, st.text(max_size=30)), max_size=6))
        assert_is_vendor_response(vendors.call_endpoint(endpoint, None, form))


def test_stripe_rejects_a_superscript_amount_with_its_own_error(vendors: Vendors) -> None:
    for amount in ("²", "9" * 5000, "１２"):
        response = vendors.send(
            "POST", "/stripe/v1/payment_intents", urlencode(INTENT | {"amount": amount}).encode()
        )
        error = response.json()["error"]
        assert (response.status_code, error["type"], error["code"], error["param"], error["message"]) == (
            400, "invalid_request_error", "parameter_invalid_integer", "amount", f"Invalid integer: {amount}",
        )  # fmt: skip


@pytest.mark.parametrize(
    "body", [b"[" * 3000, b'{"x": NaN}', b'{"x": 1e999}', b'{"x": "\\ud800"}', b"9" * 30]
)
def test_unencodable_json_is_each_vendors_400(vendors: Vendors, body: bytes) -> None:
    response = vendors.send("POST", "/printify/v1/shops/1/orders.json", body)
    reason = "body: The request body is not valid JSON."
    assert (response.status_code, response.json()) == (
        400,
        {
            "status": "error",
            "code": 8150,
            "message": "Validation failed.",
            "errors": {"reason": reason, "code": 8150},
        },
    )
    response = vendors.send("POST", "/replicate/v1/predictions", body)
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, response.json()) == (
        400,
        {"title": "Bad request", "detail": "The request body is not valid JSON.", "status": 400},
    )
    response = vendors.send("PUT", "/faults", body)
    assert response.status_code == 400
    assert response.json()["error"].startswith("not a plan: ")
