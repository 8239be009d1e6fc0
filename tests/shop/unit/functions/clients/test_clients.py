"""Clients and vendors that refuse, time out or send malformed responses: each becomes one `ShopError`."""

import hashlib
import hmac
import json
import time
from functools import partial
from typing import Any

import httpx
import pytest
from _shared.clients.accounts import Accounts
from _shared.clients.automation import Automation
from _shared.clients.printify import Area, Printify, PrintOrder
from _shared.clients.stripe_api import Stripe
from _shared.clients.zippopotam import Place, Zippopotam
from _shared.core.callers import Account
from _shared.core.errors import ShopError

from tests.shop.unit.functions.network import NETWORK_DOWN, Outcome, error_of, supabase_client, transport


def printify(*responses: Outcome, seen: list[httpx.Request] | None = None) -> Printify:
    return Printify(
        "http://printer",
        "token",
        "7",
        blueprint_id=6,
        print_provider_id=29,
        transport=transport(*responses, seen=seen),
    )


def order(printer: Printify) -> str:
    return printer.create_order(external_id="o1", label="1", line_items=[], address_to={})


def test_print_order_is_posted_under_our_own_id() -> None:
    seen: list[httpx.Request] = []
    assert order(printify(httpx.Response(200, json={"id": "po"}), seen=seen)) == "po"
    (request,) = seen
    assert (request.method, request.url.path) == ("POST", "/v1/shops/7/orders.json")
    assert (request.headers["authorization"], request.headers["user-agent"]) == (
        "Bearer token",
        "Teesmith/1.0",
    )
    assert json.loads(request.content)["external_id"] == "o1"


def test_print_order_that_exists_already_is_success() -> None:
    duplicate = {"status": "error", "code": 8503, "message": "external_id is used", "order": {"id": "po"}}
    assert order(printify(httpx.Response(409, json=duplicate))) == "po"


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (httpx.Response(409, json={"code": 1}), "printer_refused"),
        (httpx.Response(409, text="conflict"), "printer_refused"),
        (httpx.Response(400, json={"code": 8150, "message": "Validation failed."}), "printer_refused"),
        (httpx.Response(401, text="no"), "printer_refused"),
        (httpx.Response(429, text="slow down"), "printer_unavailable"),
        (httpx.Response(503), "printer_unavailable"),
        (httpx.Response(200, text="<html>"), "printer_unavailable"),
        (NETWORK_DOWN, "printer_unavailable"),
        (httpx.ReadTimeout("slow"), "printer_unavailable"),
    ],
)
def test_printify_errors_become_shop_errors(response: Outcome, code: str) -> None:
    assert error_of(lambda: order(printify(response))) == (502, code)


def test_vendor_error_text_stays_in_the_log() -> None:
    with pytest.raises(ShopError) as caught:
        order(printify(httpx.Response(400, text="shop 7 has no card on file")))
    assert "card" not in caught.value.error
    assert caught.value.cause == "Printify 400: shop 7 has no card on file"


def test_areas_of_sides_come_from_the_catalog() -> None:
    seen: list[httpx.Request] = []
    catalog = {
        "variants": [
            {"id": 1, "placeholders": [{"position": "back", "width": 1, "height": 1}]},
            {"id": 2, "placeholders": [{"position": "front", "width": 4500, "height": 5100}]},
        ]
    }
    assert printify(httpx.Response(200, json=catalog), seen=seen).areas() == {2: {"front": Area(4500, 5100)}}
    assert seen[0].url.path == "/v1/catalog/blueprints/6/print_providers/29/variants.json"


def zippopotam(response: Outcome) -> Zippopotam:
    return Zippopotam("http://zips", transport(response))


def test_first_place_of_a_zip_code_is_taken() -> None:
    places = [{"place name": "Beverly Hills", "state abbreviation": "CA"}, {"place name": "x"}]
    assert zippopotam(httpx.Response(200, json={"places": places})).place("90210") == Place(
        "Beverly Hills", "CA"
    )


def test_unknown_zip_code_has_no_place() -> None:
    assert zippopotam(httpx.Response(404, json={})).place("00000") is None


@pytest.mark.parametrize(
    "response",
    [
        NETWORK_DOWN,
        httpx.ReadTimeout("slow"),
        httpx.Response(500),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={}),
        httpx.Response(200, json={"places": []}),
        httpx.Response(200, json=[]),
    ],
)
def test_failed_zip_lookup_is_an_error(response: Outcome) -> None:
    assert error_of(lambda: zippopotam(response).place("90210")) == (502, "zip_lookup_unavailable")


USER: dict[str, Any] = {
    "id": "ann",
    "aud": "authenticated",
    "email": "ann@example.com",
    "app_metadata": {},
    "user_metadata": {},
    "created_at": "2026-11-22T12:00:00Z",
}


def accounts(response: Outcome, seen: list[httpx.Request] | None = None) -> Accounts:
    return Accounts(supabase_client(response, seen=seen))


def test_good_token_has_an_account() -> None:
    seen: list[httpx.Request] = []
    assert accounts(httpx.Response(200, json=USER), seen).of_token("t") == Account("ann", "ann@example.com")
    (request,) = seen
    assert (request.method, str(request.url)) == ("GET", "http://inner/auth/v1/user")
    assert (request.headers["apikey"], request.headers["authorization"]) == ("key", "Bearer t")
    by_phone = httpx.Response(200, json=USER | {"email": None, "phone": "491701234567"})
    assert accounts(by_phone).of_token("t") == Account("ann", "")


@pytest.mark.parametrize(
    ("response", "rejected"),
    [
        (httpx.Response(400, json={"msg": "no JWT"}), (401, "unauthenticated")),
        (httpx.Response(401), (401, "unauthenticated")),
        (httpx.Response(403), (401, "unauthenticated")),
        (httpx.Response(404), (401, "unauthenticated")),
        (httpx.Response(500), (502, "sign_in_unavailable")),
        (httpx.Response(503, text="<html>"), (502, "sign_in_unavailable")),
        (httpx.Response(200, text="<html>"), (502, "sign_in_unavailable")),
        (httpx.Response(200, json={"id": "ann"}), (502, "sign_in_unavailable")),
        (NETWORK_DOWN, (502, "sign_in_unavailable")),
    ],
)
def test_bad_token_and_unavailable_gotrue_have_different_errors(
    response: Outcome, rejected: tuple[int, str]
) -> None:
    assert error_of(lambda: accounts(response).of_token("t")) == rejected


def test_log_does_not_quote_a_person_whom_auth_sent_in_another_form() -> None:
    with pytest.raises(ShopError) as caught:
        accounts(httpx.Response(200, json={"id": "ann", "email": "ann@example.com"})).of_token("t")
    assert caught.value.cause == "Auth's body is no user: ValidationError"


def test_automation_post_carries_an_idempotency_key() -> None:
    seen: list[httpx.Request] = []
    Automation("", "", "", transport(seen=seen)).send("order.confirmed", "o1", {})
    assert seen == []
    arguments = Automation(
        "http://me/hook", "http://me/parcels", "", transport(httpx.Response(204), seen=seen)
    )
    arguments.send("order.confirmed", "o1", {"a": 1})
    assert json.loads(seen[0].content) == {"event": "order.confirmed", "a": 1}
    assert seen[0].headers["idempotency-key"] == "order.confirmed-o1"
    assert "x-teesmith-signature" not in seen[0].headers
    away = Automation("http://me/hook", "", "", transport(httpx.Response(500)))
    assert error_of(lambda: away.send("order.confirmed", "o1", {})) == (502, "automation_unavailable")


def test_automation_posts_are_signed_and_shipments_have_their_own_address() -> None:
    seen: list[httpx.Request] = []
    answering = transport(httpx.Response(204), seen=seen)
    arguments = Automation(
        "http://me/hook", "http://me/parcels", "shh", answering, clock=lambda: 1700000000.9
    )
    arguments.send("order.shipped", "o1", {})
    assert str(seen[0].url) == "http://me/parcels"
    expected = hmac.new(b"shh", b"1700000000." + seen[0].content, hashlib.sha256).hexdigest()
    assert seen[0].headers["x-teesmith-signature"] == f"t=1700000000,v1={expected}"


PRINT_ORDER = {
    "id": "po",
    "status": "fulfilled",
    "metadata": {"shop_order_id": "o1"},
    "shipments": [{"carrier": "USPS", "number": "9400", "url": "https://t/9400", "delivered_at": None}],
}


def test_print_order_is_read_with_its_first_parcel() -> None:
    print_order = printify(httpx.Response(200, json=PRINT_ORDER)).order("po")
    assert print_order == PrintOrder("po", "o1", "fulfilled", True, False, "USPS", "9400", "https://t/9400")
    assert printify(httpx.Response(404, json={"error": "Not found"})).order("po") is None
    bare = printify(httpx.Response(200, json={"id": "po", "status": "pending"})).order("po")
    assert bare == PrintOrder("po", "", "pending", False, False, "", "", "")


@pytest.mark.parametrize(
    ("status", "arrived", "is_delivered"),
    [
        ("fulfilled", [True, False], False),
        ("fulfilled", [True, True], True),
        # another parcel has still to leave
        ("partially-fulfilled", [True], False),
        ("in-production", [], False),
    ],
)
def test_print_order_is_delivered_when_all_has_left_and_arrived(
    status: str, arrived: list[bool], is_delivered: bool
) -> None:
    parcels = [{"delivered_at": "2026-01-01 10:00:00+00:00" if has else None} for has in arrived]
    said = PRINT_ORDER | {"status": status, "shipments": parcels}
    print_order = printify(httpx.Response(200, json=said)).order("po")
    assert print_order is not None
    assert (print_order.is_shipped, print_order.is_delivered) == (arrived != [], is_delivered)


def test_print_order_that_is_too_late_to_change_returns_false() -> None:
    seen: list[httpx.Request] = []
    rejected = httpx.Response(400, json={"code": 8502})
    assert printify(httpx.Response(200, json={}), seen=seen).send_to_production("po") is True
    assert printify(rejected).send_to_production("po") is False
    assert printify(rejected).cancel_order("po") is False
    assert seen[0].url.path == "/v1/shops/7/orders/po/send_to_production.json"
    assert error_of(lambda: printify(httpx.Response(503)).cancel_order("po")) == (502, "printer_unavailable")


def test_printifys_signature_is_of_the_raw_body() -> None:
    body = b'{"id":  "e1"}'
    signature = "sha256=" + hmac.new(b"shh", body, hashlib.sha256).hexdigest()
    sealed = Printify("http://p", "t", "7", blueprint_id=6, print_provider_id=29, webhook_secret="shh")
    sealed.check_signature(body, signature)
    for wrong_body, header in (
        (b'{"id": "e1"}', signature),
        (body, ""),
        (body, signature[:-1] + "0"),
        (body, "sha256=ü"),
    ):
        assert error_of(partial(sealed.check_signature, wrong_body, header)) == (400, "invalid_signature")
    unset = hmac.new(b"", body, hashlib.sha256).hexdigest()
    assert error_of(lambda: printify().check_signature(body, f"sha256={unset}")) == (400, "invalid_signature")


def stripe_signature(body: bytes, moment: float, key: str = "whsec_x") -> str:
    digest = hmac.new(key.encode(), f"{int(moment)}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={int(moment)},v1={digest}"


def test_stripes_signature_is_of_the_raw_body_and_recent() -> None:
    stripe = Stripe("sk_test_x", "http://stripe", "whsec_x")
    body, now = b'{"id":"evt_1"}', time.time()
    stripe.check_signature(body, stripe_signature(body, now))
    # a secret that is being replaced: two signatures, one of which is ours
    stripe.check_signature(
        body,
        stripe_signature(body, now, "whsec_old").replace(",", ",v1=00,", 1)
        + ",v1="
        + stripe_signature(body, now)[-64:],
    )
    for wrong_body, header in (
        (body + b" ", stripe_signature(body, now)),
        (body, stripe_signature(body, now - 301)),
        (body, stripe_signature(body, now + 302)),
        (body, stripe_signature(body, now, "whsec_y")),
        (body, ""),
        (body, "t=x,v1=y"),
        (b"\xff", stripe_signature(body, now)),
    ):
        assert error_of(partial(stripe.check_signature, wrong_body, header)) == (400, "invalid_signature")
    unset = Stripe("sk_test_x", "http://stripe")
    assert error_of(lambda: unset.check_signature(body, stripe_signature(body, now, ""))) == (
        400,
        "invalid_signature",
    )


@pytest.mark.parametrize(
    "header",
    [
        "t={t},t={t},v1={good}", "t={t},v1={good},t={t}", "t=1,t={t},v1={good}", "t={t},t=99999999999,v1={good}",
        "t={t}, t={t},v1={good}", "t=,v1={good}", "t,v1={good}", "v1={good}", "t=x,v1={good}", "t=-1,v1={good}",
        "t=+{t},v1={good}", "t= {t},v1={good}", "t={t}.0,v1={good}", "t=1_7,v1={good}", "t=\u0661\u0662,v1={good}",
        "t=\u00b2,v1={good}", "t=nan,v1={good}", "t={t}\x00,v1={good}", "t=" + "9" * 5000 + ",v1={good}", "t={t}",
        "t={t},v1=", "t={t},v1=\u00e9", "t={t},v1=\u00e9,v1={good}", "t={t},v0={good}", "t={t}=1,v1={good}",
        "t={t}," + "v1=00," * 5000 + "v1={good}", "," * 100, "=", "t={t};v1={good}", "t={t},v1={good}" + " " * 3000,
    ],
)  # fmt: skip
def test_stripe_signature_header_that_stripe_would_not_write_is_refused(header: str) -> None:
    stripe = Stripe("sk_test_x", "http://stripe", "whsec_x")
    body, now = b'{"id":"evt_1"}', int(time.time())
    good = stripe_signature(body, now)[-64:]
    stripe.check_signature(body, f"t={now},v1={good}")
    written = header.replace("{t}", str(now)).replace("{good}", good)
    assert error_of(partial(stripe.check_signature, body, written)) == (400, "invalid_signature")


@pytest.mark.parametrize(
    "header",
    [
        "{good}", "sha256={good},sha256={good}", "sha256={good} ", " sha256={good}", "SHA256={good}", "sha1={good}",
        "sha256=", "sha256={good}\x00", "sha256=" + "0" * 100_000, "sha256=\ud800", "sha256=00,sha256={good}",
    ],
)  # fmt: skip
def test_printify_signature_header_is_compared_whole(header: str) -> None:
    body = b'{"id":"e1"}'
    good = hmac.new(b"shh", body, hashlib.sha256).hexdigest()
    sealed = Printify("http://p", "t", "7", blueprint_id=6, print_provider_id=29, webhook_secret="shh")
    sealed.check_signature(body, f"sha256={good}")
    written = header.replace("{good}", good)
    assert error_of(partial(sealed.check_signature, body, written)) == (400, "invalid_signature")


def test_automation_signature_verifies_as_stripes_does() -> None:
    seen: list[httpx.Request] = []
    answering = transport(httpx.Response(204), seen=seen)
    Automation("http://me/hook", "", "whsec_x", answering).send("order.confirmed", "o1", {"name": "\u00c4"})
    Stripe("sk_test_x", "http://stripe", "whsec_x").check_signature(
        seen[0].content, seen[0].headers["x-teesmith-signature"]
    )


def test_picture_goes_to_the_printer_as_bytes_or_as_an_address() -> None:
    seen: list[httpx.Request] = []
    made = {"id": "img", "width": 4, "height": 3}
    printer = printify(httpx.Response(200, json=made), httpx.Response(200, json=made), seen=seen)
    assert printer.upload("a.png", contents="aGk=") == printer.upload("a.png", url="https://files/a.png")
    assert [json.loads(request.content) for request in seen] == [
        {"file_name": "a.png", "contents": "aGk="},
        {"file_name": "a.png", "url": "https://files/a.png"},
    ]
