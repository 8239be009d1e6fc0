"""The transitions of an order: each takes effect once, with its consequences, however often it is called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shop.integration.sql.orders.order_steps import (
    PAUSE,
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


def test_new_order_has_a_settle_job(db: Db) -> None:
    order = db.order()
    assert jobs(db, order) == {"settle"}
    assert column(db, "select kind from public.order_events where order_id = %s", order) == ["placed"]


def test_settling_pays_once_and_queues_print_and_confirmation(db: Db) -> None:
    order = db.order()
    assert [pay(db, order) for _ in range(3)] == ["paid"] * 3
    row = state(db, order)
    assert (row["status"], row["payment_intent_id"], row["paid_at"] is not None) == ("paid", "pi_1", True)
    assert jobs(db, order) == {"print"}
    assert mails(db, order) == ["confirmation"]
    events = column(db, "select kind from public.order_events where order_id = %s and kind = 'status'", order)
    assert events == ["status"]


@pytest.mark.parametrize(("cents", "currency"), [(4569, "usd"), (4571, "usd"), (4570, "eur"), (0, "usd")])
def test_wrong_amount_or_currency_pays_nothing_and_alerts_an_admin(db: Db, cents: int, currency: str) -> None:
    order = db.order()
    assert pay(db, order, cents=cents, currency=currency) == "mismatch"
    assert state(db, order)["status"] == "pending"
    assert flags(db, order) == ["amount_mismatch"]
    assert mails(db, order) == ["notice_amount_mismatch"]


def test_payment_of_a_cancelled_order_is_refunded(db: Db) -> None:
    order = db.order()
    assert step(db, "cancel_unpaid_order", order, "intent canceled") == "cancelled"
    assert [pay(db, order), pay(db, order)] == ["cancelled", "cancelled"]
    assert (state(db, order)["status"], jobs(db, order)) == ("cancelled", {"refund"})
    money(db, order, 4570)
    assert (jobs(db, order), mails(db, order)) == (set(), ["refunded"])


def test_printing_begins_for_paid_orders_only_and_ends_with_one_id(db: Db) -> None:
    order = db.order()
    assert step(db, "begin_printing", order) == "unpaid"
    pay(db, order)
    assert [step(db, "begin_printing", order) for _ in range(2)] == ["go", "go"]
    step(db, "finish_printing", order, "po_1")
    step(db, "finish_printing", order, "po_1")
    assert step(db, "begin_printing", order) == "printed"
    assert (state(db, order)["printify_order_id"], jobs(db, order)) == ("po_1", {"track"})
    assert flags(db, order) == []
    step(db, "finish_printing", order, "po_2")
    assert (state(db, order)["printify_order_id"], flags(db, order)) == ("po_1", ["printed_twice"])


def test_progress_passes_every_status_and_never_goes_back(db: Db) -> None:
    order = printed(db)
    progress = "record_progress"
    assert step(db, progress, order, "delivered", "USPS", "9400", "https://t/9400") == "delivered"
    row = state(db, order)
    assert (row["carrier"], row["tracking_number"], row["tracking_url"]) == ("USPS", "9400", "https://t/9400")
    assert row["shipped_at"] is not None
    assert row["delivered_at"] is not None
    assert step(db, progress, order, "processing", None, None, None) == "delivered"
    assert jobs(db, order) == set()
    assert mails(db, order) == ["confirmation", "shipped"]
    passed = (
        "select details ->> 'to' from public.order_events where order_id = %s and kind = 'status' order by 1"
    )
    assert column(db, passed, order) == ["delivered", "paid", "processing", "shipped"]


def test_tracking_url_must_be_valid(db: Db) -> None:
    order = printed(db)
    step(db, "record_progress", order, "shipped", "USPS", "9400", "javascript:alert(1)")
    assert (state(db, order)["status"], state(db, order)["tracking_url"]) == ("shipped", None)


def test_cancellation_stops_printing_before_anything_else(db: Db) -> None:
    order = db.order()
    pay(db, order)
    assert step(db, "request_cancellation", order, db.ids["owner"], "changed my mind") == "paid"
    assert step(db, "begin_printing", order) == "cancelled"
    assert jobs(db, order) == {"cancel"}
    assert step(db, "cancel_order", order, True) == "cancelled"
    assert (state(db, order)["status"], jobs(db, order)) == ("cancelled", {"refund"})
    assert mails(db, order) == ["cancelled", "confirmation"]
    money(db, order, 4570)
    row = state(db, order)
    assert (row["refund_id"], row["refunded_cents"], jobs(db, order)) == ("re_1", 4570, set())
    # the cancellation's mail mentions the refund
    assert mails(db, order) == ["cancelled", "confirmation"]
    requests = column(
        db,
        "select details || jsonb_build_object('by', actor) from public.order_events "
        "where order_id = %s and kind = 'cancellation_requested'",
        order,
    )
    assert requests == [{"by": db.ids["owner"], "reason": "changed my mind"}]


def test_print_order_created_during_a_cancellation_is_cancelled(db: Db) -> None:
    order = db.order()
    pay(db, order)
    step(db, "begin_printing", order)
    step(db, "request_cancellation", order, db.ids["owner"], "x")
    step(db, "cancel_order", order, True)
    step(db, "finish_printing", order, "po_late")
    assert jobs(db, order) == {"refund", "stop_print"}
    step(db, "record_progress", order, "processing", None, None, None)
    assert flags(db, order) == ["printed_although_cancelled"]


def test_late_cancellation_is_withdrawn_and_the_order_proceeds(db: Db) -> None:
    order = db.order()
    pay(db, order)
    step(db, "request_cancellation", order, db.ids["owner"], "x")
    step(db, "withdraw_cancellation", order, "in production")
    assert (state(db, order)["status"], jobs(db, order)) == ("paid", {"print"})
    assert step(db, "begin_printing", order) == "go"
    shipped = printed(db, "another")
    step(db, "record_progress", shipped, "shipped", None, None, None)
    assert step(db, "request_cancellation", shipped, db.ids["owner"], "x") == "shipped"
    assert state(db, shipped)["cancel_requested_at"] is None


@pytest.mark.parametrize("cents", [4570, 1000])
def test_whole_return_before_production_asks_for_the_cancellation(db: Db, cents: int) -> None:
    order = printed(db)
    money(db, order, cents)
    is_whole = cents == 4570
    assert (state(db, order)["cancel_requested_at"] is not None) is is_whole
    assert ("cancel" in jobs(db, order)) is is_whole
    # The cancellation's own mail announces a whole one.
    assert ("refunded" in mails(db, order)) is not is_whole
    step(db, "withdraw_cancellation", order, "in production")
    assert flags(db, order) == (["money_returned"] if is_whole else [])
    assert "refunded" in mails(db, order)


def test_whole_return_by_an_admin_flags_nothing(db: Db) -> None:
    order = printed(db)
    step(db, "record_progress", order, "processing")
    step(db, "request_refund", order, None, "the print came out upside down")
    money(db, order, 4570)
    assert flags(db, order) == []


def test_refunded_parcel_keeps_its_status_and_is_notified_once(db: Db) -> None:
    order = printed(db)
    step(db, "record_progress", order, "shipped", None, None, None)
    assert step(db, "request_refund", order, db.ids["admin"], "misprinted") == "due"
    # Stripe's event comes before our own note, without an id
    money(db, order, 4570)
    money(db, order, 4570)
    row = state(db, order)
    assert (row["status"], row["refund_id"], row["refunded_cents"], row["refund_reason"]) == (
        "shipped", "re_1", 4570, "misprinted",
    )  # fmt: skip
    assert mails(db, order) == ["confirmation", "refunded", "shipped"]
    assert step(db, "request_refund", order, db.ids["admin"], "again") == "refunded"
    assert step(db, "request_refund", db.order(cart_key="unpaid"), db.ids["admin"], "x") == "unpaid"


def test_admin_is_alerted_once_per_reason_until_it_is_resolved(db: Db) -> None:
    order = printed(db)
    for _ in range(2):
        step(db, "flag_order", order, "printer_problem", "has-issues")
    assert flags(db, order) == ["printer_problem"]
    assert mails(db, order) == ["confirmation", "notice_printer_problem", "problem"]
    db.as_(
        "admin",
        "select public.resolve_order_flags(%s, array(select id from public.order_flags where order_id = %s), 'OK')",
        order,
        order,
    )
    (row,) = db.run(
        "select resolved_by::text, resolved_at = now() as now from public.order_flags where order_id = %s",
        order,
    )
    assert row == {"resolved_by": db.ids["admin"], "now": True}
    step(db, "flag_order", order, "printer_problem", "again")
    assert flags(db, order) == ["printer_problem", "printer_problem"]


def take(db: Db, order: str, kind: str) -> list[Any]:
    return list(db.as_("service", "select * from public.claim_job(60, %s, %s)", order, kind))


def test_job_has_one_worker_until_its_lease_expires(db: Db) -> None:
    order = db.order()
    pay(db, order)
    (job,) = take(db, order, "print")
    assert (job["kind"], job["attempts"]) == ("print", 1)
    assert take(db, order, "print") == []
    db.run(
        "update public.order_jobs set leased_until = now() - interval '1 second' where order_id = %s", order
    )
    (again,) = take(db, order, "print")
    assert again["attempts"] == 2
    step(db, "finish_job", order, "print", None)
    assert take(db, order, "print") == []


def test_failed_job_backs_off_and_alerts_when_given_up(db: Db) -> None:
    order = db.order()
    pay(db, order)
    pauses = []
    for attempt in range(1, 4):
        assert len(take(db, order, "print")) == 1
        gave_up = step(db, "fail_job", order, "print", "printer_unavailable", 3)
        assert gave_up is (attempt == 3)
        (row,) = db.run(PAUSE, order)
        pauses.append(row["pause"].total_seconds())
    assert pauses == [5, 10, 20]
    assert take(db, order, "print") == []
    assert flags(db, order) == ["print_failed"]
    assert mails(db, order) == ["confirmation", "notice_print_failed", "problem"]


def test_admin_retries_a_given_up_order(db: Db) -> None:
    order = db.order()
    pay(db, order)
    take(db, order, "print")
    step(db, "fail_job", order, "print", "printer_refused", 1)
    for persona in ("owner", "stranger"):
        assert db.rejected(persona, "select public.retry_order(%s)", order) == "42501"
    step(db, "flag_order", order, "refund_failed", "re_1")
    db.as_("admin", "select public.retry_order(%s)", order)
    assert jobs(db, order) == {"print"}
    assert len(take(db, order, "print")) == 1
    # nothing of it is due again: a person has still to see to it
    left = "select reason from public.order_flags where order_id = %s and resolved_at is null"
    assert column(db, left, order) == ["refund_failed"]


def test_message_is_claimed_once_sent_once_and_dated(db: Db) -> None:
    order = db.order()
    pay(db, order)
    claim = "select * from public.claim_message(60, %s, 'confirmation')"
    (message,) = db.as_("service", claim, order)
    assert db.as_("service", claim, order) == []
    step(db, "fail_message", message["id"], "mail_unavailable", 14)
    (message,) = db.as_("service", claim, order)
    step(db, "finish_message", message["id"])
    assert db.as_("service", claim, order) == []
    assert state(db, order)["confirmation_sent_at"] is not None


def test_unsent_message_alerts_an_admin_but_an_unsent_alert_does_not(db: Db) -> None:
    order = db.order()
    pay(db, order)
    (message,) = db.as_("service", "select * from public.claim_message(60, %s, 'confirmation')", order)
    step(db, "fail_message", message["id"], "mail_unavailable", 1)
    assert flags(db, order) == ["message_failed"]
    notice = "select * from public.claim_message(60, %s, 'notice_message_failed')"
    (message,) = db.as_("service", notice, order)
    step(db, "fail_message", message["id"], "mail_unavailable", 1)
    assert flags(db, order) == ["message_failed"]


def test_event_is_marked_once(db: Db) -> None:
    order = db.order()
    for _ in range(2):
        step(db, "note_vendor_event", "stripe", "evt_1", "payment_intent.succeeded", order)
    assert column(db, "select id from public.vendor_events where order_id = %s", order) == ["evt_1"]


def test_payment_functions_commit_synchronously(db: Db) -> None:
    db.run("set local synchronous_commit = off")
    order = db.order()
    assert db.run("show synchronous_commit") == [{"synchronous_commit": "on"}]
    db.run("set local synchronous_commit = off")
    pay(db, order)
    assert db.run("show synchronous_commit") == [{"synchronous_commit": "on"}]
