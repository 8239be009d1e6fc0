"""The faces of lettering: TTF files in faces/, listed in faces.json, and text shaped by HarfBuzz."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).with_name("faces")
Command = tuple[str, tuple[float, ...]]
"""A letter of SVG's paths and its coordinates, y upwards."""


@dataclass(frozen=True)
class Glyph:
    """Lengths are the face's units; `cluster` is the character's place in its line."""

    id: int
    cluster: int
    advance: float
    x: float
    y: float


class Face:
    """A face that shapes lines and draws glyphs."""

    def __init__(self, name: str) -> None:
        # Here: functions that draw no lettering do without it.
        import uharfbuzz

        self._harfbuzz: Any = uharfbuzz
        face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(_FOLDER / f"{name}.ttf")))
        self._font = uharfbuzz.Font(face)
        extents = self._font.get_font_extents("ltr")
        self.em = face.upem
        self.ascender = extents.ascender
        self.line_height = extents.ascender - extents.descender + extents.line_gap

    def shape(self, line: str) -> list[Glyph]:
        if not line:  # of which HarfBuzz has no positions
            return []
        buffer = self._harfbuzz.Buffer()
        buffer.add_str(line)
        buffer.guess_segment_properties()
        # else the process's own, by which some faces draw letters differently
        buffer.language = "en"
        self._harfbuzz.shape(self._font, buffer)
        return [
            Glyph(info.codepoint, info.cluster, place.x_advance, place.x_offset, place.y_offset)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def draw(self, glyph: int) -> list[Command]:
        pen = _Pen()
        self._font.draw_glyph_with_pen(glyph, pen)
        return pen.commands


class _Pen:
    """Collects what HarfBuzz draws; the methods' names are fontTools'."""

    def __init__(self) -> None:
        self.commands: list[Command] = []

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self.commands.append(("M", point))

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self.commands.append(("L", point))

    def qCurveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self.commands.append(("Q", tuple(value for point in points for value in point)))

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self.commands.append(("C", tuple(value for point in points for value in point)))

    def closePath(self) -> None:  # noqa: N802
        self.commands.append(("Z", ()))


@cache
def load_face(name: str) -> Face:
    """The face of an id in faces.json."""
    return Face(name)
