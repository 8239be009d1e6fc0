"""The ten looks (and two more for photographs): layers in, one picture out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.palette import Palette
from emulators.replicate.artist.styles.flat import abstract, caricature, cartoon, minimalist, pop_art, vintage
from emulators.replicate.artist.styles.ink import doodle, line_art, sketch
from emulators.replicate.artist.styles.paint import ghibli, realistic, watercolor
from emulators.replicate.artist.svg import Pixels

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
