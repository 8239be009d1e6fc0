"""Makes a mended picture of one that a draft shows, as new artwork; the page puts it in the old one's place."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from _shared.core.callers import Caller
from _shared.core.usage import Kind
from _shared.endpoint import PICTURE_PATIENCE, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field, StringConstraints


class MendRequest(BaseModel):
    """`revision` is that of the draft that the caller sees. Only `enlarge` pays a model."""

    design_id: Annotated[UUID, Field(alias="designId")]
    revision: Annotated[int, Field(strict=True, ge=1, lt=2**31)]
    layer: Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,36}$")]
    mend: Literal["thicken", "harden", "cut_out", "remove_specks", "enlarge"]


@endpoint(body=MendRequest, caller="user", needs=("printify", "replicate"), patience=PICTURE_PATIENCE)
def mend_picture(request: MendRequest, caller: Caller, shop: Shop) -> ResponseBody:
    design = shop.designs.owned(caller, str(request.design_id))
    kind: Kind = "picture" if request.mend == "enlarge" else "artwork"
    with shop.usage.reserve(shop.callers.person(caller), kind):
        made = shop.design_check.mend(caller, design, request.revision, request.layer, request.mend)
    return {"success": True, "artworkId": made}
