"""How long a picture takes on one core: designs from words and photos in every style, mockups of every view.

In this process, with one thread, encoding included; the slowest of each kind stands against its limit.
"""

from __future__ import annotations

import io
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
from PIL import Image

from bench.figures import Figure
from emulators.gallery import PHOTO_STYLES, PHOTOS, ROOT, SHIRTS, TEXT_STYLES, VIEWS, Wish, text_prompt
from emulators.printify.studio import Placement, draw_mockup
from emulators.replicate.artist import draw, restyle
from emulators.replicate.assets import Assets

_SIDE = 1536
_MOCKUP_SIDE = 800
_TIMES = 3
_WISH = Wish("Three foxes on a boat", "bold", "Navy", "Ahoy")


def picture_figures() -> Iterator[Figure]:
    """Slowest style or view of each kind, in milliseconds."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as cache:
        assets = Assets(ROOT / "node_modules", Path(cache))
        design = draw(text_prompt(_WISH, "Cartoon"), 1, (_SIDE, _SIDE), assets)
        photo = (PHOTOS / "astronaut.jpg").read_bytes()

        def from_words(style: str, seed: int) -> Image.Image:
            return draw(text_prompt(_WISH, style), seed, (_SIDE, _SIDE), assets)

        def from_photo(style: str, seed: int) -> Image.Image:
            return restyle(photo, f"Style: {style}\nShirt colour: Navy (#1F2A44)", seed, assets)

        def mockup(view: str, seed: int) -> Image.Image:
            dye = list(SHIRTS.values())[seed % len(SHIRTS)]
            return draw_mockup(view, dye, Placement(design, 0.5, 0.42, 0.9), _MOCKUP_SIDE)

        yield _slowest(f"a design of {_SIDE} px from words", TEXT_STYLES, from_words, "PNG", 2000)
        yield _slowest("a design from a photo", PHOTO_STYLES, from_photo, "PNG", 2000)
        yield _slowest("a mockup, drawn", VIEWS, mockup, "JPEG", 300)


def _slowest(
    name: str, kinds: tuple[str, ...], make: Callable[[str, int], Image.Image], encoding: str, limit: float
) -> Figure:
    spent = {kind: _milliseconds(make, kind, encoding) for kind in kinds}
    worst = max(spent, key=lambda kind: spent[kind])
    return Figure(f"{name} (slowest: {worst.lower()})", spent[worst], limit, "ms")


def _milliseconds(make: Callable[[str, int], Image.Image], kind: str, encoding: str) -> float:
    spent = []
    for seed in range(_TIMES + 1):
        began = time.perf_counter()
        picture = make(kind, seed)
        picture.save(io.BytesIO(), encoding)
        spent.append((time.perf_counter() - began) * 1000)
    # the first one reads fonts, icons and maps
    return statistics.median(spent[1:])
