"""Every function's caller: without a token, with a forged one, with another user's ids, with malformed bodies."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

import pytest

from functions.bundle import slugs
from tests.shop.integration.functions.conftest import Functions, Json, Shopper, png
from tests.support.stacks import Stack
from tests.support.users import Person

OPEN = {"get-order-status", "lookup-zip-code", "report-design"}
# pages, read by GET
PAGES = {"design-page"}
SIGNED = {"stripe-webhook", "printify-webhook"}
SERVICE = {"sweep"}
ADMIN = {"list-print-files", "refund-order", "send-tracking-webhook", "test-webhook"}
SIGNED_IN = sorted(set(slugs()) - OPEN - PAGES - SIGNED - SERVICE)


def part(value: Json) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def token_of(claims: Json, key: str, algorithm: str = "HS256") -> str:
    """A token signed with `key`."""
    signed = f"{part({'alg': algorithm, 'typ': 'JWT'})}.{part(claims)}"
    if algorithm == "none":
        return f"{signed}."
    signature = hmac.new(key.encode(), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


@pytest.fixture
def bad_tokens(stack: Stack, admin: Person) -> dict[str, str]:
    """Tokens that claim to be the admin's, or the service's."""
    now = int(time.time())
    genuine = json.loads(base64.urlsafe_b64decode(admin.token.split(".")[1] + "=="))
    service = {"role": "service_role", "iss": "supabase-demo", "exp": now + 3600}
    return {
        "nonsense": "nonsense",
        "forged": token_of(genuine, "another secret, as long as the real one is"),
        "forged service": token_of(service, "another secret, as long as the real one is"),
        "expired": token_of({**genuine, "exp": now - 3600, "iat": now - 7200}, stack.jwt_secret),
        "alg none": token_of(genuine, "", "none"),
        "alg none service": token_of(service, "", "none"),
        "signature of another": admin.token.rpartition(".")[0] + "." + stack.anon_key.rpartition(".")[2],
        "changed": f"{admin.token.split('.')[0]}.{part({**genuine, 'sub': '0'})}.{admin.token.split('.')[2]}",
    }


@pytest.mark.parametrize("slug", SIGNED_IN)
def test_missing_or_bad_token_is_refused_by_every_function(
    functions: Functions, stack: Stack, bad_tokens: dict[str, str], slug: str
) -> None:
    for name, token in bad_tokens.items():
        response = functions.call(slug, {}, token)
        # rejected by the gateway: the function was not called
        assert (response.status_code, set(response.json())) == (401, {"code", "message"}), name
    # The API key alone is nobody who has signed in.
    for key in (None, stack.anon_key):
        assert functions.error_of(slug, {}, key) == (401, "unauthenticated")


@pytest.mark.parametrize("slug", sorted(SERVICE))
def test_service_function_requires_the_secret_key(
    functions: Functions, bad_tokens: dict[str, str], admin: Person, slug: str
) -> None:
    assert functions.error_of(slug, {}) == (403, "forbidden")
    for token in (*bad_tokens.values(), admin.token):
        assert functions.error_of(slug, {}, token) == (403, "forbidden")


@pytest.mark.parametrize("slug", sorted(SIGNED))
def test_webhook_does_not_accept_a_token(functions: Functions, stack: Stack, slug: str) -> None:
    event = {"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": {"id": "pi_1"}}}
    assert functions.error_of(slug, event, stack.service_role_key) == (400, "invalid_signature")


@pytest.mark.parametrize("slug", SIGNED_IN)
def test_malformed_bodies_are_refused(functions: Functions, admin: Person, slug: str) -> None:
    assert functions.error_of(slug, b"{", admin.token) == (400, "invalid_json")
    if slug not in ("check-admin-access", "export-account"):  # which depend on the caller alone
        assert functions.error_of(slug, {}, admin.token) == (400, "invalid_request")
    assert functions.error_of(slug, [], admin.token) == (400, "invalid_request")


@pytest.mark.parametrize("slug", sorted(ADMIN))
def test_admin_functions_are_forbidden_to_shoppers(functions: Functions, shopper: Shopper, slug: str) -> None:
    assert functions.error_of(slug, {}, shopper.token) == (403, "forbidden")


def bodies(shopper: Shopper, order_id: str) -> dict[str, Any]:
    """Each function's body with the shopper's own ids."""
    return {
        "create-payment-intent": shopper.cart(),
        "update-order-status": {"order_id": order_id, "status": "paid"},
        "finish-payment": {"order_id": order_id},
        "create-printify-order": {"orderId": order_id, "shippingAddress": {}, "lineItems": []},
        "send-order-webhook": {"order_id": order_id},
        "cancel-order": {"order_id": order_id},
        "check-print": {"designId": shopper.design_id, "color": next(iter(shopper.variants.values()))["id"]},
        "mend-picture": {"designId": shopper.design_id, "revision": 1, "layer": "a", "mend": "harden"},
        "create-printify-product": {
            "designId": shopper.design_id,
            "imageBase64": png(),
            "selectedColors": [next(iter(shopper.variants.values()))["id"]],
        },
    }


@pytest.mark.parametrize(
    "slug",
    [
        "create-payment-intent", "update-order-status", "create-printify-order", "send-order-webhook",
        "finish-payment", "cancel-order", "create-printify-product", "check-print", "mend-picture",
    ],
)  # fmt: skip
def test_stranger_with_another_users_ids_finds_nothing(
    functions: Functions, shopper: Shopper, stranger: Person, paid: Json, slug: str
) -> None:
    before = functions.sql("select status, refunded_cents from public.orders where id = %s", paid["order_id"])
    status, code = functions.error_of(slug, bodies(shopper, paid["order_id"])[slug], stranger.token)
    assert (status, code) in ((404, "order_not_found"), (404, "design_not_found"))
    after = functions.sql("select status, refunded_cents from public.orders where id = %s", paid["order_id"])
    assert after == before
    strangers = functions.sql("select 1 from public.orders where user_id = %s", stranger.id)
    assert strangers == []


def test_every_function_is_covered_here() -> None:
    assert OPEN | PAGES | SIGNED | SERVICE | set(SIGNED_IN) == set(slugs())
    # functions that take no ids
    without_ids = {
        "check-admin-access", "generate-design-image", "edit-design-image", "import-design", "export-account",
        "delete-account", "add-artwork", "begin-design",
    } | ADMIN  # fmt: skip
    assert set(SIGNED_IN) - without_ids == {
        "create-payment-intent", "update-order-status", "create-printify-order", "send-order-webhook",
        "finish-payment", "cancel-order", "create-printify-product", "check-print", "mend-picture",
        # tests/shop/integration/functions/test_scenes.py
        "finish-scene",
    }  # fmt: skip


def test_admin_page_opens_by_the_profiles_flag(functions: Functions, admin: Person, shopper: Shopper) -> None:
    assert functions.body_of("check-admin-access", {}, admin.token) == {"allowed": True}
    assert functions.body_of("check-admin-access", {}, shopper.token) == {"allowed": False}
