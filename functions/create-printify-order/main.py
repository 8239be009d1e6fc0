"""Sends a paid order to print, once. What is printed, and where it goes, comes from our order alone."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, ConfigDict, Field


class PrintRequest(BaseModel):
    """The body's address and lines are ignored: they were settled when the order was placed."""

    model_config = ConfigDict(extra="ignore")

    order_id: Annotated[UUID, Field(alias="orderId")]


@endpoint(body=PrintRequest, caller="user", needs=("printify",))
def create_printify_order(request: PrintRequest, caller: Caller, shop: Shop) -> ResponseBody:
    order = shop.orders.visible(caller, str(request.order_id))
    return {"success": True, "printify_order_id": shop.fulfilment.submit(order)}
