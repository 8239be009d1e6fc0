"""The webhook is off while money moves at Stripe: the sweep brings the books up to it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, address_of

BOOKS = "select refunded_cents, lost_cents, held_at is not null as is_held from public.orders where id = %s"
AGREED = "select 1 from private.money_checks where intent_id = %s and agreed_at is not null"


@pytest.fixture
def webhook_off(functions: Functions) -> Iterator[None]:
    """Stripe sends the shop nothing, until the test is over."""
    (endpoint,) = functions.get_stripe("webhook_endpoints")["data"]
    functions.stripe(f"webhook_endpoints/{endpoint['id']}", disabled="true")
    yield
    functions.stripe(f"webhook_endpoints/{endpoint['id']}", disabled="false")


def sweep_later(functions: Functions) -> None:
    """Two sweeps, and the minutes before each."""
    functions.sql("update private.money_reads set next_at = 'epoch'")
    functions.sweep()
    functions.sql("update private.money_checks set due_at = now() where due_at < 'infinity'")
    functions.sweep()


def books_after(functions: Functions, placed: Json) -> Json:
    """Once they agree. The stack's own sweep may be reading meanwhile, and has begun before what is asked for."""
    deadline = time.monotonic() + 60
    while not functions.sql(AGREED, placed["payment_intent_id"]):
        assert time.monotonic() < deadline
        sweep_later(functions)
    (row,) = functions.sql(BOOKS, placed["order_id"])
    return row


@pytest.mark.usefixtures("webhook_off")
def test_refund_at_the_dashboard_and_its_failure_come_into_the_books(
    functions: Functions, paid: Json
) -> None:
    refund = functions.stripe("refunds", payment_intent=paid["payment_intent_id"], amount="1000").json()
    assert books_after(functions, paid) == {"refunded_cents": 1000, "lost_cents": 0, "is_held": False}
    functions.stripe(f"../dashboard/refunds/{refund['id']}/status", status="failed")
    functions.sql("delete from private.money_checks where intent_id = %s", paid["payment_intent_id"])
    assert books_after(functions, paid) == {"refunded_cents": 0, "lost_cents": 0, "is_held": False}


@pytest.mark.usefixtures("webhook_off")
def test_dispute_that_is_lost_comes_into_the_books(
    functions: Functions, shopper: Shopper, request: pytest.FixtureRequest
) -> None:
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    placed = functions.body_of("create-payment-intent", cart, shopper.token)
    intent = placed["payment_intent_id"]
    functions.stripe(f"payment_intents/{intent}/confirm", payment_method="pm_card_createDispute")
    assert books_after(functions, placed) == {"refunded_cents": 0, "lost_cents": 0, "is_held": True}
    (dispute,) = functions.get_stripe("disputes", payment_intent=intent)["data"]
    evidence = {"evidence[uncategorized_text]": "losing_evidence"}
    functions.stripe(f"disputes/{dispute['id']}", **evidence)
    functions.sql("delete from private.money_checks where intent_id = %s", intent)
    assert books_after(functions, placed) == {"refunded_cents": 5970, "lost_cents": 5970, "is_held": False}
