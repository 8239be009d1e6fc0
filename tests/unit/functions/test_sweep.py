"""The sweep: each job through the shop's own rules; what fails comes again, refusals are given up sooner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from _shared.notices import Notices
from _shared.sweep import Sweep

from tests.unit.functions.samples import ORDER
from tests.unit.functions.test_notices import Ear, Outbox
from tests.unit.functions.world import AWAY, REFUSED, World


class Night:
    """A world with a sweep, which notes how jobs end."""

    def __init__(self, **row: Any) -> None:
        self.world = World(**row)
        self.post = Outbox()
        self.ends: list[tuple[str, Any]] = []
        w = self.world
        notices = Notices(
            self.post, Ear(), w.orders, w.ledger, site_url="https://shop", notice_email="boss@example.com"
        )
        self.sweep = Sweep(w.orders, w.ledger, w.payments, w.printing, w.reversals, notices)
        value = w.data.value

        def noting(function: str, arguments: Mapping[str, Any]) -> object:
            told = arguments
            if function == "finish_job":
                self.ends.append((told["job_kind"], told["again_seconds"]))
            if function == "fail_job":
                self.ends.append((told["job_kind"], f"{told['problem']} / {told['most_attempts']}"))
            return value(function, arguments)

        w.data.value = noting  # type: ignore[method-assign]

    def job(self, kind: str) -> None:
        self.world.data.jobs.append({"order_id": ORDER.id, "kind": kind, "attempts": 1})

    def run(self, *kinds: str) -> dict[str, int]:
        for kind in kinds:
            self.job(kind)
        return self.sweep.run()


def test_a_quiet_night_does_nothing() -> None:
    assert Night().run() == {"jobs": 0, "failed_jobs": 0, "messages": 0, "failed_messages": 0}


def test_a_payment_that_nobody_told_of_is_settled_and_what_follows_is_done() -> None:
    night = Night(status="pending", printify_order_id=None)
    assert night.run("settle", "print")["jobs"] == 2
    assert (night.world.order.status, night.world.order.printify_order_id) == ("paid", "po")
    assert night.ends == [("settle", None), ("print", None)]


def test_an_open_payment_is_looked_at_again_and_after_a_day_closed() -> None:
    night = Night(status="pending", created_at="2999-01-01T00:00:00+00:00")
    night.world.card.intent_now = replace(night.world.card.intent_now, status="requires_payment_method")
    night.run("settle")
    assert night.ends == [("settle", 120)]
    old = Night(status="pending", created_at="2026-01-01T00:00:00+00:00")
    old.world.card.intent_now = replace(old.world.card.intent_now, status="canceled")
    old.run("settle")
    assert (old.ends, old.world.order.status) == ([("settle", None)], "cancelled")
    never_opened = Night(status="pending", payment_intent_id=None, created_at="2026-01-01T00:00:00+00:00")
    never_opened.run("settle")
    assert never_opened.world.order.status == "cancelled"


def test_a_print_order_is_followed_until_it_has_arrived() -> None:
    night = Night()
    night.run("track")
    night.world.press.status = "in-production"
    night.run("track")
    assert night.ends == [("track", 60), ("track", 300)]
    assert night.world.order.status == "processing"


def test_a_cancellation_is_finished_and_one_that_was_too_late_is_over() -> None:
    night = Night(cancel_requested_at="now")
    night.run("cancel")
    assert night.world.order.status == "cancelled"
    late = Night(cancel_requested_at="now")
    late.world.press.status = "in-production"
    late.run("cancel")
    assert (late.ends, late.world.order.status) == ([("cancel", None)], "paid")


def test_a_refund_is_made() -> None:
    night = Night(status="cancelled")
    night.run("refund", "stop_print")
    assert night.world.order.is_refunded
    assert night.ends == [("refund", None), ("stop_print", None)]


@pytest.mark.parametrize(
    ("problem", "ending"),
    [
        (AWAY, "printer_unavailable: Our printer did not answer. / 14"),
        (REFUSED, "printer_refused: Our printer could not take this. / 4"),
    ],
)
def test_what_fails_is_noted_with_its_cause(problem: Any, ending: str) -> None:
    night = Night(printify_order_id=None)
    night.world.press.problem = problem
    assert night.run("print")["failed_jobs"] == 1
    assert night.ends == [("print", ending)]


def test_waiting_messages_leave_and_those_that_cannot_are_counted() -> None:
    night = Night()
    message = {"id": "m1", "order_id": ORDER.id, "channel": "mail", "kind": "confirmation", "details": ""}
    night.world.data.messages += [message, message | {"id": "m2", "kind": "problem"}]
    assert night.run()["messages"] == 2
    night.world.data.messages.append(message)
    night.post.is_away = True
    assert night.run()["failed_messages"] == 1
