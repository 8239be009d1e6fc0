"""Cancelling and refunding: the printer first, then the money; a wish that was noted is never forgotten."""

from dataclasses import replace

import pytest
from _shared.callers import Caller
from _shared.errors import ShopError

from tests.unit.functions.samples import ORDER
from tests.unit.functions.world import AWAY, World

BUYER, ADMIN = Caller("buyer"), Caller("boss", is_admin=True)


def code_of(caught: pytest.ExceptionInfo[ShopError]) -> tuple[int, str]:
    return caught.value.status, caught.value.code


def test_a_paid_order_is_stopped_at_the_printer_and_paid_back() -> None:
    world = World()
    cancelled = world.reversals.cancel(world.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", True)
    assert (world.press.calls, world.card.refunds) == (["cancel"], [ORDER.id])
    assert world.reversals.cancel(world.order, BUYER, "x").status == "cancelled"
    assert world.card.refunds == [ORDER.id]


def test_an_unpaid_order_only_has_its_payment_closed() -> None:
    world = World(status="pending", printify_order_id=None)
    world.card.intent_now = replace(world.card.intent_now, status="canceled")
    cancelled = world.reversals.cancel(world.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded, world.card.refunds) == ("cancelled", False, [])


def test_an_order_without_an_intent_is_cancelled_too() -> None:
    world = World(status="pending", printify_order_id=None, payment_intent_id=None)
    assert world.reversals.cancel(world.order, BUYER, "x").status == "cancelled"


def test_who_pays_while_cancelling_is_paid_back() -> None:
    world = World(status="pending", printify_order_id=None)
    cancelled = world.reversals.cancel(world.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", True)


@pytest.mark.parametrize("status", ["processing", "shipped", "delivered"])
def test_production_cannot_be_undone(status: str) -> None:
    world = World(status=status)
    with pytest.raises(ShopError) as caught:
        world.reversals.cancel(world.order, BUYER, "x")
    assert code_of(caught) == (409, "too_late_to_cancel")


def test_production_that_began_a_moment_ago_cannot_be_undone_either() -> None:
    world = World()
    world.press.status = "in-production"
    with pytest.raises(ShopError) as caught:
        world.reversals.cancel(world.order, BUYER, "x")
    assert code_of(caught) == (409, "too_late_to_cancel")
    assert (world.order.status, world.order.cancel_is_requested, world.card.refunds) == ("paid", False, [])


def test_a_printer_that_is_away_leaves_a_noted_wish() -> None:
    world = World()
    world.press.problem = AWAY
    with pytest.raises(ShopError) as caught:
        world.reversals.cancel(world.order, BUYER, "x")
    assert code_of(caught) == (502, "cancellation_pending")
    assert (world.order.status, world.order.cancel_is_requested) == ("paid", True)
    world.press.problem = None
    world.reversals.finish_cancelling(ORDER.id)
    assert world.order.status == "cancelled"


def test_a_card_company_that_is_away_leaves_the_refund_to_the_sweep() -> None:
    world = World()
    world.card.is_away = True
    cancelled = world.reversals.cancel(world.order, BUYER, "x")
    assert (cancelled.status, cancelled.is_refunded) == ("cancelled", False)
    assert world.ledger.has_job(ORDER.id, "refund")


def test_a_print_order_in_its_first_seconds_is_ended_later() -> None:
    world = World()
    world.press.status = "pending"
    assert world.reversals.cancel(world.order, BUYER, "x").is_refunded
    assert world.reversals.stop_print(world.order) == 10
    world.press.status = "on-hold"
    assert world.reversals.stop_print(world.order) is None
    assert (world.press.calls, world.flags) == (["cancel"], [])


def test_a_print_order_that_slipped_through_calls_a_person() -> None:
    world = World(status="cancelled")
    world.press.status = "in-production"
    assert world.reversals.stop_print(world.order) is None
    assert world.flags == ["printed_although_cancelled"]


def test_an_admin_refunds_a_parcel_whose_order_keeps_its_status() -> None:
    world = World(status="shipped")
    for _ in range(2):
        refunded = world.reversals.refund(world.order, ADMIN, "misprinted")
        assert (refunded.status, refunded.refund_id, refunded.is_refunded) == ("shipped", "re_1", True)
    assert (world.card.refunds, world.press.calls) == ([ORDER.id], [])


def test_an_admin_refunding_an_unprinted_order_cancels_it() -> None:
    world = World()
    assert world.reversals.refund(world.order, ADMIN, "x").status == "cancelled"
    assert world.press.calls == ["cancel"]


def test_what_was_not_paid_is_not_refunded_and_what_cannot_be_now_follows() -> None:
    with pytest.raises(ShopError) as caught:
        world = World(status="pending")
        world.reversals.refund(world.order, ADMIN, "x")
    assert code_of(caught) == (409, "order_not_paid")
    world = World(status="shipped")
    world.card.is_away = True
    with pytest.raises(ShopError) as caught:
        world.reversals.refund(world.order, ADMIN, "x")
    assert code_of(caught) == (502, "refund_pending")
    assert world.ledger.has_job(ORDER.id, "refund")
