"""Sends the order confirmation, once per order; admins may send it again to try it out."""

from __future__ import annotations

from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel


class ConfirmationRequest(BaseModel):
    """Of a paid order."""

    order_id: UUID


@endpoint(body=ConfirmationRequest, caller="user", needs=("mail",))
def send_order_webhook(request: ConfirmationRequest, caller: Caller, shop: Shop) -> ResponseBody:
    order = shop.orders.visible(caller, str(request.order_id))
    shop.notifications.confirm(order, again=caller.is_admin)
    return {"success": True}
