"""Cancelling and refunding: the printer first, then the money; a wish that was noted is never forgotten."""

from dataclasses import replace

import pytest
from _shared.core.callers import Caller
from _shared.core.errors import ShopError

from tests.unit.functions.fakes import AWAY, FakeShop
from tests.unit.functions.samples import ORDER

BUYER, ADMIN = Caller("buyer"), Caller("boss", is_admin=True)


def code_of(caught: pytest.ExceptionInfo[ShopError]) -> tuple[int, str]:
    return caught.value.status, caught.value.code


def test_a_paid_order_is_stopped_at_the_printer_and_paid_back() -> None:
    shop = FakeShop()
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", True)
    assert (shop.printify.calls, shop.stripe.refunds) == (["cancel"], [ORDER.id])
    assert shop.cancellation.cancel(shop.order, BUYER, "x").status == "cancelled"
    assert shop.stripe.refunds == [ORDER.id]


def test_an_unpaid_order_only_has_its_payment_closed() -> None:
    shop = FakeShop(status="pending", printify_order_id=None)
    shop.stripe.current_intent = replace(shop.stripe.current_intent, status="canceled")
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded, shop.stripe.refunds) == ("cancelled", False, [])


def test_an_order_without_an_intent_is_cancelled_too() -> None:
    shop = FakeShop(status="pending", printify_order_id=None, payment_intent_id=None)
    assert shop.cancellation.cancel(shop.order, BUYER, "x").status == "cancelled"


def test_who_pays_while_cancelling_is_paid_back() -> None:
    shop = FakeShop(status="pending", printify_order_id=None)
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", True)


@pytest.mark.parametrize("status", ["processing", "shipped", "delivered"])
def test_production_cannot_be_undone(status: str) -> None:
    shop = FakeShop(status=status)
    with pytest.raises(ShopError) as caught:
        shop.cancellation.cancel(shop.order, BUYER, "x")
    assert code_of(caught) == (409, "too_late_to_cancel")


def test_production_that_began_a_moment_ago_cannot_be_undone_either() -> None:
    shop = FakeShop()
    shop.printify.status = "in-production"
    with pytest.raises(ShopError) as caught:
        shop.cancellation.cancel(shop.order, BUYER, "x")
    assert code_of(caught) == (409, "too_late_to_cancel")
    assert (shop.order.status, shop.order.cancel_is_requested, shop.stripe.refunds) == ("paid", False, [])


def test_a_printer_that_is_away_leaves_a_noted_wish() -> None:
    shop = FakeShop()
    shop.printify.problem = AWAY
    with pytest.raises(ShopError) as caught:
        shop.cancellation.cancel(shop.order, BUYER, "x")
    assert code_of(caught) == (502, "cancellation_pending")
    assert (shop.order.status, shop.order.cancel_is_requested) == ("paid", True)
    shop.printify.problem = None
    shop.cancellation.finish_cancelling(ORDER.id)
    assert shop.order.status == "cancelled"


def test_a_card_company_that_is_away_leaves_the_refund_to_the_sweep() -> None:
    shop = FakeShop()
    shop.stripe.is_away = True
    cancelled = shop.cancellation.cancel(shop.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", False)
    assert shop.order_rpc.has_job(ORDER.id, "refund")


def test_a_print_order_in_its_first_seconds_is_ended_later() -> None:
    shop = FakeShop()
    shop.printify.status = "pending"
    assert shop.cancellation.cancel(shop.order, BUYER, "x").is_refunded
    assert shop.cancellation.stop_printing(shop.order) == 10
    shop.printify.status = "on-hold"
    assert shop.cancellation.stop_printing(shop.order) is None
    assert (shop.printify.calls, shop.flags) == (["cancel"], [])


def test_a_print_order_that_slipped_through_calls_a_person() -> None:
    shop = FakeShop(status="cancelled")
    shop.printify.status = "in-production"
    assert shop.cancellation.stop_printing(shop.order) is None
    assert shop.flags == ["printed_although_cancelled"]


def test_an_admin_refunds_a_parcel_whose_order_keeps_its_status() -> None:
    shop = FakeShop(status="shipped")
    for _ in range(2):
        refunded = shop.refunds.refund(shop.order, ADMIN, "misprinted")
        assert (refunded.status, refunded.refund_id, refunded.is_refunded) == ("shipped", "re_1", True)
    assert (shop.stripe.refunds, shop.printify.calls) == ([ORDER.id], [])


def test_an_admin_refunding_an_unprinted_order_cancels_it() -> None:
    shop = FakeShop()
    assert shop.refunds.refund(shop.order, ADMIN, "x").status == "cancelled"
    assert shop.printify.calls == ["cancel"]


def test_what_was_not_paid_is_not_refunded_and_what_cannot_be_now_follows() -> None:
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
