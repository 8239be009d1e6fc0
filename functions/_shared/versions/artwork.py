"""Artwork: pictures that people bring along, cleaned, measured and stored (sql/migrations/…_scenes.sql)."""

from __future__ import annotations

import base64
import binascii
import io
import math
from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

from PIL import Image, ImageOps

from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError, not_found
from _shared.core.visible_text import clean_text
from _shared.designs.images import LARGEST_BYTES, SLOTS, decode, open_picture
from _shared.designs.placement import ink_box
from _shared.versions.svg_artwork import clean_svg, looks_like_svg

BUCKET = "artwork"
DRAWINGS = "design-jobs"
_COLUMNS = "id, user_id, media_type, width, height, review"
_LONGEST_NAME = 200
_FORMATS = ("PNG", "JPEG", "WEBP")
# no print takes more (placement: the largest area)
_LONGEST_SIDE = 5100
# as PNG; what is larger is made smaller, for every page that adjusts it loads it
_LARGEST_STORED = 12 * 1024 * 1024
# a person's, all of it: eighty of the largest pictures
_MOST_STORED = 1024**3
# a progressive picture has about ten; each is a pass over all pixels
_MOST_SCANS = 40
_SCAN = b"\xff\xda"


class Store(Protocol):
    """`clients.storage.Storage`."""

    def get(self, bucket: str, name: str) -> bytes | None: ...
    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None: ...


@dataclass(frozen=True)
class Artwork:
    """`width` and `height` are pixels, of an SVG its own units."""

    id: str
    user_id: str
    media_type: str
    width: int
    height: int
    review: str

    @property
    def name(self) -> str:
        """Of its file in the bucket."""
        return f"{self.user_id}/{self.id}{'.svg' if self.media_type == 'image/svg+xml' else '.png'}"


@dataclass(frozen=True)
class Origin:
    """How the shop made an artwork, and of what: columns of design_artwork."""

    by: str
    source: str = ""


class Artworks:
    """Adds and finds artwork as the service, for its owner."""

    def __init__(self, data: Data, store: Store) -> None:
        self._data = data
        self._store = store

    def add(self, caller: Caller, encoded: str, name: str) -> Artwork:
        """Cleans a file (base64) and stores it. 400 and 413 with what is wrong with it."""
        content = _decoded(encoded)
        if looks_like_svg(content):
            with SLOTS.slot():
                svg = clean_svg(content)
                _check_ink(Image.open(io.BytesIO(svg.trial)))
            return self._stored(caller, name, svg.data, "image/svg+xml", (svg.width, svg.height), "waiting")
        with SLOTS.slot():
            png, size = _as_png(content)
        return self._stored(caller, name, png, "image/png", size, "waiting")

    def add_mended(
        self, caller: Caller, png: bytes, size: tuple[int, int], review: str, origin: Origin
    ) -> Artwork:
        """Stores what was made of a picture of the caller's own; it was looked at as far as that was."""
        return self._stored(caller, "", png, "image/png", size, review, origin)

    def add_drawn(self, caller: Caller, job_id: str) -> Artwork:
        """Stores what a job of the caller's has drawn in the last day; its words were looked at then."""
        job = next(iter(self._data.call("get_design_job", {"job": job_id})), None)
        path = str(job["result_path"] or "") if job and job["user_id"] == caller.id else ""
        content = self._store.get(DRAWINGS, path) if path else None
        if content is None:
            raise not_found("Drawing", "drawing_not_found")
        drawn = open_picture(content)
        size = (drawn.width, drawn.height)
        return self._stored(caller, "", content, "image/png", size, "not_needed", Origin("drawing"))

    def find_mended(self, caller: Caller, origin: Origin, review: str) -> str | None:
        """The id of what was made in the same way before and looked at as far, that it need not be made again."""
        wanted = {"user_id": caller.id, "made_from": origin.source, "made_by": origin.by, "review": review}
        row = self._data.row("design_artwork", "id", wanted)
        return str(row["id"]) if row else None

    def find(self, owner: str, ids: list[str]) -> dict[str, Artwork]:
        """The owner's own artwork of these ids; 404 where one is another's, 422 where one was refused."""
        rows = self._data.select_in("design_artwork", _COLUMNS, "id", ids) if ids else []
        found = {str(row["id"]): _artwork(row) for row in rows if row["user_id"] == owner}
        if set(ids) - set(found):
            raise not_found("A picture of this drawing", "artwork_not_found")
        if any(artwork.review == "refused" for artwork in found.values()):
            raise ShopError(
                422, "artwork_refused", "We can't print one of these pictures. Please use another."
            )
        return found

    def read(self, artwork: Artwork) -> bytes:
        """The file's bytes."""
        content = self._store.get(BUCKET, artwork.name)
        if content is None:
            raise not_found("A picture of this drawing", "artwork_not_found")
        return content

    def _stored(
        self,
        caller: Caller,
        name: str,
        content: bytes,
        media_type: str,
        size: tuple[int, int],
        review: str,
        origin: Origin | None = None,
    ) -> Artwork:
        self.require_room(caller, len(content))
        artwork = Artwork(str(uuid4()), caller.id, media_type, *size, review)
        # the object first: a row always has its file
        self._store.put(BUCKET, artwork.name, content, media_type)
        self._data.insert(
            "design_artwork",
            {
                "id": artwork.id,
                "user_id": caller.id,
                "name": clean_text(name)[:_LONGEST_NAME].strip(),
                "media_type": media_type,
                "width": artwork.width,
                "height": artwork.height,
                "bytes": len(content),
                "review": review,
                **({"made_from": origin.source or None, "made_by": origin.by} if origin else {}),
            },
        )
        return artwork

    def require_room(self, caller: Caller, wanted: int = _LARGEST_STORED) -> None:
        """Refuses a picture of so many bytes where one person's artwork would take more than it may."""
        taken = self._data.value("artwork_bytes", {"person": caller.id})
        if not isinstance(taken, int) or taken + wanted > _MOST_STORED:
            raise ShopError(
                429,
                "artwork_full",
                "Your pictures take up a gigabyte. Please delete some that no shirt shows.",
                # a model may have been paid by then
                counts=True,
            )


def _decoded(encoded: str) -> bytes:
    text = encoded.partition(",")[2] if encoded.startswith("data:") else encoded
    if len(text) > LARGEST_BYTES * 4 // 3 + 8:
        raise ShopError(413, "artwork_too_large", "This file is larger than 10 MB. Please make it smaller.")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ShopError(400, "invalid_request", "fileBase64: is not base64.") from error


def _as_png(content: bytes) -> tuple[bytes, tuple[int, int]]:
    """Upright, in sRGB, without the camera's words, no larger than a print needs."""
    picture = open_picture(content)
    if picture.format not in _FORMATS:
        raise ShopError(400, "artwork_refused", "Please use a PNG, JPEG, WebP or SVG file.")
    if picture.format == "JPEG" and content.count(_SCAN) > _MOST_SCANS:
        raise ShopError(400, "artwork_refused", "This JPEG is made of too many scans. Please save it anew.")
    image = ImageOps.exif_transpose(decode(picture, _LONGEST_SIDE))
    image.info = {}
    _check_ink(image)
    png = _encoded(image)
    while len(png) > _LARGEST_STORED:
        share = 0.95 * math.sqrt(_LARGEST_STORED / len(png))
        image = image.resize(
            (max(round(image.width * share), 1), max(round(image.height * share), 1)),
            Image.Resampling.LANCZOS,
        )
        png = _encoded(image)
    return png, image.size


def _check_ink(image: Image.Image) -> None:
    if ink_box(image) is None:
        raise ShopError(400, "artwork_refused", "This picture is empty: all of it is transparent.")


def _encoded(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _artwork(row: Row) -> Artwork:
    return Artwork(
        str(row["id"]),
        str(row["user_id"]),
        str(row["media_type"]),
        int(row["width"]),
        int(row["height"]),
        str(row["review"]),
    )
