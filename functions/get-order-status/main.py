"""An order's progress, for the bearer of the signed address from its e-mails. It changes nothing."""

from __future__ import annotations

from typing import Annotated

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, StringConstraints


class StatusQuestion(BaseModel):
    """The token is in the body, never in an address: addresses are logged."""

    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]


@endpoint(body=StatusQuestion, caller="anyone", needs=("supabase",))
def get_order_status(request: StatusQuestion, caller: Caller, shop: Shop) -> ResponseBody:
    return shop.tracking.status(request.token, caller.address)
