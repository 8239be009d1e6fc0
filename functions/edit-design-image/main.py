"""A design from a photo of at most 10 MB. Answers with a base64 PNG."""

from __future__ import annotations

from _shared.core.callers import Caller
from _shared.designs.design_requests import PhotoRequest
from _shared.endpoint import LARGEST_PICTURE_BODY, ResponseBody, endpoint
from _shared.shop import Shop


@endpoint(body=PhotoRequest, caller="user", needs=("replicate",), largest=LARGEST_PICTURE_BODY)
def edit_design_image(request: PhotoRequest, caller: Caller, shop: Shop) -> ResponseBody:
    if request.job_id:
        return {"image": shop.design_jobs.picture_from_photo(caller, request.job_id, request)}
    with shop.usage.reserve(caller, "picture"):
        return {"image": shop.image_generator.from_photo(request)}
