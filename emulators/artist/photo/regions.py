"""Few inks: the photograph's own main colours, or steps of brightness, with borders as smooth as cut paper."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from emulators.artist.filters import Field, blur
from emulators.artist.palette import rgb
from emulators.artist.photo.board import HALF, SIDE
from emulators.artist.photo.subject import Colours

Labels = npt.NDArray[np.uint8]


def main_colours(
    colours: Colours, where: Field, count: int, rich: float = 1.0
) -> tuple[Labels, npt.NDArray[np.float32]]:
    """(labels at HALF, RGB of each) of the `count` colours that the figure is made of; `rich` raises their colour."""
    lab = np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2LAB), np.float32)
    lab[..., 1:] = (lab[..., 1:] - 128) * 1.7
    chosen = lab[::4, ::4].reshape(-1, 3)
    seen = where[::4, ::4].reshape(-1) > 0.5
    sample = np.ascontiguousarray(chosen[seen] if seen.sum() > count * 4 else chosen)
    cv2.setRNGSeed(7)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 14, 0.8)
    count = min(count, len(np.unique(sample, axis=0)))
    _, _, clusters = cv2.kmeans(sample, count, np.empty((0,), np.int32), stop, 1, cv2.KMEANS_PP_CENTERS)
    centres = np.asarray(clusters, np.float32)
    flat = lab.reshape(-1, 3)
    away = 2 * centres @ flat.T
    np.subtract((centres**2).sum(1)[:, None], away, out=away)
    plain = centres.copy()
    plain[:, 1:] = plain[:, 1:] / 1.7 * rich + 128
    inks = cv2.cvtColor(plain.clip(0, 255).astype(np.uint8)[None], cv2.COLOR_LAB2RGB)[0]
    return _least(away).reshape(HALF, HALF), np.asarray(inks, np.float32)


def _least(away: Field) -> Labels:
    """The row with the least value of each column; `argmin` along the first axis takes twice as long."""
    best, labels = away[0].copy(), np.zeros(away.shape[1], np.uint8)
    for label in range(1, len(away)):
        np.putmask(labels, away[label] < best, label)
        np.minimum(best, away[label], out=best)
    return labels


def cut_paper(labels: Labels, inks: npt.NDArray[np.float32], calm: float = 1.6) -> Colours:
    """The labels' inks at SIDE; `calm` (pixels of HALF) rounds the borders and drops what is smaller."""
    best = np.full((SIDE, SIDE), -1.0, np.float32)
    out = np.zeros((SIDE, SIDE), np.uint8)
    for label in range(len(inks)):
        field = blur((labels == label).astype(np.float32), calm)
        big = np.asarray(cv2.resize(field, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.float32)
        np.putmask(out, big > best, label)
        np.maximum(best, big, out=best)
    return _coloured(out, np.asarray(inks, np.float32).clip(0, 255).astype(np.uint8))


def _coloured(labels: Labels, inks: Colours) -> Colours:
    """Each label's ink: a look-up of OpenCV's, which takes a fifth of an index's time."""
    table = np.zeros((256, 1, 3), np.uint8)
    table[: len(inks), 0] = inks
    return np.asarray(cv2.LUT(cv2.merge([labels, labels, labels]), table), np.uint8)


def ranked(tone: Field, where: Field, even: float = 0.6) -> Field:
    """Brightness over the figure's own range, 0 to 1; `even` mixes in its rank, which gives every step its share."""
    seen = tone[where > 0.5]
    if len(seen) < 16 or float(np.ptp(seen)) < 0.02:
        return np.asarray(tone, np.float32).clip(0, 1)
    marks = np.percentile(seen, np.linspace(0, 100, 65))
    rank = np.interp(tone, marks, np.linspace(0, 1, 65))
    low, high = marks[1], marks[-2]
    plain = np.clip((tone - low) / max(float(high - low), 0.02), 0, 1)
    return np.asarray(even * rank + (1 - even) * plain, np.float32)


def tone_steps(tone: Field, levels: tuple[float, ...], inks: tuple[str, ...]) -> Colours:
    """At SIDE: the first ink where `tone` (at HALF) is below the first level, and so on; borders are cut crisply."""
    big = np.asarray(cv2.resize(tone, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)
    step = np.zeros((SIDE, SIDE), np.uint8)
    for level in levels:
        step += (big > level).astype(np.uint8)
    return _coloured(step, np.array([rgb(ink) for ink in inks], np.uint8))
