"""A database in memory for the rules' tests: equality, `is null`, and place_order's one promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

Row = dict[str, Any]

_ORDER: Row = {
    "status": "pending",
    "currency": "usd",
    "payment_intent_id": None,
    "printify_order_id": None,
    "tracking_url": None,
    "tracking_number": None,
    "carrier": None,
    "confirmation_sent_at": None,
}


class MemoryData:
    """Tables as lists of rows."""

    def __init__(self, **tables: list[Row]) -> None:
        self.tables = {"orders": [], **tables}

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
        assert function == "place_order"
        key = {"user_id": arguments["buyer"], "cart_key": arguments["cart_key"], "status": "pending"}
        if found := self.rows("orders", "", key):
            return found
        total = arguments["subtotal_cents"] + arguments["shipping_cents"]
        row = _ORDER | dict(arguments) | key | {"order_items": arguments["items"], "total_cents": total}
        return self.rows("orders", "", {"id": self.insert("orders", row)})
