"""Lines, however a style comes by them."""

from __future__ import annotations

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.sheet import Layers


def lines_of(layers: Layers, width: float) -> Field:
    """The subject's pen lines; found by eye, `width` pixels wide, where none were drawn."""
    return layers.lines if layers.lines is not None else filters.contours(layers.subject, width)


def ground_lines_of(layers: Layers, width: float, threshold: float = 20) -> Field:
    if layers.ground_lines is not None:
        return layers.ground_lines
    return filters.contours(layers.ground, width, threshold)
