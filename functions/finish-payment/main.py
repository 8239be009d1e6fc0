"""Opens an unpaid order's payment again for its owner: the card was declined, or the bank's check was left."""

from __future__ import annotations

from uuid import UUID

from _shared.core.callers import Caller
from _shared.core.errors import ShopError, not_found
from _shared.endpoint import ResponseBody, endpoint
from _shared.orders.orders import already_paid
from _shared.shop import Shop
from pydantic import BaseModel


class FinishRequest(BaseModel):
    """The answer is create-payment-intent's, and what Stripe says of the payment."""

    order_id: UUID


@endpoint(body=FinishRequest, caller="user", needs=("stripe",))
def finish_payment(request: FinishRequest, caller: Caller, shop: Shop) -> ResponseBody:
    order = shop.orders.get(str(request.order_id))
    if order.user_id != shop.callers.person(caller).id:
        raise not_found("Order", "order_not_found")
    if order.was_paid:
        raise already_paid()
    if order.status == "cancelled" or order.cancel_is_requested:
        raise ShopError(
            409,
            "payment_expired",
            "This order was cancelled before it was paid. Nothing was charged; please order again.",
        )
    intent = shop.payments.intent_for(order)
    return {
        "client_secret": intent.client_secret,
        "order_id": order.id,
        "payment_intent_id": intent.id,
        "payment_status": intent.status,
    }
