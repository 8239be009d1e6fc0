"""Ink lines of a photograph: differences of Gaussians, smoothed along the direction in which edges run.

After Kang, Lee and Chui, Coherent Line Drawing (2007), and Winnemöller, XDoG (2012); lines of one weight are thinned
to their middles and drawn anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.photo.board import HALF, SIDE
from emulators.artist.photo.subject import Colours


@dataclass(frozen=True)
class Flow:
    """Unit vectors along edges, and `strength`, the local contrast (0 to about 1)."""

    x: Field
    y: Field
    strength: Field

    def along(self, field: Field | Colours, steps: tuple[float, ...] = (1.0, 1.6, 2.6, 4.0)) -> Field:
        """`field` smoothed along the flow only; later steps reach further."""
        at = np.arange(HALF, dtype=np.float32)
        xs, ys = at[None], at[:, None]
        x, y = np.empty_like(self.x), np.empty_like(self.y)
        out = field.astype(np.float32)
        for step in steps:
            dx, dy = self.x * step, self.y * step
            np.subtract(xs, dx, out=x)
            np.subtract(ys, dy, out=y)
            around = np.asarray(cv2.remap(out, x, y, cv2.INTER_LINEAR), np.float32)
            np.add(xs, dx, out=x)
            np.add(ys, dy, out=y)
            around += np.asarray(cv2.remap(out, x, y, cv2.INTER_LINEAR), np.float32)
            around *= 0.25
            out *= 0.5
            out += around
        return out


def flow_of(colours: Colours, reach: float = 3.5) -> Flow:
    """The direction of edges, averaged over about `reach` pixels."""
    lab = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.float32) / 255
    lab = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.2), np.float32)
    dx = np.asarray(cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3), np.float32)
    dy = np.asarray(cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3), np.float32)
    xx = filters.blur(_summed(dx * dx), reach)
    yy = filters.blur(_summed(dy * dy), reach)
    xy = filters.blur(_summed(dx * dy), reach)
    across = 0.5 * np.arctan2(2 * xy, xx - yy)
    return Flow(-np.sin(across), np.cos(across), np.sqrt(xx + yy))


def _summed(field: Field) -> Field:
    """Its three channels in one; a sum along so short an axis takes NumPy ten times as long."""
    first, second, third = cv2.split(field)
    return np.asarray(first + second + third, np.float32)


def smooth(colours: Colours, flow: Flow, strength: float = 0.35) -> Colours:
    """Broad soft fields with clean borders: texture goes, form stays."""
    even = np.asarray(cv2.edgePreservingFilter(colours, flags=1, sigma_s=36, sigma_r=strength), np.uint8)
    return np.asarray(flow.along(even, (1.0, 2.0, 3.0)).clip(0, 255), np.uint8)


def edges(tone: Field, flow: Flow, width: float = 1.3, sharp: float = 0.985) -> Field:
    """Return how much each pixel is darker than its surroundings, about -0.1 to 0.1; positive is ink."""
    difference = sharp * filters.blur(tone, width * 1.6) - filters.blur(tone, width)
    return flow.along(difference)


def inked(response: Field, least: float, soft: float = 0.007, specks: int = 24) -> Field:
    """A mask at SIDE of the lines with a response over `least`; thick where the contrast is strong."""
    core = (response > least).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=8)
    is_large = stats[:, cv2.CC_STAT_AREA] >= specks
    is_large[0] = False
    near = cv2.dilate(is_large[labels].astype(np.float32), np.ones((5, 5), np.uint8))
    # Specks are pressed down softly: a hard stencil would cut the ends of lines square.
    softened = response - 0.04 * (1 - filters.blur(np.asarray(near, np.float32), 1.6))
    big = np.asarray(cv2.resize(softened, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray(np.clip((big - least) / soft + 0.5, 0, 1), np.float32)


def strokes(mask: Field, shortest: int = 16, calm: float = 2.2) -> list[Field]:
    """Middles of the lines of a mask at HALF, as smooth polylines of (x, y), longest first."""
    thin = _thinned(mask > 0.5)
    paths = [path for path in _walk(thin) if len(path) >= shortest]
    return sorted((_calmed(path, calm) for path in paths), key=len, reverse=True)


def draw_strokes(paths: list[Field], width: float, side: int = SIDE) -> Field:
    """The polylines at `side`, all of one width in pixels of `side`."""
    canvas = np.zeros((side, side), np.uint8)
    scale = side / HALF
    fixed = [np.round((path * scale + scale / 2 - 0.5) * 16).astype(np.int32) for path in paths]
    cv2.polylines(canvas, fixed, False, 255, max(1, round(width)), cv2.LINE_AA, 4)
    return np.asarray(canvas / np.float32(255), np.float32)


def _calmed(path: Field, sigma: float) -> Field:
    """The hand's line: pixel steps smoothed out, ends held."""
    reach = int(3 * sigma)
    padded = (
        np.pad(path, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
        if len(path) > reach
        else path
    )
    if padded is path:
        return path
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    columns = [np.convolve(padded[:, column], weights, "valid") for column in (0, 1)]
    return np.stack(columns, -1).astype(np.float32)


def _thinned(
    mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Zhang and Suen's thinning (1984): lines one pixel wide, still connected."""
    image = np.pad(mask, 1).astype(np.uint8)
    for _ in range(24):
        removed = 0
        for first in (True, False):
            p2, p3, p4, p5, p6, p7, p8, p9 = (
                image[:-2, 1:-1], image[:-2, 2:], image[1:-1, 2:], image[2:, 2:], image[2:, 1:-1], image[2:, :-2],
                image[1:-1, :-2], image[:-2, :-2],
            )  # fmt: skip
            ring = (p2, p3, p4, p5, p6, p7, p8, p9, p2)
            count = p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9
            turns = sum(((one == 0) & (two == 1)).astype(np.uint8) for one, two in pairwise(ring))
            gone = (image[1:-1, 1:-1] == 1) & (count >= 2) & (count <= 6) & (turns == 1)
            gone &= (
                ((p2 & p4 & p6) == 0) & ((p4 & p6 & p8) == 0)
                if first
                else ((p2 & p4 & p8) == 0) & ((p2 & p6 & p8) == 0)
            )
            image[1:-1, 1:-1][gone] = 0
            removed += int(gone.sum())
        if not removed:
            break
    return image[1:-1, 1:-1] > 0


def _walk(thin: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[Field]:
    """Follows thin lines from end to end, straight on where they meet."""
    left = {(int(y), int(x)) for y, x in np.argwhere(thin)}
    around = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
    ends = [(y, x) for y, x in left if sum((y + dy, x + dx) in left for dy, dx in around) == 1]
    paths = []
    for start in [*sorted(ends), *sorted(left)]:
        if start not in left:
            continue
        path = [start]
        left.discard(start)
        heading = (0, 0)
        while True:
            y, x = path[-1]
            nexts = [(y + dy, x + dx) for dy, dx in around if (y + dy, x + dx) in left]
            if not nexts:
                break
            best = max(nexts, key=lambda at: (at[0] - y) * heading[0] + (at[1] - x) * heading[1])
            left.discard(best)
            path.append(best)
            back = path[max(0, len(path) - 6)]
            heading = (best[0] - back[0], best[1] - back[1])
        paths.append(np.array([(x, y) for y, x in path], np.float32))
    return paths
