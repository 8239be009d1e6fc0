"""Places a pending order, reckoned from the database, and opens its payment."""

from __future__ import annotations

from _shared.callers import Caller
from _shared.checkout import PaymentRequest
from _shared.endpoint import Answer, endpoint
from _shared.shop import Shop


@endpoint(body=PaymentRequest, caller="user", needs=("stripe",))
def create_payment_intent(ask: PaymentRequest, caller: Caller, shop: Shop) -> Answer:
    order = shop.orders.place(shop.callers.person(caller), ask)
    intent = shop.payments.intent_for(order)
    return {"client_secret": intent.client_secret, "order_id": order.id, "payment_intent_id": intent.id}
