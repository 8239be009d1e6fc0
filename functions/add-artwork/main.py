"""Takes a picture that somebody brings along for a scene: PNG, JPEG, WebP or SVG, of at most 10 MB, in base64."""

from __future__ import annotations

from typing import Annotated, Literal

from _shared.core.callers import Caller
from _shared.endpoint import LARGEST_PICTURE_BODY, ResponseBody, endpoint
from _shared.shop import Shop
from pydantic import BaseModel, Field, StringConstraints


class ArtworkRequest(BaseModel):
    """`rightsConfirmed`: the caller says that they may have it printed."""

    file: Annotated[str, Field(alias="fileBase64", min_length=1)]
    name: Annotated[str, StringConstraints(max_length=1000)] = ""
    rights_confirmed: Annotated[Literal[True], Field(alias="rightsConfirmed")]


@endpoint(body=ArtworkRequest, caller="user", largest=LARGEST_PICTURE_BODY)
def add_artwork(request: ArtworkRequest, caller: Caller, shop: Shop) -> ResponseBody:
    with shop.usage.reserve(shop.callers.person(caller), "artwork"):
        artwork = shop.artworks.add(caller, request.file, request.name)
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
