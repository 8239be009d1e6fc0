"""Payments: one intent per order, and only Stripe's own word makes an order paid."""

from __future__ import annotations

from typing import Protocol

from _shared.clients.stripe_api import Intent
from _shared.errors import ShopError
from _shared.orders import Order, Orders


class IntentApi(Protocol):
    """`clients.stripe_api.Stripe`."""

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent: ...
    def intent(self, intent_id: str) -> Intent: ...


class Payments:
    """Ties orders to PaymentIntents."""

    def __init__(self, stripe: IntentApi, orders: Orders) -> None:
        self._stripe = stripe
        self._orders = orders

    def intent_for(self, order: Order) -> Intent:
        """The order's intent, ready to be confirmed: a new one, or the one that a declined card left behind.

        409 when there is nothing to confirm: paid already, still being processed, or cancelled at Stripe. An
        intent that Stripe will never let anybody pay takes its order with it.
        """
        if not order.payment_intent_id:
            return self._create(order)
        intent = self._stripe.intent(order.payment_intent_id)
        if intent.status == "succeeded":
            self.settle(order)
            raise ShopError(
                409, "already_paid", "This order has been paid already. You find it on your dashboard."
            )
        if intent.status == "processing":
            raise ShopError(
                409, "payment_processing", "Your bank is still processing this payment. Please wait a minute."
            )
        if intent.status == "canceled":
            self._orders.cancel_unpaid(order)
            raise ShopError(409, "payment_expired", "This payment has expired. Please try again.")
        return intent

    def settle(self, order: Order) -> Order:
        """The order as paid, if Stripe says that it is; 409 `payment_not_completed` if not."""
        if order.is_paid:
            return order
        intent = self._stripe.intent(order.payment_intent_id) if order.payment_intent_id else None
        if intent is not None and intent.status == "canceled":
            self._orders.cancel_unpaid(order)
        if intent is None or not _pays(intent, order):
            raise ShopError(
                409,
                "payment_not_completed",
                "This order has not been paid.",
                cause=f"intent {intent.id} is {intent.status}" if intent else "no intent",
            )
        return self._orders.mark_paid(order)

    def _create(self, order: Order) -> Intent:
        try:
            intent = self._stripe.create_intent(
                order_id=order.id,
                amount=order.total_cents,
                currency=order.currency,
                description=f"Teesmith order {order.number}",
            )
        except ShopError as problem:
            if problem.status < 500:  # Stripe's last word, unlike a network that failed
                self._orders.cancel_unpaid(order)
            raise
        self._orders.keep_intent(order, intent.id)
        return intent


def _pays(intent: Intent, order: Order) -> bool:
    """All of it, for this order, in our currency: a paid intent of another order pays nothing here."""
    return (
        intent.status == "succeeded"
        and intent.order_id == order.id
        and intent.currency == order.currency
        and intent.amount_received == order.total_cents
    )
