"""Stripe's word on an order's money becomes the books: disputes, refunds that fail, answers that were overtaken."""

from __future__ import annotations

import pytest

from tests.shop.integration.sql.orders.order_steps import (
    Db,
    column,
    flags,
    jobs,
    mails,
    money,
    pay,
    printed,
    state,
    step,
)

TOTAL = 4570


def books(db: Db, order: str) -> tuple[int, int]:
    """Return what went back in all, and what of it the bank took."""
    row = state(db, order)
    return row["refunded_cents"], row["lost_cents"]


def is_held(db: Db, order: str) -> bool:
    return state(db, order)["held_at"] is not None


def events(db: Db, order: str) -> list[str]:
    return column(
        db,
        "select details ->> 'status' from public.order_events where order_id = %s and kind = 'dispute'",
        order,
    )


def test_dispute_before_printing_holds_the_order_and_calls_a_person(db: Db) -> None:
    order = db.order()
    pay(db, order)
    money(db, order, 0, dispute="needs_response")
    assert step(db, "begin_printing", order) == "held"
    assert (jobs(db, order), flags(db, order), is_held(db, order)) == ({"dispute"}, ["disputed"], True)
    money(db, order, 0, dispute="needs_response")
    assert events(db, order) == ["needs_response"]


@pytest.mark.parametrize("outcome", ["won", "warning_closed", "prevented"])
def test_order_goes_on_once_the_bank_has_decided_for_us(db: Db, outcome: str) -> None:
    order = db.order()
    pay(db, order)
    money(db, order, 0, dispute="needs_response")
    money(db, order, 0, dispute=outcome)
    assert (jobs(db, order), books(db, order), is_held(db, order)) == ({"print"}, (0, 0), False)
    assert step(db, "begin_printing", order) == "go"
    assert events(db, order) == ["needs_response", outcome]


def test_lost_dispute_before_production_cancels_without_a_refund_or_its_mail(db: Db) -> None:
    order = printed(db)
    money(db, order, 0, dispute="needs_response")
    money(db, order, 0, dispute="lost", lost=TOTAL)
    assert books(db, order) == (TOTAL, TOTAL)
    assert "cancel" in jobs(db, order)
    step(db, "cancel_order", order, True)
    # nothing is left to return
    assert (state(db, order)["status"], jobs(db, order)) == ("cancelled", set())
    assert "refunded" not in mails(db, order)


def test_lost_dispute_from_production_on_is_flagged(db: Db) -> None:
    order = printed(db)
    step(db, "record_progress", order, "shipped", None, None, None)
    money(db, order, 0, dispute="lost", lost=TOTAL)
    assert flags(db, order) == ["disputed", "money_returned"]
    assert (state(db, order)["status"], books(db, order)) == ("shipped", (TOTAL, TOTAL))


def test_cancellation_that_was_too_late_prints_nothing_while_it_is_disputed(db: Db) -> None:
    order = db.order()
    pay(db, order)
    step(db, "request_cancellation", order, db.ids["owner"], "x")
    money(db, order, 0, dispute="needs_response")
    step(db, "withdraw_cancellation", order, "in production")
    assert "print" not in jobs(db, order)
    money(db, order, 0, dispute="won")
    assert "print" in jobs(db, order)


def test_failed_refund_is_out_of_the_books_again_and_flagged_once(db: Db) -> None:
    order = printed(db)
    money(db, order, 1000)
    money(db, order, 0, failed=("re_1",))
    assert (books(db, order), flags(db, order)) == ((0, 0), ["refund_failed"])
    db.run("update public.order_flags set resolved_at = now() where order_id = %s", order)
    money(db, order, 0, failed=("re_1",))
    assert db.run("select 1 from public.order_flags where order_id = %s and resolved_at is null", order) == []


def test_dispute_lost_after_a_refund_is_flagged_and_never_more_than_the_total(db: Db) -> None:
    order = printed(db)
    money(db, order, TOTAL)
    money(db, order, TOTAL, dispute="lost", lost=TOTAL)
    assert books(db, order) == (TOTAL, TOTAL)
    assert "returned_twice" in flags(db, order)
    db.run("update public.order_flags set resolved_at = now() where order_id = %s", order)
    before = state(db, order)["money_version"]
    money(db, order, TOTAL, dispute="lost", lost=2 * TOTAL)
    assert db.run("select 1 from public.order_flags where order_id = %s and resolved_at is null", order) == []
    assert state(db, order)["money_version"] == before


def test_answer_that_was_overtaken_is_not_written(db: Db) -> None:
    order = printed(db)
    before = state(db, order)["money_version"]
    money(db, order, 1000)
    assert step(db, "record_money", order, before, None, 0) == "stale"
    assert books(db, order) == (1000, 0)
    # what changes nothing overtakes nothing
    now = state(db, order)["money_version"]
    money(db, order, 1000)
    assert step(db, "record_money", order, now, "re_2", 1500) == "recorded"


def test_bank_that_takes_a_part_leaves_the_rest_in_the_books(db: Db) -> None:
    order = printed(db)
    money(db, order, 1000, dispute="lost", lost=500)
    assert books(db, order) == (1500, 500)
    assert "money_returned" not in flags(db, order)
