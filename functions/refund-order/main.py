"""Returns an order's payment, per the returns policy. For admins; a repeated call answers with the same refund."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.core.visible_text import Cleaned
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, StringConstraints


class RefundRequest(BaseModel):
    """The reason goes into the audit trail."""

    order_id: UUID
    reason: Annotated[str, Cleaned, StringConstraints(min_length=1, max_length=500)]


@endpoint(body=RefundRequest, caller="admin", needs=("stripe", "printify"))
def refund_order(request: RefundRequest, caller: Caller, shop: Shop) -> ResponseBody:
    order = shop.refunds.refund(shop.orders.get(str(request.order_id)), caller, request.reason)
    return {"order_id": order.id, "status": order.status, "refund_id": order.refund_id}
