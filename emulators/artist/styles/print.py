"""Vintage: few old inks, plates that do not quite meet, a shirt that went through the wash many times."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.palette import Palette, contrast, mix
from emulators.artist.sheet import Layers
from emulators.artist.styles.flat import lettering_of
from emulators.artist.styles.pen import lines_of
from emulators.artist.svg import Pixels


def vintage(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Three faded inks, a dark plate a little off, a coarse screen in the shade, and wear."""
    unit = layers.side / 1024
    cream = mix("#efdfbb", palette.light, 0.2)
    dark = mix(palette.dark, "#3a2418", 0.5)
    inks = tuple(mix(ink, "#a9743f", 0.3) for ink in palette.inks[:3])
    table = (dark, *inks, *(mix(ink, "#a9743f", 0.2) for ink in palette.named), cream)
    subject = filters.posterise(_broad(layers.subject), table)
    off = filters.shift(subject, round(-5 * unit), round(4 * unit))
    tone = filters.luma(layers.subject)
    inside = filters.alpha(layers.subject)
    fall = filters.blur(np.clip(inside - filters.moved(inside, -60 * unit, -54 * unit), 0, 1), 24 * unit)
    screen = filters.halftone(np.clip(0.62 - tone + 0.7 * fall, 0, 0.85).astype(np.float32), 11 * unit, 30)
    key = filters.solid(np.maximum(lines_of(layers, 5 * unit), screen * inside), dark)
    halo = filters.solid(filters.grow(inside, 15 * unit), cream)
    edge = filters.solid(filters.grow(inside, 7 * unit), dark)
    printed = filters.stacked(halo, edge, filters.solid(inside, cream), off, key)
    # A landscape needs the half tones that a coarse screen gives.
    halves = tuple(mix(ink, other, 0.5) for ink in inks for other in (dark, cream))
    ground = filters.posterise(layers.ground, (*table, *halves) if layers.kind == "scene" else table)
    picture = filters.stacked(ground, printed, filters.posterise(layers.front, table))
    return distressed(filters.over(picture, _words(layers, palette, table)), rng)


def _broad(pixels: Pixels) -> Pixels:
    out = pixels.copy()
    out[..., :3] = cv2.medianBlur(np.ascontiguousarray(pixels[..., :3]), 5)
    return out


def _words(layers: Layers, palette: Palette, table: tuple[str, ...]) -> Pixels:
    words = lettering_of(layers)
    if layers.on_plate:
        return filters.solid(words, layers.ink)
    ink = min(table, key=lambda one: abs(contrast(one, layers.ink) - 1))
    if contrast(ink, palette.shirt) < 3:
        ink = max(table, key=lambda one: contrast(one, palette.shirt))
    return filters.solid(words, ink)


def distressed(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """Ink gone in specks, in cracks and along the folds of the cloth."""
    side = picture.shape[0]
    grain = filters.noise(rng, side, 130, 2)
    patches = filters.noise(rng, side, 4, 3)
    cracks = np.abs(filters.noise(rng, side, 22, 3) - 0.5)
    threads = filters.hatch(rng, side, 2, side / 190, side / 900, 3) * filters.noise(rng, side, 60, 2)
    worn = np.clip(patches - 0.42, 0, 1)
    gone = (grain > 0.985 - 0.3 * worn) | ((cracks < 0.007) & (worn > 0.08)) | (threads > 0.86 - 0.42 * worn)
    return filters.with_alpha(picture, filters.alpha(picture) * (1 - gone.astype(np.float32)))
