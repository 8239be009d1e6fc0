"""Abstract: the subject taken apart into geometry. The seed chooses the way: facets, counterchange, discs."""

from __future__ import annotations

import math

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, luminance
from emulators.artist.sheet import Layers
from emulators.artist.styles.flat import inked_words
from emulators.artist.svg import Pixels


def abstract(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Facets of paper, fields that change colours with what they cross, or a board of discs."""
    unit = layers.side / 1024
    way = int(rng.integers(3)) if layers.subject.any() else 0
    way = 1 if layers.kind == "panels" else way
    if way == 0 or float(filters.alpha(layers.subject).mean()) < 0.02:
        body = _facets(layers.subject, rng, 230)
    elif way == 1:
        body = _counterchange(layers.subject, palette, rng)
    else:
        body = _discs(layers.subject, palette, unit)
    inside = (filters.alpha(body) > 0.5).astype(np.float32)
    rim = filters.grow(inside, 9 * unit)
    shadow = filters.moved(rim, 15 * unit, 15 * unit) * (filters.alpha(layers.ground) > 0.5)
    pale = palette.light if palette.on_dark or layers.ground.any() else palette.dark
    picture = filters.stacked(
        layers.ground, filters.solid(np.asarray(shadow, np.float32), palette.dark),
        filters.solid(rim, pale), body, layers.front,
    )  # fmt: skip
    return filters.over(picture, inked_words(layers, palette, 0 if layers.on_plate else 3 * unit))


def _facets(subject: Pixels, rng: np.random.Generator, count: int) -> Pixels:
    """Triangles between corners of the drawing, each in one colour; the outline cut with straight strokes."""
    unit = subject.shape[0] / 1024
    mosaic = _triangles(subject, rng, count)
    # Eyes and other small marks are what a thing is known by: they stay whole.
    is_detail = filters.marks(subject) > 0.5
    mosaic[is_detail] = subject[is_detail]
    return filters.with_alpha(mosaic, _straightened(filters.alpha(subject), 9 * unit))


def _straightened(inside: Field, tolerance: float) -> Field:
    """The same shape with corners instead of curves; holes stay open."""
    solid = (inside > 0.5).astype(np.uint8)
    outline = np.zeros(solid.shape, np.uint8)
    shapes, tree = cv2.findContours(solid, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for shape, place in zip(shapes, tree[0] if tree is not None else (), strict=True):
        if cv2.contourArea(shape) > 20 * tolerance:
            cv2.fillPoly(outline, [cv2.approxPolyDP(shape, tolerance, True)], 1 if place[3] < 0 else 0)
    return outline.astype(np.float32)


def _triangles(subject: Pixels, rng: np.random.Generator, count: int) -> Pixels:
    side = subject.shape[0]
    out = np.zeros((side, side, 3), np.uint8)
    inside = subject[..., 3] > 128
    if not inside.any():
        return np.dstack([out, subject[..., 3]])
    lines = filters.contours(subject, 3) * inside
    rows, columns = np.nonzero(inside)
    edge_rows, edge_columns = np.nonzero(lines > 0.5)
    points = [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)]
    for ys, xs, number in ((rows, columns, count // 2), (edge_rows, edge_columns, count)):
        if len(ys):
            picked = rng.integers(0, len(ys), number)
            points += [(int(xs[k]), int(ys[k])) for k in picked]
    division = cv2.Subdiv2D((0, 0, side, side))
    for point in dict.fromkeys(points):
        division.insert((float(point[0]), float(point[1])))
    # Colours are read from a softened picture, so that a facet on a seam takes both sides.
    soft = cv2.GaussianBlur(np.ascontiguousarray(subject[..., :3]), (0, 0), 3)
    for corners in np.asarray(division.getTriangleList(), np.float32).reshape(-1, 3, 2):
        if corners.min() < 0 or corners.max() >= side:
            continue
        x, y = (int(value) for value in corners.mean(axis=0))
        if not inside[y, x]:
            hits = [(py, px) for px, py in corners.astype(int) if inside[py, px]]
            if not hits:
                continue
            y, x = hits[0]
        facet = soft[y, x].astype(np.float32) * rng.uniform(0.8, 1.22)
        colour = tuple(float(part) for part in facet.clip(0, 255))
        cv2.fillConvexPoly(out, corners.astype(np.int32), colour, lineType=cv2.LINE_AA)
    return np.dstack([out, subject[..., 3]])


def _counterchange(subject: Pixels, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Circles and diagonals cut the subject into fields, and every field takes the inks in another order."""
    side = subject.shape[0]
    inks = tuple(sorted((palette.dark, *palette.inks[:4], palette.light), key=luminance))
    tone = filters.luma(subject)
    inside = subject[..., 3] > 128
    ranks = np.sort(tone[inside][::7])
    even = np.searchsorted(ranks, tone).astype(np.float32) / max(len(ranks), 1)
    even = np.asarray(cv2.medianBlur((even.clip(0, 0.999) * 4).astype(np.uint8), 5), np.uint8)
    parity = np.zeros((side, side), np.uint8)
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(subject[..., 3]))
    for _ in range(3):
        shape = np.zeros((side, side), np.uint8)
        centre = (int(x + rng.uniform(0.1, 0.9) * width), int(y + rng.uniform(0.1, 0.9) * height))
        cv2.circle(shape, centre, int(rng.uniform(0.22, 0.42) * max(width, height)), 1, -1)
        parity ^= shape
    turn = rng.uniform(0.3, 1.2)
    across = np.arange(side)[None, :] * math.cos(turn) + np.arange(side)[:, None] * math.sin(turn)
    parity ^= (across > across[y + height // 2, x + width // 2]).astype(np.uint8)
    orders = np.array([[0, 2, 4, 5], [5, 3, 1, 0]])
    picture = filters.by_tone(np.asarray((orders[parity, even] + 0.5) / 6, np.float32), inks)
    return np.dstack([picture, subject[..., 3]])


def _discs(subject: Pixels, palette: Palette, unit: float) -> Pixels:
    """A board of discs in the inks, two sizes, on the subject's own dark shape."""
    inside = filters.alpha(subject)
    step = 19 * unit
    inks = (palette.dark, *palette.inks[:4], *palette.named, palette.light)
    soft = subject.copy()
    soft[..., :3] = cv2.GaussianBlur(np.ascontiguousarray(subject[..., :3]), (0, 0), step / 5)
    toned = filters.posterise(soft, inks)
    out = filters.solid(filters.grow(inside, 3 * unit), palette.dark)
    side = subject.shape[0]
    for row in range(int(side / (step * 0.87)) + 1):
        for column in range(int(side / step) + 1):
            x, y = (column + 0.5 * (row % 2)) * step, row * step * 0.87
            px, py = min(int(x), side - 1), min(int(y), side - 1)
            if inside[py, px] > 0.5:
                ink = tuple(int(part) for part in toned[py, px, :3])
                reach = step * (0.47 if max(ink) > 110 else 0.36)
                cv2.circle(
                    out, (round(x * 16), round(y * 16)), round(reach * 16), (*ink, 255), -1, cv2.LINE_AA, 4
                )
    return filters.with_alpha(out, filters.grow(inside, 3 * unit))
