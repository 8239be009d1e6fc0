"""Orders: placed before they are paid, visible to their owners, changed only through SQL functions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from _shared.catalog.catalog import Catalog
from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError, not_found
from _shared.core.logs import add_to_context
from _shared.core.outcomes import one_of
from _shared.designs.designs import Designs
from _shared.orders.checkout import Cart, PaymentRequest, plan_cart
from _shared.orders.order_links import number_of
from _shared.shipping.addresses import Address

_COLUMNS = (
    "id, user_id, status, subtotal_cents, shipping_cents, total_cents, currency, shipping_address, "
    "payment_intent_id, printify_order_id, tracking_url, tracking_number, carrier, created_at, paid_at, "
    "print_requested_at, cancel_requested_at, refund_id, refunded_cents, lost_cents, "
    "held_at, design_held_at, money_version, link_version, "
    "order_items(product_name, product_image_url, product_size, product_color, quantity, unit_price_cents, "
    "printify_product_id, printify_variant_id)"
)
OrderStatus = Literal["pending", "paid", "processing", "shipped", "delivered", "cancelled"]
ORDER_STATUSES: tuple[OrderStatus, ...] = get_args(OrderStatus)

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

    @property
    def cents(self) -> int:
        return self.quantity * self.unit_price_cents


@dataclass(frozen=True)
class Order:
    """Ids that do not exist yet are empty. `address` is as entered at checkout."""

    id: str
    user_id: str
    status: OrderStatus
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
    created_at: datetime
    paid_at: datetime | None
    print_is_requested: bool
    cancel_is_requested: bool
    refund_id: str
    refunded_cents: int
    lost_cents: int
    is_held: bool
    is_design_held: bool
    money_version: int
    link_version: int

    @property
    def is_paid(self) -> bool:
        return self.status in _PAID

    @property
    def was_paid(self) -> bool:
        """Also when it was cancelled since."""
        return self.paid_at is not None

    @property
    def is_refunded(self) -> bool:
        return self.refunded_cents >= self.total_cents

    @property
    def may_be_produced(self) -> bool:
        """Tell whether no cancellation, no disputed or returned payment and no taken-down design stands against it."""
        is_free = not self.cancel_is_requested and not self.is_held and not self.is_design_held
        return self.is_paid and is_free and not self.is_refunded

    @property
    def number(self) -> str:
        """The number that people see."""
        return number_of(self.id)


class Orders:
    """Places and finds orders as the service; `_shared.orders.order_rpc` changes them."""

    def __init__(self, data: Data, designs: Designs, catalog: Catalog, mockup_base: str) -> None:
        self._data = data
        self._designs = designs
        self._catalog = catalog
        self._mockup_base = mockup_base

    def cart(self, caller: Caller, request: PaymentRequest) -> Cart:
        """The caller's cart at our prices. 404 and 409 where the browser and the shop disagree."""
        design = self._designs.owned(caller, str(request.design_info.id))
        return plan_cart(request, design, self._catalog.by_ids(request.variant_ids), self._mockup_base)

    def pending(self, cart: Cart) -> Order | None:
        """The unpaid order that this cart has already become."""
        where = {
            "user_id": cart.buyer_id,
            "cart_key": cart.key,
            "status": "pending",
            "cancel_requested_at": None,
        }
        row = self._data.row("orders", _COLUMNS, where)
        return _found(row) if row else None

    def place(self, cart: Cart) -> Order:
        """A pending order with its items, all at once; the same cart tried again gets the same order."""
        placed = self._data.call("place_order", cart.to_rpc())
        if not placed:  # in another tab, or by a request that was sent twice
            raise already_paid()
        return self.get(str(placed[0]["id"]))

    def visible(self, caller: Caller, order_id: str) -> Order:
        """An order that the caller may see; 404 for another user's."""
        row = self._data.row("orders", _COLUMNS, {"id": order_id})
        if row is None or not caller.may_see(str(row["user_id"])):
            raise not_found("Order", "order_not_found")
        return _found(row)

    def get(self, order_id: str) -> Order:
        """For every caller; 404 when there is none."""
        return self._by("id", order_id)

    def by_print_order(self, printify_order_id: str) -> Order:
        """The order that the printer knows under this id."""
        return self._by("printify_order_id", printify_order_id)

    def by_payment_intent(self, intent_id: str) -> Order:
        """The order that belongs to this PaymentIntent."""
        return self._by("payment_intent_id", intent_id)

    def save_payment_intent_id(self, order: Order, intent_id: str) -> None:
        self._data.update("orders", {"payment_intent_id": intent_id}, {"id": order.id, "status": "pending"})

    def _by(self, column: str, value: str) -> Order:
        row = self._data.row("orders", _COLUMNS, {column: value})
        if row is None:
            raise not_found("Order", "order_not_found")
        return _found(row)


def already_paid() -> ShopError:
    """A second click must not pay for one cart twice."""
    return ShopError(409, "already_paid", "This order has been paid already. You find it on your dashboard.")


def _found(row: Row) -> Order:
    """The row's order, which every line of the log names from here on."""
    order = _order(row)
    add_to_context(order=order.id)
    return order


def _order(row: Row) -> Order:
    def text(name: str) -> str:
        return str(row[name] or "")

    return Order(
        id=text("id"),
        user_id=text("user_id"),
        status=one_of(ORDER_STATUSES, row["status"]),
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
        created_at=datetime.fromisoformat(text("created_at")),
        paid_at=datetime.fromisoformat(text("paid_at")) if row["paid_at"] else None,
        print_is_requested=row["print_requested_at"] is not None,
        cancel_is_requested=row["cancel_requested_at"] is not None,
        refund_id=text("refund_id"),
        refunded_cents=int(row["refunded_cents"]),
        lost_cents=int(row["lost_cents"]),
        is_held=row["held_at"] is not None,
        is_design_held=row["design_held_at"] is not None,
        money_version=int(row["money_version"]),
        link_version=int(row["link_version"]),
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
