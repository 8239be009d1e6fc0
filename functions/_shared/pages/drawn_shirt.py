"""A shirt in any colour with a design on its chest, for designs that the printer has photographed no shirt of.

It is the mockup studio's shirt (tools/blank_shirt.py), dyed and printed as there (emulators/mockups/cloth.py) but for
the folds, which a print this small does not show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from PIL import Image, ImageMath

from _shared.designs.placement import ink_box, largest_print, placement

SIZE = 630
# where the print area lies on the picture (left, upper, right, lower), and its pixels at the printer
_AREA_BOX = (206, 146, 424, 429)
_AREA = (4500, 5100)
_GROUND, _MAPS = (Path(__file__).with_name(f"shirt_{name}.webp") for name in ("ground", "maps"))
# of a full light on white cloth: what 255 stands for in the map
_BRIGHTEST = 1.6
_GAMMA = 2.2
# the light that 255 stands for while it is computed
_MOST_LIGHT = 1.5
# Pillow's own kinds of operands and functions are private
Operands = Mapping[str, Any]


def draw_shirt(picture: Image.Image, enlarged: float, color: str) -> Image.Image:
    """An RGB picture, `SIZE` pixels square.

    `picture` is the design made smaller: for each of its pixels in a row the design has `enlarged`.
    """
    with Image.open(_MAPS) as maps, Image.open(_GROUND) as ground:
        light, sheen, _, cover = maps.split()
        drawn = ground.convert("RGB")
    dyes = [(int(color[at : at + 2], 16) / 255) ** _GAMMA for at in (1, 3, 5)]
    paleness = sum(dyes) / 3
    # dark cloth shows its folds in deeper shade, and the fibres that stand off it
    depth, glow = 1.16 - 0.24 * paleness, 0.06 * (1 - 0.7 * paleness)
    *inks, opacity = _printed(picture, enlarged).split()
    channels = []
    for ink, dye in zip(inks, dyes, strict=True):
        # no cotton is as black as ink, none as white as paper
        cotton = 0.01 + (1 - 0.08 * paleness) * dye
        shade = ImageMath.lambda_eval(
            partial(_shade, depth=depth, cotton=cotton, glow=glow),
            light=light,
            sheen=sheen,
            ink=ink,
            opacity=opacity,
        )
        channels.append(shade.point(_developed()))
    drawn.paste(Image.merge("RGB", channels), mask=cover)
    return drawn


def _shade(of: Operands, *, depth: float, cotton: float, glow: float) -> Any:
    """A channel of cloth and ink, computed as light: 255 for `_MOST_LIGHT`, under the curve of sRGB."""
    light = ((of["light"] / 255.0) ** 2 * _BRIGHTEST) ** depth
    cloth = light * cotton + of["sheen"] * (glow / 255)
    print_ = light * 0.95 * (of["ink"] / 255.0) ** _GAMMA
    # the fullest print lets some cloth through
    shade = cloth + (print_ - cloth) * (of["opacity"] * (0.985 / 255))
    return of["convert"]((shade / _MOST_LIGHT) ** (1 / _GAMMA) * 255.0, "L")


@cache
def _developed() -> list[int]:
    """What is brighter than three quarters of white rolls off, and is not cut."""
    light = [(value / 255) ** _GAMMA * _MOST_LIGHT for value in range(256)]
    rolled = [each if each < 0.75 else 0.75 + 0.24 * math.tanh((each - 0.75) / 0.24) for each in light]
    return [round(each ** (1 / _GAMMA) * 255) for each in rolled]


def _printed(picture: Image.Image, enlarged: float) -> Image.Image:
    """The design without its margins, where it is printed, on an empty picture of the shirt's size."""
    whole = Image.new("RGBA", (SIZE, SIZE))
    box = ink_box(picture)
    if box is None:
        return whole
    ink = picture.convert("RGBA").crop(box)
    size = round(ink.width * enlarged), round(ink.height * enlarged)
    place = placement(largest_print(size), _AREA)
    left, upper, right, lower = _AREA_BOX
    width = place["scale"] * (right - left)
    height = place["scale"] * (lower - upper) * (_AREA[0] / _AREA[1]) * ink.height / ink.width
    small = ink.resize((max(round(width), 1), max(round(height), 1)), Image.Resampling.LANCZOS)
    across, down = left + place["x"] * (right - left), upper + place["y"] * (lower - upper)
    whole.paste(small, (round(across - small.width / 2), round(down - small.height / 2)))
    return whole
