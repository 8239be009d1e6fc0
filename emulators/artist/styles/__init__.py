"""The ten looks (and two more for photographs): layers in, one picture out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from emulators.artist.palette import Palette
from emulators.artist.sheet import Layers
from emulators.artist.styles.abstract import abstract
from emulators.artist.styles.caricature import caricature
from emulators.artist.styles.flat import cartoon, minimalist, pop_art
from emulators.artist.styles.ink import doodle, line_art, sketch
from emulators.artist.styles.light import realistic
from emulators.artist.styles.paint import ghibli, watercolor
from emulators.artist.styles.print import vintage
from emulators.artist.svg import Pixels

Look = Callable[[Layers, Palette, np.random.Generator], Pixels]

LOOKS: dict[str, Look] = {
    "realistic photo": realistic,
    "cartoon": cartoon,
    "sketch": sketch,
    "watercolor": watercolor,
    "minimalist": minimalist,
    "vintage": vintage,
    "abstract": abstract,
    "doodle": doodle,
    "line art": line_art,
    "caricature": caricature,
    "pop art": pop_art,
    "ghibli": ghibli,
}

# Looks that are worked out smaller and enlarged: paint, pencil and photographs have no finer grain.
SMALLER = {
    "realistic photo": 1024, "watercolor": 960, "sketch": 1152, "ghibli": 1024, "cartoon": 1280, "vintage": 1280,
    "doodle": 1280, "caricature": 1280, "pop art": 1280,
}  # fmt: skip
