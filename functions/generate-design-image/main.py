"""A design from words. Answers with a base64 PNG, transparent where the model can."""

from __future__ import annotations

from _shared.core.callers import Caller
from _shared.designs.design_requests import TextRequest
from _shared.endpoint import PICTURE_PATIENCE, ResponseBody, endpoint
from _shared.shop import Shop


@endpoint(body=TextRequest, caller="user", needs=("replicate",), patience=PICTURE_PATIENCE)
def generate_design_image(request: TextRequest, caller: Caller, shop: Shop) -> ResponseBody:
    if job_id := request.job_id or caller.call_id:
        return {"image": shop.design_jobs.picture_from_text(caller, job_id, request).base64}
    with shop.usage.reserve(caller, "picture"):
        return {"image": shop.image_generator.from_text(request).base64}
