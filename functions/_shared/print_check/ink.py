"""Lines, gaps, specks and soft parts of a side, by morphology at 150 pixels an inch.

Facts of the trade (printers' guides for direct-to-garment prints): lines and gaps of less than 0.5 mm break or close,
dots that small wash out, and half-transparent ink prints as speckle on its white underbase.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageOps

from _shared.print_check.components import PART, ROOTED, Component, TooManyParts, components
from _shared.print_check.findings import Box, Finding
from _shared.print_check.masks import grown, opened, shrunk

CHECK_DPI = 150
"""Three pixels are half a millimetre: what is narrower is gone after an opening by three."""

_PER_MM = CHECK_DPI / 25.4
# corners and serifs end thin; a line goes on
_LINE_LENGTH = 3.0 * _PER_MM
_LONG_LINE = 12.0 * _PER_MM
_SPECK_LENGTH = 0.7 * _PER_MM
# together, before it is worth a word
_LEAST_SHORT = 20
_LEAST_SPECKS = 6
_SPECKS_TO_SOUND = 2
# Hatching, halftone and wear are full of thin parts, among many more that are not: they are meant so.
_LONG_SHARE = 0.2
_SMALL = 20 * _PER_MM
# edges are up to four pixels soft, and become hard ones unseen; wider is a glow, a shadow or a fade
_LEAST_SOFT = 0.005
_SOFT = (26, 229)
ROOM = 4
"""Clear pixels around a mask."""


@dataclass(frozen=True)
class Thin:
    """Parts narrower than half a millimetre: those that go on as lines, and those that are mere dots.

    `sound` is the number of small parts that are wide enough.
    """

    lines: list[Component]
    specks: list[Component]
    sound: float = 0
    is_grain: bool = False

    def blamed_lines(self, least_long: float, short_share: float) -> list[Component]:
        """Those that stand out, where the lines are not a texture.

        At least so many millimetres of long ones, or so many short ones to each sound part.
        """
        long = [line for line in self.lines if line.length >= _LONG_LINE]
        length = sum(line.length for line in long)
        if length >= least_long * _PER_MM and length >= _LONG_SHARE * sum(line.length for line in self.lines):
            return long
        is_lettering = len(self.lines) >= _LEAST_SHORT and len(self.lines) > short_share * self.sound
        return self.lines if is_lettering else []

    def blamed_specks(self) -> list[Component]:
        """All, where there are far more of them than of larger dots."""
        return (
            self.specks
            if len(self.specks) >= _LEAST_SPECKS and len(self.specks) > _SPECKS_TO_SOUND * self.sound
            else []
        )


def thin_parts(mask: Image.Image) -> Thin:
    """Of a mask of 0 and 255, with `ROOM` around it."""
    broad = opened(mask)
    thin = ImageChops.subtract(mask, broad)
    at_root = ImageChops.darker(thin, grown(broad))
    marked = ImageChops.lighter(
        thin.point(lambda value: PART if value else 0), at_root.point(lambda value: ROOTED if value else 0)
    )
    try:
        parts = components(marked)
    except TooManyParts:
        return Thin([], [], is_grain=True)
    lines = [part for part in parts if part.length >= (_LINE_LENGTH if part.is_rooted else _SPECK_LENGTH)]
    specks = [part for part in parts if not part.is_rooted and part.length < _SPECK_LENGTH]
    is_many = len(specks) >= _LEAST_SPECKS or len(lines) >= _LEAST_SHORT
    return Thin(lines, specks, _count_sound(mask) if is_many else 0)


def _count_sound(mask: Image.Image) -> float:
    try:
        parts = components(mask.point(lambda value: PART if value else 0))
    except TooManyParts:
        return math.inf
    return sum(_SPECK_LENGTH <= part.length < _SMALL for part in parts)


def check_ink(alpha: Image.Image) -> list[Finding]:
    """The findings of a side's opacity, at `CHECK_DPI`."""
    ink = ImageOps.expand(alpha.point(lambda value: 255 if value >= 128 else 0), ROOM)
    lines, gaps = thin_parts(ink), thin_parts(ImageChops.invert(ink))
    size = alpha.size
    return [*_thin_findings(lines, gaps, size), *_speck_findings(lines, gaps, size), *_soft_findings(alpha)]


def _thin_findings(lines: Thin, gaps: Thin, size: tuple[int, int]) -> list[Finding]:
    found = []
    if thin := lines.blamed_lines(24, 0.5):
        sentence = "Some lines are thinner than half a millimetre: on cloth they break up or vanish."
        found.append(Finding("thin_lines", "warn", sentence, _around(thin, size), "thicken"))
    if thin := gaps.blamed_lines(60, 4):
        sentence = "Some gaps are narrower than half a millimetre: on cloth the ink runs over them."
        found.append(Finding("thin_lines", "warn", sentence, _around(thin, size), "thicken"))
    return found


def _speck_findings(lines: Thin, gaps: Thin, size: tuple[int, int]) -> list[Finding]:
    if lines.is_grain or gaps.is_grain:
        sentence = "This is grain all over, in dots smaller than cloth can hold: it prints as a blur."
        return [Finding("specks", "warn", sentence, (0, 0, 1, 1), "remove_specks")]
    specks = [*lines.blamed_specks(), *gaps.blamed_specks()]
    if not specks:
        return []
    sentence = f"{len(specks)} specks are smaller than half a millimetre: they look like dirt, or wash out."
    return [Finding("specks", "warn", sentence, _around(specks, size), "remove_specks")]


def _soft_findings(alpha: Image.Image) -> list[Finding]:
    soft = alpha.point(lambda value: 255 if _SOFT[0] <= value <= _SOFT[1] else 0)
    wide = shrunk(shrunk(soft))
    box = wide.getbbox()
    inked = alpha.width * alpha.height - sum(alpha.histogram()[: _SOFT[0]])
    if box is None or wide.histogram()[255] < _LEAST_SOFT * inked:
        return []
    width, height = alpha.size
    sentence = (
        "See-through parts do not print: ink is there or it is not. Shadows, glows and fades get a hard edge."
    )
    return [
        Finding(
            "half_transparent",
            "warn",
            sentence,
            (box[0] / width, box[1] / height, box[2] / width, box[3] / height),
            "harden",
        )
    ]


def _around(parts: list[Component], size: tuple[int, int]) -> Box:
    """The box around parts, as shares of the picture inside its room."""
    width, height = size
    edges = (
        (min(part.box[0] for part in parts) - ROOM) / width,
        (min(part.box[1] for part in parts) - ROOM) / height,
        (max(part.box[2] for part in parts) - ROOM) / width,
        (max(part.box[3] for part in parts) - ROOM) / height,
    )
    left, upper, right, lower = (min(max(edge, 0.0), 1.0) for edge in edges)
    return left, upper, right, lower
