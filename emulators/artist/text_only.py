"""Words alone: a poster of the idea's own words, where there is nothing to picture."""

from __future__ import annotations

import numpy as np

from emulators.artist import ornaments
from emulators.artist.lettering import break_rows, case, stack
from emulators.artist.lexicon import words_of
from emulators.artist.palette import Palette
from emulators.artist.sheet import Layers, Sheet
from emulators.artist.svg import circle, clipped, render, star


def words_alone(sheet: Sheet) -> Layers:
    """A poster of the idea's own words, where there is nothing to picture."""
    spoken = sheet.brief.lettering or spoken_words(sheet) or "Made by hand"
    palette, side, seed = sheet.palette, sheet.side, sheet.brief.seed
    way = seed % 4
    low, tall = (215, 570) if way in (1, 2) else (170, 660)
    box = (80 * sheet.scale, low * sheet.scale, 840 * sheet.scale, tall * sheet.scale)
    # The face and the breaking that fill the poster best.
    masks = [
        stack(sheet.assets, face, break_rows(case(spoken, face), longest), side, box)
        for face in dict.fromkeys((sheet.face, "poster" if way % 2 else "slab"))
        for longest in (6, 9, 13)
    ]
    words = max(masks, key=lambda mask: int((mask > 128).sum()))
    ys, xs = np.nonzero(words > 128)
    top, bottom = float(ys.min()) / sheet.scale, float(ys.max()) / sheet.scale
    left, right = float(xs.min()) / sheet.scale, float(xs.max()) / sheet.scale
    plate = way == 1
    ground = _GROUNDS[way](palette, top, bottom, left, right)
    blank = np.zeros((side, side, 4), np.uint8)
    ink = palette.on(palette.inks[0]) if plate else palette.readable()
    return Layers(render(ground, side), blank, blank, words, ink, plate, kind=f"words {way}")


def spoken_words(sheet: Sheet) -> str:
    """The idea itself when it is short, else its telling words."""
    idea = " ".join(sheet.brief.idea.split())
    if len(idea) <= 42:
        return idea
    telling = [word for word in idea.split() if set(words_of(word)) & set(sheet.cast.unknown)]
    return " ".join(telling[:5] or idea.split()[:5])[:60]


def _rules(palette: Palette, top: float, bottom: float, left: float, right: float) -> str:
    first, second = palette.inks[0], palette.inks[1 % len(palette.inks)]
    bars = ((top - 66, 20, first), (top - 38, 8, second), (bottom + 30, 8, second), (bottom + 46, 20, first))
    ground = "".join(
        f'<rect x="{left:.1f}" y="{y:.1f}" width="{right - left:.1f}" height="{h}" fill="{ink}"/>'
        for y, h, ink in bars
    )
    ground += star(500, max(top - 112, 40), 34, first)
    ground += "".join(star(500 + dx, max(top - 108, 42), 20, second) for dx in (-80, 80))
    return ground + star(500, min(bottom + 108, 956), 30, second, 4, 0.34)


def _plate(palette: Palette, top: float, bottom: float, left: float, right: float) -> str:
    """Letters knocked out of a solid plate with a fine line inside."""
    x, y, w, h = left - 46, top - 60, right - left + 92, bottom - top + 120
    line = palette.on(palette.inks[0])
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="34" fill="{palette.inks[0]}"/>'
        f'<rect x="{x + 16:.1f}" y="{y + 16:.1f}" width="{w - 32:.1f}" height="{h - 32:.1f}" rx="22" fill="none" '
        f'stroke="{line}" stroke-width="6"/>'
    )


def _dawn(palette: Palette, top: float, bottom: float, _left: float, _right: float) -> str:
    """Rays and half a sun above the words, three waves below."""
    first, second = palette.inks[0], palette.inks[1 % len(palette.inks)]
    base = top - 26
    sun = clipped("dawn", f'<rect x="0" y="0" width="1000" height="{base:.1f}"/>',
                  circle(500, base, 96, first) + ornaments.rays(500, base, 116, 186, 26, second))  # fmt: skip
    waves = ""
    for step in range(3):
        y = bottom + 44 + step * 32
        ink = (first, second)[step % 2]
        waves += (
            f'<path d="M{200 + step * 60} {y:.1f}'
            + "q25 -24 50 0t50 0" * (6 - step)
            + f'" fill="none" stroke="{ink}" stroke-width="10" stroke-linecap="round"/>'
        )
    return sun + waves


def _corners(palette: Palette, top: float, bottom: float, left: float, right: float) -> str:
    """Brackets at the corners and a star between each pair."""
    ink, other = palette.inks[0], palette.inks[1 % len(palette.inks)]
    x0, y0, x1, y1 = left - 40, top - 56, right + 40, bottom + 56
    drawn = ""
    for x, y, dx, dy in ((x0, y0, 1, 1), (x1, y0, -1, 1), (x0, y1, 1, -1), (x1, y1, -1, -1)):
        corner = f"M{x:.1f} {y + dy * 130:.1f}V{y:.1f}H{x + dx * 220:.1f}"
        drawn += f'<path d="{corner}" fill="none" stroke="{ink}" stroke-width="16"/>'
    return drawn + star(500, y0, 28, other) + star(500, y1, 28, other)


_GROUNDS = (_rules, _plate, _dawn, _corners)
