"""Notifies the customer, once, that the parcel is on its way; admins may send it again to try it out."""

from __future__ import annotations

from typing import Annotated

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, StringConstraints


class ParcelRequest(BaseModel):
    """The printer's id of the order."""

    printify_order_id: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]


@endpoint(body=ParcelRequest, caller="admin", needs=("mail",))
def send_tracking_webhook(request: ParcelRequest, caller: Caller, shop: Shop) -> ResponseBody:
    shop.notifications.confirm_shipment(
        shop.orders.by_print_order(request.printify_order_id), again=caller.is_admin
    )
    return {"success": True}
