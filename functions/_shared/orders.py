"""Orders: placed before they are paid, seen by their owners, moved on only by what really happened."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from _shared.addresses import Address
from _shared.callers import Caller
from _shared.catalog import Catalog
from _shared.checkout import PaymentRequest, plan_cart
from _shared.data import Data, Row
from _shared.designs import Designs
from _shared.errors import ShopError, not_found

_COLUMNS = (
    "id, user_id, status, subtotal_cents, shipping_cents, total_cents, currency, shipping_address, "
    "payment_intent_id, printify_order_id, tracking_url, tracking_number, carrier, confirmation_sent_at, "
    "order_items(product_name, product_image_url, product_size, product_color, quantity, unit_price_cents, "
    "printify_product_id, printify_variant_id)"
)
_PAID = ("paid", "processing", "shipped", "delivered")


@dataclass(frozen=True)
class Item:
    """One line of an order, as it was bought."""

    name: str
    image_url: str
    size: str
    color: str
    quantity: int
    unit_price_cents: int
    printify_product_id: str
    printify_variant_id: int


@dataclass(frozen=True)
class Order:
    """Ids that do not exist yet are empty. `address` is as entered at checkout."""

    id: str
    user_id: str
    status: str
    subtotal_cents: int
    shipping_cents: int
    total_cents: int
    currency: str
    address: Address
    items: tuple[Item, ...]
    payment_intent_id: str
    printify_order_id: str
    tracking_url: str
    tracking_number: str
    carrier: str
    is_confirmed: bool

    @property
    def is_paid(self) -> bool:
        return self.status in _PAID

    @property
    def number(self) -> str:
        """The number that people see."""
        return f"#{self.id[-6:].upper()}"


class Clock(Protocol):
    """The present, in UTC."""

    def __call__(self) -> datetime: ...


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Orders:
    """Reads and writes `orders` as the service."""

    def __init__(
        self, data: Data, designs: Designs, catalog: Catalog, mockup_base: str, clock: Clock = _utc_now
    ) -> None:
        self._data = data
        self._designs = designs
        self._catalog = catalog
        self._mockup_base = mockup_base
        self._clock = clock

    def place(self, caller: Caller, ask: PaymentRequest) -> Order:
        """A pending order with its items, all at once; the same cart tried again gets the same order."""
        design = self._designs.owned(caller, str(ask.design_info.id))
        cart = plan_cart(ask, design, self._catalog.by_ids(ask.variant_ids), self._mockup_base)
        placed = self._data.call("place_order", cart.to_rpc())
        if not placed:  # paid in the very moment between two looks
            raise ShopError(
                409, "already_paid", "This order has been paid already. You find it on your dashboard."
            )
        return self._get(str(placed[0]["id"]))

    def visible(self, caller: Caller, order_id: str) -> Order:
        """An order that the caller may see; 404 for anybody else's."""
        row = self._data.row("orders", _COLUMNS, {"id": order_id})
        if row is None or not caller.may_see(str(row["user_id"])):
            raise not_found("Order", "order_not_found")
        return _order(row)

    def printed_as(self, printify_order_id: str) -> Order:
        """The order that the printer knows under this id."""
        row = self._data.row("orders", _COLUMNS, {"printify_order_id": printify_order_id})
        if row is None:
            raise not_found("Order", "order_not_found")
        return _order(row)

    def keep_intent(self, order: Order, intent_id: str) -> None:
        self._data.update("orders", {"payment_intent_id": intent_id}, {"id": order.id})

    def mark_paid(self, order: Order) -> Order:
        """Pending becomes paid, once; an order that went on meanwhile stays where it is."""
        self._data.update("orders", {"status": "paid"}, {"id": order.id, "status": "pending"})
        return self._get(order.id)

    def cancel_unpaid(self, order: Order) -> None:
        self._data.update("orders", {"status": "cancelled"}, {"id": order.id, "status": "pending"})

    def keep_print_order(self, order: Order, printify_order_id: str) -> None:
        self._data.update("orders", {"printify_order_id": printify_order_id}, {"id": order.id})

    def claim_confirmation(self, order: Order) -> bool:
        """Whether the confirmation is ours to send: of several attempts at once exactly one gets it."""
        now = self._clock().isoformat()
        unclaimed = {"id": order.id, "confirmation_sent_at": None}
        return self._data.update("orders", {"confirmation_sent_at": now}, unclaimed) == 1

    def release_confirmation(self, order: Order) -> None:
        self._data.update("orders", {"confirmation_sent_at": None}, {"id": order.id})

    def _get(self, order_id: str) -> Order:
        row = self._data.row("orders", _COLUMNS, {"id": order_id})
        if row is None:
            raise not_found("Order", "order_not_found")
        return _order(row)


def _order(row: Row) -> Order:
    def text(name: str) -> str:
        return str(row[name] or "")

    return Order(
        id=text("id"),
        user_id=text("user_id"),
        status=text("status"),
        subtotal_cents=int(row["subtotal_cents"]),
        shipping_cents=int(row["shipping_cents"]),
        total_cents=int(row["total_cents"]),
        currency=text("currency"),
        address=Address.model_validate(json.loads(row["shipping_address"])),
        items=tuple(_item(item) for item in row["order_items"]),
        payment_intent_id=text("payment_intent_id"),
        printify_order_id=text("printify_order_id"),
        tracking_url=text("tracking_url"),
        tracking_number=text("tracking_number"),
        carrier=text("carrier"),
        is_confirmed=row["confirmation_sent_at"] is not None,
    )


def _item(row: Row) -> Item:
    return Item(
        name=str(row["product_name"]),
        image_url=str(row["product_image_url"] or ""),
        size=str(row["product_size"]),
        color=str(row["product_color"]),
        quantity=int(row["quantity"]),
        unit_price_cents=int(row["unit_price_cents"]),
        printify_product_id=str(row["printify_product_id"]),
        printify_variant_id=int(row["printify_variant_id"]),
    )
