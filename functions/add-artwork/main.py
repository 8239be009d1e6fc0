"""Takes a picture for a scene: one that somebody brings along (PNG, JPEG, WebP or SVG, of at most 10 MB, in base64), or
one that a job of theirs has drawn."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from uuid import UUID

from _shared.core.callers import Caller
from _shared.endpoint import LARGEST_PICTURE_BODY, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field, StringConstraints, model_validator


class ArtworkRequest(BaseModel):
    """`rightsConfirmed`: the caller says that they may have it printed."""

    file: Annotated[str | None, Field(alias="fileBase64", min_length=1)] = None
    job_id: UUID | None = None
    name: Annotated[str, StringConstraints(max_length=1000)] = ""
    rights_confirmed: Annotated[Literal[True], Field(alias="rightsConfirmed")]

    @model_validator(mode="after")
    def _one_picture(self) -> Self:
        if (self.file is None) == (self.job_id is None):
            raise ValueError("either fileBase64 or job_id")
        return self


@endpoint(body=ArtworkRequest, caller="user", largest=LARGEST_PICTURE_BODY)
def add_artwork(request: ArtworkRequest, caller: Caller, shop: Shop) -> ResponseBody:
    with shop.usage.reserve(shop.callers.person(caller), "artwork"):
        artwork = (
            shop.artworks.add(caller, request.file or "", request.name)
            if request.job_id is None
            else shop.artworks.add_drawn(caller, str(request.job_id))
        )
    return {
        "success": True,
        "artwork": {
            "id": artwork.id,
            "width": artwork.width,
            "height": artwork.height,
            "mediaType": artwork.media_type,
            "review": artwork.review,
        },
    }
