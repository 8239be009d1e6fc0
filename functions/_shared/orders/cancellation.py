"""Cancellations before production begins: the printer is stopped, the payment closed or returned.

The request is stored before any vendor is called, with a job that the sweep finishes if we do not.
"""

from __future__ import annotations

from typing import assert_never

from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.orders.fulfilment import CancelOutcome, Fulfilment
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order, Orders
from _shared.orders.payments import Payments


class Cancellation:
    """Cancels orders for shoppers and admins."""

    def __init__(
        self, orders: Orders, order_rpc: OrderRpc, payments: Payments, fulfilment: Fulfilment
    ) -> None:
        self._orders = orders
        self._rpc = order_rpc
        self._payments = payments
        self._fulfilment = fulfilment

    def cancel(self, order: Order, caller: Caller, reason: str) -> Order:
        """The cancelled order, refunded if Stripe answers. 409 `too_late_to_cancel` once production began."""
        status = self._rpc.request_cancellation(order.id, caller.id, reason)
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
        return self._payments.refund_if_due(order.id)

    def finish_cancelling(self, order_id: str) -> None:
        """Does the rest of a requested cancellation."""
        order = self._orders.get(order_id)
        if order.status == "pending":
            order = self._payments.close(order)
        if order.status == "cancelled":
            return
        if not order.cancel_is_requested:
            return  # withdrawn meanwhile
        outcome: CancelOutcome = "cancelled" if order.status == "pending" else self._fulfilment.cancel(order)
        match outcome:
            case "cancelled":
                self._rpc.cancel(order.id, print_is_stopped=True)
            case "not_yet":  # the job `stop_print` goes on
                self._rpc.cancel(order.id, print_is_stopped=False)
            case "too_late":
                self._rpc.withdraw_cancellation(order.id, "in production")
                raise _too_late()
            case _:
                assert_never(outcome)

    def stop_printing(self, order: Order) -> int | None:
        """Cancels the print order of a cancelled order; the seconds until the next attempt, None when done."""
        match self._fulfilment.cancel(order):
            case "cancelled":
                return None
            case "not_yet":
                return 10
            case "too_late":
                details = f"Print order {order.printify_order_id}."
                self._rpc.flag(order.id, "printed_although_cancelled", details)
                return None
            case outcome:
                assert_never(outcome)


def _too_late() -> ShopError:
    return ShopError(
        409, "too_late_to_cancel", "Your shirts are in production already, so this order cannot be cancelled."
    )
