"""`python -m deploy compare-payments`: what Stripe has captured, refunded and disputed against the shop's books.

Reads Stripe's lists of any span to their end. The shop's own `compare_payments` decides what differs, as in the sweep.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from deploy import services
from deploy.http import Api

_PAGE = 100
# https://docs.stripe.com/api/disputes/object: decided by the bank
_DECIDED = ("won", "lost", "warning_closed", "prevented")
_NOT_RETURNED = ("failed", "canceled")
_COLUMNS = ("payment", "order", "Stripe, in cents", "books, in cents")

Json = dict[str, Any]


@dataclass
class Payment:
    """An intent at Stripe, as `compare_payments` reads it."""

    intent: str
    named_order: str = ""
    captured: int = 0
    refunded: int = 0
    lost: int = 0
    disputed: bool = False

    def to_json(self) -> Json:
        return {
            "intent": self.intent,
            "named_order": self.named_order,
            "captured": self.captured,
            "refunded": self.refunded,
            "lost": self.lost,
            "disputed": self.disputed,
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", type=date.fromisoformat, metavar="DATE", help="only what is of this day (UTC) or later"
    )
    parser.add_argument(
        "--fix", action="store_true", help="let the shop's next sweep look at Stripe for what differs"
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    stripe, project = services.stripe(environ), services.supabase(environ)
    since = datetime.combine(arguments.since, time(), UTC) if arguments.since else None
    payments = read_payments(stripe, since)
    for intent in _paid_intents(project, since):
        if intent not in payments:
            payments[intent] = read_payment(stripe, intent)
    differing = compare(project, list(payments.values()))
    when = f"since {arguments.since} " if since else ""
    if not differing:
        _say(f"payments: {len(payments)} {when}compared, the books have all of them as Stripe does")
        return 0
    _print_table(differing)
    _say(f"payments: {len(payments)} {when}compared, {len(differing)} differ")
    if arguments.fix:
        intents = [str(row["intent_id"]) for row in differing]
        for start in range(0, len(intents), _PAGE):
            sent = {"intents": intents[start : start + _PAGE]}
            project.call("POST", "/rest/v1/rpc/request_money_checks", json=sent)
        _say("  the next sweep looks at Stripe for these, within a minute; run the command again then")
    else:
        _say("  next: `python -m deploy compare-payments --fix` lets the shop look at Stripe for these")
    _say("  what differs still is for a person: look for the payment in Stripe's dashboard and for its order")
    return 1


def read_payments(stripe: Api, since: datetime | None) -> dict[str, Payment]:
    """By intent: those that were made or tried since then, or of which money went back or was disputed since."""
    charges = list(_list(stripe, "/charges", since))
    touched = {str(one["payment_intent"]) for one in charges if one["amount_refunded"] or one["disputed"]}
    for path in ("/refunds", "/disputes"):
        touched |= {str(one["payment_intent"]) for one in _list(stripe, path, since) if one["payment_intent"]}
    payments = {
        str(one["payment_intent"]): _with_charge(Payment(str(one["payment_intent"])), one)
        for one in charges
        if one["paid"] and one["payment_intent"]
    }
    return payments | {intent: read_payment(stripe, intent) for intent in sorted(touched - {"None"})}


def read_payment(stripe: Api, intent: str) -> Payment:
    """All that Stripe has of an intent now."""
    payment = Payment(intent)
    of_intent = {"payment_intent": intent}
    for charge in _list(stripe, "/charges", None, **of_intent):
        if charge["paid"]:
            _with_charge(payment, charge)
    for refund in _list(stripe, "/refunds", None, **of_intent):
        payment.refunded += 0 if refund["status"] in _NOT_RETURNED else refund["amount"]
    for dispute in _list(stripe, "/disputes", None, **of_intent):
        payment.lost += dispute["amount"] if dispute["status"] == "lost" else 0
        payment.disputed |= dispute["status"] not in _DECIDED
    return payment


def compare(project: Api, payments: Sequence[Payment]) -> list[Json]:
    """The payments that the books have otherwise, as the database says it."""
    rows: list[Json] = []
    for start in range(0, len(payments), _PAGE):
        sent = {"payments": [payment.to_json() for payment in payments[start : start + _PAGE]]}
        rows += project.call("POST", "/rest/v1/rpc/compare_payments", json=sent)
    return rows


def _with_charge(payment: Payment, charge: Json) -> Payment:
    payment.captured += charge["amount_captured"]
    payment.named_order = str(charge["metadata"].get("order_id", ""))
    return payment


def _list(stripe: Api, path: str, since: datetime | None, **filters: str) -> Iterator[Json]:
    """Every object of a list, newest first; https://docs.stripe.com/api/pagination."""
    params: dict[str, Any] = {"limit": _PAGE, **filters}
    if since:
        params["created[gte]"] = int(since.timestamp())
    while True:
        page = stripe.call("GET", path, params=params)
        yield from page["data"]
        if not page["has_more"]:
            return
        params["starting_after"] = page["data"][-1]["id"]


def _paid_intents(project: Api, since: datetime | None) -> Iterator[str]:
    """Yield what the books say was paid since then: Stripe may not have it."""
    params = {"select": "id,payment_intent_id", "paid_at": "not.is.null", "order": "id", "limit": str(_PAGE)}
    if since:
        params["paid_at"] = f"gte.{since.isoformat()}"
    while rows := project.call("GET", "/rest/v1/orders", params=params):
        yield from (str(row["payment_intent_id"]) for row in rows if row["payment_intent_id"])
        params["id"] = f"gt.{rows[-1]['id']}"


def _print_table(differing: Sequence[Json]) -> None:
    lines = [_COLUMNS] + [
        (
            str(row["intent_id"]),
            f"#{row['order_id'][-6:].upper()}" if row["order_id"] else "none",
            str(row["at_stripe"]),
            str(row["in_books"]),
        )
        for row in differing
    ]
    widths = [max(len(line[place]) for line in lines) for place in range(len(_COLUMNS))]
    for line in lines:
        _say("  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip())


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
