"""A design's place on the shirt: one rule for print products, seeded products and the shop's own pictures.

Facts of the trade: a full front print is about 12 inches wide on a shirt of size M (20 inches laid flat), which is
60 % of it, and begins a hand's width below the collar; 150 pixels an inch is the least that looks sharp.
Printify's terms: x and y are the picture's centre, as shares of the print area; scale is its width as a share of the
area's. Areas grow with the shirt, so the same shares fill every size alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from PIL import Image

LEAST_DPI = 150
IDEAL_DPI = 300
# enlarged further than this, a picture gets no sharper
MOST_ENLARGED = 4.0
_WIDEST = 0.92
# how far the print's upper edge lies below the area's, as a share of the area's height
_TOP_MARGIN = 0.04

Size = tuple[int, int]
"""Width and height in pixels."""


def placement(picture: Size, area: Size) -> dict[str, float]:
    """Return where a print file without margins lies on an area, as Printify's `x`, `y`, `scale` and `angle`.

    As wide as a full front print, never taller than the area, and no wider than its pixels last for: a tiny picture
    prints small rather than blurred. Its top is where every design's is, high on the chest.
    """
    width, height = picture
    room = 1 - 2 * _TOP_MARGIN
    # the picture's height as a share of the area's height, when as wide as the area
    tallness = (height / width) * (area[0] / area[1])
    sharp = (width / LEAST_DPI) / (area[0] / IDEAL_DPI)
    scale = min(_WIDEST, room / tallness, sharp)
    return {"x": 0.5, "y": round(_TOP_MARGIN + scale * tallness / 2, 4), "scale": round(scale, 4), "angle": 0}


def print_areas(areas: Mapping[int, Size], upload_id: str, picture: Size) -> list[dict[str, Any]]:
    """Printify's `print_areas` (variant id → area): one per size of area, since small shirts have smaller ones."""
    groups: dict[Size, list[int]] = defaultdict(list)
    for variant, area in areas.items():
        groups[area].append(variant)
    return [
        {
            "variant_ids": sorted(variants),
            "placeholders": [
                {"position": "front", "images": [{"id": upload_id, **placement(picture, area)}]}
            ],
        }
        for area, variants in sorted(groups.items(), key=lambda group: group[1])
    ]


def print_inches(picture: Size, area: Size) -> float:
    """Return how wide a design of these pixels without margins is printed on `area`, in inches."""
    return placement(largest_print(picture), area)["scale"] * area[0] / IDEAL_DPI


def largest_print(picture: Size) -> Size:
    """The pixels of the largest print file that is made of a design."""
    return round(picture[0] * MOST_ENLARGED), round(picture[1] * MOST_ENLARGED)


def ink_box(picture: Image.Image) -> tuple[int, int, int, int] | None:
    """The box of the printed part of `picture` (left, upper, right, lower); None if all of it is transparent."""
    rgba = picture if picture.mode == "RGBA" else picture.convert("RGBA")
    return hardened(rgba.getchannel("A")).getbbox()


def hardened(alpha: Image.Image) -> Image.Image:
    """Every pixel opaque or transparent: half-transparent ones get a white underbase and print as speckle."""
    return alpha.point(lambda value: 255 if value >= 128 else 0)
