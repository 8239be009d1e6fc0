"""The picture of a link to a public design: the printer's photograph of the shirt, 1200 × 630, with the shop's sign.

Made when it is first asked for, and kept in Storage under the publication's id; gone with the publication
(sql/migrations/*_design_pages.sql). The shirt stands in the middle, where every service that cuts a square cuts it.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Protocol

from PIL import Image, ImageDraw

from _shared.clients.mockups import Mockups
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.designs.images import PictureSlots, decode, open_picture
from _shared.pages.page import Page
from _shared.pages.shown_design import ShownDesign

BUCKET = "link-pictures"
_SIZE = (1200, 630)
_MOST_MEGAPIXELS = 12
# the inks of the bar over every page, and its height
_INKS = ("#F0492F", "#FFC53A", "#35B38A", "#2746E6", "#1B1714")
_BAR = 10
_SIGN = Path(__file__).with_name("wordmark.png")
# left of the square in the middle, and above what a service cuts off below
_SIGN_SIZE, _SIGN_PLACE = (226, 59), (32, 510)
_CACHE = "public, max-age=0, s-maxage=3600"


class Store(Protocol):
    """`clients.storage.Storage`."""

    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None: ...
    def get(self, bucket: str, name: str) -> bytes | None: ...


class LinkPictures:
    """`fallback` is the address of the shop's own picture, for designs that no shirt was photographed of yet."""

    def __init__(self, store: Store, mockups: Mockups, fallback: str) -> None:
        self._store = store
        self._mockups = mockups
        self._fallback = fallback
        self._slots = PictureSlots()

    def page(self, design: ShownDesign) -> Page:
        """The picture, or the way to the shop's own for a minute."""
        name = f"{design.publication}.jpg"
        content = self._store.get(BUCKET, name)
        if content is None and design.product and design.own:
            try:
                content = self._drawn(self._mockups.front(design.product, design.own.variant))
                self._store.put(BUCKET, name, content, "image/jpeg")
            except ShopError as problem:
                log_trouble("draw a link's picture", problem.cause or problem)
        if content is None:
            headers = {"location": self._fallback, "cache-control": "public, max-age=0, s-maxage=60"}
            return Page(302, b"", self._fallback, "text/plain", headers)
        version = hashlib.sha256(content).hexdigest()[:32]
        return Page(200, content, version, "image/jpeg", {"cache-control": _CACHE})

    def _drawn(self, photograph: bytes) -> bytes:
        with self._slots.slot():
            opened = open_picture(photograph, most_megapixels=_MOST_MEGAPIXELS)
            return draw_link_picture(decode(opened, _SIZE[1]))


def draw_link_picture(photograph: Image.Image) -> bytes:
    """A JPEG: the photograph as high as the picture, its edges drawn out to the sides as one ground."""
    width, height = _SIZE
    shirt = photograph.convert("RGB").resize((height, height), Image.Resampling.LANCZOS)
    left = (width - height) // 2
    picture = Image.new("RGB", _SIZE)
    for edge, place in ((0, 0), (height - 1, left + height)):
        # few steps: each line by itself would be a streak
        column = shirt.crop((edge, 0, edge + 1, height)).resize((1, 24), Image.Resampling.BOX)
        picture.paste(column.resize((left, height), Image.Resampling.BICUBIC), (place, 0))
    picture.paste(shirt, (left, 0))
    with Image.open(_SIGN) as sign:
        small = sign.resize(_SIGN_SIZE, Image.Resampling.LANCZOS)
        picture.paste(small, _SIGN_PLACE, small)
    pen = ImageDraw.Draw(picture)
    for place, ink in enumerate(_INKS):
        step = width // len(_INKS)
        pen.rectangle((place * step, 0, (place + 1) * step - 1, _BAR - 1), fill=ink)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=86, optimize=True, progressive=True)
    return out.getvalue()
