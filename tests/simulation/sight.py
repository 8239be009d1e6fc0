"""The books and the vendors at one moment, for the rules, the trace and the search to look at."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from emulators.core.store import Document
from emulators.stripe.disputes import is_open
from tests.simulation.database import SimulatedDatabase
from tests.simulation.vendors import Vendors

_ORDERS = """
select o.id::text, o.shipping_address::jsonb ->> 'address1' as street, o.created_at::text, o.status,
  o.total_cents, o.refunded_cents, o.lost_cents, o.payment_intent_id, o.refund_reason,
  o.paid_at is not null as is_paid, o.held_at is not null as is_held,
  o.cancel_requested_at is not null as is_cancelling, o.print_requested_at is not null as print_is_requested,
  o.printify_order_id is not null as print_is_known, o.created_at < now() - interval '1 day' as is_old,
  array(select concat_ws(' ', j.kind, j.attempts, case when j.gave_up_at is not null then 'given up' end,
      round(extract(epoch from j.due_at - now())), case when j.leased_until > now() then 'leased' end)
    from public.order_jobs j where j.order_id = o.id and j.done_at is null order by j.kind) as jobs,
  array(select concat_ws(' ', m.channel, m.kind, m.attempts, case when m.gave_up_at is not null then 'given up' end,
      case when m.leased_until > now() then 'leased' end)
    from public.order_messages m where m.order_id = o.id and m.sent_at is null order by 1) as messages,
  array(select f.reason from public.order_flags f where f.order_id = o.id order by 1) as flags,
  exists (select from public.order_flags f where f.order_id = o.id and f.resolved_at is null) as is_flagged
from public.orders o
"""
_TOTALS = """
select
  (select array[sum(t.paid_orders), sum(t.spent_cents)]::bigint[] from private.totals t) as shop,
  (select array[sum(u.orders), sum(u.spent_cents)]::bigint[] from private.user_totals u) as users
"""
_SENT = "select id::text, order_id::text, channel, kind from public.order_messages where sent_at is not null"
_NOT_RETURNED = ("failed", "canceled")
_IDS = ("id", "payment_intent_id")


@dataclass(frozen=True)
class Money:
    """Of an intent at Stripe, in cents. `kept` is what the shop has, less than nothing where it returned too much."""

    captured: int = 0
    refunded: int = 0
    lost: int = 0
    is_disputed: bool = False

    @property
    def kept(self) -> int:
        return self.captured - self.refunded - self.lost


class Sight:
    """Each part is read when it is asked for first, so ask before anything moves on."""

    def __init__(self, database: SimulatedDatabase, vendors: Vendors) -> None:
        self._database = database
        self._vendors = vendors

    @cached_property
    def orders(self) -> dict[str, dict[str, Any]]:
        """Those of one address and moment as their content goes, for their ids are another's in every run."""
        rows = self._database.run(_ORDERS)
        rows.sort(key=lambda row: [str(value) for name, value in row.items() if name not in _IDS])
        return {row["id"]: row for row in rows}

    @cached_property
    def sent(self) -> dict[str, list[str]]:
        """By channel, the keys of the messages that the books call sent."""
        keys: dict[str, list[str]] = {"mail": [], "automation": []}
        for row in self._database.run(_SENT):
            is_mail = row["channel"] == "mail"
            keys[row["channel"]].append(row["id"] if is_mail else f"{row['kind']}-{row['order_id']}")
        return keys

    @cached_property
    def print_orders(self) -> list[Document]:
        return self._vendors.print_orders()

    @cached_property
    def waiting(self) -> list[tuple[str, Document]]:
        return self._vendors.waiting()

    @cached_property
    def totals(self) -> dict[str, Any]:
        (row,) = self._database.run(_TOTALS)
        return row

    @cached_property
    def intents(self) -> dict[str, Document]:
        return {one["id"]: one for one in self._vendors.store.list("stripe.payment_intent")}

    @cached_property
    def money(self) -> dict[str, Money]:
        """By intent."""
        sums: dict[str, dict[str, Any]] = defaultdict(lambda: {"is_disputed": False})

        def add(one: Document, name: str) -> None:
            of_intent = sums[str(one["payment_intent"])]
            of_intent[name] = of_intent.get(name, 0) + one["amount"]

        for charge in self._vendors.charges():
            add(charge, "captured")
        for refund in self._vendors.store.list("stripe.refund"):
            if refund["status"] not in _NOT_RETURNED:
                add(refund, "refunded")
        for dispute in self._vendors.store.list("stripe.dispute"):
            if dispute["status"] == "lost":
                add(dispute, "lost")
            sums[str(dispute["payment_intent"])]["is_disputed"] |= is_open(dispute)
        return {intent: Money(**found) for intent, found in sums.items()}

    def money_of(self, intent: str | None) -> Money:
        return self.money.get(str(intent), Money())

    def intents_of(self, order: str) -> list[str]:
        """All that were made for it."""
        return [id for id, intent in self.intents.items() if intent["metadata"].get("order_id") == order]

    def order_of(self, subject: Document) -> str:
        """The order that a Stripe object belongs to; empty where it is none of ours."""
        intent = subject if subject["object"] == "payment_intent" else self._intent_of(subject)
        return str(intent["metadata"].get("order_id", ""))

    def _intent_of(self, subject: Document) -> Document:
        return self.intents.get(str(subject.get("payment_intent")), {"metadata": {}})

    @cached_property
    def underway(self) -> set[str]:
        """Orders of which an event of Stripe has still to come."""
        return {
            self.order_of(self._vendors.event_of(message)["data"]["object"])
            for vendor, message in self.waiting
            if vendor == "stripe"
        }

    def line(self, mails: int) -> str:
        """One line, without ids and times."""
        orders = [
            f"{row['status']}{' paid' if row['is_paid'] else ''}{' held' if row['is_held'] else ''}"
            f" -{row['refunded_cents']} {','.join(job.split()[0] for job in row['jobs'])}"
            f"{' !' + ','.join(row['flags']) if row['flags'] else ''}"
            for row in self.orders.values()
        ]
        prints = [one["status"] for one in self.print_orders]
        return f"{'; '.join(orders)} | {', '.join(prints)} | {len(self.waiting)} | {mails} mails"

    def fingerprint(self, now: float) -> str:
        """Equal for states that differ in ids and moments alone."""
        left_out = {*_IDS, "created_at"}
        rows = [
            [row["payment_intent_id"] is None, *(row[name] for name in row if name not in left_out)]
            for row in self.orders.values()
        ]
        stripe = [
            [one.get(name) for name in ("object", "status", "amount", "amount_refunded", "disputed", "paid")]
            for kind in ("payment_intent", "charge", "refund", "dispute")
            for one in self._vendors.store.list(f"stripe.{kind}")
        ]
        keys = sorted({
            one["id"].rpartition("-")[0][:16] for one in self._vendors.store.list("stripe.idempotency")
        })  # fmt: skip
        prints = [[one["status"], round(now - one["_since"])] for one in self.print_orders]
        waiting = [[vendor, self._vendors.event_of(message)["type"]] for vendor, message in self.waiting]
        return json.dumps([rows, stripe, keys, prints, waiting], default=str)
