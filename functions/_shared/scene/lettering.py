"""Lettering as outlines, straight or on an arc: the same path, to the character, as in web/src/shop/scene/lettering.ts.

Lengths are thousandths of an em, y downwards. A curved line's glyphs are turned, not bent: each stands upright on the
arc at the middle of its advance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from _shared.scene.faces import Face, Glyph, load_face
from _shared.scene.numbers import fixed
from _shared.scene.scene import LetteringLayer

EM = 1000
_SHARES = {"left": 0.0, "center": 0.5, "right": 1.0}


@dataclass(frozen=True)
class Lettering:
    """`path` fills a box of `width` × `height` from 0, 0; `missing` are the characters that the face lacks."""

    path: str
    width: float
    height: float
    missing: tuple[str, ...]

    @property
    def ratio(self) -> float:
        return self.height / self.width


@dataclass(frozen=True)
class _Place:
    """Where a glyph's origin lies, how it is turned about it, and what is added to its own coordinates."""

    x: float
    y: float
    cos: float
    sin: float
    left: float
    up: float


def outline(layer: LetteringLayer) -> Lettering:
    """The outlines of a layer's text."""
    face = load_face(layer.face)
    lines = layer.text.split("\n")
    shaped = [face.shape(line) for line in lines]
    unit = EM / face.em
    commands = [
        (letter, _placed(points, place, unit))
        for glyph, place in _places(layer, face, shaped)
        if glyph.id
        for letter, points in face.draw(glyph.id)
    ]
    missing = {
        line[glyph.cluster]: None
        for line, glyphs in zip(lines, shaped, strict=True)
        for glyph in glyphs
        if not glyph.id
    }
    return _boxed(commands, tuple(missing), face.line_height * unit * len(lines))


def _places(layer: LetteringLayer, face: Face, lines: list[list[Glyph]]) -> Iterator[tuple[Glyph, _Place]]:
    unit = EM / face.em
    height = face.line_height * unit
    widths = [sum(glyph.advance for glyph in glyphs) * unit for glyphs in lines]
    longest = max(widths)
    radius = max(longest / (abs(layer.curve) * 2 * math.pi), face.ascender * unit) if layer.curve else 0.0
    for number, (glyphs, width) in enumerate(zip(lines, widths, strict=True)):
        start = (longest - width) * _SHARES[layer.align]
        outer = len(lines) - 1 - number if layer.curve > 0 else number
        for glyph, pen, middle in _pens(glyphs, unit):
            if layer.curve:
                lift = 0.0 if layer.curve > 0 else face.ascender * unit / 2
                place = _on_arc(layer.curve, radius + outer * height, lift, start + middle - longest / 2)
                left = pen - middle + glyph.x * unit
            else:
                place = (start + pen, number * height, 1.0, 0.0)
                left = glyph.x * unit
            yield glyph, _Place(*place, left, glyph.y * unit)


def _pens(glyphs: list[Glyph], unit: float) -> Iterator[tuple[Glyph, float, float]]:
    """Each glyph with its pen position, and the middle of its cluster: marks are turned with their letter."""
    totals: dict[int, float] = {}
    for glyph in glyphs:
        totals[glyph.cluster] = totals.get(glyph.cluster, 0) + glyph.advance
    starts: dict[int, float] = {}
    pen = 0.0
    for glyph in glyphs:
        start = starts.setdefault(glyph.cluster, pen)
        yield glyph, pen * unit, (start + totals[glyph.cluster] / 2) * unit
        pen += glyph.advance


def _on_arc(curve: float, radius: float, lift: float, along: float) -> tuple[float, float, float, float]:
    """The letters' distances are kept on the arc of `radius`: at their feet, or `lift` above those that are outside."""
    turn = along / radius
    cos, sin = math.cos(turn), math.sin(turn)
    if curve > 0:
        return radius * sin, -radius * cos, cos, sin
    return (radius + lift) * sin, (radius + lift) * cos, cos, -sin


def _placed(points: tuple[float, ...], place: _Place, unit: float) -> list[float]:
    placed = []
    for index in range(0, len(points), 2):
        x = points[index] * unit + place.left
        y = -(points[index + 1] * unit + place.up)
        placed += [place.x + x * place.cos - y * place.sin, place.y + x * place.sin + y * place.cos]
    return placed


def _boxed(commands: list[tuple[str, list[float]]], missing: tuple[str, ...], height: float) -> Lettering:
    """The path moved to 0, 0 with its size; where nothing is drawn, an empty one of an em's width."""
    across = [value for _, points in commands for value in points[::2]]
    down = [value for _, points in commands for value in points[1::2]]
    if not across or min(across) == max(across) or min(down) == max(down):
        return Lettering("", EM, height, missing)
    left, top = min(across), min(down)
    path = "".join(letter + _text(points, left, top) for letter, points in commands)
    return Lettering(path, max(across) - left, max(down) - top, missing)


def _text(points: list[float], left: float, top: float) -> str:
    moved = (value - (top if index % 2 else left) for index, value in enumerate(points))
    return " ".join(fixed(value) for value in moved)
