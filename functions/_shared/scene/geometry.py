"""Where a layer lies, in pixels of its side's area; the same functions are in web/src/shop/scene/geometry.ts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from _shared.designs.placement import IDEAL_DPI, MOST_ENLARGED, Size
from _shared.scene.scene import Crop, Layer

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """`x` and `y` are its centre, `angle` degrees clockwise about it."""

    x: float
    y: float
    width: float
    height: float
    angle: float


def layer_box(layer: Layer, ratio: float, area: Size) -> Box:
    """The box of a layer whose height is `ratio` of its width."""
    width = layer.scale * area[0]
    return Box(layer.x * area[0], layer.y * area[1], width, width * ratio, layer.angle)


def corners(box: Box) -> tuple[Point, Point, Point, Point]:
    """Upper left, upper right, lower right, lower left."""
    turn = box.angle * math.pi / 180
    cos, sin = math.cos(turn), math.sin(turn)

    def corner(across: float, down: float) -> Point:
        x, y = across * box.width / 2, down * box.height / 2
        return box.x + x * cos - y * sin, box.y + x * sin + y * cos

    return corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)


def crop_ratio(crop: Crop | None, ratio: float) -> float:
    """A picture's height by its width after cropping."""
    return ratio * crop.height / crop.width if crop else ratio


def effective_dpi(pixels: float, width: float) -> float:
    """Pixels an inch of a picture so many pixels wide, printed on `width` pixels of the area, after enlargement."""
    return min(pixels * MOST_ENLARGED * IDEAL_DPI / width, float(IDEAL_DPI))
