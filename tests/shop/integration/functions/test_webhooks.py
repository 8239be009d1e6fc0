"""Stripe's and the printer's webhooks: signed, again, late, out of order, unmatched; and the browser gone or racing."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from uuid import uuid4

import httpx
import pytest

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, address_of
from tests.support.mailbox import find_mails
from tests.support.stacks import Stack

ORDER = "select *, id::text as id from public.orders where id = %s"
CONFIRMED = "select 1 from public.orders where id = %s and confirmation_sent_at is not null"
PRINTED = "select printify_order_id from public.orders where id = %s and printify_order_id is not null"


class Vendors:
    """Posts events as the vendors do: raw bytes, their signature, no token."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack

    def stripe(
        self,
        type: str,
        subject: Json,
        *,
        id: str = "",
        age: float = 0,
        key: str = "whsec_emulator",
        created: float | None = None,
    ) -> httpx.Response:
        event = {
            "id": id or f"evt_{uuid4().hex}",
            "object": "event",
            "type": type,
            "created": int(time.time() if created is None else created),
            "data": {"object": subject},
        }
        body = json.dumps(event, indent=2).encode()
        moment = int(time.time() - age)
        digest = hmac.new(key.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
        return self.post("stripe-webhook", body, {"stripe-signature": f"t={moment},v1={digest}"})

    def printify(
        self, type: str, order: str, *, id: str = "", key: str = "pfysec_emulator", created_at: str = ""
    ) -> httpx.Response:
        event = {
            "id": id or str(uuid4()),
            "type": type,
            "resource": {"id": order, "type": "order", "data": {}},
        } | ({"created_at": created_at} if created_at else {})
        body = json.dumps(event).encode()
        digest = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
        return self.post("printify-webhook", body, {"x-pfy-signature": f"sha256={digest}"})

    def post(self, slug: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
        return httpx.post(
            f"{self._stack.api_url}/functions/v1/{slug}", content=body, headers=headers, timeout=30
        )


@pytest.fixture
def vendors(stack: Stack) -> Vendors:
    return Vendors(stack)


def confirm(functions: Functions, placed: Json, card: str = "pm_card_visa") -> httpx.Response:
    return functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method=card)


def print_orders_of(functions: Functions, order_id: str) -> list[Json]:
    listed = functions.printify("orders.json?limit=50")["data"]
    return [one for one in listed if one["metadata"]["shop_order_id"] == order_id]


def test_payment_event_prints_and_confirms_without_the_browser(
    functions: Functions, shopper: Shopper, stack: Stack, request: pytest.FixtureRequest
) -> None:
    email = f"gone-{uuid4().hex[:8]}@example.com"
    address = address_of(shopper, request) | {"email": email}
    placed = functions.body_of("create-payment-intent", shopper.cart(shipping_address=address), shopper.token)
    confirm(functions, placed)  # and the page is closed
    functions.until(CONFIRMED, placed["order_id"])
    (order,) = functions.sql(ORDER, placed["order_id"])
    assert (order["status"], order["payment_intent_id"]) == ("paid", placed["payment_intent_id"])
    (printed,) = print_orders_of(functions, placed["order_id"])
    assert printed["id"] == order["printify_order_id"]
    (mail,) = find_mails(stack, email)
    assert mail["Subject"] == f"Your Teesmith order #{placed['order_id'][-6:].upper()} is confirmed"
    assert mail["HTML"]


def test_browser_and_webhooks_race_to_one_print_order_and_one_mail(
    functions: Functions, shopper: Shopper, stack: Stack, vendors: Vendors, request: pytest.FixtureRequest
) -> None:
    email = f"race-{uuid4().hex[:8]}@example.com"
    address = address_of(shopper, request) | {"email": email}
    placed = functions.body_of("create-payment-intent", shopper.cart(shipping_address=address), shopper.token)
    confirm(functions, placed)
    by_id = {"order_id": placed["order_id"]}
    printing = {"orderId": placed["order_id"], "shippingAddress": {}, "lineItems": []}

    def browser(_: int) -> list[int]:
        calls = (
            ("update-order-status", by_id | {"status": "paid"}),
            ("create-printify-order", printing),
            ("send-order-webhook", by_id),
        )
        return [functions.call(slug, body, shopper.token).status_code for slug, body in calls]

    def vendor(_: int) -> int:
        return vendors.stripe("payment_intent.succeeded", {"id": placed["payment_intent_id"]}).status_code

    with ThreadPoolExecutor(8) as crowd:
        browsers = [crowd.submit(browser, number) for number in range(4)]
        webhooks = [crowd.submit(vendor, number) for number in range(4)]
        assert [one.result() for one in browsers] == [[200, 200, 200]] * 4
        assert [one.result() for one in webhooks] == [200] * 4
    functions.until(CONFIRMED, placed["order_id"])
    assert len(print_orders_of(functions, placed["order_id"])) == 1
    assert len(find_mails(stack, email)) == 1


@pytest.mark.parametrize(
    "change",
    [{"age": 301.0}, {"age": -310.0}, {"key": "whsec_other"}],
    ids=["five minutes old", "five minutes ahead", "another secret"],
)
def test_unsigned_or_old_stripe_event_is_refused(vendors: Vendors, placed: Json, change: Json) -> None:
    response = vendors.stripe("payment_intent.succeeded", {"id": placed["payment_intent_id"]}, **change)
    assert (response.status_code, response.json()) == (
        400, {"error": "This is not signed by Stripe.", "code": "invalid_signature"},
    )  # fmt: skip


def test_signed_payment_event_is_checked_at_stripe(
    functions: Functions, vendors: Vendors, placed: Json
) -> None:
    claim = {"id": placed["payment_intent_id"], "status": "succeeded", "amount_received": 5970}
    # Stripe's answer may be older than its event: it is to come again
    assert vendors.stripe("payment_intent.succeeded", claim).status_code == 409
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "pending"


def test_changed_event_body_is_refused(stack: Stack, vendors: Vendors) -> None:
    body = b'{"id": "evt_1"}'
    moment = int(time.time())
    digest = hmac.new(b"whsec_emulator", f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    headers = {"stripe-signature": f"t={moment},v1={digest}"}
    assert vendors.post("stripe-webhook", body + b" ", headers).json()["code"] == "invalid_signature"
    # signed, but no event
    assert vendors.post("stripe-webhook", body, headers).json()["code"] == "invalid_request"
    assert vendors.post("stripe-webhook", body, {}).status_code == 400
    assert vendors.post("printify-webhook", body, {}).status_code == 400


def test_event_for_no_order_of_ours_is_not_acknowledged(functions: Functions, vendors: Vendors) -> None:
    form = {"amount": "990", "currency": "usd", "payment_method": "pm_card_visa", "confirm": "true"}
    made = functions.stripe("payment_intents", **form)
    response = vendors.stripe("payment_intent.succeeded", {"id": made.json()["id"]})
    assert (response.status_code, response.json()["code"]) == (404, "order_not_found")
    assert vendors.printify("order:updated", "5a96f649b2439217d070f507").status_code == 404


def test_late_failure_event_does_not_change_a_paid_order(
    functions: Functions, vendors: Vendors, paid: Json
) -> None:
    for type in ("payment_intent.payment_failed", "payment_intent.canceled"):
        assert vendors.stripe(type, {"id": paid["payment_intent_id"]}).status_code == 200
    assert functions.sql(ORDER, paid["order_id"])[0]["status"] == "paid"


def test_repeated_event_is_acknowledged_and_does_nothing(
    functions: Functions, vendors: Vendors, paid: Json
) -> None:
    intent = {"id": paid["payment_intent_id"]}
    for _ in range(3):
        response = vendors.stripe("payment_intent.payment_failed", intent, id=f"evt_{paid['order_id']}")
        assert (response.status_code, response.json()) == (200, {"received": True})
    noted = "select 1 from public.order_events where order_id = %s and kind = 'payment_failed'"
    assert len(functions.sql(noted, paid["order_id"])) == 1


@pytest.mark.parametrize("claimed", [5970, 597_000])
def test_signed_refund_event_is_checked_at_stripe(
    functions: Functions, vendors: Vendors, paid: Json, claimed: int
) -> None:
    claim = {"id": "ch_1", "payment_intent": paid["payment_intent_id"], "amount_refunded": claimed}
    assert vendors.stripe("charge.refunded", claim).status_code == 200
    (order,) = functions.sql(ORDER, paid["order_id"])
    assert (order["refunded_cents"], order["refunded_at"]) == (0, None)


def test_refund_event_records_the_amount_that_stripe_reports(
    functions: Functions, vendors: Vendors, paid: Json
) -> None:
    functions.stripe("refunds", payment_intent=paid["payment_intent_id"], amount="1000")
    claim = {"id": "ch_1", "payment_intent": paid["payment_intent_id"], "amount_refunded": 5970}
    assert vendors.stripe("charge.refunded", claim).status_code == 200
    (order,) = functions.sql(ORDER, paid["order_id"])
    assert order["refunded_cents"] == 1000


def paid_by(functions: Functions, placed: Json, card: str = "pm_card_createDispute") -> None:
    """Pays with a card that is disputed, or that does not accept a refund."""
    assert confirm(functions, placed, card).json()["status"] == "succeeded"
    functions.until("select 1 from public.orders where id = %s and status <> 'pending'", placed["order_id"])


FLAGS = "select reason, details from public.order_flags where order_id = %s"


def test_dispute_is_flagged(functions: Functions, stack: Stack, placed: Json) -> None:
    paid_by(functions, placed)
    flag = functions.until(FLAGS, placed["order_id"])
    (dispute,) = functions.get_stripe("disputes", payment_intent=placed["payment_intent_id"])["data"]
    assert flag["reason"] == "disputed"
    assert flag["details"].startswith(
        f"{dispute['id']} about 5970 cents is needs_response: answer in Stripe's"
    )
    functions.sweep()
    number = placed["order_id"][-6:].upper()
    (mail,) = find_mails(stack, "orders@teesmith.example", f"#{number} needs a person")
    assert placed["order_id"] in mail["Text"]


HELD = "select status, refunded_cents from public.orders where id = %s and (held_at is not null) = %s"


@pytest.mark.parametrize(
    ("evidence", "status"), [("winning_evidence", "paid"), ("losing_evidence", "cancelled")]
)
def test_disputed_order_is_held_until_the_bank_has_decided(
    functions: Functions, placed: Json, evidence: str, status: str
) -> None:
    paid_by(functions, placed)
    functions.until(HELD, placed["order_id"], True)
    (dispute,) = functions.get_stripe("disputes", payment_intent=placed["payment_intent_id"])["data"]
    functions.stripe(f"disputes/{dispute['id']}", **{"evidence[uncategorized_text]": evidence})
    functions.until(HELD, placed["order_id"], False)
    if status == "cancelled":
        functions.sweep()
        cents = 5970
    else:
        cents = 0
        assert functions.until(PRINTED, placed["order_id"])
    (order,) = functions.sql(HELD, placed["order_id"], False)
    assert order["refunded_cents"] == cents
    assert (order["status"] == "cancelled") is (status == "cancelled")


def test_failed_refund_is_flagged(functions: Functions, placed: Json, shopper: Shopper) -> None:
    paid_by(functions, placed, "pm_card_refundFail")
    functions.call("cancel-order", {"order_id": placed["order_id"]}, shopper.token)
    flag = functions.until(FLAGS + " and reason = 'refund_failed'", placed["order_id"])
    (refund,) = functions.get_stripe("refunds", payment_intent=placed["payment_intent_id"])["data"]
    assert (flag["details"], refund["status"]) == (refund["id"], "failed")


def test_signed_dispute_or_failed_refund_is_checked_at_stripe(
    functions: Functions, vendors: Vendors, paid: Json
) -> None:
    claim = {"id": "du_made_up", "payment_intent": paid["payment_intent_id"], "status": "needs_response"}
    assert vendors.stripe("charge.dispute.created", claim).status_code == 200
    made = functions.stripe("refunds", payment_intent=paid["payment_intent_id"], amount="100").json()
    claim = {"id": made["id"], "payment_intent": paid["payment_intent_id"], "status": "failed"}
    assert vendors.stripe("refund.failed", claim).status_code == 200
    assert functions.sql(FLAGS, paid["order_id"]) == []


def test_events_from_the_future_are_refused(functions: Functions, vendors: Vendors, paid: Json) -> None:
    rejected = {"error": "This event lies in the future.", "code": "event_from_future"}
    ahead = time.time() + 310
    response = vendors.stripe("payment_intent.succeeded", {"id": paid["payment_intent_id"]}, created=ahead)
    assert (response.status_code, response.json()) == (400, rejected)
    printed = functions.until(PRINTED, paid["order_id"])["printify_order_id"]
    for moment, status in ((ahead, 400), (ahead - 60, 200)):
        created_at = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S+00:00")
        response = vendors.printify("order:updated", printed, created_at=created_at)
        assert response.status_code == status
    assert response.json() == {"received": True}
    beyond = vendors.stripe("payment_intent.succeeded", {"id": "pi"}, created=10**15)
    assert (beyond.status_code, beyond.json()["code"]) == (400, "invalid_request")


def test_event_without_work_is_acknowledged(vendors: Vendors) -> None:
    assert vendors.stripe("customer.created", {"id": "cus_1"}).status_code == 200
    assert vendors.printify("product:created", "x").status_code == 200


def test_print_order_events_release_it_and_record_production(
    functions: Functions, vendors: Vendors, paid: Json
) -> None:
    printed = functions.until(PRINTED, paid["order_id"])["printify_order_id"]
    # the event's contents do not count: the printer is queried
    assert vendors.printify("order:shipment:created", printed).status_code == 200
    assert functions.sql(ORDER, paid["order_id"])[0]["status"] == "paid"
    # on hold after twenty seconds of the printer's; the sweep releases it then
    sent = "select 1 from public.order_events where order_id = %s and kind = 'sent_to_production'"
    deadline = time.monotonic() + 40
    while not functions.sql(sent, paid["order_id"]):
        assert time.monotonic() < deadline
        functions.sweep()
        time.sleep(2)
    assert functions.printify(f"orders/{printed}.json")["status"] == "sending-to-production"
    assert functions.sql(ORDER, paid["order_id"])[0]["status"] == "paid"


def test_event_before_the_print_order_id_is_stored_finds_the_order(
    functions: Functions, vendors: Vendors, paid: Json
) -> None:
    printed = functions.until(PRINTED, paid["order_id"])["printify_order_id"]
    functions.sql("update public.orders set printify_order_id = null where id = %s", paid["order_id"])
    assert vendors.printify("order:created", printed).status_code == 200
    assert functions.sql(ORDER, paid["order_id"])[0]["printify_order_id"] == printed


def test_emulators_are_registered_with_the_shop(stack: Stack) -> None:
    endpoints = httpx.get(
        f"{stack.emulators_url}/stripe/v1/webhook_endpoints", auth=("sk_test_emulator", "")
    ).json()
    assert f"{stack.api_url}/functions/v1/stripe-webhook" in {one["url"] for one in endpoints["data"]}
    webhooks = httpx.get(
        f"{stack.emulators_url}/printify/v1/shops/1/webhooks.json",
        headers={"authorization": "Bearer printify_emulator_token", "user-agent": "tests"},
    ).json()
    assert {one["topic"] for one in webhooks} >= {
        "order:updated",
        "order:shipment:created",
        "order:shipment:delivered",
    }
    assert {one["url"] for one in webhooks} == {f"{stack.api_url}/functions/v1/printify-webhook"}
