"""The picture of a link to a public design: the shirt, 1200 × 630, with the shop's sign.

It is the printer's photograph, or drawn here where there is none. Made when it is first asked for, and kept in Storage
under the publication's id; gone with the publication (sql/migrations/*_design_pages.sql). The shirt stands in the
middle, where every service that cuts a square cuts it.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Protocol

from PIL import Image, ImageDraw

from _shared.clients.mockups import Mockups
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.designs.images import Picture, PictureSlots, decode, decode_picture, open_picture
from _shared.designs.stored_pictures import BUCKET as DESIGNS
from _shared.pages.drawn_shirt import SIZE, draw_shirt
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
_WHITE = "#FFFFFF"
_CACHE = "public, max-age=0, s-maxage=3600"


class Store(Protocol):
    """`clients.storage.Storage`."""

    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None: ...
    def get(self, bucket: str, name: str) -> bytes | None: ...


class LinkPictures:
    """`fallback` is the address of the shop's own picture, for a design whose picture cannot be read."""

    def __init__(self, data: Data, store: Store, mockups: Mockups, fallback: str) -> None:
        self._data = data
        self._store = store
        self._mockups = mockups
        self._fallback = fallback
        self._slots = PictureSlots()

    def page(self, design: ShownDesign) -> Page:
        """The picture, or the way to the shop's own for a minute."""
        name = f"{design.publication}.jpg"
        content = self._store.get(BUCKET, name)
        if content is None:
            try:
                content = self._photographed(design) or self._drawn(design)
                self._store.put(BUCKET, name, content, "image/jpeg")
            except ShopError as problem:
                log_trouble("draw a link's picture", problem.cause or problem)
        if content is None:
            headers = {"location": self._fallback, "cache-control": "public, max-age=0, s-maxage=60"}
            return Page(302, b"", self._fallback, "text/plain", headers)
        version = hashlib.sha256(content).hexdigest()[:32]
        return Page(200, content, version, "image/jpeg", {"cache-control": _CACHE})

    def _photographed(self, design: ShownDesign) -> bytes | None:
        """Made of the printer's photograph; None without one that can be read."""
        if not design.product or not design.own:
            return None
        try:
            photograph = self._mockups.front(design.product, design.own.variant)
            with self._slots.slot():
                opened = open_picture(photograph, most_megapixels=_MOST_MEGAPIXELS)
                return draw_link_picture(decode(opened, _SIZE[1]))
        except ShopError as problem:
            log_trouble("read the printer's photograph for a link", problem.cause or problem)
            return None

    def _drawn(self, design: ShownDesign) -> bytes:
        picture = self._picture(design)
        with self._slots.slot():
            decoded = decode(picture, SIZE)
            enlarged = picture.width / decoded.width
            return draw_link_picture(draw_shirt(decoded, enlarged, design.texts["chosen_hex"] or _WHITE))

    def _picture(self, design: ShownDesign) -> Picture:
        stored = self._store.get(DESIGNS, design.picture) if design.picture else None
        if stored:
            return open_picture(stored)
        row = self._data.row("designs", "image_data", {"id": design.id})
        return decode_picture(str(row["image_data"] or "") if row else "")


def draw_link_picture(square: Image.Image) -> bytes:
    """A JPEG: the square picture of a shirt as high as the picture, its edges drawn out to the sides as one ground."""
    width, height = _SIZE
    shirt = square.convert("RGB").resize((height, height), Image.Resampling.LANCZOS)
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
