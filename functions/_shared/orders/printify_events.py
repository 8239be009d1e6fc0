"""The printer's webhooks: signed, perhaps twice, late or out of order. An event only says where to look.

An event is acknowledged once its work is committed, or when it has no work for us. One that matches no order of ours
is not (404), so that it comes again when the order is here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from pydantic import AwareDatetime

from _shared.orders.fulfilment import Fulfilment
from _shared.orders.notifications import Notifications
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.webhooks import EventId, EventModel, SignatureVerifier, attempt, reject_future


class _Resource(EventModel):
    id: str
    type: str = ""


class PrintifyEvent(EventModel):
    """Printify's webhook body."""

    id: EventId
    type: str
    created_at: AwareDatetime | None = None
    resource: _Resource


class PrintifyEvents:
    """order:* events. Their contents do not count: the order is retrieved from the printer."""

    def __init__(
        self,
        signature_verifier: SignatureVerifier,
        order_rpc: OrderRpc,
        fulfilment: Fulfilment,
        notifications: Notifications,
        now: Callable[[], datetime],
    ) -> None:
        self._signature_verifier = signature_verifier
        self._rpc = order_rpc
        self._fulfilment = fulfilment
        self._notifications = notifications
        self._now = now

    def receive(self, body: bytes, signature: str) -> None:
        self._signature_verifier.check_signature(body, signature)
        event = PrintifyEvent.model_validate_json(body)
        if event.created_at:
            reject_future(event.created_at, self._now())
        if not event.type.startswith("order:") or self._rpc.has_seen("printify", event.id):
            return
        order = self._fulfilment.handle_update(event.resource.id)
        self._rpc.mark_seen("printify", event.id, event.type, order.id)
        attempt("notify", lambda: self._notifications.send_pending(order, "shipped", "order.shipped"))
