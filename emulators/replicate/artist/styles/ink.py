"""Pen and pencil: sketch, line art, doodle."""

from __future__ import annotations

import math

import cv2
import numpy as np

from emulators.replicate.artist import filters
from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.filters import Field
from emulators.replicate.artist.palette import Palette, contrast, mix
from emulators.replicate.artist.styles.flat import inked_words, lettering_of
from emulators.replicate.artist.svg import Pixels


def sketch(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Pencil on a light shirt, chalk on a dark one; a thin wash of colour under it."""
    side, unit = layers.side, layers.side / 1024
    whole = filters.over(layers.ground, layers.subject)
    tone = filters.luma(layers.subject)
    if palette.on_dark:
        tone = 1 - tone
    inside = filters.alpha(layers.subject)
    drawn = np.zeros((side, side), np.float32)
    for level, degrees, spacing in ((0.7, 42, 13), (0.5, -38, 14), (0.3, 12, 12), (0.16, 80, 10)):
        region = filters.blur((tone < level).astype(np.float32) * inside, 2.5 * unit) > 0.5
        strokes = filters.hatch(rng, side, degrees, spacing * unit, 2.6 * unit)
        drawn = np.maximum(drawn, strokes * region)
    outline = filters.contours(layers.subject, 4 * unit)
    twice = np.maximum(_loose(outline, rng, 5 * unit), _loose(outline, rng, 8 * unit) * 0.9)
    grain = filters.noise(rng, side, 120, 2) > 0.1
    pencil = np.maximum(drawn, twice) * grain
    frame = np.clip(filters.alpha(layers.ground) - inside, 0, 1)
    frame_lines = filters.hatch(rng, side, 45, 20 * unit, 3 * unit) * frame
    frame_edge = _loose(filters.contours(layers.ground, 3.5 * unit), rng, 6 * unit) * (1 - inside)
    wash_colour = mix(palette.inks[0], palette.light, 0.25)
    tint = filters.with_alpha(whole, filters.alpha(whole))
    soft = tint.copy()
    soft[..., :3] = (
        tint[..., :3] * 0.45
        + 255 * 0.55 * (0.0 if palette.on_dark else 1.0)
        + tint[..., :3] * (0.3 if palette.on_dark else 0)
    ).clip(0, 255)
    patch = (filters.noise(rng, side, 6, 3) > 0.32).astype(np.float32)
    body = filters.with_alpha(
        filters.shift(soft, round(9 * unit), round(7 * unit)), _shifted(inside, 9 * unit) * patch
    )
    backdrop = filters.solid(np.maximum(frame_lines * 0.9, 0), wash_colour)
    line = palette.line
    picture = filters.stacked(backdrop, body, filters.solid(frame_edge, line), filters.solid(pencil, line))
    words = filters.solid(
        _loose(lettering_of(layers), rng, 3 * unit) * (filters.noise(rng, side, 120, 2) > 0.04),
        layers.ink if not layers.on_plate else line,
    )
    return filters.stacked(picture, words)


def _shifted(mask: Field, by: float) -> Field:
    matrix = np.array([[1, 0, by], [0, 1, by * 0.8]], np.float32)
    return np.asarray(cv2.warpAffine(mask, matrix, mask.shape[::-1]), np.float32)


def _loose(mask: Field, rng: np.random.Generator, amount: float) -> Field:
    four = np.dstack([(mask * 255).astype(np.uint8)] * 4)
    return (filters.wobble(four, rng, amount, 8)[..., 0] / 255).astype(np.float32)


def line_art(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    """One even line and nothing else."""
    unit = layers.side / 1024
    ink = palette.readable() if palette.mood not in ("monochrome", "dark") else palette.line
    ink = ink if contrast(ink, palette.shirt) > 4 else palette.line
    subject = filters.contours(layers.subject, 6.5 * unit, 20)
    edge = filters.grow(filters.alpha(layers.subject), 3 * unit) - (
        filters.depth(filters.alpha(layers.subject)) > 3.5 * unit
    )
    lines = np.maximum(subject, edge.clip(0, 1))
    behind = filters.contours(layers.ground, 4.5 * unit, 7)
    outer = filters.alpha(layers.ground)
    ring = (filters.grow(outer, 2.5 * unit) - (filters.depth(outer) > 2.5 * unit)).clip(0, 1)
    clear = 1 - filters.grow(filters.alpha(layers.subject), 16 * unit)
    behind = np.maximum(behind, ring) * clear
    front = filters.contours(layers.front, 5 * unit)
    words = lettering_of(layers)
    hollow = (
        (filters.grow(words, 2 * unit) - (filters.depth(words) > 3 * unit)).clip(0, 1)
        if words.any()
        else words
    )
    if layers.on_plate or _thin(words):
        hollow = words
    second = (
        palette.inks[1 % len(palette.inks)] if palette.mood not in ("monochrome", "dark", "elegant") else ink
    )
    return filters.stacked(
        filters.solid(behind, second),
        filters.solid(lines, ink),
        filters.solid(front, second),
        filters.solid(hollow, ink),
    )


def _thin(words: Field) -> bool:
    """Letters too small to be drawn hollow."""
    return float(filters.depth(words).max()) < 9 if words.any() else True


def doodle(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """A felt pen that wanders, colour that does not stay within the lines, and things scribbled around."""
    side, unit = layers.side, layers.side / 1024
    subject = filters.wobble(layers.subject, rng, 12 * unit, 6)
    table = (palette.dark, *palette.inks, palette.light)
    fill = filters.posterise(subject, table)
    fill = filters.shift(fill, round(12 * unit), round(10 * unit))
    lines = filters.contours(subject, 7.5 * unit)
    lines = np.maximum(
        lines, filters.grow(filters.alpha(subject), 6 * unit) - (filters.alpha(subject) > 0.5)
    ).clip(0, 1)
    ground = filters.wobble(layers.ground, rng, 14 * unit, 5)
    stripes = filters.hatch(rng, side, 32, 17 * unit, 6 * unit, 9)
    body = filters.alpha(ground) * stripes
    paper = filters.grow(np.maximum(filters.alpha(fill), filters.alpha(subject)), 9 * unit)
    scribbles = _scribbles(
        side,
        rng,
        np.maximum(
            filters.grow(filters.alpha(subject), 26 * unit), filters.grow(lettering_of(layers), 20 * unit)
        ),
    )
    line = palette.line
    picture = filters.stacked(
        filters.with_alpha(ground, body), filters.solid(paper, palette.light),
        fill, filters.solid(lines, palette.dark),
    )  # fmt: skip
    if palette.on_dark:
        picture = filters.over(filters.solid(filters.grow(filters.alpha(picture), 1), line), picture)
    picture = filters.over(picture, filters.solid(scribbles, line))
    return filters.over(picture, inked_words(layers, palette, 5 * unit))


def _scribbles(side: int, rng: np.random.Generator, taken: Field) -> Field:
    """Small hearts, spirals, crosses and zigzags where there is room."""
    canvas = np.zeros((side, side), np.uint8)
    unit = side / 1024
    placed = 0
    for _ in range(120):
        if placed >= 12:
            break
        x, y = rng.uniform(60, 964, 2) * unit
        reach = rng.uniform(20, 34) * unit
        box = taken[
            max(0, int(y - reach * 1.4)) : int(y + reach * 1.4),
            max(0, int(x - reach * 1.4)) : int(x + reach * 1.4),
        ]
        if box.size == 0 or box.max() > 0.2:
            continue
        points = _SIGNS[int(rng.integers(len(_SIGNS)))](reach)
        turn = rng.uniform(-0.5, 0.5)
        turned = [
            (x + px * math.cos(turn) - py * math.sin(turn), y + px * math.sin(turn) + py * math.cos(turn))
            for px, py in points
        ]
        cv2.polylines(
            canvas, [np.array(turned, np.int32)], False, 255, max(2, round(5.5 * unit)), cv2.LINE_AA
        )
        cv2.circle(taken, (int(x), int(y)), int(reach * 2), 1, -1)
        placed += 1
    return (canvas / 255).astype(np.float32)


def _heart(r: float) -> list[tuple[float, float]]:
    return [
        (
            r * math.sin(t) ** 3,
            -r / 16 * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)),
        )
        for t in np.linspace(0, 2 * math.pi, 30)
    ]  # fmt: skip


def _spiral(r: float) -> list[tuple[float, float]]:
    return [(r * t / 15 * math.cos(t), r * t / 15 * math.sin(t)) for t in np.linspace(1, 15, 60)]


def _zigzag(r: float) -> list[tuple[float, float]]:
    return [(-r, 0), (-r * 0.5, -r * 0.6), (0, r * 0.1), (r * 0.5, -r * 0.6), (r, 0)]


def _scrawled_star(r: float) -> list[tuple[float, float]]:
    return [(r * math.sin(k * 4 * math.pi / 5), -r * math.cos(k * 4 * math.pi / 5)) for k in range(6)]


def _ring(r: float) -> list[tuple[float, float]]:
    return [(r * 0.6 * math.cos(t), r * 0.6 * math.sin(t)) for t in np.linspace(0, 6.5, 24)]


_SIGNS = (_heart, _spiral, _zigzag, _scrawled_star, _ring)
