"""A side in pixels: resvg draws paths from the SVG that the browser shows, Pillow lays pictures where that has them.

resvg could lay pictures too, but packs what it has drawn as PNG, which takes 14 s for a photograph in print size.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from PIL import Image, ImageChops, ImageDraw

from _shared.designs.images import Picture
from _shared.designs.placement import Size
from _shared.scene.geometry import Box, Point, corners, crop_ratio, layer_box
from _shared.scene.layer_svg import Drawn, document, drawn_ratio, layer_svg
from _shared.scene.lettering import EM, Lettering, outline
from _shared.scene.scene import WHOLE, Layer, LetteringLayer, PictureLayer

SVG = "SVG"
"""The `format` of a `Picture` that is a sanitised SVG document; its width and height are the document's."""


@dataclass(frozen=True)
class Prepared:
    """A picture layer with a crop of `image` that shows the same as its own of the whole picture.

    `ratio` is the height by the width that `image` would have without its pixels' rounding.
    """

    layer: PictureLayer
    image: Image.Image
    ratio: float


_SMALL_PIXELS = 2_000_000
Prepare = Callable[[PictureLayer], Prepared]
_Rectangle = tuple[int, int, int, int]
_Part = tuple[float, float, float, float]


def draw(layers: Sequence[Layer], area: Size, width: int, prepare: Prepare) -> Image.Image:
    """The side as RGBA, `width` pixels wide, transparent where nothing is drawn."""
    canvas = Image.new("RGBA", (width, round(width * area[1] / area[0])))
    for _, run in groupby(layers, key=lambda layer: isinstance(layer, PictureLayer)):
        paths: list[tuple[Layer, Drawn]] = []
        for layer in run:
            if isinstance(layer, PictureLayer):
                _lay(canvas, prepare(layer), area)
            else:
                paths.append((layer, outline(layer) if isinstance(layer, LetteringLayer) else None))
        _draw_paths(canvas, paths, area)
    return canvas


def draw_svg(picture: Picture, width: int) -> Image.Image:
    """A sanitised SVG document as RGBA, `width` pixels wide."""
    return _rendered(picture.data.decode("utf-8"), width)


def _draw_paths(canvas: Image.Image, layers: Sequence[tuple[Layer, Drawn]], area: Size) -> None:
    """Only the part of the canvas where they lie: packing it takes longer than drawing."""
    if not layers:
        return
    share = canvas.width / area[0]
    around = [_spread(layer, drawn, area) for layer, drawn in layers]
    left, top, right, bottom = _within(
        canvas,
        *(min(each[side] for each in around) * share for side in (0, 1)),
        *(max(each[side] for each in around) * share for side in (2, 3)),
    )
    if left >= right or top >= bottom:
        return
    view = " ".join(str(value / share) for value in (left, top, right - left, bottom - top))
    inner = "".join(layer_svg(layer, drawn, area) for layer, drawn in layers)
    drawn = _rendered(document(inner, (right - left, bottom - top), view), right - left)
    canvas.alpha_composite(drawn, (left, top))


def _spread(layer: Layer, drawn: Drawn, area: Size) -> tuple[float, float, float, float]:
    """The rectangle around a layer's box, outline and shadow."""
    box = layer_box(layer, drawn_ratio(layer, drawn), area)
    beyond = 0.0
    if isinstance(layer, LetteringLayer) and isinstance(drawn, Lettering):
        ems = layer.outline.width if layer.outline else 0
        ems += max(abs(layer.shadow.x), abs(layer.shadow.y)) if layer.shadow else 0
        # 1.5: the shadow is turned with the layer
        beyond = 1.5 * ems * EM * box.width / drawn.width
    points = corners(box)
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across) - beyond, min(down) - beyond, max(across) + beyond, max(down) + beyond


def _within(canvas: Image.Image, left: float, top: float, right: float, bottom: float) -> _Rectangle:
    """Whole pixels of the canvas around a rectangle."""
    return (
        max(math.floor(left), 0),
        max(math.floor(top), 0),
        min(math.ceil(right), canvas.width),
        min(math.ceil(bottom), canvas.height),
    )


def _lay(canvas: Image.Image, prepared: Prepared, area: Size) -> None:
    """Lays a picture as the SVG has it: cropped, stretched to its box, turned, in its one colour."""
    layer, crop = prepared.layer, prepared.layer.crop or WHOLE
    whole = layer_box(layer, crop_ratio(crop, prepared.ratio), area)
    share = canvas.width / area[0]
    box = Box(whole.x * share, whole.y * share, whole.width * share, whole.height * share, whole.angle)
    points = corners(box)
    across, down = [x for x, _ in points], [y for _, y in points]
    place = _within(canvas, min(across), min(down), max(across), max(down))
    if place[0] >= place[2] or place[1] >= place[3]:
        return
    width, height = prepared.image.size
    shown = (crop.left * width, crop.top * height, crop.width * width, crop.height * height)
    laid = _turned(prepared.image.convert("RGBa"), shown, box, place).convert("RGBA")
    alpha = ImageChops.multiply(laid.getchannel("A"), _box_mask(points, place))
    if layer.color:
        laid = Image.new("RGBA", laid.size, layer.color)
    laid.putalpha(alpha)
    canvas.alpha_composite(laid, place[:2])


def _box_mask(points: Sequence[Point], place: _Rectangle) -> Image.Image:
    """White in a box of these corners; small ones have soft edges."""
    width, height = place[2] - place[0], place[3] - place[1]
    fine = 4 if width * height < _SMALL_PIXELS else 1
    mask = Image.new("L", (width * fine, height * fine))
    ImageDraw.Draw(mask).polygon(
        [((x - place[0]) * fine - 0.5, (y - place[1]) * fine - 0.5) for x, y in points], fill=255
    )
    return mask.reduce(fine)


def _turned(image: Image.Image, shown: _Part, box: Box, place: _Rectangle) -> Image.Image:
    """The part `place` of the canvas, on which `shown` (left, top, width, height) of the image fills the box.

    Pixels between the image's are mixed of four, as Chromium does it.
    """
    left, top, width, height = shown
    turn = box.angle * math.pi / 180
    cos, sin = math.cos(turn), math.sin(turn)
    across, down = width / box.width, height / box.height
    # from the box's centre to a pixel of the canvas, turned back, to a pixel of the image
    x, y = place[0] - box.x, place[1] - box.y
    matrix = (
        *(across * cos, across * sin, across * (cos * x + sin * y) + left + width / 2),
        *(-down * sin, down * cos, down * (cos * y - sin * x) + top + height / 2),
    )
    size = (place[2] - place[0], place[3] - place[1])
    return image.transform(size, Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)


def _rendered(svg: str, width: int) -> Image.Image:
    # Here: functions that draw no scene do without it.
    import resvg_py

    data: Any = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(data)), formats=("PNG",)).convert("RGBA")
