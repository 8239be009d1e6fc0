"""Places a pending order, priced from the database, and opens its payment."""

from __future__ import annotations

from _shared.core.callers import Caller
from _shared.endpoint import LARGEST_PICTURE_BODY, ResponseBody, endpoint
from _shared.orders.checkout import PaymentRequest
from _shared.shop import Shop


# design_info may carry the whole picture, which is ignored
@endpoint(body=PaymentRequest, caller="user", needs=("stripe",), largest=LARGEST_PICTURE_BODY)
def create_payment_intent(request: PaymentRequest, caller: Caller, shop: Shop) -> ResponseBody:
    cart = shop.orders.cart(shop.callers.person(caller), request)
    order = shop.orders.pending(cart)  # the same cart, tried again after a declined card: it has been counted
    if order is None:
        with shop.usage.reserve(caller, "order") as reservation:
            order = shop.orders.place(cart)
            if order.payment_intent_id:  # placed by another request since
                reservation.cancel()
    intent = shop.payments.intent_for(order)
    return {"client_secret": intent.client_secret, "order_id": order.id, "payment_intent_id": intent.id}
