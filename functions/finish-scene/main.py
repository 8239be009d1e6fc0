"""Makes a version of a design's draft: both sides' files, the product at the printer, and the picture on pages.

`warnings` says in sentences what a shopper should know about how it will print.
"""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import PICTURE_PATIENCE, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field


class FinishRequest(BaseModel):
    """`revision` is that of the draft that the caller sees; the same `job_id` again joins the job."""

    design_id: Annotated[UUID, Field(alias="designId")]
    revision: Annotated[int, Field(strict=True, ge=1, lt=2**31)]
    job_id: UUID


@endpoint(body=FinishRequest, caller="user", needs=("printify", "replicate"), patience=PICTURE_PATIENCE)
def finish_scene(request: FinishRequest, caller: Caller, shop: Shop) -> ResponseBody:
    design = shop.designs.owned(caller, str(request.design_id))
    # a repetition finds its job, whatever was saved since
    scene = None if shop.design_jobs.is_known(request.job_id) else shop.drafts.scene(design, request.revision)
    return {"success": True, **shop.design_jobs.scene_version(caller, request.job_id, design.id, scene)}
