"""Material of the local artist's tests: the installed icons and fonts, and pixels to look at."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir

import numpy as np
import numpy.typing as npt

from emulators.artist import Brief, draw_brief
from emulators.artist.cast import Cast, read_cast
from emulators.artist.icons import Icons
from emulators.assets import Assets
from tests.support.stacks import ROOT

ASSETS = Assets(ROOT / "node_modules", Path(gettempdir()) / "artist-tests")
STYLES = (
    "realistic photo", "cartoon", "sketch", "watercolor", "minimalist", "vintage", "abstract", "doodle", "line art",
    "caricature",
)  # fmt: skip

Pixels = npt.NDArray[np.uint8]


@lru_cache(maxsize=1)
def icons() -> Icons:
    return Icons(ASSETS)


def cast(idea: str) -> Cast:
    return read_cast(idea, icons())


def picture(brief: Brief, side: int) -> Pixels:
    return np.array(draw_brief(brief, side, ASSETS))


def covered(pixels: Pixels) -> float:
    """The share of the canvas that is printed."""
    return float((pixels[..., 3] == 255).mean())
