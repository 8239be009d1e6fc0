"""Moves the caller's order to paid, if Stripe says that it is. The browser only starts the check."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel


class StatusRequest(BaseModel):
    """Paid is the one status that a shopper's browser may ask for."""

    order_id: UUID
    status: Literal["paid"]


@endpoint(body=StatusRequest, caller="user", needs=("stripe",))
def update_order_status(request: StatusRequest, caller: Caller, shop: Shop) -> ResponseBody:
    order = shop.payments.settle(shop.orders.visible(caller, str(request.order_id)))
    return {"order_id": order.id, "status": order.status}
