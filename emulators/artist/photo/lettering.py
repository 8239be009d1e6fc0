"""Lettering with a photograph: below it, or on an arc above a round window; spelled exactly and whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emulators.artist.filters import Field
from emulators.artist.lettering import arc, break_rows, case, line, stack
from emulators.artist.palette import Palette, contrast
from emulators.artist.photo import sheet
from emulators.artist.photo.board import SIDE
from emulators.artist.photo.sheet import Sheet
from emulators.assets import Assets

_LONGEST_ARC = 18


def goes_on_arc(text: str, window: str) -> bool:
    """Short words stand on a round window; longer ones would have to be too small."""
    return window == "circle" and 0 < len(text) <= _LONGEST_ARC


@dataclass(frozen=True)
class Setting:
    """The setting of words.

    The face's name, the ink, on an arc or below, with an outline and a block shadow or plain.
    """

    face: str
    ink: str
    on_arc: bool
    heavy: bool


def letter(paper: Sheet, text: str, setting: Setting, palette: Palette, assets: Assets) -> None:
    """Sets `text` where the board left room for it."""
    text = case(text, setting.face)
    mask = (_arched if setting.on_arc else _rows)(assets, setting.face, text)
    words: Field = np.asarray(mask / np.float32(255), np.float32)
    if setting.heavy:
        dark_reads = contrast(palette.dark, setting.ink) > contrast(palette.light, setting.ink)
        rim = sheet.widen(words, 8)
        for _ in range(6):
            rim = np.maximum(rim, np.roll(rim, (2, 2), (0, 1)))
        paper.ink(rim, palette.dark if dark_reads else palette.light)
    paper.ink(words, setting.ink)


def _rows(assets: Assets, face: str, text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    rows = break_rows(text, 22)
    box = (70.0, 1264.0, SIDE - 140.0, 244.0)
    return line(assets, face, rows[0], SIDE, box) if len(rows) == 1 else stack(assets, face, rows, SIDE, box)


def _arched(assets: Assets, face: str, text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    centre = (SIDE / 2, 132 * 2 + (SIDE - 300) / 2)
    return arc(assets, face, text, SIDE, centre, (SIDE - 300) / 2 + 28, 150, span=150)
