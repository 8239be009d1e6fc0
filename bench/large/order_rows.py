"""The rows of orders and of what lies behind them, as lines of COPY."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from bench.large.shop_rows import NULL, ShopRows

_STEPS = ("pending", "paid", "processing", "shipped", "delivered")
_UNIT_CENTS, _SHIPPING_CENTS = 1990, 590
_SIZES = ("S", "M", "L", "XL")


@dataclass(frozen=True, slots=True)
class _Order:
    number: int
    id: str
    owner: str
    at: datetime
    status: str
    shirts: int
    refunded: bool

    @property
    def is_paid(self) -> bool:
        return self.status not in ("pending", "cancelled") or self.refunded

    @property
    def total_cents(self) -> int:
        return self.shirts * _UNIT_CENTS + _SHIPPING_CENTS

    def step(self, name: str) -> datetime | str:
        """Return when it came to a step; NULL when it did not."""
        if name == "paid":
            return self.at + timedelta(minutes=2) if self.is_paid else NULL
        reached = self.status in _STEPS and _STEPS.index(self.status) >= _STEPS.index(name)
        return self.at + timedelta(days=_STEPS.index(name)) if reached else NULL


class OrderRows:
    """Generates table after table; `orders` comes first."""

    def __init__(self, rows: ShopRows) -> None:
        self._rows = rows
        self._orders: list[_Order] = []

    def orders(self) -> Iterator[tuple[object, ...]]:
        draw, count = self._rows.chance("orders"), self._rows.scale.orders
        for number in range(count):
            at, chosen = draw.moment(number, count), draw.below()
            age = (self._rows.until - at) / timedelta(days=1)
            reached = min(4, int(age * draw.below() / 2))
            status = "cancelled" if chosen < 0.05 else _STEPS[reached] if chosen < 0.97 else "pending"
            owner = self._rows.user_ids[draw.skewed(self._rows.scale.users)]
            refunded = chosen < 0.02 or (0.5 < chosen < 0.505 and status == "delivered")
            order = _Order(number, draw.uuid(), owner, at, status, draw.whole(1, 4), refunded)
            self._orders.append(order)
            address = {
                "first_name": "Ada", "last_name": draw.word(3).capitalize(), "email": f"o{number}@teesmith.example",
                "country": "DE", "address1": f"{draw.whole(1, 900)} Main Street", "city": "Berlin", "zip": "10115",
                "phone": "5550100", "phone_country_code": "+49",
            }  # fmt: skip
            cents = order.total_cents if refunded else 0
            printed = f"print-{number}" if status in _STEPS[2:] else NULL
            yield (
                order.id, owner, status, order.shirts * _UNIT_CENTS, _SHIPPING_CENTS, order.total_cents,
                json.dumps(address), draw.uuid(), f"pi_{number}", printed, order.step("paid"),
                at if status == "cancelled" else NULL, order.step("shipped"), order.step("delivered"),
                cents, at, at,
            )  # fmt: skip

    def items(self) -> Iterator[tuple[object, ...]]:
        draw = self._rows.chance("items")
        for order in self._orders:
            left, place = order.shirts, 0
            while left:
                quantity = draw.whole(1, left)
                left -= quantity
                design = self._rows.public[draw.skewed(len(self._rows.public))]
                size = _SIZES[place % 4]
                yield (
                    draw.uuid(), order.id, design.id, quantity, _UNIT_CENTS, draw.design_name(), size, "Black",
                    f"product-{order.number}", 12_000 + place, order.at,
                )  # fmt: skip
                place += 1

    def events(self) -> Iterator[tuple[object, ...]]:
        draw = self._rows.chance("events")
        for order in self._orders:
            yield draw.uuid(), order.id, order.owner, "placed", '{"total_cents": 2580}', order.at
            for step in _STEPS[1:]:
                moment = order.step(step)
                if moment is not NULL:
                    yield draw.uuid(), order.id, NULL, "status", json.dumps({"to": step}), moment

    def flags(self) -> Iterator[tuple[object, ...]]:
        """One order in fifty needed a person, and one of forty such orders still does."""
        draw = self._rows.chance("flags")
        for order in self._orders[::50]:
            resolved = NULL if order.number % 2_000 == 0 else order.at + timedelta(days=1)
            yield draw.uuid(), order.id, "print_failed", "printer_refused", order.at, resolved

    def jobs(self) -> Iterator[tuple[object, ...]]:
        """Settled and printed; what is on its way is tracked again later."""
        for order in self._orders:
            soon = self._rows.until + timedelta(hours=1 + order.number % 24)
            pending = order.status == "pending"
            yield (
                order.id,
                "settle",
                1,
                soon if pending else order.at,
                NULL if pending else order.at,
                order.at,
            )
            if order.is_paid and order.status != "cancelled":
                yield order.id, "print", 1, order.at, order.at, order.at
                under_way = order.status in ("processing", "shipped")
                yield (
                    order.id,
                    "track",
                    3,
                    soon if under_way else order.at,
                    NULL if under_way else order.at,
                    order.at,
                )

    def messages(self) -> Iterator[tuple[object, ...]]:
        draw = self._rows.chance("messages")
        for order in self._orders:
            if order.is_paid:
                yield draw.uuid(), order.id, "mail", "confirmation", 1, order.at, order.at, order.at
                yield draw.uuid(), order.id, "automation", "order.confirmed", 1, order.at, order.at, order.at

    def vendor_events(self) -> Iterator[tuple[object, ...]]:
        for order in self._orders:
            if order.is_paid:
                yield "stripe", f"evt_{order.number}", "payment_intent.succeeded", order.id, order.at
