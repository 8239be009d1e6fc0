"""The print itself, SIDE pixels square: inks and pictures laid one over the other, and the fields they are cut from."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist.filters import Field
from emulators.artist.palette import rgb
from emulators.artist.photo.board import HALF, SIDE
from emulators.artist.photo.subject import Colours
from emulators.artist.svg import Pixels


class Sheet:
    """Transparent at first; `colours` count only where `shown` is above one half."""

    def __init__(self) -> None:
        self.colours: Colours = np.zeros((SIDE, SIDE, 3), np.uint8)
        self.shown: Field = np.zeros((SIDE, SIDE), np.float32)

    def ink(self, mask: Field, colour: str, at: tuple[int, int] = (0, 0)) -> None:
        """One flat ink where `mask` is, its corner `at` (x, y); soft masks blend into what is below, not the cloth."""
        rows, columns = _extent(mask)
        if rows.start == rows.stop:
            return
        part = np.ascontiguousarray(mask[rows, columns], np.float32)
        here = _moved(rows, at[1]), _moved(columns, at[0])
        under = self.shown[here]
        share = _share(part, under)
        flat = cv2.merge([np.full(part.shape, value, np.uint8) for value in rgb(colour)])
        self.colours[here] = cv2.blendLinear(flat, np.ascontiguousarray(self.colours[here]), share, 1 - share)
        np.maximum(under, part, out=under)

    def picture(self, mask: Field, colours: Colours) -> None:
        """A picture of many colours where `mask` is."""
        share = _share(mask, self.shown)
        self.colours = np.asarray(cv2.blendLinear(colours, self.colours, share, 1 - share), np.uint8)
        self.shown = np.maximum(self.shown, mask)

    def lay(self, pixels: Pixels) -> None:
        """RGBA pixels on top."""
        self.picture(
            np.asarray(pixels[..., 3] / np.float32(255), np.float32), np.ascontiguousarray(pixels[..., :3])
        )

    def clear(self, mask: Field) -> None:
        """Takes the print away where `mask` is."""
        self.shown = np.asarray(self.shown * (1 - mask), np.float32)

    def pixels(self) -> Pixels:
        """RGBA with hard alpha."""
        solid = (self.shown >= 0.5).astype(np.uint8) * np.uint8(255)
        shown = cv2.bitwise_and(self.colours, self.colours, mask=solid)
        return np.asarray(cv2.merge([*cv2.split(shown), solid]), np.uint8)


def _share(mask: Field, under: Field) -> Field:
    """Return how much of what is laid on shows: all of it where the cloth is still bare."""
    share = np.asarray(cv2.threshold(mask, 0.01, 1, cv2.THRESH_BINARY)[1], np.float32)
    np.copyto(share, mask, where=under > 0.5)
    return share


def _extent(mask: Field) -> tuple[slice, slice]:
    """The rows and columns that the mask reaches over."""
    rows = np.flatnonzero(cv2.reduce(mask, 1, cv2.REDUCE_MAX).ravel() > 0.01)
    if not len(rows):
        return slice(0, 0), slice(0, 0)
    within = slice(int(rows[0]), int(rows[-1]) + 1)
    columns = np.flatnonzero(cv2.reduce(mask[within], 0, cv2.REDUCE_MAX).ravel() > 0.01)
    return within, slice(int(columns[0]), int(columns[-1]) + 1)


def _moved(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


def large(field: Field) -> Field:
    """A soft field at SIDE."""
    return np.asarray(cv2.resize(field, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)


def large_colours(colours: Colours) -> Colours:
    return np.asarray(cv2.resize(colours, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.uint8)


def crisp(field: Field, level: float = 0.5, steep: float = 3.0) -> Field:
    """A field at HALF cut at `level` into a mask at SIDE, with an edge about a pixel wide."""
    mask = large(field)
    mask -= level
    mask *= steep
    mask *= 2
    mask += 0.5
    return np.clip(mask, 0, 1, out=mask)


def widen(mask: Field, radius: float) -> Field:
    """The mask at SIDE grown by `radius` pixels of SIDE; worked out at HALF, which is exact enough for a rim."""
    half = np.asarray(cv2.resize(mask, (HALF, HALF), interpolation=cv2.INTER_AREA), np.float32)
    outside = (half < 0.5).astype(np.uint8)
    if outside.all():
        return np.zeros((SIDE, SIDE), np.float32)
    reach = large(np.asarray(cv2.distanceTransform(outside, cv2.DIST_L2, 5), np.float32))
    reach *= 2
    np.subtract(radius, reach, out=reach)
    reach += 0.5
    return np.clip(reach, 0, 1, out=reach)


def inside(mask: Field, radius: float) -> Field:
    """The mask at SIDE shrunk by `radius` pixels of SIDE."""
    return 1 - widen(1 - mask, radius)


def grain(rng: np.random.Generator, cells: int, octaves: int = 3, side: int = SIDE) -> Field:
    """Smooth fractal noise from 0 to 1 at `side`; `cells` is the number of its largest bumps across."""
    small = min(max(64, 4 * cells), side)
    total = np.zeros((small, small), np.float32)
    for octave in range(octaves):
        count = min(cells * 2**octave, small) + 3
        bumps = rng.random((count, count), np.float32)
        total += 0.5**octave * np.asarray(
            cv2.resize(bumps, (small, small), interpolation=cv2.INTER_CUBIC), np.float32
        )
    low, high = np.percentile(total, (2, 98))
    return np.asarray(
        cv2.resize((total - low) / (high - low), (side, side), interpolation=cv2.INTER_CUBIC), np.float32
    ).clip(0, 1)


def dots(tone: Field, cell: float, degrees: float) -> Field:
    """A halftone screen at SIDE: dots `cell` pixels apart, as large as `tone` (0 none, 1 full) says."""
    turn = np.deg2rad(degrees)
    at = np.arange(SIDE, dtype=np.float32) * (2 * np.pi / cell)
    u0, u1 = at * np.cos(turn), at * np.sin(turn)
    # cos(a + b) by its addition theorem: four outer products in place of two cosines of every pixel.
    screen = np.outer(np.cos(u1), np.cos(u0)) - np.outer(np.sin(u1), np.sin(u0))
    screen += np.outer(np.cos(u0), np.cos(u1)) + np.outer(np.sin(u0), np.sin(u1))
    threshold = 0.5 - np.asarray(screen, np.float32) / 4
    full_tone = tone if tone.shape[0] == SIDE else large(tone)
    return np.clip((full_tone - threshold) * cell * 0.55 + 0.5, 0, 1).astype(np.float32)
