"""Every function with values that no form sends: a JSON response below 500 for each of them."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from _shared.clients.printify import Printify
from _shared.clients.safe_http import SsrfSafeClient
from _shared.clients.stripe_api import Stripe
from _shared.clients.zippopotam import Zippopotam
from _shared.core.callers import Caller, Callers
from _shared.core.clock import Clock
from _shared.core.errors import ShopError, not_found
from _shared.core.failure_limit import FailureLimit
from _shared.designs.moderation import check_photo_request, check_text_request
from _shared.orders.checkout import PaymentRequest, plan_cart
from _shared.orders.fulfilment import Fulfilment
from _shared.orders.notifications import Notifications
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.payments import Payments
from _shared.orders.printify_events import PrintifyEvents
from _shared.orders.stripe_events import StripeEvents
from _shared.orders.tracking import Tracking
from _shared.shop import Shop
from flask import Flask, Request, Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder

from tests.shop.unit.functions.samples import DESIGN, LINKS, VARIANTS, body
from tests.shop.unit.functions.test_requirements import SLUGS
from tests.support.random_cases import cases
from tests.support.stacks import ROOT

ID = "00000000-0000-4000-8000-000000000001"
HEX = {"background_color_name": "Black", "background_color_hex": "#1A1A1A"}
BODIES: Mapping[str, Any] = {
    "cancel-order": {"order_id": ID},
    "check-admin-access": {},
    "check-print": {"designId": ID, "color": ID},
    "create-payment-intent": body(),
    "create-printify-order": {"orderId": ID, "shippingAddress": {}, "lineItems": []},
    "create-printify-product": {"designId": ID, "imageBase64": "aGk=", "selectedColors": [ID]},
    "edit-design-image": {
        "image": "aGk=",
        "style": "Sketch",
        "instructions": "x",
        "typography": "y",
        "seed": 1,
        **HEX,
    },
    "delete-account": {"password": "x"},
    "export-account": {},
    "finish-payment": {"order_id": ID},
    "generate-design-image": {
        "prompt": "A cat",
        "style": "Sketch",
        "mood": "dark",
        "has_typography": True,
        **HEX,
    },
    "get-order-status": {"token": "x"},
    "import-design": {"originalDesignId": ID},
    "add-artwork": {"fileBase64": "aGk=", "name": "Logo", "rightsConfirmed": True},
    "begin-design": {"selectedColors": [ID]},
    "finish-scene": {"designId": ID, "revision": 1, "job_id": ID},
    "list-print-files": {"order_id": ID},
    "lookup-zip-code": {"zipCode": "90210"},
    "mend-picture": {"designId": ID, "revision": 1, "layer": "a", "mend": "harden"},
    "printify-webhook": {"id": "e", "type": "order:updated", "resource": {"id": "o", "type": "order"}},
    "report-design": {"designId": ID, "key": "x", "reason": "hate", "words": "Look at it"},
    "refund-order": {"order_id": ID, "reason": "misprint"},
    "send-order-webhook": {"order_id": ID},
    "send-tracking-webhook": {"printify_order_id": "po"},
    "stripe-webhook": {"id": "e", "type": "charge.refunded", "created": 1, "data": {"object": {"id": "c"}}},
    "sweep": {},
    "test-webhook": {"url": "https://example.com/hook", "payload": {"a": 1}},
    "update-order-status": {"order_id": ID, "status": "paid"},
}
DEEP = "\ue000deep"  # replaced by brackets by the thousand
VALUES: tuple[Any, ...] = (
    "", " ", "²", "٣٣٣٣٣", "９０２１０", "9" * 5000, "NaN", "\x00", "\ud800", "\u3164", "\u202e", "é" * 300, "http://[",
    "http://a:b/", "https://\ud800.example/", "-1", None, True, False, 0, -1, 1.5, 1e308, 2**31, 2**63, 2**64, 10**400,
    float("nan"), float("inf"), -float("inf"), [], {}, [[]], [{}], [None], ["²"], {"": None}, {"\ud800": 1}, DEEP,
)  # fmt: skip
CALLER = Caller(id=ID, is_admin=True, is_service=True)


class EmptyPart:
    """A part of the shop without any rows."""

    def __getattr__(self, name: str) -> Any:
        def find_nothing(*_arguments: object, **_named: object) -> Any:
            raise not_found("Order", "order_not_found")

        return find_nothing


class UnlimitedUsage:
    @contextmanager
    def reserve(self, _caller: Caller, _kind: str) -> Iterator[Any]:
        yield SimpleNamespace(cancel=lambda: None)


class FakeGenerator:
    """Checks requests against our own list, and generates nothing."""

    def from_text(self, request: Any) -> str:
        check_text_request(request)
        raise ShopError(422, "prompt_refused", "No.")

    def from_photo(self, request: Any, _photo: Any) -> str:
        check_photo_request(request)
        raise ShopError(422, "prompt_refused", "No.")


class UnplacedCarts(EmptyPart):
    """Plans a cart and places none."""

    def cart(self, _caller: Caller, request: PaymentRequest) -> Any:
        cart = plan_cart(request, DESIGN, VARIANTS, "http://mockups")
        json.dumps(cart.to_rpc(), allow_nan=False).encode()
        raise not_found("Order", "order_not_found")


def reject_constant(text: str) -> None:
    raise AssertionError(f"{text} is not JSON")


def parse_strictly(request: httpx.Request) -> httpx.Response:
    """A server that parses JSON as strictly as other languages do."""
    json.dumps(json.loads(request.content, parse_constant=reject_constant), ensure_ascii=False).encode()
    return httpx.Response(200, stream=httpx.ByteStream(b"ok"))


def fake_shop() -> Shop:
    """Endpoints and checks as in the real shop, with an empty database. Webhooks' signatures are taken as good."""
    empty = EmptyPart()
    callers = SimpleNamespace(identify=lambda *_: CALLER, person=Callers.person)
    signed = SimpleNamespace(check_signature=lambda *_: None)
    behind = [cast(Any, empty)] * 4
    safe_http = SsrfSafeClient(
        allow_private=False,
        resolver=lambda *_: ["93.184.216.34"],
        transport=httpx.MockTransport(parse_strictly),
    )
    zip_codes = Zippopotam("http://zips", httpx.MockTransport(lambda _: httpx.Response(404, json={})))
    now = Clock().now
    stripe_events = StripeEvents(
        signed, *cast(tuple[OrderRpc, Payments, Fulfilment, Notifications], tuple(behind)), now=now
    )
    printify_events = PrintifyEvents(
        signed, *cast(tuple[OrderRpc, Fulfilment, Notifications], tuple(behind[:3])), now=now
    )
    parts = {
        "callers": callers, "usage": UnlimitedUsage(), "image_generator": FakeGenerator(), "safe_http": safe_http,
        "zip_codes": zip_codes,
        "tracking": Tracking(cast(Any, SimpleNamespace(value=lambda *_: None)), LINKS, FailureLimit(30, 60)),
        "stripe_events": stripe_events, "printify_events": printify_events, "orders": UnplacedCarts(),
        "settings": SimpleNamespace(admin_emails=frozenset()), "sweep": SimpleNamespace(run=dict),
        "design_notices": SimpleNamespace(send=dict),
        "print_files": SimpleNamespace(retire=dict, make_again=lambda _end: {}), "clock": Clock(),
        "stored_pictures": SimpleNamespace(tidy=dict),
        "artwork_upkeep": SimpleNamespace(retire=dict), "design_jobs": SimpleNamespace(resume=dict),
        "idempotency": SimpleNamespace(forget=int),
        "deletion": SimpleNamespace(delete=empty.delete, resume=dict),
    }  # fmt: skip
    others = (
        "account_export",
        "artworks",
        "designs",
        "drafts",
        "payments",
        "print_products",
        "fulfilment",
        "cancellation",
        "refunds",
        "notifications",
        "reports",
    )
    return cast(Shop, SimpleNamespace(**parts, **dict.fromkeys(others, empty)))


def load(slug: str) -> Any:
    """The function of a folder's main.py."""
    path = ROOT / "functions" / slug / "main.py"
    spec = importlib.util.spec_from_file_location(f"hostile_{slug.replace('-', '_')}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, slug.replace("-", "_"))


@pytest.fixture(scope="module")
def handlers() -> dict[str, Any]:
    return {slug: load(slug) for slug in SLUGS}


SHOP = fake_shop()
APP = Flask("test")
VENDORS = (
    Stripe("sk_test_x", "http://stripe", "whsec_x"),
    Printify("http://p", "t", "7", blueprint_id=6, print_provider_id=29, webhook_secret="shh"),
)


def post(handle: Any, content: bytes, **headers: str) -> None:
    environ = EnvironBuilder(method="POST", data=content, headers=list(headers.items())).get_environ()
    with APP.app_context():
        response = cast(Response, handle(Request(environ), shop=SHOP))
    assert response.status_code < 500, (content[:300], response.get_data(as_text=True))
    assert isinstance(json.loads(response.get_data()), dict)


def written(value: Any) -> bytes:
    return json.dumps(value).replace(json.dumps(DEEP), "[" * 3000 + "]" * 3000).encode()


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


def test_every_function_has_an_example_body() -> None:
    # a page has no body
    assert sorted([*BODIES, "design-page"]) == SLUGS


@pytest.mark.parametrize("slug", sorted(BODIES))
def test_any_value_at_any_place_of_a_body_gets_a_response(handlers: dict[str, Any], slug: str) -> None:
    for path in nodes(BODIES[slug]):
        for value in VALUES:
            post(handlers[slug], written(changed(BODIES[slug], path, value)))


@pytest.mark.parametrize("slug", SLUGS)
def test_any_bytes_get_a_response(handlers: dict[str, Any], slug: str) -> None:
    for content in (
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 60_000,
        b'"\\ud800"',
        b"1e999",
        b"9" * 5000,
        b"NaN",
        b'{"a":1}' * 2,
    ):
        post(handlers[slug], content)
        post(
            handlers[slug],
            content,
            **{"content-type": "text/plain; charset=utf-7", "x-request-id": "é" * 100},
        )


@settings(
    max_examples=cases(40), deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(data=st.data())
def test_random_bodies_get_a_response(handlers: dict[str, Any], data: st.DataObject) -> None:
    slug = data.draw(st.sampled_from(sorted(BODIES)))
    leaves = st.one_of(st.sampled_from(VALUES), st.text(max_size=20), st.integers(), st.floats())
    anything = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    )
    content = BODIES[slug]
    for _ in range(data.draw(st.integers(1, 4))):
        content = changed(content, data.draw(st.sampled_from(nodes(content))), data.draw(anything))
    post(handlers[slug], written(content))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(header=st.text(max_size=60) | st.from_regex(r"(t=[0-9]{0,12},?){0,3}(v1=[0-9a-f]{0,64},?){0,3}"))
def test_random_signature_headers_are_refused(header: str) -> None:
    for vendor in VENDORS:
        with pytest.raises(ShopError) as caught:
            vendor.check_signature(b"{}", header)
        assert (caught.value.status, caught.value.code) == (400, "invalid_signature")
