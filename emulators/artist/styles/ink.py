"""Pen and pencil: sketch, line art, doodle."""

from __future__ import annotations

import math

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, contrast, luminance, mix
from emulators.artist.sheet import Layers
from emulators.artist.styles.flat import inked_words, lettering_of
from emulators.artist.styles.pen import ground_lines_of, lines_of
from emulators.artist.svg import Pixels


def sketch(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Pencil on a light shirt, chalk on a dark one, paper of its own on a shirt between: strokes by tone."""
    side, unit = layers.side, layers.side / 1024
    chalk = luminance(palette.shirt) < 0.06
    inside = filters.alpha(layers.subject)
    tone = _stretched(layers.subject)
    lead = "#f4f0e6" if chalk else mix(palette.dark, "#2b2a33", 0.5)
    strokes = _strokes(1 - tone if chalk else tone, inside, rng, unit)
    outline = lines_of(layers, 4 * unit)
    edge = (filters.grow(inside, 3 * unit) - (filters.depth(inside) > 1.2 * unit)).clip(0, 1)
    outline = np.maximum(outline, np.asarray(edge, np.float32))
    twice = np.maximum(_loose(outline, rng, 4 * unit), _loose(outline, rng, 8 * unit) * 0.8)
    grain = filters.noise(rng, side, 150, 2) > 0.08
    paper = _paper(layers, palette, chalk, rng, unit)
    crayon = filters.blend(layers.subject, lead, np.full_like(inside, 0.32))
    coloured = filters.with_alpha(crayon, strokes * grain)
    around = _surroundings(layers, rng, unit) * (1 - filters.grow(inside, 5 * unit)) * grain
    tint = mix(lead, palette.inks[0], 0.72 if not chalk else 0.5)
    if contrast(tint, palette.shirt) < 2.2:
        tint = palette.readable()
    picture = filters.stacked(
        filters.solid(np.asarray(around, np.float32), tint), paper, coloured,
        filters.solid(np.asarray(twice * grain, np.float32), lead),
    )  # fmt: skip
    letters = lettering_of(layers)
    ink = layers.ink if not layers.on_plate else palette.line
    shade = filters.hatch(rng, side, -52, 7 * unit, 3.2 * unit, 4)
    rim = (letters - (filters.depth(letters) > 2.6 * unit)).clip(0, 1)
    words = (
        np.maximum(letters * np.maximum(shade, 0), rim) if letters.any() and not _thin(letters) else letters
    )
    return filters.over(picture, filters.solid(np.asarray(_loose(words, rng, 2.5 * unit), np.float32), ink))


def _stretched(pixels: Pixels) -> Field:
    """Brightness over the subject's own range, half by rank: every depth of shading occurs."""
    tone = filters.luma(pixels)
    inside = pixels[..., 3] > 128
    if not inside.any():
        return tone
    values = np.sort(tone[inside][::5])
    ranks = np.interp(np.linspace(0, 1, 256), values, np.linspace(0, 1, len(values)))
    table = 0.5 * ranks + 0.5 * np.linspace(0, 1, 256)
    fall = filters.depth(filters.alpha(pixels))
    # The side away from the light is shaded even where the colour is pale.
    away = filters.blur(filters.moved(np.asarray(fall, np.float32), 60, 50), 20) - filters.blur(fall, 20)
    lean = np.clip(away / (np.abs(away).max() + 1e-3), -1, 1)
    toned = table.astype(np.float32)[(tone * 255).astype(np.uint8)]
    return np.asarray(np.clip(toned + 0.34 * lean, 0, 1), np.float32)


def _strokes(tone: Field, inside: Field, rng: np.random.Generator, unit: float) -> Field:
    """Layers of hatching, each where it is darker still."""
    drawn = np.zeros_like(inside)
    for level, degrees, spacing, width in (
        (0.82, 40, 11, 2.0),
        (0.58, 47, 9, 2.6),
        (0.4, -36, 10, 2.5),
        (0.22, 8, 8, 2.8),
    ):
        region = filters.blur((tone < level).astype(np.float32) * inside, 3 * unit) > 0.5
        drawn = np.maximum(
            drawn, filters.hatch(rng, inside.shape[0], degrees, spacing * unit, width * unit, 9) * region
        )
    return np.asarray(drawn, np.float32)


def _paper(layers: Layers, palette: Palette, chalk: bool, rng: np.random.Generator, unit: float) -> Pixels:
    """Return what is under the strokes: pale paper, or a breath of chalk on black."""
    inside = filters.grow(filters.alpha(layers.subject), 4 * unit)
    if chalk:
        return filters.solid(inside, mix(palette.shirt, "#2c2b33", 0.75))
    if luminance(palette.shirt) > 0.8:
        return filters.with_alpha(
            filters.blend(layers.subject, "#ffffff", np.full_like(inside, 0.72)),
            inside * (filters.alpha(layers.subject) > 0.5),
        )
    return filters.wobble(filters.solid(filters.grow(inside, 20 * unit), "#fbf7ec"), rng, 9 * unit, 14)


def _surroundings(layers: Layers, rng: np.random.Generator, unit: float) -> Field:
    """The ground as a hatched field with a loose outline."""
    if not layers.ground.any():
        return np.zeros(layers.lettering.shape, np.float32)
    side = layers.side
    inside = filters.alpha(layers.ground)
    tone = filters.luma(layers.ground)
    field = np.zeros_like(inside)
    solid = float(inside.mean()) > 0.12
    for level, degrees, spacing in ((0.66, -45, 17), (0.42, 45, 15)):
        strokes = filters.hatch(rng, side, degrees, spacing * unit, 2.4 * unit, 7)
        field = np.maximum(field, strokes * inside * (tone < level)) if solid else field
    lines = ground_lines_of(layers, 3.5 * unit)
    if solid:
        rim = (filters.grow(inside, 2 * unit) - (filters.depth(inside) > 1.6 * unit)).clip(0, 1)
        lines = np.maximum(lines, np.asarray(rim, np.float32))
    lines = _loose(lines, rng, 4 * unit)
    return np.asarray(np.maximum(np.maximum(field, lines), 0 if solid else inside), np.float32)


def _loose(mask: Field, rng: np.random.Generator, amount: float) -> Field:
    """The mask drawn by a hand that wanders by `amount` pixels."""
    side = mask.shape[0]
    xs = np.arange(side, dtype=np.float32)[None, :] + (filters.noise(rng, side, 8, 2) - 0.5) * 2 * amount
    ys = np.arange(side, dtype=np.float32)[:, None] + (filters.noise(rng, side, 8, 2) - 0.5) * 2 * amount
    moved = cv2.remap(mask, xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(moved, np.float32)


def line_art(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    """One even line and nothing else."""
    unit = layers.side / 1024
    ink = palette.readable() if palette.mood not in ("monochrome", "dark") else palette.line
    ink = ink if contrast(ink, palette.shirt) > 3.4 else palette.line
    inside = filters.alpha(layers.subject)
    edge = (filters.grow(inside, 3 * unit) - (filters.depth(inside) > 3.2 * unit)).clip(0, 1)
    lines = np.maximum(lines_of(layers, 6.5 * unit), np.asarray(edge, np.float32))
    clear = 1 - filters.grow(inside, 15 * unit)
    behind = ground_lines_of(layers, 5 * unit, 7)
    outer = filters.alpha(layers.ground)
    if (layers.ground_lines is None or layers.kind == "scene") and outer.any():
        ring = (filters.grow(outer, 2.5 * unit) - (filters.depth(outer) > 2.5 * unit)).clip(0, 1)
        behind = np.maximum(behind, np.asarray(ring, np.float32))
    words = lettering_of(layers)
    hollow = words
    if words.any() and not _thin(words) and not layers.on_plate:
        hollow = (filters.grow(words, 2 * unit) - (filters.depth(words) > 3.4 * unit)).clip(0, 1)
    second = next((one for one in palette.inks[1:] if contrast(one, palette.shirt) > 2.4), ink)
    second = ink if palette.mood in ("monochrome", "dark", "elegant") else second
    front = filters.contours(layers.front, 5 * unit) if layers.front.any() else np.zeros_like(inside)
    return filters.stacked(
        filters.solid(np.asarray(behind * clear, np.float32), second), filters.solid(lines, ink),
        filters.solid(front, second), filters.solid(np.asarray(hollow, np.float32), ink),
    )  # fmt: skip


def _thin(words: Field) -> bool:
    """Letters too small to be drawn hollow."""
    return float(filters.depth(words).max()) < 9 if words.any() else True


def doodle(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """A felt pen that wanders, flat colour beside its lines, and things scribbled around."""
    side, unit = layers.side, layers.side / 1024
    jitter = (
        (filters.noise(rng, side, 9, 2) - 0.5) * 26 * unit,
        (filters.noise(rng, side, 9, 2) - 0.5) * 26 * unit,
    )
    subject = filters.displace(layers.subject, *jitter)
    inside = filters.alpha(subject)
    table = (mix(palette.dark, palette.inks[0], 0.2), *palette.inks, *palette.named, palette.light)
    fill = filters.shift(filters.posterise(subject, table), round(13 * unit), round(10 * unit))
    drawn = np.asarray(
        cv2.remap(lines_of(layers, 7.5 * unit), *_looking(side, jitter), cv2.INTER_LINEAR), np.float32
    )
    rim = (filters.grow(inside, 7 * unit) - (filters.depth(inside) > 1.5 * unit)).clip(0, 1)
    lines = _loose(np.maximum(drawn, np.asarray(rim, np.float32)), rng, 2.5 * unit)
    ground = filters.wobble(layers.ground, rng, 14 * unit, 6)
    thin = float(filters.alpha(ground).mean()) < 0.14
    body = (
        filters.alpha(ground)
        if thin
        else filters.alpha(ground) * filters.hatch(rng, side, 32, 19 * unit, 8 * unit, 12)
    )
    paper = filters.grow(np.maximum(filters.alpha(fill), inside), 10 * unit)
    occupied = np.maximum(filters.grow(inside, 34 * unit), filters.grow(lettering_of(layers), 22 * unit))
    occupied = np.maximum(occupied, filters.grow(filters.alpha(ground), 8 * unit)) if thin else occupied
    picture = filters.stacked(
        filters.with_alpha(ground, body), filters.solid(paper, palette.light), fill, filters.solid(lines, palette.dark),
    )  # fmt: skip
    if palette.on_dark or luminance(palette.shirt) < 0.5:
        rim = filters.grow((filters.alpha(picture) > 0.5).astype(np.float32), 4 * unit)
        picture = filters.over(filters.solid(np.asarray(rim, np.float32), palette.light), picture)
    for ink in (palette.line, *[one for one in palette.inks if contrast(one, palette.shirt) > 2][:2]):
        picture = filters.over(picture, filters.solid(_scribbles(side, rng, occupied, 9), ink))
    return filters.over(picture, inked_words(layers, palette, 5 * unit))


def _looking(side: int, jitter: tuple[Field, Field]) -> tuple[Field, Field]:
    xs = np.arange(side, dtype=np.float32)[None, :] + jitter[0]
    ys = np.arange(side, dtype=np.float32)[:, None] + jitter[1]
    return xs.astype(np.float32), ys.astype(np.float32)


def _scribbles(side: int, rng: np.random.Generator, occupied: Field, most: int) -> Field:
    """Small hearts, spirals, crosses and zigzags where there is room."""
    canvas = np.zeros((side, side), np.uint8)
    unit = side / 1024
    placed = 0
    for _ in range(90):
        if placed >= most:
            break
        x, y = rng.uniform(60, 964, 2) * unit
        reach = rng.uniform(20, 34) * unit
        box = occupied[
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
        cv2.circle(occupied, (int(x), int(y)), int(reach * 2), 1, -1)
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
