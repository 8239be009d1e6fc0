"""What one click does to a picture: a new picture, or 400 where only a hand can mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PIL import Image, ImageChops, ImageDraw, ImageOps

from _shared.core.errors import ShopError
from _shared.designs.images import SLOTS, Picture, decode
from _shared.designs.placement import hardened
from _shared.designs.print_file import filled
from _shared.print_check.check import check_ground, rim_colour
from _shared.print_check.colours import difference_map
from _shared.print_check.findings import Kind, Mend
from _shared.print_check.ink import CHECK_DPI, ROOM, check_ink, thin_parts
from _shared.print_check.masks import grown, opened, reached, shrunk

# what is cut out is looked for at this size, and cut at the picture's own
_SEARCH_SIDE = 400
# five times the difference that still counts as the ground, with its JPEG blocks and soft shadow
_GROUND = 60
_MOST_ENLARGED = 2.0

MENDED: Mapping[Mend, Kind] = {
    "thicken": "thin_lines",
    "harden": "half_transparent",
    "cut_out": "box_around_photo",
    "remove_specks": "specks",
}
"""What each of these mends does away with."""


def mend(picture: Image.Image, kind: Mend, dpi: float) -> Image.Image:
    """The picture (RGBA, printed at `dpi` pixels an inch) mended; 400 where the trouble would stay."""
    work: dict[Mend, Callable[[Image.Image, float], Image.Image]] = {
        "thicken": _thickened,
        "harden": lambda soft, _: _with_alpha(soft, hardened(soft.getchannel("A"))),
        "cut_out": lambda boxed, _: _cut_out(boxed),
        "remove_specks": _without_specks,
    }
    mended = work[kind](picture, dpi)
    left = {
        found.kind
        for found in check_ink(_at_check(mended.getchannel("A"), dpi * mended.width / picture.width))
    }
    if kind == "cut_out":
        left = {"box_around_photo"} if check_ground(mended) else set()
    if MENDED[kind] in left or mended.getchannel("A").getbbox() is None:
        raise ShopError(
            400,
            "cannot_mend",
            "We cannot mend this without spoiling it. Please change the picture or print it larger.",
        )
    return mended


def check_has_ground(picture: Picture) -> None:
    """400 where nothing can be cut out: no colour reaches the rim all around."""
    with SLOTS.slot():
        small = decode(picture, _SEARCH_SIDE).convert("RGBA")
    if rim_colour(small) is None:
        raise ShopError(
            400,
            "no_background",
            "This picture has no background of one color: it is cut out already, or fills its frame.",
        )


def _thickened(picture: Image.Image, dpi: float) -> Image.Image:
    """Lines and gaps brought to half a millimetre. A coarse picture is enlarged first, for its pixels are wider."""
    factor = min(CHECK_DPI / dpi, _MOST_ENLARGED)
    if factor > 1:
        size = (round(picture.width * factor), round(picture.height * factor))
        picture, dpi = picture.resize(size, Image.Resampling.BICUBIC), dpi * factor
    ink = hardened(_at_check(picture.getchannel("A"), dpi))
    roomy = ImageOps.expand(ink, ROOM)
    more = grown(ImageChops.subtract(roomy, opened(roomy)))
    inked = ImageChops.lighter(roomy, more)
    gaps = ImageChops.invert(inked)
    less = grown(ImageChops.subtract(gaps, opened(gaps)))
    mended = ImageChops.subtract(inked, ImageChops.subtract(less, more)).crop(
        (ROOM, ROOM, ROOM + ink.width, ROOM + ink.height)
    )
    added, taken = (
        ImageChops.subtract(one, other).resize(picture.size, Image.Resampling.BICUBIC)
        for one, other in ((mended, ink), (ink, mended))
    )
    alpha = picture.getchannel("A")
    return _with_alpha(picture, hardened(ImageChops.subtract(ImageChops.lighter(alpha, added), taken)))


def _without_specks(picture: Image.Image, dpi: float) -> Image.Image:
    alpha = picture.getchannel("A")
    ink = ImageOps.expand(hardened(_at_check(alpha, dpi)), ROOM)
    factor = picture.width / (ink.width - 2 * ROOM)
    mended = hardened(alpha)
    pen = ImageDraw.Draw(mended)
    for mask, value in ((ink, 0), (ImageChops.invert(ink), 255)):
        for speck in thin_parts(mask).specks:
            left, upper, right, lower = ((edge - ROOM) * factor for edge in speck.box)
            pen.rectangle((left - 0.5, upper - 0.5, right - 0.5, lower - 0.5), fill=value)
    return _with_alpha(picture, mended)


def _cut_out(picture: Image.Image) -> Image.Image:
    """Without the ground of one colour that reaches its rim; what that colour encloses stays."""
    colour = rim_colour(picture)
    if colour is None:
        return picture
    near = difference_map(picture, colour).point(lambda value: 255 if value < _GROUND else 0)
    share = min(_SEARCH_SIDE / max(picture.size), 1)
    small = near.resize(
        (max(round(near.width * share), 1), max(round(near.height * share), 1)), Image.Resampling.BOX
    )
    small = ImageOps.expand(small.point(lambda value: 255 if value >= 128 else 0), ROOM, fill=255)
    seed = Image.new("L", small.size, 0)
    seed.paste(255, (0, 0, small.width, ROOM))
    found = reached(seed, small).crop((ROOM, ROOM, small.width - ROOM, small.height - ROOM))
    around = grown(found.resize(picture.size), 2)
    ground = ImageChops.darker(near, around)
    kept = ImageOps.expand(ImageChops.invert(ground), 2)
    # its outermost pixels are half ground
    kept = shrunk(kept).crop((2, 2, 2 + picture.width, 2 + picture.height))
    return _with_alpha(picture, ImageChops.darker(kept, hardened(picture.getchannel("A"))))


def _with_alpha(picture: Image.Image, alpha: Image.Image) -> Image.Image:
    """With colours carried on to where there was no ink."""
    mended = filled(picture)
    mended.putalpha(alpha)
    return mended


def _at_check(alpha: Image.Image, dpi: float) -> Image.Image:
    factor = CHECK_DPI / dpi
    size = (max(round(alpha.width * factor), 1), max(round(alpha.height * factor), 1))
    return alpha.resize(size, Image.Resampling.BOX if factor < 1 else Image.Resampling.BICUBIC)
