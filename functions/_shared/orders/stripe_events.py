"""Stripe's webhooks: signed, perhaps twice, late or out of order. An event only says where to look: what it claims
about money is looked up at Stripe again.

An event is acknowledged once its work is committed, or when it has no work for us. One that matches no order of ours
is not (404), so that it comes again when the order is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from _shared.orders.fulfilment import Fulfilment
from _shared.orders.notifications import Notifications
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order
from _shared.orders.payments import Payments
from _shared.orders.webhooks import EventId, EventModel, SignatureVerifier, attempt, reject_future

_YEAR_6000 = 2**37


class _StripeObject(EventModel):
    id: str = ""
    payment_intent: str | None = None


class _StripeData(EventModel):
    object: _StripeObject


class StripeEvent(EventModel):
    """https://docs.stripe.com/api/events/object"""

    id: EventId
    type: str
    created: Annotated[int, Field(ge=0, le=_YEAR_6000)] = 0
    data: _StripeData


class StripeEvents:
    """The types in `handlers` have work for us: those of webhook_events.json, which the webhook is registered for."""

    def __init__(
        self,
        signature_verifier: SignatureVerifier,
        order_rpc: OrderRpc,
        payments: Payments,
        fulfilment: Fulfilment,
        notifications: Notifications,
    ) -> None:
        self._signature_verifier = signature_verifier
        self._rpc = order_rpc
        self._payments = payments
        self._fulfilment = fulfilment
        self._notifications = notifications
        self.handlers: Mapping[str, Callable[[StripeEvent], Order | None]] = {
            "payment_intent.succeeded": self._settle,
            "payment_intent.payment_failed": self._record_failure,
            "payment_intent.canceled": self._settle,
            "charge.refunded": self._record_refunds,
            "refund.failed": lambda event: payments.flag_failed_refund(event.data.object.id),
            "charge.dispute.created": lambda event: payments.flag_dispute(event.data.object.id),
        }

    def receive(self, body: bytes, signature: str) -> None:
        self._signature_verifier.check_signature(body, signature)
        event = StripeEvent.model_validate_json(body)
        reject_future(datetime.fromtimestamp(event.created, UTC))
        if self._rpc.has_seen("stripe", event.id):
            return
        handler = self.handlers.get(event.type)
        order = handler(event) if handler is not None else None
        if order is not None:
            self._rpc.mark_seen("stripe", event.id, event.type, order.id)
            self._continue(order)

    def _settle(self, event: StripeEvent) -> Order | None:
        return self._payments.settle_intent(event.data.object.id)

    def _record_failure(self, event: StripeEvent) -> Order:
        """Recorded only: the order may have been paid since."""
        order = self._payments.order_of_intent(event.data.object.id)
        self._rpc.note(order.id, "payment_failed", {"event": event.id})
        return order

    def _record_refunds(self, event: StripeEvent) -> Order:
        return self._payments.record_refunds(event.data.object.payment_intent or "")

    def _continue(self, order: Order) -> None:
        """Prints and confirms at once. Both are queued already: the sweep repeats a failure, not Stripe."""
        if not order.is_paid:
            return
        if not order.printify_order_id:
            attempt("print", order, lambda: self._fulfilment.submit(order))
        attempt(
            "confirm",
            order,
            lambda: self._notifications.send_pending(order, "confirmation", "order.confirmed"),
        )
