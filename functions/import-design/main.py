"""Copies a public design, or one shared by link, into the caller's collection."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field, StringConstraints


class ImportRequest(BaseModel):
    """The design to copy; knowing its id is the permission, as with the link, and the key where the link has one.

    `reuse`: a copy that the caller has already, or the caller's own design, will do.
    """

    original_design_id: Annotated[UUID, Field(alias="originalDesignId")]
    key: Annotated[str, StringConstraints(max_length=100)] | None = None
    reuse: bool = False


@endpoint(body=ImportRequest, caller="user")
def import_design(request: ImportRequest, caller: Caller, shop: Shop) -> ResponseBody:
    original = str(request.original_design_id)
    if request.reuse and (own := shop.stored_pictures.find_copy(caller, original)):
        return {"success": True, "designId": own, "isNew": False}
    with shop.usage.reserve(shop.callers.person(caller), "import"):
        copy = shop.stored_pictures.copy_design(caller, original, request.key)
    return {"success": True, "designId": copy, "isNew": True}
