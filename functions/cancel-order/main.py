"""Cancels the caller's order before production begins: nothing is printed, and the payment goes back."""

from __future__ import annotations

from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel


class CancelRequest(BaseModel):
    """`refunded` in the answer is false when the refund follows by itself, or nothing was paid."""

    order_id: UUID


@endpoint(body=CancelRequest, caller="user", needs=("stripe", "printify"))
def cancel_order(request: CancelRequest, caller: Caller, shop: Shop) -> ResponseBody:
    order = shop.orders.visible(caller, str(request.order_id))
    reason = "requested by the shopper" if caller.id == order.user_id else "requested by an admin"
    cancelled = shop.cancellation.cancel(order, caller, reason)
    return {"order_id": cancelled.id, "status": cancelled.status, "refunded": cancelled.is_refunded}
