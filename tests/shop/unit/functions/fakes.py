"""Fakes of the database, Stripe and Printify for the tests of the rules, and a shop of one order made of them.

The database knows equality and `is null`, and what the SQL functions promise, much simplified. The functions are tested
against Postgres in tests/shop/integration/sql; here they only return what they would.
"""

# ruff: noqa: ARG002 - the fakes have the clients' signatures

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from _shared.catalog.catalog import Catalog
from _shared.clients.printify import PrintOrder
from _shared.clients.stripe_api import Intent, MoneyEvents, Returned
from _shared.core.errors import ShopError
from _shared.designs.designs import Designs
from _shared.orders.cancellation import Cancellation
from _shared.orders.fulfilment import Fulfilment
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order, Orders
from _shared.orders.payments import Payments
from _shared.orders.refunds import Refunds

from tests.shop.unit.functions.samples import ADDRESS, ORDER

Row = dict[str, Any]

ORDER_ROW: Row = {
    "status": "pending",
    "currency": "usd",
    "payment_intent_id": None,
    "printify_order_id": None,
    "tracking_url": None,
    "tracking_number": None,
    "carrier": None,
    "created_at": "2026-11-20T10:00:00+00:00",
    "paid_at": "2026-11-20T11:00:00+00:00",
    "print_requested_at": None,
    "cancel_requested_at": None,
    "refund_id": None,
    "lost_cents": 0,
    "held_at": None,
    "design_held_at": None,
    "money_version": 0,
    "refunded_cents": 0,
    "link_version": 1,
}
_STEPS = ("pending", "paid", "processing", "shipped", "delivered")


class FakeDatabase:
    """Tables as lists of rows. `jobs` and `messages` are the queues, `calls` the SQL functions that were called.

    The next calls of `row` raise the errors in `row_failures`, one each, those of `value` the ones in `value_failures`.
    `job_ends` says how each job ended; `total_checks` are the outcomes of the next checks of totals.
    """

    def __init__(self, **tables: list[Row]) -> None:
        self.tables = {"orders": [], "vendor_events": [], "order_jobs": [], **tables}
        self.jobs: list[Row] = []
        self.messages: list[Row] = []
        self.flags: list[tuple[str, str]] = []
        self.calls: list[str] = []
        self.row_failures: list[ShopError] = []
        self.value_failures: list[ShopError] = []
        self.job_ends: list[tuple[str, Any]] = []
        self.total_checks: list[Row] = []
        self.check_failures: list[ShopError] = []
        self.object_tasks: list[Row] = []

    def rows(self, table: str, _columns: str, where: Mapping[str, object]) -> list[Row]:
        return [row for row in self.tables[table] if all(row.get(k) == v for k, v in where.items())]

    def row(self, table: str, columns: str, where: Mapping[str, object]) -> Row | None:
        _raise_next(self.row_failures)
        return next(iter(self.rows(table, columns, where)), None)

    def select_in(self, table: str, _columns: str, column: str, values: list[str]) -> list[Row]:
        return [row for row in self.tables[table] if row[column] in values]

    def insert(self, table: str, values: Mapping[str, object]) -> str:
        row = {"id": str(uuid4()), **values}
        self.tables[table].append(row)
        return str(row["id"])

    def update(self, table: str, values: Mapping[str, object], where: Mapping[str, object]) -> int:
        rows = self.rows(table, "", where)
        for row in rows:
            row.update(values)
        return len(rows)

    def call(self, function: str, arguments: Mapping[str, Any]) -> list[Row]:
        if function == "claim_job":
            return [self.jobs.pop(0)] if self.jobs else []
        if function in (
            "begin_money_read",
            "claim_money_check",
        ):  # tests/simulation/test_money_check.py has them
            _raise_next(self.check_failures)
            return []
        if function == "claim_object_tasks":
            tasks, self.object_tasks = self.object_tasks, []
            return tasks
        if function == "claim_message":
            return self._claim_message(arguments.get("of_order"), arguments.get("message_kind"))
        if function == "check_next_total":
            _raise_next(self.check_failures)
            return [self.total_checks.pop(0)] if self.total_checks else []
        if function == "get_design_to_copy":
            return self.rows("designs", "", {"id": arguments["of_design"]})
        assert function == "place_order"
        key = {"user_id": arguments["buyer"], "cart_key": arguments["cart_key"], "status": "pending"}
        if orders := self.rows("orders", "", key):
            return orders
        total = arguments["subtotal_cents"] + arguments["shipping_cents"]
        row = ORDER_ROW | dict(arguments) | key
        row |= {"order_items": arguments["items"], "total_cents": total, "paid_at": None}
        return self.rows("orders", "", {"id": self.insert("orders", row)})

    def value(self, function: str, arguments: Mapping[str, Any]) -> object:
        _raise_next(self.value_failures)
        self.calls.append(function)
        step = getattr(self, f"_{function}", None)
        if step is None:
            return None
        order = self.row("orders", "", {"id": arguments.get("of_order")})
        return step(order, arguments)

    def _finish_job(self, _order: Row | None, arguments: Mapping[str, Any]) -> None:
        self.job_ends.append((arguments["job_kind"], arguments["again_seconds"]))

    def _fail_job(self, _order: Row | None, arguments: Mapping[str, Any]) -> None:
        end = f"{arguments['problem']} / {arguments['most_attempts']}"
        self.job_ends.append((arguments["job_kind"], end))

    def _finish_object_tasks(self, _order: Row | None, arguments: Mapping[str, Any]) -> None:
        self.job_ends.append(("objects", arguments["tasks"]))

    def _fail_object_tasks(self, _order: Row | None, arguments: Mapping[str, Any]) -> None:
        self.job_ends.append((arguments["problem"], arguments["tasks"]))

    def _save_design_copy(self, _order: Row | None, arguments: Mapping[str, Any]) -> str:
        return self.insert("designs", arguments["copy"])

    def _claim_message(self, order_id: str | None, kind: str | None) -> list[Row]:
        for message in self.messages:
            if order_id in (None, message["order_id"]) and kind in (None, message["kind"]):
                self.messages.remove(message)
                return [message]
        return []

    def _settle_order(self, order: Row | None, arguments: Mapping[str, Any]) -> str:
        if order is None:
            return "unknown"
        if (arguments["received_cents"], arguments["received_currency"]) != (
            order["total_cents"],
            order["currency"],
        ):
            return "mismatch"
        if order["status"] == "cancelled":
            return "cancelled"
        if order["status"] != "pending" and order["payment_intent_id"] != arguments["intent"]:
            return "paid_twice"
        if order["status"] == "pending":
            order.update(status="paid", payment_intent_id=arguments["intent"], paid_at=ORDER_ROW["paid_at"])
        return "paid"

    def _cancel_unpaid_order(self, order: Row, _arguments: Mapping[str, Any]) -> str:
        if order["status"] == "pending":
            order["status"] = "cancelled"
        return str(order["status"])

    def _begin_printing(self, order: Row, _arguments: Mapping[str, Any]) -> str:
        if order["printify_order_id"]:
            return "printed"
        if order["status"] == "cancelled" or order["cancel_requested_at"]:
            return "cancelled"
        if order["status"] == "pending":
            return "unpaid"
        if order["held_at"]:
            return "held"
        if order["design_held_at"]:
            return "design_held"
        order["print_requested_at"] = "now"
        return "go"

    def _finish_printing(self, order: Row, arguments: Mapping[str, Any]) -> None:
        order["printify_order_id"] = order["printify_order_id"] or arguments["print_order"]

    def _record_progress(self, order: Row, arguments: Mapping[str, Any]) -> str:
        if _STEPS.index(arguments["stage"]) > _STEPS.index(order["status"]):
            order["status"] = arguments["stage"]
        if arguments["parcel_number"]:
            order["tracking_number"] = arguments["parcel_number"]
        return str(order["status"])

    def _request_cancellation(self, order: Row, _arguments: Mapping[str, Any]) -> str:
        if order["status"] in ("pending", "paid"):
            order["cancel_requested_at"] = "now"
        return str(order["status"])

    def _withdraw_cancellation(self, order: Row, _arguments: Mapping[str, Any]) -> None:
        order["cancel_requested_at"] = None

    def _cancel_order(self, order: Row, arguments: Mapping[str, Any]) -> str:
        if order["status"] != "pending":
            self.insert("order_jobs", {"order_id": order["id"], "kind": "refund", "done_at": None})
        if not arguments["print_is_stopped"]:
            self.insert("order_jobs", {"order_id": order["id"], "kind": "stop_print", "done_at": None})
        order["status"] = "cancelled"
        return "cancelled"

    def _request_refund(self, order: Row, _arguments: Mapping[str, Any]) -> str:
        if order["status"] == "pending":
            return "unpaid"
        if order["refunded_cents"] >= order["total_cents"]:
            return "refunded"
        self.insert("order_jobs", {"order_id": order["id"], "kind": "refund", "done_at": None})
        return "due"

    def _record_money(self, order: Row, arguments: Mapping[str, Any]) -> str:
        if order["money_version"] != arguments["read_version"]:
            return "stale"
        order["refund_id"] = order["refund_id"] or arguments["refund"]
        order["refunded_cents"] = arguments["refunded"] + arguments["lost"]
        order["held_at"] = "now" if arguments["is_disputed"] else None
        return "recorded"

    def _flag_order(self, _order: Row, arguments: Mapping[str, Any]) -> None:
        self.flags.append((arguments["of_order"], arguments["reason"]))

    def _note_vendor_event(self, _order: Row, arguments: Mapping[str, Any]) -> None:
        self.insert("vendor_events", {"vendor": arguments["from_vendor"], "id": arguments["event_id"]})


def _raise_next(failures: list[ShopError]) -> None:
    if failures:
        raise failures.pop(0)


class FakeStore:
    """Storage: objects by bucket and name. The next calls raise the errors in `failures`, one each."""

    def __init__(self, **buckets: dict[str, bytes]) -> None:
        self.objects = {
            (bucket.replace("_", "-"), name): data
            for bucket, held in buckets.items()
            for name, data in held.items()
        }
        self.failures: list[ShopError] = []

    def get(self, bucket: str, name: str) -> bytes | None:
        return self.objects.get((bucket, name))

    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None:
        self.objects[bucket, name] = content

    def address(self, bucket: str, name: str, seconds: int) -> str:
        return f"https://files/{bucket}/{name}"

    def copy(self, bucket: str, name: str, target_bucket: str, target: str) -> bool:
        _raise_next(self.failures)
        if (bucket, name) not in self.objects:
            return False
        self.objects[target_bucket, target] = self.objects[bucket, name]
        return True

    def remove(self, bucket: str, names: list[str]) -> None:
        _raise_next(self.failures)
        for name in names:
            self.objects.pop((bucket, name), None)


AWAY = ShopError(502, "printer_unavailable", "Our printer did not answer.")
REFUSED = ShopError(502, "printer_refused", "Our printer could not take this.")


class FakeStripe:
    """Stripe, with one intent for the one order."""

    def __init__(self) -> None:
        self.current_intent = Intent("pi", "succeeded", 4570, 4570, "usd", "secret", ORDER.id)
        self.refunds: list[str] = []
        self.gone = Returned(0, "", (), ())
        self.is_away = False
        self.is_disputed = False

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent:
        raise AssertionError("not in these tests")

    def intent(self, intent_id: str) -> Intent:
        self._check_available()
        return self.current_intent

    def cancel_intent(self, intent_id: str) -> Intent:
        self._check_available()
        return self.current_intent

    def refund(self, intent_id: str, *, order_id: str, key: str) -> str:
        self._check_available()
        if self.is_disputed:
            raise ShopError(409, "payment_disputed", "The bank has to decide about this payment first.")
        self.refunds.append(key)
        return "succeeded"

    def returned(self, intent_id: str) -> Returned:
        self._check_available()
        return replace(self.gone, cents=4570, refund_id="re_1") if self.refunds else self.gone

    def money_events(self, since: int, after: str, most: int) -> MoneyEvents | None:
        raise AssertionError("not in these tests")

    def _check_available(self) -> None:
        if self.is_away:
            raise ShopError(502, "payment_unavailable", "We could not reach the card company.")


class FakePrintify:
    """Printify, with at most one print order. `status` is its status; `problem` is raised instead of any response."""

    def __init__(self, status: str = "on-hold") -> None:
        self.status = status
        self.made: list[dict[str, Any]] = []
        self.calls: list[str] = []
        self.parcel: tuple[str, str, str] | None = None
        self.is_delivered = False
        self.exists = True
        self.allows = True
        self.problem: ShopError | None = None

    def create_order(
        self, *, external_id: str, label: str, line_items: list[dict[str, Any]], address_to: dict[str, str]
    ) -> str:
        self._check_available()
        self.made.append({"external_id": external_id, "label": label, "line_items": line_items})
        return "po"

    def order(self, print_order_id: str) -> PrintOrder | None:
        self._check_available()
        carrier, number, url = self.parcel or ("", "", "")
        print_order = PrintOrder(
            "po", ORDER.id, self.status, self.parcel is not None, self.is_delivered, carrier, number, url
        )
        return print_order if self.exists else None

    def send_to_production(self, print_order_id: str) -> bool:
        self.calls.append("send")
        return self.allows

    def cancel_order(self, print_order_id: str) -> bool:
        self.calls.append("cancel")
        return self.allows

    def _check_available(self) -> None:
        if self.problem:
            raise self.problem


class FakeShop:
    """One order, by default paid and with a print order on hold."""

    def __init__(self, *, sends_to_production: bool = True, **row: Any) -> None:
        item = {
            "product_name": "Cat", "product_image_url": "", "product_size": "M", "product_color": "Black",
            "quantity": 2, "unit_price_cents": 1990, "printify_product_id": "product", "printify_variant_id": 12125,
        }  # fmt: skip
        order = ORDER_ROW | {
            "id": ORDER.id, "user_id": "buyer", "status": "paid", "payment_intent_id": "pi", "printify_order_id": "po",
            "subtotal_cents": 3980, "shipping_cents": 590, "total_cents": 4570,
            "shipping_address": json.dumps(ADDRESS), "order_items": [item],
        }  # fmt: skip
        self.data = FakeDatabase(orders=[order | row])
        self.stripe, self.printify = FakeStripe(), FakePrintify()
        self.order_rpc = OrderRpc(self.data, 60)
        self.orders = Orders(self.data, Designs(self.data), Catalog(self.data), "")
        self.payments = Payments(self.stripe, self.orders, self.order_rpc)
        self.fulfilment = Fulfilment(
            self.printify,
            self.orders,
            self.order_rpc,
            lambda order: self.payments.sync(order.payment_intent_id),
            sends_to_production=sends_to_production,
        )
        self.cancellation = Cancellation(self.orders, self.order_rpc, self.payments, self.fulfilment)
        self.refunds = Refunds(self.order_rpc, self.payments, self.cancellation)

    @property
    def order(self) -> Order:
        return self.orders.get(ORDER.id)

    @property
    def flags(self) -> list[str]:
        return [reason for _, reason in self.data.flags]
