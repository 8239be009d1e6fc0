"""Begins a design with an empty shirt: no picture yet, and an empty scene as its draft."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field


class BeginRequest(BaseModel):
    """Ids of product_variants; the first is the colour shown."""

    colors: Annotated[list[UUID], Field(alias="selectedColors", min_length=1, max_length=50)]


@endpoint(body=BeginRequest, caller="user")
def begin_design(request: BeginRequest, caller: Caller, shop: Shop) -> ResponseBody:
    colors = [str(color) for color in request.colors]
    return {"success": True, "designId": shop.drafts.begin(shop.callers.person(caller), colors)}
