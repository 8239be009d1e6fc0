"""After the chaos: the records of Stripe, Printify, the mailbox and the shop, compared."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import psycopg
from psycopg.rows import dict_row

from tests.chaos.shoppers import Visit
from tests.support.stacks import Stack

Json = dict[str, Any]
_OPEN_WORK = """
select (select count(*) from order_jobs j join orders o on o.id = j.order_id
        where j.done_at is null and j.gave_up_at is null
          and (j.kind in ('print', 'cancel', 'stop_print', 'refund')
               or j.kind = 'settle' and o.status = 'pending' and o.payment_intent_id = any (%s)))
     + (select count(*) from order_messages m where m.sent_at is null and m.gave_up_at is null) as open
"""
# Skips the hours that a shop would wait between two attempts.
_LET_TIME_PASS = """
update order_jobs set due_at = now() where done_at is null and gave_up_at is null and leased_until is null
  and kind <> 'track';
update order_messages set due_at = now() where sent_at is null and gave_up_at is null and leased_until is null;
"""


_LET_PARCELS_TRAVEL = """
update order_jobs set due_at = now() where done_at is null and gave_up_at is null and leased_until is null
"""


def _has_arrived(print_order: Json) -> bool:
    parcels = print_order.get("shipments", [])
    return print_order["status"] == "canceled" or bool(
        parcels and all(one["delivered_at"] for one in parcels)
    )


@dataclass
class Figures:
    """The test's printout."""

    paid: int = 0
    printed: int = 0
    lost: int = 0
    doubled: int = 0
    refunded: int = 0
    delivered: int = 0
    unordered: int = 0
    charged_cents: int = 0
    owed_cents: int = 0
    repeated_mails: int = 0
    violations: list[str] = field(default_factory=list)


class Invariants:
    """Reads the records of all sides. No process is killed any more by then."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._http = httpx.Client(timeout=30)
        self._database: psycopg.Connection[Json] | None = None

    def sql(self, statement: Any, *values: object) -> list[Json]:
        """By one connection: a new one costs its server more than the query."""
        if self._database is None or self._database.closed:
            self._database = psycopg.connect(self._stack.db_url, row_factory=dict_row, autocommit=True)
        cursor = self._database.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []

    def wait_until_calm(self, seconds: float) -> float:
        """Waits until no job is left. Returns the seconds."""
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            succeeded = [intent["id"] for intent in self.intents() if intent["status"] == "succeeded"]
            if self.sql(_OPEN_WORK, succeeded)[0]["open"] == 0:
                return time.monotonic() - began
            self.sql(_LET_TIME_PASS)
            time.sleep(0.25)
        work = self.sql(
            "select order_id::text, kind, attempts, last_error from order_jobs where done_at is null"
        )
        messages = self.sql(
            "select order_id::text, kind, attempts, last_error from order_messages where sent_at is null"
        )
        raise AssertionError(f"not finished after {seconds} s: {work} {messages}")

    def wait_until_delivered(self, seconds: float) -> int:
        """Waits until every parcel has arrived and checks that one mail was sent for each. Returns their number."""
        began = time.monotonic()
        while True:
            moving = self.sql(
                "select id::text, status from orders "
                "where paid_at is not null and status not in ('delivered', 'cancelled')"
            )
            if not moving:
                break
            assert time.monotonic() < began + seconds, f"not delivered after {seconds} s: {moving}"
            # before that the shop would only hear, of each order at every sweep, that nothing has changed
            if all(map(_has_arrived, self.print_orders())):
                self.sql(_LET_PARCELS_TRAVEL)
            time.sleep(0.5)
        self.wait_until_calm(seconds)
        shipping_mails: Counter[str] = Counter()
        for _, subject in {(mail["MessageID"], mail["Subject"]) for mail in self.mails()}:
            if subject.endswith("has been shipped"):
                shipping_mails[subject] += 1
        delivered = self.sql(
            "select upper(right(id::text, 6)) as number from orders where status = 'delivered'"
        )
        expected_mails = Counter(
            f"Your Teesmith order #{row['number']} has been shipped" for row in delivered
        )
        assert shipping_mails == expected_mails, (
            shipping_mails - expected_mails,
            expected_mails - shipping_mails,
        )
        return len(delivered)

    def intents(self) -> list[Json]:
        return self._all_of("payment_intents")

    def charges(self) -> list[Json]:
        return [charge for charge in self._all_of("charges") if charge["paid"]]

    def print_orders(self) -> list[Json]:
        orders: list[Json] = []
        page: str | None = f"{self._stack.emulators_url}/printify/v1/shops/1/orders.json?limit=10&page=1"
        number = 1
        while page:
            response = self._http.get(
                page, headers={"authorization": "Bearer printify_emulator_token", "user-agent": "tests"}
            ).json()
            orders += response["data"]
            number += 1
            more = number <= response["last_page"]
            page = page.rpartition("=")[0] + f"={number}" if more else None
        return orders

    def mails(self) -> list[Json]:
        mails: list[Json] = []
        while True:
            page = self._http.get(
                f"{self._stack.mailbox_url}/api/v1/messages", params={"start": len(mails), "limit": 100}
            ).json()["messages"]
            mails += page
            if not page:
                return mails

    def orders(self) -> dict[str, Json]:
        rows = self.sql("select o.*, o.id::text as id from orders o")
        return {row["id"]: row for row in rows}

    def flags(self) -> list[Json]:
        return self.sql("select order_id::text, reason, details from order_flags")

    def out_of_order(self) -> int:
        """Orders whose payment was returned at Stripe before the shop had heard that it was made."""
        (row,) = self.sql(
            "select count(*) as orders from vendor_events later join vendor_events first using (order_id)"
            " where later.type = 'payment_intent.succeeded' and first.type = 'charge.refunded'"
            " and first.created_at < later.created_at"
        )
        return int(row["orders"])

    def compare(self, visits: list[Visit], email_of: Callable[[Visit], str]) -> Figures:
        figures = Figures()
        orders, prints = self.orders(), self.print_orders()
        charges: dict[str, list[Json]] = {}
        for charge in self.charges():
            charges.setdefault(charge["metadata"]["order_id"], []).append(charge)
        mails: dict[str, list[Json]] = {}
        for mail in self.mails():
            for to in mail["To"]:
                mails.setdefault(to["Address"], []).append(mail)
        figures.charged_cents = sum(
            charge["amount"] - charge["amount_refunded"] for made in charges.values() for charge in made
        )
        figures.owed_cents = sum(
            o["total_cents"] - o["refunded_cents"] for o in orders.values() if o["paid_at"] is not None
        )
        printed = Counter(order["metadata"]["shop_order_id"] for order in prints)
        for stray in set(printed) - set(orders):
            figures.violations.append(f"print order for an unknown order {stray}")
        for visit in visits:
            self._compare_visit(figures, visit, mails.get(email_of(visit), []), orders, charges, prints)
        return figures

    def _compare_visit(
        self,
        figures: Figures,
        visit: Visit,
        mails: list[Json],
        orders: dict[str, Json],
        charges: dict[str, list[Json]],
        prints: list[Json],
    ) -> None:
        """Compares one shopper's order with the charges, print orders and mails."""
        report = figures.violations.append
        name = f"checkout {visit.checkout.number} ({visit.checkout.card})"
        mine = [o for o in orders.values() if f'"{visit.checkout.number} Main St"' in o["shipping_address"]]
        if len(mine) > 1:
            report(f"{name}: {len(mine)} orders")
        paid = [charge for order in mine for charge in charges.get(order["id"], [])]
        made = [p for p in prints if p["metadata"]["shop_order_id"] in {o["id"] for o in mine}]
        confirmations = [mail for mail in mails if mail["Subject"].endswith("is confirmed")]
        confirmed_ids = {mail["MessageID"] for mail in confirmations}
        figures.repeated_mails += len(confirmations) - len(confirmed_ids)
        if visit.confirmed and not paid:
            report(f"{name}: the browser saw a payment that the card company does not know")
        if not paid:
            if (
                made
                or confirmed_ids
                or any(order["status"] not in ("pending", "cancelled") for order in mine)
            ):
                report(f"{name}: nothing was charged, but {len(made)} prints, {len(confirmed_ids)} mails")
            return
        figures.paid += 1
        (order,) = mine
        figures.printed += bool(made)
        if len(paid) > 1 or len(made) > 1 or len(confirmed_ids) > 1:
            figures.doubled += 1
            report(f"{name}: {len(paid)} charges, {len(made)} prints, {len(confirmed_ids)} confirmations")
        if paid[0]["amount"] != order["total_cents"] or order["total_cents"] != visit.checkout.cents:
            report(f"{name}: charged {paid[0]['amount']}, costs {order['total_cents']}")
        if order["status"] == "cancelled":
            figures.refunded += 1
            unrefunded = paid[0]["amount"] - paid[0]["amount_refunded"]
            running = [p["id"] for p in made if p["status"] != "canceled"]
            if (
                not (visit.requested_cancellation or visit.was_returned)
                or unrefunded
                or running
                or order["refunded_cents"] != paid[0]["amount"]
            ):
                report(f"{name}: cancelled, not refunded {unrefunded}, printing {running}")
            return
        if not made or not confirmed_ids or order["printify_order_id"] != made[0]["id"]:
            figures.lost += 1
            report(f"{name}: {order['status']}, {len(made)} prints, {len(confirmed_ids)} confirmations")
            return
        # what was in production before the shop could hear of it goes on, and a person knows
        returned = [flag["reason"] for flag in self.flags() if flag["order_id"] == order["id"]] == [
            "money_returned"
        ]
        if (paid[0]["amount_refunded"] or order["refunded_cents"]) and not (visit.was_returned and returned):
            report(f"{name}: refunded without being cancelled, or flagged")
        if [line["quantity"] for line in made[0]["line_items"]] != [visit.checkout.quantity]:
            report(f"{name}: another quantity is printed")

    def _all_of(self, objects: str) -> list[Json]:
        listed: list[Json] = []
        while True:
            after = {"starting_after": listed[-1]["id"]} if listed else {}
            page = self._http.get(
                f"{self._stack.emulators_url}/stripe/v1/{objects}",
                params={"limit": "100", **after},
                auth=("sk_test_emulator", ""),
            ).json()
            listed += page["data"]
            if not page["has_more"]:
                return listed
