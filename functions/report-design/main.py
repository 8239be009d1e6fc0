"""Reports a design to the shop: anybody who sees it can, without an account. The response says only that it arrived."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.core.visible_text import Cleaned
from _shared.endpoint import ResponseBody, endpoint
from _shared.moderation.reasons import Reason
from _shared.shop import Shop
from pydantic import BaseModel, Field, StringConstraints


class Report(BaseModel):
    """The design, by its link, and what is wrong with it."""

    design_id: Annotated[UUID, Field(alias="designId")]
    key: Annotated[str, StringConstraints(max_length=100)] | None = None
    reason: Reason
    words: Annotated[str, Cleaned, StringConstraints(max_length=1000)] = ""


@endpoint(body=Report, caller="anyone", needs=("supabase",))
def report_design(request: Report, caller: Caller, shop: Shop) -> ResponseBody:
    shop.reports.report(str(request.design_id), request.key, request.reason, request.words, caller.address)
    return {"success": True}
