"""Caricature: everything that is big made bigger, in a brush line that swells."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, mix
from emulators.artist.sheet import Layers
from emulators.artist.styles.flat import cel, die_cut, inked_words
from emulators.artist.styles.pen import lines_of
from emulators.artist.svg import Pixels


def caricature(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """A head too big for its body, crossed shading, colours washed on by hand."""
    unit = layers.side / 1024
    ink = mix(palette.dark, "#000000", 0.3)
    dx, dy = _swelling(layers.subject)
    subject = filters.displace(layers.subject, dx, dy)
    lines = np.asarray(
        cv2.remap(
            lines_of(layers, 4.5 * unit),
            *_grid(dx, dy),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=0,
        ),
        np.float32,
    )
    inside = filters.alpha(subject)
    washed = filters.blend(
        subject, "#fff3d6", np.asarray(0.3 * filters.noise(rng, layers.side, 7, 4), np.float32)
    )
    lit = cel(washed, round(40 * unit), ink, 0.16)
    heavy = filters.grow(inside, 5 * unit)
    heavy = np.maximum(heavy, filters.moved(heavy, 8 * unit, 10 * unit))
    swell = np.maximum(lines, filters.moved(lines, 2.4 * unit, 3 * unit)) * inside
    shade = filters.blur(np.clip(inside - filters.moved(inside, -70 * unit, -58 * unit), 0, 1), 10 * unit)
    hatch = np.zeros_like(inside)
    for level, degrees in ((0.34, 56), (0.72, -34)):
        strokes = filters.hatch(rng, layers.side, degrees, 12 * unit, 2.6 * unit)
        hatch = np.maximum(hatch, strokes * (shade > level))
    drawn = filters.stacked(
        filters.solid(heavy, ink), lit, filters.solid(hatch * inside * 0.85, ink), filters.solid(swell, ink)
    )
    words = inked_words(layers, palette, 8 * unit, 12 * unit)
    picture = filters.stacked(layers.ground, drawn, layers.front, words)
    return die_cut(picture, palette, 9 * unit) if palette.on_dark else picture


def _grid(dx: Field, dy: Field) -> tuple[Field, Field]:
    xs = np.arange(dx.shape[1], dtype=np.float32)[None, :] + dx
    ys = np.arange(dx.shape[0], dtype=np.float32)[:, None] + dy
    return xs.astype(np.float32), ys.astype(np.float32)


def _swelling(subject: Pixels) -> tuple[Field, Field]:
    """Return where each pixel looks: the upper part bulges, the chin draws in."""
    side = subject.shape[0]
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(subject[..., 3]))
    if not width:
        return np.zeros((side, side), np.float32), np.zeros((side, side), np.float32)
    middle_x, middle_y, reach = x + width / 2, y + height * 0.3, max(height * 0.5, width * 0.42)
    xs = (np.arange(side, dtype=np.float32) - middle_x)[None, :]
    ys = (np.arange(side, dtype=np.float32) - middle_y)[:, None]
    away = np.sqrt(xs * xs + ys * ys) / reach
    pull = np.where(away < 1, 0.36 * (1 - away) ** 2 * (1 + 0.5 * away), 0).astype(np.float32)
    return np.asarray(-xs * pull, np.float32), np.asarray(-ys * pull, np.float32)
