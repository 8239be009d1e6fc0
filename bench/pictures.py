"""The time of a picture on one core: designs from words and photos in every style, mockups of every view.

In this process, with one thread, encoding included, in processor time: other work on the machine does not count. The
slowest of each kind is compared with its limit.
"""

from __future__ import annotations

import io
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2

from bench.figures import Figure
from emulators.artist import draw
from emulators.assets import Assets
from emulators.gallery import (
    PHOTO_STYLES,
    PHOTOS,
    ROOT,
    SHIRTS,
    TEXT_STYLES,
    Sample,
    as_printed,
    text_prompt,
)
from emulators.mockups import draw_mockup
from emulators.mockups.plates import VIEWS
from emulators.replicate.tasks import run_task

_SIDE = 1536
_MOCKUP_SIDE = 800
_TIMES = 1
_WISH = Sample("Three foxes on a boat", "bold", "Navy", "Ahoy")


def picture_figures() -> Iterator[Figure]:
    """Slowest style or view of each kind, in milliseconds."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as cache:
        assets = Assets(ROOT / "node_modules", Path(cache))
        design = draw(text_prompt(_WISH, "Cartoon"), 1, (_SIDE, _SIDE), assets)
        photo = (PHOTOS / "astronaut.jpg").read_bytes()

        def from_words(style: str, seed: int) -> None:
            run_task("draw", {"prompt": text_prompt(_WISH, style), "seed": seed}, {}, assets)

        def from_photo(style: str, seed: int) -> None:
            # a byte after the picture's end: what was found out about another file is not at hand
            fresh = photo + style.encode() + bytes([seed])
            prompt = f"Style: {style}\nShirt colour: Navy (#1F2A44)"
            run_task("restyle", {"prompt": prompt, "seed": seed}, {"input_image": fresh}, assets)

        def mockup(view: str, seed: int) -> None:
            dye = list(SHIRTS.values())[seed % len(SHIRTS)]
            drawn = draw_mockup(view, dye, as_printed(design), _MOCKUP_SIDE)
            drawn.save(io.BytesIO(), "JPEG", quality=88)

        yield _slowest(f"a design of {_SIDE} px from words", TEXT_STYLES, from_words, 2000)
        yield _slowest("a design from a photo", PHOTO_STYLES, from_photo, 2000)
        yield _slowest("a mockup, drawn", VIEWS, mockup, 300)


def _slowest(name: str, kinds: tuple[str, ...], make: Callable[[str, int], None], limit: float) -> Figure:
    spent = {kind: _milliseconds(make, kind) for kind in kinds}
    worst = max(spent, key=lambda kind: spent[kind])
    return Figure(f"{name} (slowest: {worst.lower()})", spent[worst], limit, "ms")


def _milliseconds(make: Callable[[str, int], None], kind: str) -> float:
    spent = []
    for seed in range(_TIMES + 1):
        began = time.process_time()
        make(kind, seed)
        spent.append((time.process_time() - began) * 1000)
    # the first one reads fonts, icons and maps
    return statistics.median(spent[1:])
