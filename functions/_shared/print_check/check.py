"""The check of one side as it will be printed, and of a picture that is placed on it."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageOps

from _shared.designs.placement import LEAST_DPI, MOST_ENLARGED, hardened
from _shared.print_check.colours import Rgb, difference, difference_map, lab
from _shared.print_check.findings import Box, Finding, Place, Severity
from _shared.print_check.ink import CHECK_DPI, check_ink
from _shared.print_check.masks import grown, reached

# a print shop's own measure: a tenth of the ink unseen is a design that lacks something
_SWALLOWED = 10
_MOST_SWALLOWED = 0.1
_ALL_SWALLOWED = 0.8
# of the longest side, where colours are judged
_COLOUR_SIDE = 500
# pixels there: outlines and hatching beside ink that is seen are read by its contrast, be they ink or cloth
_READ_BY_CONTRAST = 2
# the scale of `difference_map`
_PER_DIFFERENCE = 5

_FRAME_SIDE = 300
# how alike the rim of a ground is
_LIKE = 6.0
_RIM_SHARE = 0.97
_LEAST_GROUND = 0.08
_OPAQUE_RIM = 0.99


def check(image: Image.Image, cloth: Rgb, *, dpi: float, picture_dpi: float | None = None) -> list[Finding]:
    """The findings of a side (RGBA, `dpi` pixels an inch), for ink on `cloth`.

    `picture_dpi` is what its least fine picture has where it is printed, before it is enlarged.
    """
    found = [] if picture_dpi is None else check_resolution(picture_dpi)
    side = _at(image if image.mode == "RGBA" else image.convert("RGBA"), CHECK_DPI / dpi)
    alpha = side.getchannel("A")
    if alpha.getbbox() is None:
        return found
    return [*found, *_check_colours(side, cloth), *check_ink(alpha)]


def check_resolution(
    picture_dpi: float, box: Box = (0, 0, 1, 1), place: Place | None = None
) -> list[Finding]:
    """Of one picture. `place` is its place in print: it is told where it would be sharp."""
    printed = picture_dpi * MOST_ENLARGED
    if round(printed) >= LEAST_DPI:
        return []
    sentence = (
        f"This picture has {picture_dpi:.0f} pixels an inch here. Even enlarged it stays under {LEAST_DPI} and prints "
        "soft: it takes a larger picture, or a smaller print."
    )
    smaller = None
    if place is not None:
        smaller = Place(place.x, place.y, round(place.scale * printed / LEAST_DPI, 4))
    severity: Severity = "stop" if printed < LEAST_DPI / 2 else "warn"
    return [Finding("low_resolution", severity, sentence, box, "shrink" if smaller else None, place=smaller)]


def check_ground(picture: Image.Image) -> str | None:
    """What is wrong with an opaque picture: a sentence where it stands in a box of one colour, else None."""
    small = picture.convert("RGBA")
    small.thumbnail((_FRAME_SIDE, _FRAME_SIDE), Image.Resampling.BOX)
    colour = rim_colour(small)
    if colour is None or not _LEAST_GROUND <= _share_near(small, colour) < 1:
        return None
    return "This picture stands in a box of one colour, and the box is printed with it."


def rim_colour(picture: Image.Image) -> Rgb | None:
    """The colour that an opaque picture's rim has all around; None where it is clear or of many colours."""
    small = picture.copy()
    small.thumbnail((_FRAME_SIDE, _FRAME_SIDE), Image.Resampling.BOX)
    rim = _rim(small)
    opaque = [(red, green, blue) for red, green, blue, alpha in rim if alpha >= 250]
    if len(opaque) < _OPAQUE_RIM * len(rim):
        return None
    colour = (_middle(opaque, 0), _middle(opaque, 1), _middle(opaque, 2))
    ground = lab(colour)
    alike = sum(difference(lab(pixel), ground) < _LIKE for pixel in opaque)
    return colour if alike >= _RIM_SHARE * len(opaque) else None


def _middle(pixels: list[Rgb], channel: int) -> int:
    return sorted(pixel[channel] for pixel in pixels)[len(pixels) // 2]


def _rim(picture: Image.Image) -> list[tuple[int, int, int, int]]:
    width, height = picture.size
    strips = (
        (0, 0, width, 1),
        (0, height - 1, width, height),
        (0, 0, 1, height),
        (width - 1, 0, width, height),
    )
    data = b"".join(picture.crop(strip).tobytes() for strip in strips)
    return [(data[at], data[at + 1], data[at + 2], data[at + 3]) for at in range(0, len(data), 4)]


def _share_near(picture: Image.Image, colour: Rgb) -> float:
    near = difference_map(picture, colour).histogram()
    return sum(near[: round(_LIKE * _PER_DIFFERENCE)]) / sum(near)


def _check_colours(side: Image.Image, cloth: Rgb) -> list[Finding]:
    small = side.copy()
    small.thumbnail((_COLOUR_SIDE, _COLOUR_SIDE), Image.Resampling.BOX)
    small = ImageOps.expand(small, _READ_BY_CONTRAST)
    ink = hardened(small.getchannel("A"))
    inked = ink.histogram()[255]
    near = difference_map(small, cloth).point(
        lambda value: 255 if value < _SWALLOWED * _PER_DIFFERENCE else 0
    )
    lost = _lost(ink, ImageChops.darker(near, ink)) if inked else ink
    share = lost.histogram()[255] / max(inked, 1)
    box, room = lost.getbbox(), _READ_BY_CONTRAST
    if box is None or share <= _MOST_SWALLOWED:
        return []
    sentence = (
        f"{share:.0%} of this ink has nearly the colour of the shirt and will not be seen. Another shirt colour, or "
        "another ink, shows it."
    )
    width, height = small.width - 2 * room, small.height - 2 * room
    left, upper = max(box[0] - room, 0) / width, max(box[1] - room, 0) / height
    right, lower = min((box[2] - room) / width, 1), min((box[3] - room) / height, 1)
    shares = (left, upper, right, lower)
    return [Finding("swallowed_ink", "stop" if share >= _ALL_SWALLOWED else "warn", sentence, shares)]


def _lost(ink: Image.Image, swallowed: Image.Image) -> Image.Image:
    """Swallowed ink that is missed: not what visible ink surrounds or borders, where the cloth looks the same."""
    beside = grown(ImageChops.subtract(ink, swallowed), _READ_BY_CONTRAST)
    return ImageChops.subtract(reached(grown(ImageChops.invert(ink)), swallowed), beside)


def _at(image: Image.Image, factor: float) -> Image.Image:
    if abs(factor - 1) < 0.01:
        return image
    size = (max(round(image.width * factor), 1), max(round(image.height * factor), 1))
    return image.resize(size, Image.Resampling.BOX if factor < 1 else Image.Resampling.BICUBIC)
