"""Photographs for the photo artist's tests, and the prompts that go with them."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from emulators.artist import restyle
from emulators.assets import Assets
from tests.support.stacks import ROOT

ASSETS = Assets(ROOT / "node_modules", Path(gettempdir()))
STYLES = ("Caricature", "Cartoon", "Line art", "Pop art", "Watercolor", "Sketch", "Vintage", "Ghibli")

Pixels = npt.NDArray[np.uint8]


def photograph(name: str) -> bytes:
    return (ROOT / "tests" / "support" / "photos" / f"{name}.jpg").read_bytes()


def encoded(picture: Image.Image, format: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format, **options)
    return buffer.getvalue()


def redrawn(
    content: bytes,
    style: str,
    instructions: str = "",
    lettering: str = "",
    shirt: str = "#FFFFFF",
    seed: int = 1,
) -> Pixels:
    """The design's RGBA pixels, drawn with the shop's own request."""
    lines = ["Transform this photo into a t-shirt print design.", f"Style: {style}"]
    lines += [f"Instructions: {instructions}"] if instructions else []
    lines += [f"Shirt colour: X ({shirt})"]
    lines += [f'Lettering: "{lettering}"'] if lettering else []
    return np.array(restyle(content, "\n".join(lines), seed, ASSETS))


@lru_cache(maxsize=64)
def design(name: str, style: str, instructions: str = "", shirt: str = "#FFFFFF") -> Pixels:
    """The same, of a test photograph, drawn once for all the tests that look at it."""
    drawn = redrawn(photograph(name), style, instructions, shirt=shirt)
    drawn.setflags(write=False)
    return drawn
