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

    @property
    def intent_id(self) -> str:
        """The intent that it is about, or of the charge, refund or dispute that it is about."""
        subject = self.data.object
        return subject.id if self.type.startswith("payment_intent.") else subject.payment_intent or ""


class StripeEvents:
    """The types in `handlers` have work for us: those of webhook_events.json, which the webhook is registered for."""

    def __init__(
        self,
        signature_verifier: SignatureVerifier,
        order_rpc: OrderRpc,
        payments: Payments,
        fulfilment: Fulfilment,
        notifications: Notifications,
        now: Callable[[], datetime],
    ) -> None:
        self._signature_verifier = signature_verifier
        self._rpc = order_rpc
        self._payments = payments
        self._fulfilment = fulfilment
        self._notifications = notifications
        self._now = now
        self.handlers: Mapping[str, Callable[[StripeEvent], Order]] = {
            "payment_intent.succeeded": self._sync,
            "payment_intent.payment_failed": self._record_failure,
            "payment_intent.canceled": self._sync,
            "charge.refunded": self._sync,
            "refund.created": self._sync,
            "refund.updated": self._sync,
            "refund.failed": self._sync,
            "charge.dispute.created": self._sync,
            "charge.dispute.updated": self._sync,
            "charge.dispute.closed": self._sync,
            "charge.dispute.funds_withdrawn": self._sync,
            "charge.dispute.funds_reinstated": self._sync,
        }

    def receive(self, body: bytes, signature: str) -> None:
        self._signature_verifier.check_signature(body, signature)
        event = StripeEvent.model_validate_json(body)
        reject_future(datetime.fromtimestamp(event.created, UTC), self._now())
        if self._rpc.has_seen("stripe", event.id):
            return
        handler = self.handlers.get(event.type)
        if handler is not None:
            order = handler(event)
            self._rpc.mark_seen("stripe", event.id, event.type, order.id)
            self._continue(order)

    def _sync(self, event: StripeEvent) -> Order:
        return self._payments.sync(event.intent_id)

    def _record_failure(self, event: StripeEvent) -> Order:
        """Recorded only: the order may have been paid since."""
        order = self._payments.order_of_intent(event.intent_id)
        self._rpc.note(order.id, "payment_failed", {"event": event.id})
        return order

    def _continue(self, order: Order) -> None:
        """Prints and confirms at once. Both are queued already: the sweep repeats a failure, not Stripe."""
        if not order.may_be_produced:
            return
        if not order.printify_order_id:
            attempt("print", lambda: self._fulfilment.submit(order))
        attempt(
            "confirm",
            lambda: self._notifications.send_pending(order, "confirmation", "order.confirmed"),
        )
