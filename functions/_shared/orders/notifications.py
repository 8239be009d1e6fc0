"""Notifications: to the shopper and the admin by mail, the shop's own automation by JSON.

SQL functions put every message into an outbox (order_messages); here one is claimed under a lease, sent, and marked.
The first process sends it, the others find nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Protocol, get_args

from _shared.clients.smtp import Email
from _shared.core.errors import ShopError
from _shared.core.logs import log_context, log_trouble
from _shared.core.outcomes import one_of
from _shared.orders.emails import EmailKind, admin_alert, render_email
from _shared.orders.order_links import OrderLinks
from _shared.orders.order_rpc import Message, OrderRpc
from _shared.orders.orders import Order, Orders

_MOST_ATTEMPTS = 14  # about half a day
_EMAIL_KINDS: tuple[EmailKind, ...] = get_args(EmailKind)
_NOTICE = "notice_"
_MARKING_PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)  # within the message's lease


class Mailer(Protocol):
    """`clients.smtp.Smtp`."""

    def send(self, email: Email, key: str = "") -> None: ...


class WebhookSender(Protocol):
    """`clients.automation.Automation`."""

    def send(self, event: str, key: str, data: Mapping[str, object]) -> None: ...


class Notifications:
    """Every message is sent once; admins can repeat an e-mail as a test."""

    def __init__(
        self,
        mailer: Mailer,
        webhook_sender: WebhookSender,
        orders: Orders,
        order_rpc: OrderRpc,
        order_links: OrderLinks,
        *,
        site_url: str,
        notice_email: str,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._mailer = mailer
        self._webhook_sender = webhook_sender
        self._orders = orders
        self._rpc = order_rpc
        self._links = order_links
        self._site_url = site_url
        self._notice_email = notice_email
        self._pause = pause

    def confirm(self, order: Order, *, again: bool = False) -> None:
        """409 for orders that are not paid. The sweep repeats a failed attempt."""
        if not order.is_paid:
            raise ShopError(
                409, "order_not_paid", "This order has not been paid, so there is nothing to confirm."
            )
        self._send(order, "confirmation", "order.confirmed", again=again)

    def confirm_shipment(self, order: Order, *, again: bool = False) -> None:
        """409 for orders without a parcel."""
        if order.status not in ("shipped", "delivered"):
            raise ShopError(409, "order_not_shipped", "This order has not been shipped yet.")
        self._send(order, "shipped", "order.shipped", again=again)

    def send_pending(self, order: Order, *kinds: str) -> None:
        """Sends these messages of an order, if they are unsent."""
        for kind in kinds:
            message = self._rpc.claim_message(order.id, kind)
            if message:
                self._deliver(message)

    def deliver_next(self) -> bool | None:
        """Sends one message that is due: whether it was sent; None when nothing is due."""
        message = self._rpc.claim_message()
        return self._deliver(message) if message else None

    def _send(self, order: Order, mail: EmailKind, event: str, *, again: bool) -> None:
        message = self._rpc.claim_message(order.id, mail)
        if message:
            self._deliver(message)
        elif again:
            self._mailer.send(render_email(mail, order, self._links, self._site_url))
        self.send_pending(order, event)

    def _deliver(self, message: Message) -> bool:
        with log_context(order=message.order_id, message_kind=message.kind):
            return self._try(message)

    def _try(self, message: Message) -> bool:
        try:
            self._dispatch(message, self._orders.get(message.order_id))
        except ShopError as problem:
            log_trouble(f"{message.channel} {message.kind} was not sent", problem.cause or problem)
            self._rpc.fail_message(message, str(problem.cause or problem), _MOST_ATTEMPTS)
            return False
        self._mark(message)
        return True

    def _dispatch(self, message: Message, order: Order) -> None:
        if message.channel == "automation":
            self._webhook_sender.send(message.kind, order.id, _summary(order))
        elif message.kind.startswith(_NOTICE):
            reason = message.kind.removeprefix(_NOTICE)
            email = admin_alert(order, self._notice_email, reason, message.details, self._site_url)
            self._mailer.send(email, message.id)
        else:
            kind = one_of(_EMAIL_KINDS, message.kind)
            self._mailer.send(render_email(kind, order, self._links, self._site_url), message.id)

    def _mark(self, message: Message) -> None:
        """Marks a message as sent, with patience: one that is not marked would be sent again."""
        for pause in _MARKING_PAUSES:
            try:
                return self._rpc.finish_message(message)
            except ShopError:
                self._pause(pause)
        return self._rpc.finish_message(message)


def _summary(order: Order) -> dict[str, object]:
    return {
        "order_id": order.id,
        "number": order.number,
        "status": order.status,
        "total_cents": order.total_cents,
        "refunded_cents": order.refunded_cents,
        "currency": order.currency,
        "printify_order_id": order.printify_order_id or None,
        "tracking": {"carrier": order.carrier, "number": order.tracking_number, "url": order.tracking_url},
        "customer": {"name": order.address.name, "email": order.address.email},
        "items": [
            {"name": item.name, "color": item.color, "size": item.size, "quantity": item.quantity}
            for item in order.items
        ],
    }
