"""A design from a photo of at most 10 MB. Answers with a base64 PNG."""

from __future__ import annotations

from typing import Annotated

from _shared.core.callers import Caller
from _shared.designs.design_requests import PhotoRequest
from _shared.designs.images import decode_picture
from _shared.endpoint import LARGEST_PICTURE_BODY, PICTURE_PATIENCE, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import Field


class EditRequest(PhotoRequest):
    """The wishes and the photo, in base64."""

    image: Annotated[str, Field(min_length=1)]


@endpoint(
    body=EditRequest,
    caller="user",
    needs=("replicate",),
    largest=LARGEST_PICTURE_BODY,
    patience=PICTURE_PATIENCE,
)
def edit_design_image(request: EditRequest, caller: Caller, shop: Shop) -> ResponseBody:
    photo = decode_picture(request.image)
    if job_id := request.job_id or caller.call_id:
        return {"image": shop.design_jobs.picture_from_photo(caller, job_id, request, photo).base64}
    with shop.usage.reserve(caller, "picture"):
        return {"image": shop.image_generator.from_photo(request, photo).base64}
