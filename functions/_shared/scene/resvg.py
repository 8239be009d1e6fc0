"""Paths in pixels, as resvg draws them."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

SVG = "SVG"
"""The `format` of a `Picture` that is a sanitised SVG document; its width and height are the document's."""


def rendered(svg: str, width: int) -> Image.Image:
    """An SVG document as RGBA, `width` pixels wide."""
    # Here: functions that draw no scene do without it.
    import resvg_py

    data: Any = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(data)), formats=("PNG",)).convert("RGBA")
