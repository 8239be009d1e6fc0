"""A mockup's work in a drawing process: only this module reaches the studio."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Print:
    """A picture on the print area: centre and width as fractions of the area, angle in degrees."""

    path: str
    x: float
    y: float
    scale: float
    angle: float


def photograph(view: str, colour: str, placed: Print | None, size: int, path: str) -> None:
    """Draws the mockup and puts the JPEG at `path` in one step, so that no reader sees half of it."""
    from PIL import Image

    from emulators.mockups import Placement, draw_mockup

    placement = None
    if placed is not None:
        with Image.open(placed.path) as picture:
            picture.load()
            placement = Placement(picture.convert("RGBA"), placed.x, placed.y, placed.scale, placed.angle)
    scratch = Path(f"{path}.{os.getpid()}")
    draw_mockup(view, colour, placement, size).save(
        scratch, "JPEG", quality=88, optimize=True, progressive=True
    )
    scratch.replace(path)
