"""A shop in memory with a card company and a printer that do as they are told, for the rules' tests."""

# ruff: noqa: ARG002 - the stand-ins keep the clients' signatures

from __future__ import annotations

import json
from typing import Any

from _shared.catalog import Catalog
from _shared.clients.printify import PrintOrder
from _shared.clients.stripe_api import Intent, Refund, Reversal
from _shared.designs import Designs
from _shared.errors import ShopError
from _shared.ledger import Ledger
from _shared.orders import Order, Orders
from _shared.payments import Payments
from _shared.printing import Printing
from _shared.reversals import Reversals

from tests.unit.functions.memory import ORDER_ROW, MemoryData
from tests.unit.functions.samples import ADDRESS, ORDER

AWAY = ShopError(502, "printer_unavailable", "Our printer did not answer.")
REFUSED = ShopError(502, "printer_refused", "Our printer could not take this.")


class Card:
    """Stripe, with one intent for the one order."""

    def __init__(self) -> None:
        self.intent_now = Intent("pi", "succeeded", 4570, 4570, "usd", "secret", ORDER.id)
        self.refunds: list[str] = []
        self.is_away = False

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent:
        raise AssertionError("not in these tests")

    def intent(self, intent_id: str) -> Intent:
        self._there()
        return self.intent_now

    def cancel_intent(self, intent_id: str) -> Intent:
        self._there()
        return self.intent_now

    def refund(self, intent_id: str, *, order_id: str, key: str) -> Refund:
        self._there()
        self.refunds.append(key)
        return Refund("re_1", "succeeded", 4570)

    def refunded(self, intent_id: str) -> Refund:
        raise AssertionError("not in these tests")

    def find_refund(self, refund_id: str) -> Reversal:
        raise AssertionError("not in these tests")

    def find_dispute(self, dispute_id: str) -> Reversal:
        raise AssertionError("not in these tests")

    def _there(self) -> None:
        if self.is_away:
            raise ShopError(502, "payment_unavailable", "We could not reach the card company.")


class Press:
    """Printify, with at most one print order. `status` is its status; `problem` is raised instead of any answer."""

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
        self._there()
        self.made.append({"external_id": external_id, "label": label, "line_items": line_items})
        return "po"

    def order(self, print_order_id: str) -> PrintOrder | None:
        self._there()
        carrier, number, url = self.parcel or ("", "", "")
        found = PrintOrder(
            "po", ORDER.id, self.status, self.parcel is not None, self.is_delivered, carrier, number, url
        )
        return found if self.exists else None

    def send_to_production(self, print_order_id: str) -> bool:
        self.calls.append("send")
        return self.allows

    def cancel_order(self, print_order_id: str) -> bool:
        self.calls.append("cancel")
        return self.allows

    def _there(self) -> None:
        if self.problem:
            raise self.problem


class World:
    """One order, by default paid and with a print order on hold."""

    def __init__(self, *, releases: bool = True, **row: Any) -> None:
        item = {
            "product_name": "Cat", "product_image_url": "", "product_size": "M", "product_color": "Black",
            "quantity": 2, "unit_price_cents": 1990, "printify_product_id": "product", "printify_variant_id": 12125,
        }  # fmt: skip
        order = ORDER_ROW | {
            "id": ORDER.id, "user_id": "buyer", "status": "paid", "payment_intent_id": "pi", "printify_order_id": "po",
            "subtotal_cents": 3980, "shipping_cents": 590, "total_cents": 4570,
            "shipping_address": json.dumps(ADDRESS), "order_items": [item],
        }  # fmt: skip
        self.data = MemoryData(orders=[order | row])
        self.card, self.press = Card(), Press()
        self.ledger = Ledger(self.data, 60)
        self.orders = Orders(self.data, Designs(self.data), Catalog(self.data), "")
        self.payments = Payments(self.card, self.orders, self.ledger)
        self.printing = Printing(self.press, self.orders, self.ledger, releases=releases)
        self.reversals = Reversals(self.orders, self.ledger, self.payments, self.printing)

    @property
    def order(self) -> Order:
        return self.orders.get(ORDER.id)

    @property
    def flags(self) -> list[str]:
        return [why for _, why in self.data.flags]
