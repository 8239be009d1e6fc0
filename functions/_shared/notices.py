"""Telling people: the shopper by mail, the shop's own automation by JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from _shared.clients.smtp import Letter
from _shared.errors import ShopError
from _shared.letters import confirmation, parcel_notice
from _shared.orders import Order, Orders


class Post(Protocol):
    """`clients.smtp.Smtp`."""

    def send(self, letter: Letter) -> None: ...


class Listener(Protocol):
    """`clients.automation.Automation`."""

    def tell(self, event: str, key: str, data: Mapping[str, object]) -> None: ...


class Notices:
    """Confirmations go out once per order, unless an admin asks again."""

    def __init__(self, post: Post, listener: Listener, orders: Orders, site_url: str) -> None:
        self._post = post
        self._listener = listener
        self._orders = orders
        self._site_url = site_url

    def confirm(self, order: Order, *, again: bool) -> None:
        """409 for orders that are not paid. `again` is for admins who try the mail out."""
        if not order.is_paid:
            raise ShopError(
                409, "order_not_paid", "This order has not been paid, so there is nothing to confirm."
            )
        claimed = self._orders.claim_confirmation(order)
        if not (claimed or again):
            return
        try:
            self._post.send(confirmation(order, self._site_url))
        except ShopError:
            if claimed:
                self._orders.release_confirmation(order)
            raise
        # After the mail, and outside the claim: an automation that is away must not cost the shopper a second mail.
        self._listener.tell("order.confirmed", order.id, _summary(order))

    def parcel(self, order: Order) -> None:
        self._post.send(parcel_notice(order, self._site_url))
        self._listener.tell("order.shipped", order.id, _summary(order))


def _summary(order: Order) -> dict[str, object]:
    return {
        "order_id": order.id,
        "number": order.number,
        "status": order.status,
        "total_cents": order.total_cents,
        "currency": order.currency,
        "printify_order_id": order.printify_order_id or None,
        "tracking": {"carrier": order.carrier, "number": order.tracking_number, "url": order.tracking_url},
        "customer": {"name": order.address.name, "email": order.address.email},
        "items": [
            {"name": item.name, "color": item.color, "size": item.size, "quantity": item.quantity}
            for item in order.items
        ],
    }
