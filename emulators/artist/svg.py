"""Small SVG vocabulary on a canvas of 1000 × 1000 units, and its rendering to pixels."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from emulators.artist.icons import Icon

Pixels = npt.NDArray[np.uint8]
UNITS = 1000


def document(content: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {UNITS} {UNITS}">{content}</svg>'
    )


def render(content: str, side: int) -> Pixels:
    """RGBA pixels of `content`, transparent where nothing is drawn."""
    if not content:
        return np.zeros((side, side, 4), np.uint8)
    import resvg_py

    png: Any = resvg_py.svg_to_bytes(
        svg_string=document(content), width=side, height=side, skip_system_fonts=True
    )
    return np.array(Image.open(io.BytesIO(bytes(png))).convert("RGBA"))


def place(icon: Icon, body: str, x: float, y: float, size: float, turn: float = 0, flip: bool = False) -> str:
    """`body` centred at (x, y), `size` units wide, turned by degrees, mirrored if `flip`."""
    scale = size / icon.side
    mirror = f"scale({-scale if flip else scale:.4f} {scale:.4f})"
    half = icon.side / 2
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) rotate({turn:.1f}) {mirror} translate({-half} '
        f'{-half})">{body}</g>'
    )


def circle(x: float, y: float, radius: float, fill: str, extra: str = "") -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" {extra}/>'


def path(points: list[tuple[float, float]], fill: str, extra: str = "") -> str:
    drawn = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    return f'<path d="{drawn}" fill="{fill}" {extra}/>'


def star(x: float, y: float, radius: float, fill: str, points: int = 5, inner: float = 0.42) -> str:
    corners = []
    for step in range(points * 2):
        reach = radius if step % 2 == 0 else radius * inner
        angle = math.pi * step / points - math.pi / 2
        corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return path(corners, fill)


def clipped(name: str, shape: str, content: str) -> str:
    """`content` inside `shape`; `name` is unique within the document."""
    return f'<clipPath id="{name}">{shape}</clipPath><g clip-path="url(#{name})">{content}</g>'
