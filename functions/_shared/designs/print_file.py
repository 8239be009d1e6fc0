"""The file that is printed: the design without its margins, large enough for cloth, every pixel ink or none.

Facts of the trade: 300 pixels an inch is ideal and more gains nothing, 150 is the least that looks sharp; half-clear
pixels print as speckle, for white is laid under them.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from _shared.core.errors import ShopError, unavailable
from _shared.designs.image_models import ImageModels
from _shared.designs.images import SLOTS, Picture, decode, open_picture
from _shared.designs.placement import IDEAL_DPI, LEAST_DPI, MOST_ENLARGED, hardened, ink_box

# below it even a good enlargement looks soft on the chest
_SOFT_DPI = 50
_SPECKS = 8
# of an enlarged picture: four times the models' 1536 pixels a side
_MOST_MEGAPIXELS = 40


@dataclass(frozen=True)
class PrintFile:
    """`dpi` are pixels an inch where the print is largest; `warnings` are sentences for the shopper."""

    picture: Picture
    dpi: int
    warnings: tuple[str, ...]


class Enlarger:
    """Makes pictures larger with a model ("owner/name") that invents the detail."""

    def __init__(self, models: ImageModels, model: str) -> None:
        self._models = models
        self._model = model

    def enlarge(self, picture: Image.Image, factor: float) -> Image.Image:
        """The opaque `picture`, about `factor` times as large."""
        address = self._models.upload(png(picture), "image/png")
        enlarged = self._models.picture(
            self._model, {"image": address, "scale": factor, "face_enhance": False}
        )
        try:
            with SLOTS.paid_slot():
                return decode(open_picture(enlarged, most_megapixels=_MOST_MEGAPIXELS)).convert("RGB")
        except ShopError as problem:  # not the shopper's error: the model's output cannot be read
            raise unavailable(
                "artist_unavailable", "Something went wrong preparing the print. Please try again.", problem
            ) from problem


def make_print_file(
    picture: Picture,
    inches_of: Callable[[int, int], float],
    enlarge: Callable[[Image.Image, float], Image.Image],
) -> PrintFile:
    """Makes the print file of `picture`.

    `inches_of` gives the largest print width in inches for a width and height in pixels. 400 when there is nothing
    to print.
    """
    with SLOTS.slot():
        trimmed = _trimmed(picture)
        inches = inches_of(*trimmed.size)
        has = trimmed.width / inches
        factor = IDEAL_DPI / has
        print_ready = enlarged(trimmed, factor, enlarge) if factor > 1 else _resized(trimmed, factor)
        print_ready.putalpha(hardened(print_ready.getchannel("A")))
        dpi = round(print_ready.width / inches)
        file = Picture(png(print_ready), "PNG", print_ready.width, print_ready.height)
        return PrintFile(file, dpi, tuple(_warnings(print_ready, picture, round(has), inches, dpi)))


def _trimmed(picture: Picture) -> Image.Image:
    whole = decode(picture)
    if whole.mode != "RGBA":
        whole = whole.convert("RGBA")
    box = ink_box(whole)
    if box is None or min(box[2] - box[0], box[3] - box[1]) < _SPECKS:
        raise ShopError(
            400, "empty_picture", "This design is empty: there is nothing to print. Please make another one."
        )
    return whole if box == (0, 0, *whole.size) else whole.crop(box)


def _warnings(ready: Image.Image, source: Picture, had: int, inches: float, dpi: int) -> list[str]:
    warnings = []
    if had < _SOFT_DPI or dpi < LEAST_DPI:
        warnings.append(
            f"This picture is small ({source.width} × {source.height} pixels) for a print {inches:.0f} inches wide: it "
            "may look soft. A larger picture prints sharper."
        )
    if ready.getchannel("A").getextrema()[0] == 255:
        warnings.append("This design has no transparent background, so it prints as a rectangle.")
    return warnings


def enlarged(
    picture: Image.Image, factor: float, enlarge: Callable[[Image.Image, float], Image.Image]
) -> Image.Image:
    """The RGBA `picture` up to four times as large. Inside a slot.

    Colours by the model; the outline from its own soft edge, which models would fringe.
    """
    factor = min(factor, MOST_ENLARGED)
    size = (round(picture.width * factor), round(picture.height * factor))
    opaque = filled(picture)
    with SLOTS.vacated():
        larger = enlarge(opaque, math.ceil(factor * 10) / 10)
    colours = larger.resize(size, Image.Resampling.LANCZOS)
    colours.putalpha(picture.getchannel("A").resize(size, Image.Resampling.BICUBIC))
    return colours


def _resized(picture: Image.Image, factor: float) -> Image.Image:
    # smaller first: Pillow weighs the colours of RGBA by their opacity, so no edge is mixed with transparent colours
    small = picture.resize(
        (round(picture.width * factor), round(picture.height * factor)), Image.Resampling.LANCZOS
    )
    resized = filled(small)
    resized.putalpha(small.getchannel("A"))
    return resized


def filled(picture: Image.Image) -> Image.Image:
    """The colours carried on beyond the outline, so that no edge is mixed with transparent colours."""
    opaque = Image.new("RGB", picture.size, "white")
    for share in (32, 4):
        small = (max(picture.width // share, 1), max(picture.height // share, 1))
        around = picture.resize(small, Image.Resampling.BOX)
        around.putalpha(around.getchannel("A").point(lambda value: 255 if value else 0))
        around = around.resize(picture.size, Image.Resampling.BILINEAR)
        opaque.paste(around, mask=around.getchannel("A"))
    opaque.paste(picture, mask=picture.getchannel("A"))
    return opaque


def png(picture: Image.Image) -> bytes:
    """The file, packed for speed."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=3)
    return out.getvalue()
