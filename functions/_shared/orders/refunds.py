"""Refunds by an admin. The request is stored before Stripe is called, as in `_shared.orders.cancellation`."""

from __future__ import annotations

from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.orders.cancellation import Cancellation
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order
from _shared.orders.payments import Payments


class Refunds:
    """Returns payments; what is not printed yet is cancelled with them."""

    def __init__(self, order_rpc: OrderRpc, payments: Payments, cancellation: Cancellation) -> None:
        self._rpc = order_rpc
        self._payments = payments
        self._cancellation = cancellation

    def refund(self, order: Order, caller: Caller, reason: str) -> Order:
        """The refunded order; a shipped one keeps its status. 409 `order_not_paid`, 502 `refund_pending`."""
        if order.status == "paid":
            refunded = self._cancellation.cancel(order, caller, reason)
        else:
            if self._rpc.request_refund(order.id, caller.id, reason) == "unpaid":
                raise ShopError(
                    409, "order_not_paid", "This order has not been paid, so there is nothing to refund."
                )
            refunded = self._payments.refund_if_due(order.id)
        if refunded.is_refunded:
            return refunded
        raise ShopError(
            502, "refund_pending", "The card company did not answer. The refund will follow by itself."
        )
