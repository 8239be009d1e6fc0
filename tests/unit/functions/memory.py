"""A database in memory for the rules' tests: equality, `is null`, and what the SQL steps promise, much simplified.

The steps themselves are proved against Postgres (tests/integration/sql); here they only have to answer as they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

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
    "print_requested_at": None,
    "cancel_requested_at": None,
    "refund_id": None,
    "refunded_cents": 0,
}
_STEPS = ("pending", "paid", "processing", "shipped", "delivered")


class MemoryData:
    """Tables as lists of rows. `jobs` and `messages` wait to be taken; `told` is every step that was called."""

    def __init__(self, **tables: list[Row]) -> None:
        self.tables = {"orders": [], "vendor_events": [], "order_jobs": [], **tables}
        self.jobs: list[Row] = []
        self.messages: list[Row] = []
        self.flags: list[tuple[str, str]] = []
        self.told: list[str] = []

    def rows(self, table: str, _columns: str, where: Mapping[str, object]) -> list[Row]:
        return [row for row in self.tables[table] if all(row.get(k) == v for k, v in where.items())]

    def row(self, table: str, columns: str, where: Mapping[str, object]) -> Row | None:
        return next(iter(self.rows(table, columns, where)), None)

    def among(self, table: str, _columns: str, column: str, values: list[str]) -> list[Row]:
        return [row for row in self.tables[table] if row[column] in values]

    def insert(self, table: str, values: Mapping[str, object]) -> str:
        row = {"id": str(uuid4()), **values}
        self.tables[table].append(row)
        return str(row["id"])

    def update(self, table: str, values: Mapping[str, object], where: Mapping[str, object]) -> int:
        found = self.rows(table, "", where)
        for row in found:
            row.update(values)
        return len(found)

    def call(self, function: str, arguments: Mapping[str, Any]) -> list[Row]:
        if function == "claim_job":
            return [self.jobs.pop(0)] if self.jobs else []
        if function == "claim_message":
            return self._claim_message(arguments.get("of_order"), arguments.get("message_kind"))
        assert function == "place_order"
        key = {"user_id": arguments["buyer"], "cart_key": arguments["cart_key"], "status": "pending"}
        if found := self.rows("orders", "", key):
            return found
        total = arguments["subtotal_cents"] + arguments["shipping_cents"]
        row = ORDER_ROW | dict(arguments) | key | {"order_items": arguments["items"], "total_cents": total}
        return self.rows("orders", "", {"id": self.insert("orders", row)})

    def value(self, function: str, arguments: Mapping[str, Any]) -> object:
        self.told.append(function)
        step = getattr(self, f"_{function}", None)
        if step is None:
            return None
        order = self.row("orders", "", {"id": arguments.get("of_order")})
        return step(order, arguments)

    def _claim_message(self, order_id: str | None, kind: str | None) -> list[Row]:
        for message in self.messages:
            if order_id in (None, message["order_id"]) and kind in (None, message["kind"]):
                self.messages.remove(message)
                return [message]
        return []

    def _settle_order(self, order: Row | None, told: Mapping[str, Any]) -> str:
        if order is None:
            return "unknown"
        if (told["received_cents"], told["received_currency"]) != (order["total_cents"], order["currency"]):
            return "mismatch"
        if order["status"] == "cancelled":
            return "cancelled"
        if order["status"] != "pending" and order["payment_intent_id"] != told["intent"]:
            return "paid_twice"
        if order["status"] == "pending":
            order.update(status="paid", payment_intent_id=told["intent"])
        return "paid"

    def _cancel_unpaid_order(self, order: Row, _told: Mapping[str, Any]) -> str:
        if order["status"] == "pending":
            order["status"] = "cancelled"
        return str(order["status"])

    def _begin_printing(self, order: Row, _told: Mapping[str, Any]) -> str:
        if order["printify_order_id"]:
            return "printed"
        if order["status"] == "cancelled" or order["cancel_requested_at"]:
            return "cancelled"
        if order["status"] == "pending":
            return "unpaid"
        order["print_requested_at"] = "now"
        return "go"

    def _finish_printing(self, order: Row, told: Mapping[str, Any]) -> None:
        order["printify_order_id"] = order["printify_order_id"] or told["print_order"]

    def _record_progress(self, order: Row, told: Mapping[str, Any]) -> str:
        if _STEPS.index(told["stage"]) > _STEPS.index(order["status"]):
            order["status"] = told["stage"]
        if told["parcel_number"]:
            order["tracking_number"] = told["parcel_number"]
        return str(order["status"])

    def _request_cancellation(self, order: Row, _told: Mapping[str, Any]) -> str:
        if order["status"] in ("pending", "paid"):
            order["cancel_requested_at"] = "now"
        return str(order["status"])

    def _withdraw_cancellation(self, order: Row, _told: Mapping[str, Any]) -> None:
        order["cancel_requested_at"] = None

    def _cancel_order(self, order: Row, told: Mapping[str, Any]) -> str:
        if order["status"] != "pending":
            self.insert("order_jobs", {"order_id": order["id"], "kind": "refund", "done_at": None})
        if not told["print_is_stopped"]:
            self.insert("order_jobs", {"order_id": order["id"], "kind": "stop_print", "done_at": None})
        order["status"] = "cancelled"
        return "cancelled"

    def _request_refund(self, order: Row, _told: Mapping[str, Any]) -> str:
        if order["status"] == "pending":
            return "unpaid"
        if order["refunded_cents"] >= order["total_cents"]:
            return "refunded"
        self.insert("order_jobs", {"order_id": order["id"], "kind": "refund", "done_at": None})
        return "due"

    def _record_refund(self, order: Row, told: Mapping[str, Any]) -> None:
        order["refund_id"] = order["refund_id"] or told["refund"]
        order["refunded_cents"] = max(order["refunded_cents"], told["cents"])

    def _flag_order(self, _order: Row, told: Mapping[str, Any]) -> None:
        self.flags.append((told["of_order"], told["reason"]))

    def _note_vendor_event(self, _order: Row, told: Mapping[str, Any]) -> None:
        self.insert("vendor_events", {"vendor": told["from_vendor"], "id": told["event_id"]})
