"""Cancellation and refunds: the print order first, then the payment; a stored request is always finished."""

from dataclasses import replace

import pytest
from _shared.core.callers import Caller
from _shared.core.errors import ShopError

from tests.shop.unit.functions.fakes import AWAY, FakeShop
from tests.shop.unit.functions.samples import ORDER

BUYER, ADMIN = Caller("buyer"), Caller("boss", is_admin=True)


def code_of(caught: pytest.ExceptionInfo[ShopError]) -> tuple[int, str]:
    return caught.value.status, caught.value.code


def test_cancelling_a_paid_order_cancels_print_order_and_refunds() -> None:
    shop = FakeShop()
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", True)
    assert (shop.printify.calls, shop.stripe.refunds) == (["cancel"], [ORDER.id])
    assert shop.cancellation.cancel(shop.order, BUYER, "x").status == "cancelled"
    assert shop.stripe.refunds == [ORDER.id]


def test_cancelling_an_unpaid_order_cancels_its_intent() -> None:
    shop = FakeShop(status="pending", printify_order_id=None)
    shop.stripe.current_intent = replace(shop.stripe.current_intent, status="canceled")
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded, shop.stripe.refunds) == ("cancelled", False, [])


def test_cancelling_an_order_without_an_intent_succeeds() -> None:
    shop = FakeShop(status="pending", printify_order_id=None, payment_intent_id=None)
    assert shop.cancellation.cancel(shop.order, BUYER, "x").status == "cancelled"


def test_payment_during_cancellation_is_refunded() -> None:
    shop = FakeShop(status="pending", printify_order_id=None)
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", True)


@pytest.mark.parametrize("status", ["processing", "shipped", "delivered"])
def test_order_in_production_cannot_be_cancelled(status: str) -> None:
    shop = FakeShop(status=status)
    with pytest.raises(ShopError) as caught:
        shop.cancellation.cancel(shop.order, BUYER, "x")
    assert code_of(caught) == (409, "too_late_to_cancel")


def test_cancellation_is_withdrawn_when_production_has_just_begun() -> None:
    shop = FakeShop()
    shop.printify.status = "in-production"
    with pytest.raises(ShopError) as caught:
        shop.cancellation.cancel(shop.order, BUYER, "x")
    assert code_of(caught) == (409, "too_late_to_cancel")
    assert (shop.order.status, shop.order.cancel_is_requested, shop.stripe.refunds) == ("paid", False, [])


def test_cancellation_stays_requested_while_the_printer_is_down() -> None:
    shop = FakeShop()
    shop.printify.problem = AWAY
    with pytest.raises(ShopError) as caught:
        shop.cancellation.cancel(shop.order, BUYER, "x")
    assert code_of(caught) == (502, "cancellation_pending")
    assert (shop.order.status, shop.order.cancel_is_requested) == ("paid", True)
    shop.printify.problem = None
    shop.cancellation.finish_cancelling(ORDER.id)
    assert shop.order.status == "cancelled"


def test_refund_is_left_to_the_sweep_while_stripe_is_down() -> None:
    shop = FakeShop()
    shop.stripe.is_away = True
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", False)
    assert shop.order_rpc.has_job(ORDER.id, "refund")


def test_new_print_order_is_cancelled_later() -> None:
    shop = FakeShop()
    shop.printify.status = "pending"
    assert shop.cancellation.cancel(shop.order, BUYER, "x").is_refunded
    assert shop.cancellation.stop_printing(shop.order) == 10
    shop.printify.status = "on-hold"
    assert shop.cancellation.stop_printing(shop.order) is None
    assert (shop.printify.calls, shop.flags) == (["cancel"], [])


def test_cancelled_order_in_production_is_flagged() -> None:
    shop = FakeShop(status="cancelled")
    shop.printify.status = "in-production"
    assert shop.cancellation.stop_printing(shop.order) is None
    assert shop.flags == ["printed_although_cancelled"]


def test_refunded_shipped_order_stays_shipped() -> None:
    shop = FakeShop(status="shipped")
    for _ in range(2):
        refunded = shop.refunds.refund(shop.order, ADMIN, "misprinted")
        assert (refunded.status, refunded.refund_id, refunded.is_refunded) == ("shipped", "re_1", True)
    assert (shop.stripe.refunds, shop.printify.calls) == ([ORDER.id], [])


def test_refund_of_an_unprinted_order_cancels_it() -> None:
    shop = FakeShop()
    assert shop.refunds.refund(shop.order, ADMIN, "x").status == "cancelled"
    assert shop.printify.calls == ["cancel"]


def test_refund_needs_a_payment_and_stays_due_while_stripe_is_down() -> None:
    with pytest.raises(ShopError) as caught:
        shop = FakeShop(status="pending")
        shop.refunds.refund(shop.order, ADMIN, "x")
    assert code_of(caught) == (409, "order_not_paid")
    shop = FakeShop(status="shipped")
    shop.stripe.is_away = True
    with pytest.raises(ShopError) as caught:
        shop.refunds.refund(shop.order, ADMIN, "x")
    assert code_of(caught) == (502, "refund_pending")
    assert shop.order_rpc.has_job(ORDER.id, "refund")
