"""The sweep: each kind of job; failed jobs are repeated, refused ones are given up sooner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from _shared.clients.stripe_api import Dispute, Returned
from _shared.core.clock import Clock
from _shared.orders.money_check import MoneyCheck
from _shared.orders.notifications import Notifications
from _shared.orders.sweep import Sweep
from _shared.orders.total_checks import TotalChecks

from tests.shop.unit.functions.fakes import AWAY, REFUSED, FakeShop
from tests.shop.unit.functions.orders.test_notifications import FakeMailer, FakeWebhookSender
from tests.shop.unit.functions.samples import LINKS, ORDER


class SweepHarness:
    """A shop with a sweep, and how its jobs ended."""

    def __init__(self, **row: Any) -> None:
        self.shop = FakeShop(**row)
        self.mailer = FakeMailer()
        w = self.shop
        notifications = Notifications(
            self.mailer,
            FakeWebhookSender(),
            w.orders,
            w.order_rpc,
            LINKS,
            site_url="https://shop",
            notice_email="boss@example.com",
        )
        money_check = MoneyCheck(
            w.data,
            w.stripe,
            w.payments.sync,
            self.mailer,
            Clock(),
            notice_email="boss@example.com",
            lease_seconds=120,
        )
        total_checks = TotalChecks(w.data, self.mailer, notice_email="boss@example.com")
        self.sweep = Sweep(
            w.orders,
            w.order_rpc,
            w.payments,
            w.fulfilment,
            w.cancellation,
            notifications,
            money_check,
            total_checks,
            Clock(),
        )

    @property
    def ends(self) -> list[tuple[str, Any]]:
        return self.shop.data.job_ends

    def job(self, kind: str) -> None:
        self.shop.data.jobs.append({"order_id": ORDER.id, "kind": kind, "attempts": 1})

    def run(self, *kinds: str) -> dict[str, int]:
        for kind in kinds:
            self.job(kind)
        return self.sweep.run()


def test_sweep_without_jobs_only_records_that_it_ran() -> None:
    harness = SweepHarness()
    assert harness.run() == {
        "jobs": 0,
        "failed_jobs": 0,
        "messages": 0,
        "failed_messages": 0,
        "wrong_payments": 0,
        "wrong_totals": 0,
    }
    assert harness.shop.data.calls == ["record_sweep"]


def test_unreported_payment_is_settled_and_printed() -> None:
    harness = SweepHarness(status="pending", printify_order_id=None)
    assert harness.run("settle", "print")["jobs"] == 2
    assert (harness.shop.order.status, harness.shop.order.printify_order_id) == ("paid", "po")
    assert harness.ends == [("settle", None), ("print", None)]


def test_open_payment_is_checked_again_and_closed_after_a_day() -> None:
    harness = SweepHarness(status="pending", created_at="2999-01-01T00:00:00+00:00")
    harness.shop.stripe.current_intent = replace(
        harness.shop.stripe.current_intent, status="requires_payment_method"
    )
    harness.run("settle")
    assert harness.ends == [("settle", 120)]
    old = SweepHarness(status="pending", created_at="2026-01-01T00:00:00+00:00")
    old.shop.stripe.current_intent = replace(old.shop.stripe.current_intent, status="canceled")
    old.run("settle")
    assert (old.ends, old.shop.order.status) == ([("settle", None)], "cancelled")
    never_opened = SweepHarness(
        status="pending", payment_intent_id=None, created_at="2026-01-01T00:00:00+00:00"
    )
    never_opened.run("settle")
    assert never_opened.shop.order.status == "cancelled"


def test_print_order_is_followed_until_it_has_arrived() -> None:
    harness = SweepHarness()
    harness.run("track")
    harness.shop.printify.status = "in-production"
    harness.run("track")
    assert harness.ends == [("track", 60), ("track", 300)]
    assert harness.shop.order.status == "processing"


def test_requested_cancellation_is_finished_or_withdrawn() -> None:
    harness = SweepHarness(cancel_requested_at="now")
    harness.run("cancel")
    assert harness.shop.order.status == "cancelled"
    late = SweepHarness(cancel_requested_at="now")
    late.shop.printify.status = "in-production"
    late.run("cancel")
    assert (late.ends, late.shop.order.status) == ([("cancel", None)], "paid")


def test_refund_is_made() -> None:
    harness = SweepHarness(status="cancelled")
    harness.run("refund", "stop_print")
    assert harness.shop.order.is_refunded
    assert harness.ends == [("refund", None), ("stop_print", None)]


@pytest.mark.parametrize(
    ("problem", "ending"),
    [
        (AWAY, "printer_unavailable: Our printer did not answer. / 14"),
        (REFUSED, "printer_refused: Our printer could not take this. / 4"),
    ],
)
def test_failed_job_is_recorded_with_its_cause(problem: Any, ending: str) -> None:
    harness = SweepHarness(printify_order_id=None)
    harness.shop.printify.problem = problem
    assert harness.run("print")["failed_jobs"] == 1
    assert harness.ends == [("print", ending)]


def test_pending_messages_are_sent_and_failures_counted() -> None:
    harness = SweepHarness()
    message = {"id": "m1", "order_id": ORDER.id, "channel": "mail", "kind": "confirmation", "details": ""}
    harness.shop.data.messages += [message, message | {"id": "m2", "kind": "problem"}]
    assert harness.run()["messages"] == 2
    harness.shop.data.messages.append(message)
    harness.mailer.is_away = True
    assert harness.run()["failed_messages"] == 1


def test_job_of_an_unknown_kind_fails_alone() -> None:
    harness = SweepHarness()
    assert harness.run("repaint", "track") == {
        "jobs": 1,
        "failed_jobs": 1,
        "messages": 0,
        "failed_messages": 0,
        "wrong_payments": 0,
        "wrong_totals": 0,
    }
    ((kind, problem), followed) = harness.ends
    assert (kind, followed) == ("repaint", ("track", 60))
    assert problem.startswith("unexpected_outcome: 'repaint' is none of ('settle', ")


def check(**changes: Any) -> dict[str, Any]:
    return {"kind": "likes", "wrong_rows": 0, "of_row": None, "held": None, "counted": None} | changes


def test_totals_that_hold_are_checked_without_a_mail() -> None:
    harness = SweepHarness()
    harness.shop.data.total_checks.append(check())
    assert harness.run()["wrong_totals"] == 0
    assert (harness.mailer.emails, harness.shop.data.calls) == ([], ["finish_total_check", "record_sweep"])


def test_wrong_totals_are_reported_to_the_admin() -> None:
    harness = SweepHarness()
    harness.shop.data.total_checks.append(check(wrong_rows=2, of_row="d1", held="3", counted="1"))
    assert harness.run()["wrong_totals"] == 2
    (email,) = harness.mailer.emails
    assert (email.to, email.subject) == ("boss@example.com", "Teesmith totals are wrong: likes")
    assert "likes, 2 of them" in email.text
    assert "The first: d1 has 3, and its rows come to 1." in email.text
    assert "select private.recount();" in email.text
    assert harness.shop.data.calls == ["finish_total_check", "record_sweep"]


def test_report_of_wrong_totals_that_fails_is_not_finished() -> None:
    harness = SweepHarness()
    harness.shop.data.total_checks.append(check(wrong_rows=2, of_row="d1", held="3", counted="1"))
    harness.mailer.is_away = True
    assert harness.run()["wrong_totals"] == 0
    assert harness.shop.data.calls == ["record_sweep"]


def test_database_that_is_away_for_the_check_does_not_end_the_sweep() -> None:
    harness = SweepHarness()
    harness.shop.data.check_failures.append(AWAY)
    assert harness.run("track")["jobs"] == 1


@pytest.mark.parametrize(
    ("row", "kind"),
    [({column: "now"}, "print") for column in ("held_at", "design_held_at", "cancel_requested_at")],
)
def test_held_print_job_is_no_failure(row: dict[str, Any], kind: str) -> None:
    harness = SweepHarness(printify_order_id=None, **row)
    assert harness.run(kind)["failed_jobs"] == 0
    assert (harness.ends, harness.shop.printify.made) == ([("print", None)], [])


DISPUTED = Returned(0, "", (), (Dispute("du_1", "needs_response", 4570, ""),))


def test_open_dispute_is_looked_at_each_hour_until_it_is_decided() -> None:
    harness = SweepHarness(held_at="now")
    harness.shop.stripe.gone = DISPUTED
    harness.run("dispute")
    harness.shop.stripe.gone = Returned(0, "", (), (Dispute("du_1", "won", 4570, ""),))
    harness.run("dispute")
    assert harness.ends == [("dispute", 3600), ("dispute", None)]


def test_refund_of_a_disputed_payment_waits_and_the_dispute_is_in_the_books() -> None:
    harness = SweepHarness(status="cancelled")
    harness.shop.stripe.gone = DISPUTED
    harness.shop.stripe.is_disputed = True
    assert harness.run("refund")["failed_jobs"] == 0
    assert (harness.ends, harness.shop.order.is_held) == ([("refund", 3600)], True)
