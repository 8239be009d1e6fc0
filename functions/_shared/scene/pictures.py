"""A layer's picture in pixels: prepared for its place, and laid where the SVG has it.

As Chromium does it, whose drawing is what a shopper sees: halved until it is less than twice too large, the rest mixed
of four pixels. Both round as Skia does, for a level more or less is seen in dark colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from _shared.designs.images import Picture, decode
from _shared.designs.placement import IDEAL_DPI, MOST_ENLARGED, Size
from _shared.designs.print_file import enlarged
from _shared.scene.geometry import Box, Point, corners, crop_ratio, effective_dpi, layer_box
from _shared.scene.resvg import SVG, rendered
from _shared.scene.scene import WHOLE, Crop, PictureLayer

Enlarge = Callable[[Image.Image, float], Image.Image]
_Rectangle = tuple[int, int, int, int]
_Affine = tuple[float, float, float, float, float, float]

_MOST_PIXELS = 24_000_000
_SMALL_PIXELS = 2_000_000
# laid at once: small enough to stay near the processor, and the same memory again and again
_TILE = 1024
# Skia takes a picture that stands upright at sixteenths of its pixels, rounded down: so much to the left on average
_SIXTEENTH = 1 / 32


@dataclass(frozen=True)
class Prepared:
    """A picture layer with a crop of `image` that shows the same as its own of the whole picture.

    `ratio` is the height by the width that `image` would have without its pixels' rounding.
    """

    layer: PictureLayer
    image: Image.Image
    ratio: float


def prepare(
    layer: PictureLayer, picture: Picture, area: Size, width: int, enlarge: Enlarge | None
) -> tuple[Prepared, float]:
    """The layer's pixels as they are drawn on a side `width` pixels wide, and its pixels an inch in print.

    Without `enlarge` a small picture stays as it is.
    """
    crop = layer.crop or WHOLE
    ratio = crop_ratio(crop, picture.height / picture.width)
    box = layer_box(layer, ratio, area)
    # of the whole picture's pixels, and no more than a canvas has: the rest lies beyond it
    factor = box.width / crop.width * width / area[0] / picture.width
    most = math.sqrt(_MOST_PIXELS / (picture.width * picture.height))
    dpi = float(IDEAL_DPI)
    if picture.format == SVG:
        wide = max(math.ceil(picture.width * min(factor, most)), 1)
        image = rendered(picture.data.decode("utf-8"), wide)
        enlarge = None
    else:
        image = decode(picture).convert("RGBA")
        dpi = effective_dpi(picture.width * crop.width, box.width)
        if factor <= 0.5:
            image = reduced(image, math.floor(math.log2(1 / factor)))
    cut, shown = _cut(image, crop)
    if enlarge and (larger := min(factor, math.sqrt(_MOST_PIXELS / (cut.width * cut.height)))) > 1:
        if layer.color:  # of a picture in one colour only the outline is printed, which no model draws
            size = (
                round(cut.width * min(larger, MOST_ENLARGED)),
                round(cut.height * min(larger, MOST_ENLARGED)),
            )
            cut = cut.resize(size, Image.Resampling.BICUBIC)
        else:
            cut = enlarged(cut, larger, enlarge)
    prepared = layer.model_copy(update={"crop": shown})
    return Prepared(prepared, cut, ratio * shown.width / shown.height), dpi


def reduced(image: Image.Image, halves: int) -> Image.Image:
    """Halved so many times, sides rounded up, as RGBa: its colours carry their opacity.

    Chromium takes Skia's mipmap of twice the size, and mixes that to the size.
    """
    size = (math.ceil(image.width / 2**halves), math.ceil(image.height / 2**halves))
    image = image.convert("RGBa")
    for _ in range(halves - 1):
        image = _mipmap(image)
    across, down = image.width / size[0], image.height / size[1]
    return _mixed(image, size, (across, 0, 0, 0, down, 0), is_rounded=(across, down) != (2, 2))


def _mipmap(image: Image.Image) -> Image.Image:
    """Half as wide and high, sides rounded down: of two pixels each way, or of three by 1:2:1 where a side is odd."""
    width, height = image.size
    size = (max(width // 2, 1), max(height // 2, 1))
    if width % 2 == height % 2 == 0:
        return _mixed(image, size, (2, 0, 0, 0, 2, 0))
    across, down = ((1, 2, 1) if side % 2 else (1, 1, 0) for side in image.size)
    # a kernel's rows go upwards; it leaves the outermost pixels as they are, and rounds to the nearest
    weights = [x * y for y in reversed(down) for x in across]
    kernel = ImageFilter.Kernel((3, 3), weights, sum(weights), -0.5 + 0.5 / sum(weights))
    mixed = image.crop((0, 0, width + 1, height + 1)).filter(kernel)
    return mixed.transform(size, Image.Transform.AFFINE, (2, 0, 0.5, 0, 2, 0.5), Image.Resampling.NEAREST)


def lay(canvas: Image.Image, prepared: Prepared, area: Size) -> None:
    """Lays a picture as the SVG has it: cropped, stretched to its box, turned, in its one colour."""
    layer, crop = prepared.layer, prepared.layer.crop or WHOLE
    whole = layer_box(layer, crop_ratio(crop, prepared.ratio), area)
    share = canvas.width / area[0]
    box = Box(whole.x * share, whole.y * share, whole.width * share, whole.height * share, whole.angle)
    points = corners(box)
    place = around(canvas, points)
    image = prepared.image.convert("RGBa")
    matrix = _to_image(image.size, crop, box)
    fine = 4 if (place[2] - place[0]) * (place[3] - place[1]) < _SMALL_PIXELS else 1
    for tile in _tiles(place):
        alpha = _box_mask(points, tile, fine)
        if not alpha.getbbox():
            continue
        laid = _part(image, matrix, tile, layer.color, is_upright=box.angle % 180 == 0)
        if laid is None:
            continue
        laid.putalpha(ImageChops.multiply(laid.getchannel("A"), alpha))
        canvas.alpha_composite(laid, tile[:2])


def around(canvas: Image.Image, points: Sequence[Point]) -> _Rectangle:
    """Whole pixels of the canvas around these points."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return (
        max(math.floor(min(across)), 0),
        max(math.floor(min(down)), 0),
        min(math.ceil(max(across)), canvas.width),
        min(math.ceil(max(down)), canvas.height),
    )


def _tiles(place: _Rectangle) -> Iterator[_Rectangle]:
    left, top, right, bottom = place
    for y in range(top, bottom, _TILE):
        for x in range(left, right, _TILE):
            yield x, y, min(x + _TILE, right), min(y + _TILE, bottom)


def _cut(image: Image.Image, crop: Crop) -> tuple[Image.Image, Crop]:
    """The whole pixels around a crop, and the crop as shares of these."""
    width, height = image.size
    left, top = math.floor(crop.left * width), math.floor(crop.top * height)
    right = min(math.ceil((crop.left + crop.width) * width), width)
    bottom = min(math.ceil((crop.top + crop.height) * height), height)
    across, down = right - left, bottom - top
    shown = Crop.model_construct(
        left=(crop.left * width - left) / across,
        top=(crop.top * height - top) / down,
        width=crop.width * width / across,
        height=crop.height * height / down,
    )
    return image.crop((left, top, right, bottom)), shown


def _to_image(size: Size, crop: Crop, box: Box) -> _Affine:
    """From a place on the canvas to the image's, of which a crop fills the box."""
    width, height = size
    turn = box.angle * math.pi / 180
    cos, sin = math.cos(turn), math.sin(turn)
    across, down = crop.width * width / box.width, crop.height * height / box.height
    middle = (crop.left + crop.width / 2) * width, (crop.top + crop.height / 2) * height
    # from the box's centre, turned back
    return (
        *(across * cos, across * sin, middle[0] - across * (cos * box.x + sin * box.y)),
        *(-down * sin, down * cos, middle[1] - down * (cos * box.y - sin * box.x)),
    )


def _part(
    image: Image.Image, matrix: _Affine, tile: _Rectangle, color: str | None, *, is_upright: bool
) -> Image.Image | None:
    """What a part of the canvas has of the image (RGBa), as RGBA; None where that is clear."""
    a, b, c, d, e, f = matrix
    left, top, right, bottom = tile
    reached = [(a * x + b * y + c, d * x + e * y + f) for x in (left, right) for y in (top, bottom)]
    # two pixels more, which those at the rim are mixed of
    near = around(image, [(x + beyond, y + beyond) for x, y in reached for beyond in (-2, 2)])
    if near[0] >= near[2] or near[1] >= near[3]:
        return None
    source = image.crop(near)
    back = -_SIXTEENTH if is_upright else 0.0
    here = (
        *(a, b, a * left + b * top + c - near[0] + back),
        *(d, e, d * left + e * top + f - near[1] + back),
    )
    size = (right - left, bottom - top)
    if not source.getchannel("a").getbbox():
        return None
    if color:
        laid = Image.new("RGBA", size, color)
        laid.putalpha(_mixed(source.getchannel("a"), size, here))
        return laid
    return _mixed(source, size, here, is_rounded=not is_upright).convert("RGBA")


def _mixed(image: Image.Image, size: Size, matrix: _Affine, *, is_rounded: bool = False) -> Image.Image:
    """Each pixel mixed of four, with colours rounded to the nearest or else down, as whole numbers are."""

    def mix(pixels: Image.Image) -> Image.Image:
        return pixels.transform(size, Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)

    if not is_rounded:
        return mix(image)
    *colors, opacity = image.split()
    nearest = [mix(band.convert("F").point(lambda value: value * 1 + 0.5)).convert("L") for band in colors]
    return Image.merge(image.mode, [*nearest, mix(opacity)])


def _box_mask(points: Sequence[Point], place: _Rectangle, fine: int) -> Image.Image:
    """White in a box of these corners, with edges in `fine` steps."""
    width, height = place[2] - place[0], place[3] - place[1]
    mask = Image.new("L", (width * fine, height * fine))
    ImageDraw.Draw(mask).polygon(
        [((x - place[0]) * fine - 0.5, (y - place[1]) * fine - 0.5) for x, y in points], fill=255
    )
    return mask.reduce(fine) if fine > 1 else mask
