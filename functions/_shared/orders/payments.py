"""Payments: one intent per order, and only an intent read from Stripe makes an order paid.

Browser, webhook and sweep all settle here: ask Stripe for the intent, hand what it says to the database's
`settle_order`, which looks at amount, currency and order again under a lock. What has gone back since, and what is
disputed, comes into the books by `record_money`, whatever made us look.
"""

from __future__ import annotations

from typing import Literal, Protocol

from _shared.clients.stripe_api import Intent, Returned
from _shared.core.errors import ShopError, not_found
from _shared.orders.order_rpc import OrderRpc, SettleOutcome
from _shared.orders.orders import Order, Orders, already_paid


class PaymentApi(Protocol):
    """`clients.stripe_api.Stripe`."""

    def create_intent(self, *, order_id: str, amount: int, currency: str, description: str) -> Intent: ...
    def intent(self, intent_id: str) -> Intent: ...
    def cancel_intent(self, intent_id: str) -> Intent: ...
    def refund(self, intent_id: str, *, order_id: str, key: str) -> str: ...
    def returned(self, intent_id: str) -> Returned: ...


# Answers of Stripe that other processes have overtaken, before we leave it to the next one who looks.
_MOST_READINGS = 5


class Payments:
    """Ties orders to PaymentIntents."""

    def __init__(self, stripe: PaymentApi, orders: Orders, order_rpc: OrderRpc) -> None:
        self._stripe = stripe
        self._orders = orders
        self._rpc = order_rpc

    def intent_for(self, order: Order) -> Intent:
        """The order's intent, ready to be confirmed: a new one, or the one of the declined card.

        409 when there is nothing to confirm: paid already, still being processed, or cancelled at Stripe. An
        order whose intent Stripe will not let a shopper pay any more is cancelled.
        """
        if not order.payment_intent_id:
            return self._create(order)
        intent = self._stripe.intent(order.payment_intent_id)
        if intent.status == "succeeded":
            self.settle(order)
            raise already_paid()
        if intent.status == "processing":
            raise ShopError(
                409, "payment_processing", "Your bank is still processing this payment. Please wait a minute."
            )
        if intent.status == "canceled":
            self._rpc.cancel_unpaid(order.id, "intent canceled")
            raise ShopError(409, "payment_expired", "This payment has expired. Please try again.")
        return intent

    def settle(self, order: Order) -> Order:
        """The order as paid, if Stripe says that it is; 409 `payment_not_completed` if not."""
        if order.is_paid:
            return order
        intent = self._stripe.intent(order.payment_intent_id) if order.payment_intent_id else None
        if intent is None or self._settle_with(intent, order.id) != "paid":
            raise ShopError(
                409,
                "payment_not_completed",
                "This order has not been paid.",
                cause=f"intent {intent.id} is {intent.status}" if intent else "no intent",
            )
        return self._orders.get(order.id)

    def sync(self, intent_id: str) -> Order:
        """The intent's order, once the books say what Stripe says: paid, refunded, disputed.

        All of it is read again, so events may come late, twice or in any order. 404 when the intent's order is not
        ours or not here yet: then the event must come again.
        """
        order = self.order_of_intent(intent_id)
        if order.payment_intent_id != intent_id or not order.was_paid:
            intent = self._stripe.intent(intent_id)
            if intent.order_id != order.id:
                raise not_found("Order", "order_not_found")
            if self._settle_with(intent, order.id) == "open" and intent.status != "canceled":
                raise ShopError(
                    409, "payment_not_completed", "This order has not been paid.", cause=intent.status
                )
            order = self._orders.get(order.id)
        if order.payment_intent_id != intent_id or not order.was_paid:
            return self._report_other(order, intent_id)
        return self._record_money(order)

    def _report_other(self, order: Order, intent_id: str) -> Order:
        """Of a payment that is not the order's, second or of another amount, a person knows; and hears what follows."""
        returned = self._stripe.returned(intent_id)
        if returned.failed_refunds:
            self._rpc.flag(order.id, "refund_failed", ", ".join(returned.failed_refunds))
        if returned.disputes:
            self._rpc.flag(order.id, "disputed", ", ".join(one.id for one in returned.disputes))
        return order

    def _record_money(self, order: Order) -> Order:
        for _ in range(_MOST_READINGS):
            outcome = self._rpc.record_money(
                order.id, order.money_version, self._stripe.returned(order.payment_intent_id)
            )
            order = self._orders.get(order.id)
            if outcome == "recorded":
                return order
        raise ShopError(503, "order_busy", "This order is being changed. Please try again in a minute.")

    def order_of_intent(self, intent_id: str) -> Order:
        """The order that an intent was made for, whether or not it is the one that pays it. 404 when not ours."""
        try:
            return self._orders.by_payment_intent(intent_id)
        except ShopError as problem:
            if problem.status != 404 or not intent_id:
                raise
        order_id = self._stripe.intent(intent_id).order_id
        if not order_id:
            raise not_found("Order", "order_not_found")
        return self._orders.get(order_id)

    def close(self, order: Order) -> Order:
        """Cancels the intent of a pending order; one that was paid meanwhile is settled."""
        if order.payment_intent_id:
            intent = self._stripe.cancel_intent(order.payment_intent_id)
            if intent.status not in ("canceled", "succeeded"):
                raise ShopError(
                    409, "payment_processing", "Your bank is still processing this payment. Please wait."
                )
            self._settle_with(intent, order.id)
        return self._orders.get(order.id)

    def refund(self, order: Order) -> None:
        """Refunds the whole payment, once. 409 `payment_disputed` while a bank has to decide, or has taken it."""
        try:
            status = self._stripe.refund(order.payment_intent_id, order_id=order.id, key=order.id)
        except ShopError as problem:
            if problem.code == "payment_disputed":  # its event may not have come yet
                self._record_money(self._orders.get(order.id))
            raise
        self._record_money(self._orders.get(order.id))
        if status in ("failed", "canceled"):
            raise ShopError(502, "refund_failed", "The card company did not take the refund.", cause=status)

    def refund_if_due(self, order_id: str) -> Order:
        """The order after an attempt at its due refund; the sweep repeats an attempt that fails."""
        order = self._orders.get(order_id)
        if not order.payment_intent_id or order.is_refunded or not self._rpc.has_job(order_id, "refund"):
            return order
        try:
            self.refund(order)
        except ShopError:
            return order
        return self._orders.get(order_id)

    def _settle_with(self, intent: Intent, order_id: str) -> SettleOutcome | Literal["open"]:
        """Settles an order with an intent: settle_order's outcome, or `open` if the intent pays nothing."""
        if intent.order_id != order_id:
            return "open"
        if intent.status == "canceled":
            self._rpc.cancel_unpaid(order_id, "intent canceled")
            return "open"
        if intent.status != "succeeded":
            return "open"
        outcome = self._rpc.settle(order_id, intent.id, intent.amount_received, intent.currency)
        if outcome == "paid_twice":
            self._return_second(intent.id, order_id)
        return outcome

    def _return_second(self, intent_id: str, order_id: str) -> None:
        """A second payment is refunded at once, or once a bank has decided about it, unless some of it is gone."""
        returned = self._stripe.returned(intent_id)
        is_gone = returned.cents or returned.lost_cents or returned.failed_refunds
        if not is_gone and not returned.is_disputed:
            self._stripe.refund(intent_id, order_id=order_id, key=intent_id)

    def _create(self, order: Order) -> Intent:
        try:
            intent = self._stripe.create_intent(
                order_id=order.id,
                amount=order.total_cents,
                currency=order.currency,
                description=f"Teesmith order {order.number}",
            )
        except ShopError as problem:
            if problem.status < 500:  # a final refusal, unlike a network error
                self._rpc.cancel_unpaid(order.id, "refused by Stripe")
            raise
        self._orders.save_payment_intent_id(order, intent.id)
        return intent
