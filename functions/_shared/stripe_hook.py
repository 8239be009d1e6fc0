"""What Stripe tells us: signed, perhaps twice, late or out of order. An event only says where to look.

An event is acknowledged once its work is committed, or when it has no work for us. One that matches no order of ours
is not (404), so that it comes again when the order is here.
"""

from __future__ import annotations

from _shared.hooks import EventId, Part, Signature, attempt
from _shared.ledger import Ledger
from _shared.notices import Notices
from _shared.orders import Order
from _shared.payments import Payments
from _shared.printing import Printing


class _StripeObject(Part):
    id: str = ""
    payment_intent: str | None = None
    amount_refunded: int = 0


class _StripeData(Part):
    object: _StripeObject


class StripeEvent(Part):
    """https://docs.stripe.com/api/events/object"""

    id: EventId
    type: str
    data: _StripeData


class StripeHook:
    """payment_intent.*, charge.refunded, refund.failed, charge.dispute.created."""

    def __init__(
        self,
        seal: Signature,
        ledger: Ledger,
        payments: Payments,
        printing: Printing,
        notices: Notices,
    ) -> None:
        self._seal = seal
        self._ledger = ledger
        self._payments = payments
        self._printing = printing
        self._notices = notices

    def receive(self, body: bytes, signature: str) -> None:
        self._seal.check_signature(body, signature)
        event = StripeEvent.model_validate_json(body)
        if self._ledger.has_seen("stripe", event.id):
            return
        order = self._work(event)
        if order is not None:
            self._ledger.mark_seen("stripe", event.id, event.type, order.id)
            self._go_on(order)

    def _work(self, event: StripeEvent) -> Order | None:
        """The order that the event was about; None when the event asks nothing of us."""
        subject = event.data.object
        if event.type in ("payment_intent.succeeded", "payment_intent.canceled"):
            return self._payments.settle_intent(subject.id)
        if event.type == "payment_intent.payment_failed":
            # a card that was declined some time; whether the order is paid by now is not this event's business
            return self._noted(self._payments.order_of(subject.id), "payment_failed", event.id)
        if event.type == "charge.refunded":
            intent_id = subject.payment_intent or ""
            order = self._payments.order_of(intent_id)
            if order.payment_intent_id == intent_id:  # and not a second payment that went back at once
                self._ledger.record_refund(order.id, "", subject.amount_refunded)
            return order
        if event.type == "refund.failed":
            return self._flagged(subject, "refund_failed")
        if event.type == "charge.dispute.created":
            return self._flagged(subject, "disputed")
        return None

    def _noted(self, order: Order, kind: str, event_id: str) -> Order:
        self._ledger.note(order.id, kind, {"event": event_id})
        return order

    def _flagged(self, subject: _StripeObject, reason: str) -> Order:
        order = self._payments.order_of(subject.payment_intent or "")
        self._ledger.flag(order.id, reason, subject.id)
        return order

    def _go_on(self, order: Order) -> None:
        """Print and confirm at once. Both are queued already: what fails here the sweep repeats, not Stripe."""
        if not order.is_paid:
            return
        if not order.printify_order_id:
            attempt("print", order, lambda: self._printing.fulfil(order))
        attempt("confirm", order, lambda: self._notices.flush(order, "confirmation", "order.confirmed"))
