"""Cancelling before production, refunding after it; what the sweep finishes; what an admin's webhook test may reach."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.shop.integration.functions.conftest import Functions, Json, Shopper
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Person

ORDER = "select * from public.orders where id = %s"
PRINTED = "select printify_order_id from public.orders where id = %s and printify_order_id is not null"
EVENTS = "select kind, actor::text, details from public.order_events where order_id = %s order by created_at"


def audit(functions: Functions, order_id: str) -> list[str]:
    return [row["kind"] for row in functions.sql(EVENTS, order_id)]


def refunds_of(functions: Functions, intent: str) -> list[Json]:
    listed: list[Json] = functions.get_stripe("refunds", payment_intent=intent)["data"]
    return listed


def test_shopper_cancels_an_unpaid_order_and_its_payment_is_closed(
    functions: Functions, shopper: Shopper, placed: Json
) -> None:
    request = {"order_id": placed["order_id"]}
    expected = request | {"status": "cancelled", "refunded": False}
    assert functions.body_of("cancel-order", request, shopper.token) == expected
    assert functions.body_of("cancel-order", request, shopper.token) == expected
    rejected = functions.stripe(
        f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa"
    )
    assert rejected.json()["error"]["code"] == "payment_intent_unexpected_state"
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "cancelled"


def test_shopper_cancels_a_paid_order_before_production(
    functions: Functions, shopper: Shopper, stack: Stack, paid: Json
) -> None:
    printed = functions.until(PRINTED, paid["order_id"])["printify_order_id"]
    request = {"order_id": paid["order_id"]}
    for _ in range(2):
        assert functions.body_of("cancel-order", request, shopper.token) == request | {
            "status": "cancelled",
            "refunded": True,
        }
    (refund,) = refunds_of(functions, paid["payment_intent_id"])
    (order,) = functions.sql(ORDER, paid["order_id"])
    assert (order["refund_id"], order["refunded_cents"], order["status"]) == (refund["id"], 5970, "cancelled")
    # the printer cannot cancel it in its first seconds: the sweep does, and nothing is sent to production
    assert functions.printify(f"orders/{printed}.json")["status"] in (
        "pending",
        "cost-calculation",
        "canceled",
    )
    deadline = time.monotonic() + 40
    while functions.printify(f"orders/{printed}.json")["status"] != "canceled":
        assert time.monotonic() < deadline
        functions.sweep()
        time.sleep(2)
    assert functions.sql("select 1 from public.order_flags where order_id = %s", paid["order_id"]) == []
    number = paid["order_id"][-6:].upper()
    mail = wait_for_mail(stack, shopper.person.email, f"#{number} is cancelled")
    assert "We return $59.70 to your card" in mail["Text"]
    assert mail["HTML"]
    kinds = audit(functions, paid["order_id"])
    assert {"cancellation_requested", "refunded"} <= set(kinds)
    event = next(e for e in functions.sql(EVENTS, paid["order_id"]) if e["kind"] == "cancellation_requested")
    assert (event["actor"], event["details"]) == (shopper.person.id, {"reason": "requested by the shopper"})
    printing = {"orderId": paid["order_id"], "shippingAddress": {}, "lineItems": []}
    if order["printify_order_id"] is None:
        assert functions.error_of("create-printify-order", printing, shopper.token) == (
            409,
            "order_cancelled",
        )


def test_stranger_cannot_cancel_and_shopper_cannot_refund(
    functions: Functions, shopper: Shopper, stranger: Person, paid: Json
) -> None:
    by_id = {"order_id": paid["order_id"]}
    assert functions.error_of("cancel-order", by_id, stranger.token) == (404, "order_not_found")
    for person in (shopper.person, stranger):
        request = by_id | {"reason": "please"}
        assert functions.error_of("refund-order", request, person.token) == (403, "forbidden")
    assert functions.sql(ORDER, paid["order_id"])[0]["status"] == "paid"


def test_order_in_production_is_too_late_to_cancel(
    functions: Functions, shopper: Shopper, paid: Json
) -> None:
    functions.until(PRINTED, paid["order_id"])
    functions.sql("select public.record_progress(%s, 'processing')", paid["order_id"])
    request = {"order_id": paid["order_id"]}
    assert functions.error_of("cancel-order", request, shopper.token) == (409, "too_late_to_cancel")
    assert functions.sql(ORDER, paid["order_id"])[0]["cancel_requested_at"] is None


def test_admin_refunds_a_shipped_order_once(
    functions: Functions, shopper: Shopper, admin: Person, stack: Stack, paid: Json
) -> None:
    functions.until(PRINTED, paid["order_id"])
    functions.sql(
        "select public.record_progress(%s, 'shipped', 'USPS', '9400', 'https://t/9400')", paid["order_id"]
    )
    request = {"order_id": paid["order_id"], "reason": "Misprinted, photo seen"}
    first = functions.body_of("refund-order", request, admin.token)
    assert functions.body_of("refund-order", request, admin.token) == first
    (refund,) = refunds_of(functions, paid["payment_intent_id"])
    assert first == {"order_id": paid["order_id"], "status": "shipped", "refund_id": refund["id"]}
    (order,) = functions.sql(ORDER, paid["order_id"])
    assert (order["refunded_cents"], order["refund_reason"]) == (5970, "Misprinted, photo seen")
    event = next(e for e in functions.sql(EVENTS, paid["order_id"]) if e["kind"] == "refund_requested")
    assert event["actor"] == admin.id
    functions.sweep()
    mails = find_mails(
        stack, shopper.person.email, f"refund for Teesmith order #{paid['order_id'][-6:].upper()}"
    )
    assert len(mails) == 1
    assert "$59.70" in mails[0]["Text"]
    # the owner sees it
    shown = (
        shopper.person.client.table("orders")
        .select("status, refunded_cents")
        .eq("id", paid["order_id"])
        .execute()
    )
    assert shown.data == [{"status": "shipped", "refunded_cents": 5970}]


def test_refund_before_printing_cancels_the_order(functions: Functions, admin: Person, paid: Json) -> None:
    request = {"order_id": paid["order_id"], "reason": "Out of stock"}
    response = functions.body_of("refund-order", request, admin.token)
    assert (response["status"], response["refund_id"][:3]) == ("cancelled", "re_")


def test_unpaid_order_has_nothing_to_refund(functions: Functions, admin: Person, placed: Json) -> None:
    request = {"order_id": placed["order_id"], "reason": "x"}
    assert functions.error_of("refund-order", request, admin.token) == (409, "order_not_paid")
    missing = {"order_id": "00000000-0000-4000-8000-000000000000", "reason": "x"}
    assert functions.error_of("refund-order", missing, admin.token) == (404, "order_not_found")
    assert functions.error_of("refund-order", request | {"reason": " "}, admin.token) == (
        400,
        "invalid_request",
    )


@pytest.fixture
def without_stripe_webhooks(functions: Functions) -> Iterator[None]:
    """Stripe's webhooks do not reach the shop meanwhile."""
    endpoints = functions.get_stripe("webhook_endpoints")["data"]
    for endpoint in endpoints:
        functions.stripe(f"webhook_endpoints/{endpoint['id']}", method="DELETE")
    yield
    for endpoint in endpoints:
        events = {f"enabled_events[{place}]": name for place, name in enumerate(endpoint["enabled_events"])}
        functions.stripe("webhook_endpoints", url=endpoint["url"], **events)


@pytest.mark.usefixtures("without_stripe_webhooks")
def test_sweep_settles_an_unreported_payment(
    functions: Functions, stack: Stack, shopper: Shopper, placed: Json
) -> None:
    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa")
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "pending"
    functions.sweep()
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "paid"
    functions.until(PRINTED, placed["order_id"])
    wait_for_mail(stack, shopper.person.email, f"#{placed['order_id'][-6:].upper()} is confirmed")


def test_refund_made_at_stripe_is_recorded_and_mailed(
    functions: Functions, stack: Stack, shopper: Shopper, paid: Json
) -> None:
    functions.stripe("refunds", payment_intent=paid["payment_intent_id"], amount="1990")
    row = functions.until(
        "select * from public.orders where id = %s and refunded_cents > 0", paid["order_id"]
    )
    assert (row["refunded_cents"], row["status"]) == (1990, "paid")
    functions.sweep()
    mail = wait_for_mail(
        stack, shopper.person.email, f"refund for Teesmith order #{paid['order_id'][-6:].upper()}"
    )
    assert "$19.90" in mail["Text"]


def test_sweep_cancels_an_old_cart_and_its_intent(functions: Functions, placed: Json) -> None:
    functions.sql("alter table public.orders disable trigger guard_order")
    functions.sql(
        "update public.orders set created_at = now() - interval '25 hours' where id = %s", placed["order_id"]
    )
    functions.sql("alter table public.orders enable trigger guard_order")
    functions.sweep()
    assert functions.sql(ORDER, placed["order_id"])[0]["status"] == "cancelled"
    assert functions.get_stripe(f"payment_intents/{placed['payment_intent_id']}")["status"] == "canceled"


def test_refused_print_order_is_flagged_and_mailed(
    functions: Functions, shopper: Shopper, stack: Stack, placed: Json
) -> None:
    functions.sql(
        "update public.order_items set printify_product_id = 'gone' where order_id = %s", placed["order_id"]
    )
    functions.stripe(f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa")
    flagged = "select 1 from public.order_flags where order_id = %s and reason = 'print_failed'"
    for _ in range(6):
        functions.sweep()
        if functions.sql(flagged, placed["order_id"]):
            break
    assert len(functions.sql(flagged, placed["order_id"])) == 1
    functions.sweep()
    number = placed["order_id"][-6:].upper()
    assert len(find_mails(stack, shopper.person.email, f"#{number} takes a little longer")) == 1
    (notice,) = find_mails(stack, "orders@teesmith.example", f"#{number} needs a person")
    assert "printer_refused" in notice["Text"]


def test_sweep_requires_the_secret_key(functions: Functions, stack: Stack, admin: Person) -> None:
    assert functions.error_of("sweep", {}) == (403, "forbidden")
    assert functions.error_of("sweep", {}, stack.anon_key) == (403, "forbidden")
    assert functions.error_of("sweep", {}, admin.token) == (403, "forbidden")
    assert set(functions.body_of("sweep", {}, stack.service_role_key)) == {
        "jobs", "failed_jobs", "messages", "failed_messages", "wrong_payments", "wrong_totals", "objects",
        "failed_objects", "design_jobs", "failed_design_jobs", "forgotten_calls",
        "accounts", "failed_accounts", "design_notices", "failed_design_notices",
        "retired_print_files", "print_files", "failed_print_files", "retired_artwork",
    }  # fmt: skip


@pytest.fixture
def internal_server() -> Iterator[tuple[str, list[str]]]:
    """A server in our own network, and the requests that it got."""
    called: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            called.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", called
    server.shutdown()
    server.server_close()
    thread.join()


def test_webhook_test_does_not_reach_private_addresses(
    functions: Functions, admin: Person, internal_server: tuple[str, list[str]]
) -> None:
    address, called = internal_server
    port = address.partition(":")[2]
    for url in (
        f"http://{address}/", f"http://localhost:{port}/", f"http://[::1]:{port}/", f"http://0.0.0.0:{port}/",
        f"http://2130706433:{port}/", f"http://[::ffff:127.0.0.1]:{port}/", "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/", "http://100.64.0.1/", "http://[fd00::1]/",
    ):  # fmt: skip
        rejected = functions.error_of("test-webhook", {"url": url, "payload": {}}, admin.token)
        assert rejected == (400, "address_not_allowed"), url
    for url in (
        "file:///etc/passwd",
        "gopher://x/",
        "ftp://x/",
        "http://",
        "no address",
        "http://a:b@example.com/",
    ):
        assert functions.error_of("test-webhook", {"url": url, "payload": {}}, admin.token) == (
            400,
            "invalid_request",
        )
    assert called == []


def test_webhook_test_is_for_admins(functions: Functions, shopper: Shopper) -> None:
    request = {"url": "https://example.com", "payload": {}}
    assert functions.error_of("test-webhook", request, shopper.token) == (403, "forbidden")
