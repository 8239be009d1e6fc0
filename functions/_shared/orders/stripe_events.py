"""Stripe's webhooks: signed, perhaps twice, late or out of order. An event only says where to look: what it claims
about money is looked up at Stripe again.

An event is acknowledged once its work is committed, or when it has no work for us. One that matches no order of ours
is not (404), so that it comes again when the order is here.
"""

from __future__ import annotations

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
    """payment_intent.*, charge.refunded, refund.failed, charge.dispute.created."""

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

    def receive(self, body: bytes, signature: str) -> None:
        self._signature_verifier.check_signature(body, signature)
        event = StripeEvent.model_validate_json(body)
        reject_future(datetime.fromtimestamp(event.created, UTC))
        if self._rpc.has_seen("stripe", event.id):
            return
        order = self._work(event)
        if order is not None:
            self._rpc.mark_seen("stripe", event.id, event.type, order.id)
            self._continue(order)

    def _work(self, event: StripeEvent) -> Order | None:
        """The order that the event was about; None when the event needs no work."""
        subject = event.data.object
        if event.type in ("payment_intent.succeeded", "payment_intent.canceled"):
            return self._payments.settle_intent(subject.id)
        if event.type == "payment_intent.payment_failed":
            # recorded only: the order may have been paid since
            return self._record(self._payments.order_of_intent(subject.id), "payment_failed", event.id)
        if event.type == "charge.refunded":
            return self._payments.record_refunds(subject.payment_intent or "")
        if event.type == "refund.failed":
            return self._payments.flag_failed_refund(subject.id)
        if event.type == "charge.dispute.created":
            return self._payments.flag_dispute(subject.id)
        return None

    def _record(self, order: Order, kind: str, event_id: str) -> Order:
        self._rpc.note(order.id, kind, {"event": event_id})
        return order

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
