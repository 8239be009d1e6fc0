"""Stripe's captures, refunds and disputes against the books (sql/migrations/…_money_checks.sql, decision 63).

Each sweep reads on in Stripe's events, at most ten pages, and compares the payments that they name. What differs is
synced; what differs still is mailed to a person.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from _shared.clients.smtp import Email
from _shared.clients.stripe_api import Intent, MoneyEvents, Returned
from _shared.core.clock import Clock
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError
from _shared.core.logs import log_context, log_trouble
from _shared.orders.emails import payment_alert
from _shared.orders.orders import Order

# Stripe promises no order within a second, and none of when an event is listed.
_OVERLAP_SECONDS = 600
_PAUSE_SECONDS = 300
_PAGES = 10
_PAGE = 100
# in minutes of pauses; it goes on every hour
_ATTEMPTS_BEFORE_MAIL = 8
_BOOKS_DIFFER = "The shop has looked at it again and cannot explain it."
_NO_ORDER = "It belongs to no order of the shop."


class MoneyApi(Protocol):
    """`clients.stripe_api.Stripe`."""

    def intent(self, intent_id: str) -> Intent: ...
    def returned(self, intent_id: str) -> Returned: ...
    def money_events(self, since: int, after: str, most: int) -> MoneyEvents | None: ...


class Mailer(Protocol):
    """`clients.smtp.Smtp`."""

    def send(self, email: Email, key: str = "") -> None: ...


class MoneyCheck:
    """Checks as the service. `sync` brings one intent's books up to Stripe."""

    def __init__(
        self,
        data: Data,
        stripe: MoneyApi,
        sync: Callable[[str], Order],
        mailer: Mailer,
        clock: Clock,
        *,
        notice_email: str,
        lease_seconds: int,
        pages: int = _PAGES,
        page: int = _PAGE,
    ) -> None:
        self._data = data
        self._stripe = stripe
        self._sync = sync
        self._mailer = mailer
        self._clock = clock
        self._notice_email = notice_email
        self._lease = lease_seconds
        self._pages = pages
        self._page = page

    def run(self, end: float) -> int:
        """Reads and compares until the clock's `end`; how many payments the books did not have as Stripe does."""
        wrong = 0
        for part in (self._read, self._check_due):
            try:
                wrong += part(end)
            except ShopError as problem:  # the next sweep goes on where this one has come to
                log_trouble("comparison with Stripe", problem.cause or problem, code=problem.code)
        return wrong

    def _read(self, end: float) -> int:
        begun = self._data.call("begin_money_read", {"lease_seconds": self._lease})
        if not begun:
            return 0
        since = max(0, int(begun[0]["read_until"]) - _OVERLAP_SECONDS)
        after = str(begun[0]["resume_after"] or "")
        for number in range(1, self._pages + 1):
            events = self._stripe.money_events(since, after, self._page)
            is_last = number == self._pages or self._clock.monotonic() >= end
            after = events.events[-1].id if events and events.events else ""
            is_end = events is not None and not events.has_more
            pause = _PAUSE_SECONDS if is_end else 0 if is_last else self._lease
            if not self._save(int(begun[0]["version"]), events, after, is_end, pause) or is_end or is_last:
                break
        return 0

    def _check_due(self, end: float) -> int:
        wrong = 0
        while self._clock.monotonic() < end:
            claimed = self._data.call("claim_money_check", {"lease_seconds": self._lease})
            if not claimed:
                break
            with log_context(intent=str(claimed[0]["intent_id"])):
                wrong += self._check(claimed[0])
        return wrong

    def _save(self, version: int, page: MoneyEvents | None, after: str, is_end: bool, pause: int) -> bool:
        events = page.events if page else ()
        saved = self._data.value(
            "save_money_page",
            {
                "read_version": version,
                # a charge that was made without an intent is not the shop's
                "events": [
                    {"event": one.id, "intent": one.intent_id, "captured": one.captured}
                    for one in events
                    if one.intent_id
                ],
                "newest_event": events[0].created if events else None,
                "last_event": after or None,
                "is_end": is_end,
                "next_seconds": pause,
            },
        )
        return saved is True

    def _check(self, claimed: Row) -> bool:
        """Tell whether the books differed. One that fails is tried again by itself."""
        intent_id, requests = str(claimed["intent_id"]), int(claimed["requests"])
        try:
            before = self._difference(intent_id)
            left = self._mend(before) if before else None
            if left is None:
                self._data.value("finish_money_check", {"intent": intent_id, "of_requests": requests})
            else:
                why = _BOOKS_DIFFER if left["order_id"] else _NO_ORDER
                self._report(claimed, why, email=payment_alert(self._notice_email, left, why))
        except ShopError as problem:
            why = f"It could not be compared: {problem.code}, {problem.cause or problem}"
            log_trouble("comparison with Stripe", problem.cause or problem, code=problem.code)
            self._put_off(claimed, why)
            return False
        return before is not None

    def _mend(self, before: Row) -> Row | None:
        """Return what differs still once the books have looked at Stripe."""
        intent_id = str(before["intent_id"])
        log_trouble(
            "the books differ from Stripe", f"{before['at_stripe']} at Stripe, {before['in_books']} here"
        )
        try:
            self._sync(intent_id)
        except ShopError as problem:
            if problem.status != 404:
                raise
        return self._difference(intent_id)

    def _difference(self, intent_id: str) -> Row | None:
        intent = self._stripe.intent(intent_id)
        captured = intent.amount_received if intent.status == "succeeded" else 0
        returned = self._stripe.returned(intent_id)
        payment = {
            "intent": intent_id,
            "named_order": intent.order_id,
            "captured": captured,
            "refunded": returned.cents,
            "lost": returned.lost_cents,
            "disputed": returned.is_disputed,
        }
        return next(iter(self._data.call("compare_payments", {"payments": [payment]})), None)

    def _report(self, claimed: Row, why: str, email: Email) -> None:
        """For a person to explain, who hears of it once; it is not looked at again before there is news."""
        if not claimed["is_mailed"]:
            self._mailer.send(email, key=f"payment-{claimed['intent_id']}")
        self._fail(claimed, why, is_final=True, is_mailed=True)

    def _put_off(self, claimed: Row, why: str) -> None:
        """It is tried again, from five seconds later up to an hour; a person hears of it where that does not help."""
        is_mailed = bool(claimed["is_mailed"])
        if int(claimed["attempts"]) >= _ATTEMPTS_BEFORE_MAIL and not is_mailed:
            unknown = {"order_id": None, "at_stripe": "unknown", "in_books": "unknown"}
            email = payment_alert(self._notice_email, {**unknown, "intent_id": claimed["intent_id"]}, why)
            try:
                self._mailer.send(email, key=f"payment-{claimed['intent_id']}")
                is_mailed = True
            except ShopError as problem:  # with the next attempt then
                log_trouble("mail about a payment", problem.cause or problem)
        self._fail(claimed, why, is_final=False, is_mailed=is_mailed)

    def _fail(self, claimed: Row, why: str, *, is_final: bool, is_mailed: bool) -> None:
        self._data.value(
            "fail_money_check",
            {
                "intent": claimed["intent_id"],
                "of_requests": claimed["requests"],
                "why": why,
                "is_final": is_final,
                "was_mailed": is_mailed,
            },
        )
