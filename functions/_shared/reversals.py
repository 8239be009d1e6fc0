"""Cancellations before production begins, refunds after. Each is recorded first, then done.

The request is stored before any vendor is called, with a job that the sweep finishes if we do not.
"""

from __future__ import annotations

from _shared.callers import Caller
from _shared.errors import ShopError
from _shared.ledger import Ledger
from _shared.orders import Order, Orders
from _shared.payments import Payments
from _shared.printing import Printing


class Reversals:
    """Stops the printer, closes or returns the payment."""

    def __init__(self, orders: Orders, ledger: Ledger, payments: Payments, printing: Printing) -> None:
        self._orders = orders
        self._ledger = ledger
        self._payments = payments
        self._printing = printing

    def cancel(self, order: Order, caller: Caller, reason: str) -> Order:
        """The cancelled order, refunded if the card company answers. 409 `too_late_to_cancel` once production began."""
        status = self._ledger.request_cancellation(order.id, caller.id, reason)
        if status not in ("pending", "paid", "cancelled"):
            raise _too_late()
        if status != "cancelled":
            try:
                self.finish_cancelling(order.id)
            except ShopError as problem:
                if problem.status < 500:
                    raise
                raise ShopError(
                    502,
                    "cancellation_pending",
                    "We have noted your cancellation and will confirm it by e-mail.",
                    cause=problem.cause or problem,
                ) from problem
        return self._with_refund(order.id)

    def finish_cancelling(self, order_id: str) -> None:
        """What is still to be done of a requested cancellation."""
        order = self._orders.get(order_id)
        if order.status == "pending":
            order = self._payments.close(order)
        if order.status == "cancelled":
            return
        if not order.cancel_is_requested:
            return  # withdrawn meanwhile
        ending = "stopped" if order.status == "pending" else self._printing.stop(order)
        if ending == "too_late":
            self._ledger.withdraw_cancellation(order.id, "in production")
            raise _too_late()
        self._ledger.cancel(order.id, print_is_stopped=ending == "stopped")

    def stop_print(self, order: Order) -> int | None:
        """Ends the print order of a cancelled order; in how many seconds to try again."""
        ending = self._printing.stop(order)
        if ending == "too_late":
            self._ledger.flag(
                order.id, "printed_although_cancelled", f"Print order {order.printify_order_id}."
            )
        return 10 if ending == "later" else None

    def refund(self, order: Order, caller: Caller, reason: str) -> Order:
        """An admin gives a payment back. What is not printed yet is cancelled; the status of a shipped order stays."""
        if order.status == "paid":
            return self._paid_back(self.cancel(order, caller, reason))
        word = self._ledger.request_refund(order.id, caller.id, reason)
        if word == "unpaid":
            raise ShopError(
                409, "order_not_paid", "This order has not been paid, so there is nothing to refund."
            )
        return self._paid_back(self._with_refund(order.id))

    def _with_refund(self, order_id: str) -> Order:
        """Tries the refund that is due; the sweep goes on trying if this does not succeed."""
        order = self._orders.get(order_id)
        if not order.payment_intent_id or order.is_refunded or not self._ledger.has_job(order_id, "refund"):
            return order
        try:
            self._payments.pay_back(order)
        except ShopError:
            return order
        return self._orders.get(order_id)

    @staticmethod
    def _paid_back(order: Order) -> Order:
        if order.is_refunded:
            return order
        raise ShopError(
            502, "refund_pending", "The card company did not answer. The refund will follow by itself."
        )


def _too_late() -> ShopError:
    return ShopError(
        409, "too_late_to_cancel", "Your shirts are in production already, so this order cannot be cancelled."
    )
