"""The print order of a paid order: submitted once, sent to production, synchronized until delivery, or cancelled.

Our order's id is the print order's external id, so that the printer itself recognizes a second attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, assert_never

from _shared.clients.printify import PrintOrder
from _shared.core.errors import ShopError, not_found
from _shared.orders.order_rpc import OrderRpc
from _shared.orders.orders import Order, Orders

CancelOutcome = Literal["cancelled", "not_yet", "too_late"]

# Printify's statuses (order reference, and as observed); all others are between release and delivery
_BEFORE_HOLD = ("pending", "cost-calculation")
_CANCELABLE = ("on-hold", "payment-not-received")
_IN_PRODUCTION = ("in-production", "partially-fulfilled", "fulfilled")
_TROUBLE = ("has-issues", "quality-declined", "source-check-failed", "unfulfillable", "payment-not-received")
_MINUTE, _HOUR = 60, 3600


class PrintApi(Protocol):
    """`clients.printify.Printify`, as far as orders go."""

    def create_order(
        self, *, external_id: str, label: str, line_items: list[dict[str, Any]], address_to: dict[str, str]
    ) -> str: ...
    def order(self, print_order_id: str) -> PrintOrder | None: ...
    def send_to_production(self, print_order_id: str) -> bool: ...
    def cancel_order(self, print_order_id: str) -> bool: ...


class Fulfilment:
    """`sends_to_production` says whether print orders are sent to production by this code, or by hand.

    `look_at_money` brings an order's books up to what Stripe says (`Payments.sync`).
    """

    def __init__(
        self,
        printer: PrintApi,
        orders: Orders,
        order_rpc: OrderRpc,
        look_at_money: Callable[[Order], Order],
        *,
        sends_to_production: bool,
    ) -> None:
        self._printer = printer
        self._orders = orders
        self._rpc = order_rpc
        self._look_at_money = look_at_money
        self._sends_to_production = sends_to_production

    def submit(self, order: Order) -> str:
        """The id of the order's print order. Only for paid orders that are not cancelled."""
        if order.printify_order_id:
            return order.printify_order_id
        match self._rpc.begin_printing(order.id):
            case "go":
                return self._create(order)
            case "printed":  # by a process that was faster
                return self._orders.get(order.id).printify_order_id
            case "cancelled":
                raise ShopError(409, "order_cancelled", "This order has been cancelled.")
            case "held":
                raise ShopError(
                    409,
                    "order_held",
                    "The bank has a question about this payment. We print once it is settled.",
                )
            case "design_held":
                raise ShopError(
                    409, "order_held", "We are looking into this design. We print once that is settled."
                )
            case "unpaid":
                raise ShopError(
                    409, "order_not_paid", "This order has not been paid, so it was not sent to print."
                )
            case outcome:
                assert_never(outcome)

    def sync_status(self, order: Order) -> int | None:
        """Copies the print order's status; the seconds until the next look, None when the order is done."""
        print_order = self._printer.order(order.printify_order_id)
        if print_order is None:
            self._rpc.flag(order.id, "print_order_missing", f"The printer has no {order.printify_order_id}.")
            return None
        if print_order.status == "on-hold":
            return self._release(order.id, print_order)
        if print_order.status == "canceled":
            self._flag_cancelled(order.id)
            return None
        if print_order.status in _TROUBLE:
            self._rpc.flag(order.id, "printer_problem", f"The print order is {print_order.status}.")
        self._record(order.id, print_order)
        if print_order.is_delivered:
            return None
        if print_order.is_shipped:
            return 6 * _HOUR
        return 10 if print_order.status in _BEFORE_HOLD else 5 * _MINUTE

    def handle_update(self, print_order_id: str) -> Order:
        """Retrieves a print order that an event has named. 404 when it is not one of ours."""
        try:
            order = self._orders.by_print_order(print_order_id)
        except ShopError as problem:
            if problem.status != 404:
                raise
            order = self._by_external_id(print_order_id)
        self.sync_status(order)
        return order

    def cancel(self, order: Order) -> CancelOutcome:
        """Cancels the print order if production has not begun. `not_yet`: the printer takes it in some seconds."""
        if not order.printify_order_id and not order.print_is_requested:
            return "cancelled"
        print_order_id = order.printify_order_id or self._resubmit(order)
        if not print_order_id:
            return "cancelled"
        print_order = self._printer.order(print_order_id)
        if print_order is None or print_order.status == "canceled":
            return "cancelled"
        if print_order.status in _BEFORE_HOLD:
            return "not_yet"
        if print_order.status in _CANCELABLE and self._printer.cancel_order(print_order_id):
            return "cancelled"
        return "too_late"

    def _create(self, order: Order) -> str:
        print_order_id = self._printer.create_order(
            external_id=order.id,
            label=order.number.removeprefix("#"),
            line_items=[
                {
                    "product_id": item.printify_product_id,
                    "variant_id": item.printify_variant_id,
                    "quantity": item.quantity,
                }
                for item in order.items
            ],
            address_to=order.address.to_printify(),
        )
        self._rpc.finish_printing(order.id, print_order_id)
        return print_order_id

    def _resubmit(self, order: Order) -> str:
        """The id of a print order that was submitted without a response; empty if the printer refuses it."""
        try:
            return self._create(order)
        except ShopError as problem:
            if problem.code == "printer_refused":
                return ""
            raise

    def _release(self, order_id: str, print_order: PrintOrder) -> int | None:
        """From production on nothing can be undone: Stripe is asked first whether the money is still ours.

        The order is looked up after the printer said on-hold: a cancellation that comes later finds it on hold too, or
        released, and so never confirms what it cannot do.
        """
        order = self._orders.get(order_id)
        if order.may_be_produced and self._sends_to_production:
            order = self._look_at_money(order)
        if order.status == "cancelled":
            return None
        if order.status == "paid" and order.is_refunded:  # also where the printer did not let go of it before
            self._rpc.request_cancellation(order.id, "", "the whole payment went back")
        if not order.may_be_produced:  # what ends a hold looks at once
            return _HOUR if order.is_held or order.is_design_held else _MINUTE
        if not self._sends_to_production:
            return 5 * _MINUTE
        if self._printer.send_to_production(print_order.id):
            self._rpc.note(order_id, "sent_to_production", {"printify_order_id": print_order.id})
        return _MINUTE

    def _flag_cancelled(self, order_id: str) -> None:
        order = self._orders.get(order_id)
        if order.status != "cancelled" and not order.cancel_is_requested:
            self._rpc.flag(order_id, "print_cancelled", "The printer has cancelled the print order.")

    def _record(self, order_id: str, print_order: PrintOrder) -> None:
        tracking = {"carrier": print_order.carrier, "number": print_order.number, "url": print_order.url}
        if print_order.is_delivered:
            self._rpc.record_progress(order_id, "delivered", **tracking)
        elif print_order.is_shipped:
            self._rpc.record_progress(order_id, "shipped", **tracking)
        elif print_order.status in _IN_PRODUCTION:
            self._rpc.record_progress(order_id, "processing")

    def _by_external_id(self, print_order_id: str) -> Order:
        """The order of a print order with an id that is not stored yet."""
        print_order = self._printer.order(print_order_id)
        if print_order is None or not print_order.external_id:
            raise not_found("Order", "order_not_found")
        order = self._orders.get(print_order.external_id)
        self._rpc.finish_printing(order.id, print_order.id)
        return self._orders.get(order.id)
