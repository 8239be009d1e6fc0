"""Landscapes for a subject to stand in, in natural colours; the mood recolours them later."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from emulators.artist.svg import circle, path, star

Painter = Callable[[random.Random], str]


def paint_scene(name: str, rng: random.Random) -> str:
    """A full 1000 × 1000 picture; what matters lies within the central circle."""
    return _SCENES[name](rng)


def _bands(*colours: str, top: float = 0, bottom: float = 1000) -> str:
    height = (bottom - top) / len(colours)
    return "".join(
        f'<rect x="0" y="{top + place * height:.1f}" width="1000" height="{height + 2:.1f}" fill="{colour}"/>'
        for place, colour in enumerate(colours)
    )


def _hills(rng: random.Random, level: float, swing: float, fill: str, waves: float = 1.4) -> str:
    phase = rng.random() * 6
    points = [
        (
            x,
            level
            + swing * math.sin(x / 1000 * math.pi * waves + phase)
            + swing * 0.3 * math.sin(x / 90 + phase),
        )
        for x in range(0, 1001, 20)
    ]
    return path([(0, 1000), *points, (1000, 1000)], fill)


def _peaks(rng: random.Random, level: float, height: float, fill: str, cap: str | None) -> str:
    drawn = ""
    for middle in (rng.uniform(120, 260), rng.uniform(680, 840), rng.uniform(430, 560)):
        tall = height * rng.uniform(0.72, 1.05)
        width = tall * rng.uniform(0.8, 1.0)
        drawn += path([(middle - width, level), (middle, level - tall), (middle + width, level)], fill)
        if cap:
            snow = tall * 0.3
            edge = width * 0.3
            drawn += path(
                [(middle, level - tall), (middle + edge, level - tall + snow),
                 (middle + edge * 0.4, level - tall + snow * 0.8),
                 (middle, level - tall + snow * 1.15), (middle - edge * 0.45, level - tall + snow * 0.78),
                 (middle - edge, level - tall + snow)],
                cap,
            )  # fmt: skip
    return drawn + f'<rect x="0" y="{level - 1}" width="1000" height="{1001 - level}" fill="{fill}"/>'


def _pines(rng: random.Random, level: float, size: float, fill: str, count: int) -> str:
    drawn = ""
    for step in range(count):
        x = 1000 * (step + rng.uniform(0.1, 0.9)) / count
        tall = size * rng.uniform(0.7, 1.2)
        for tier in range(3):
            top = level - tall * (1 - tier * 0.26)
            wide = tall * (0.16 + tier * 0.07)
            drawn += path([(x - wide, top + tall * 0.42), (x, top), (x + wide, top + tall * 0.42)], fill)
    return drawn + f'<rect x="0" y="{level - 4}" width="1000" height="{1010 - level}" fill="{fill}"/>'


def _stars(rng: random.Random, count: int, bottom: float, fill: str = "#fff4cf") -> str:
    drawn = ""
    for _ in range(count):
        x, y = rng.uniform(20, 980), rng.uniform(20, bottom)
        drawn += (
            star(x, y, rng.uniform(9, 17), fill, 4, 0.34)
            if rng.random() < 0.3
            else circle(x, y, rng.uniform(2.5, 6), fill)
        )
    return drawn


def _waves(rng: random.Random, top: float, colours: tuple[str, ...]) -> str:
    drawn = ""
    step = (1000 - top) / len(colours)
    for place, colour in enumerate(colours):
        level = top + place * step
        phase = rng.random() * 80
        d = f"M-80 1010V{level:.1f}"
        x = -80 + phase - 80
        while x < 1080:
            d += f"q40 {-26 - place * 5} 80 0"
            x += 80
        drawn += f'<path d="{d}V1010Z" fill="{colour}"/>'
    return drawn


def _space(rng: random.Random) -> str:
    planet = (
        circle(770, 240, 110, "#f2a65a") + circle(735, 215, 26, "#e0893b") + circle(810, 275, 18, "#e0893b")
    )
    ring = (
        '<ellipse cx="770" cy="240" rx="175" ry="36" fill="none" stroke="#ffe0a3" stroke-width="14" '
        'transform="rotate(-18 770 240)"/>'
    )
    small = circle(205, 720, 62, "#6bd1c9") + circle(190, 705, 18, "#4fb5ad")
    return _bands("#171a4a", "#221f5c", "#2f256e", "#41307f") + _stars(rng, 46, 980) + planet + ring + small


def _sea(rng: random.Random) -> str:
    sky = _bands("#7fd0e6", "#a4e0ea", "#c9eeea", "#f7efc9", bottom=600)
    return (
        sky
        + circle(700, 300, 120, "#ffcf56")
        + _waves(rng, 560, ("#2a9fc4", "#1c83b4", "#176a9f", "#125486"))
    )


def _tropics(rng: random.Random) -> str:
    sky = _bands("#ffb35c", "#ff9a5a", "#fb7c5e", "#ee5f67", "#d94f77", bottom=640)
    sun = circle(500, 470, 230, "#ffe066")
    palms = _palm(150, 760, 420, 1) + _palm(870, 770, 330, -1)
    return sky + sun + _waves(rng, 620, ("#8a3f7a", "#6f3474")) + palms + _hills(rng, 830, 26, "#3d2351")


def _palm(x: float, y: float, tall: float, lean: int) -> str:
    top_x, top_y = x + lean * tall * 0.18, y - tall
    trunk = (
        f'<path d="M{x - 14} {y + 90}Q{x} {y - tall * 0.4} {top_x - 6} {top_y}L{top_x + 8} {top_y}Q{x + 24} '
        f'{y - tall * 0.4} {x + 20} {y + 90}Z" fill="#3d2351"/>'
    )
    leaves = ""
    for angle in (-165, -130, -60, -20, 15, 195):
        turn = math.radians(angle)
        reach = tall * 0.46
        end_x, end_y = top_x + reach * math.cos(turn), top_y + reach * math.sin(turn) * 0.7 + reach * 0.28
        mid_x, mid_y = (
            top_x + reach * 0.55 * math.cos(turn),
            top_y + reach * 0.62 * math.sin(turn) - reach * 0.16,
        )
        leaves += (
            f'<path d="M{top_x} {top_y}Q{mid_x:.0f} {mid_y - 22:.0f} {end_x:.0f} {end_y:.0f}Q{mid_x:.0f} '
            f'{mid_y + 34:.0f} {top_x} {top_y}Z" fill="#3d2351"/>'
        )
    return trunk + leaves


def _mountains(rng: random.Random) -> str:
    sky = _bands("#5fb7d4", "#86cbdc", "#b3dfe0", "#f6e3b4", "#f9cf8e", bottom=700)
    return (
        sky + circle(690, 330, 105, "#fff0b8") + _peaks(rng, 720, 430, "#51739c", "#f4f8fb")
        + _peaks(rng, 800, 300, "#35597f", None) + _pines(rng, 850, 150, "#1f4a4a", 15)
    )  # fmt: skip


def _forest(rng: random.Random) -> str:
    return (
        _bands("#f7dc9c", "#f3cf8b", "#d9d08f", "#b4c78b") + circle(480, 380, 150, "#fff3c4")
        + _pines(rng, 700, 380, "#8fb27a", 9) + _pines(rng, 790, 330, "#5b8f62", 9)
        + _pines(rng, 880, 260, "#2f6a4f", 10)
    )  # fmt: skip


def _city(rng: random.Random) -> str:
    drawn = _bands("#2b2a63", "#56397a", "#8f4a86", "#d9647e", "#f5906f") + circle(520, 520, 170, "#ffd27a")
    for level, colour, wide in ((420, "#51346f", 95), (540, "#3a2858", 80), (660, "#241b3f", 110)):
        x = -10.0
        while x < 1000:
            width = wide * rng.uniform(0.6, 1.2)
            top = level + rng.uniform(-70, 130)
            drawn += f'<rect x="{x:.0f}" y="{top:.0f}" width="{width:.0f}" height="{1000 - top:.0f}" fill="{colour}"/>'
            for row in range(int((1000 - top) / 46)):
                if rng.random() < 0.5:
                    drawn += (
                        f'<rect x="{x + rng.choice((0.2, 0.58)) * width:.0f}" y="{top + 18 + row * 46:.0f}" '
                        f'width="{width * 0.18:.0f}" height="20" fill="#ffd98a"/>'
                    )
            x += width + 5
    return drawn


def _desert(rng: random.Random) -> str:
    mesa = path([(40, 640), (90, 430), (270, 430), (330, 640)], "#b4533c") + path(
        [(650, 640), (700, 480), (860, 480), (930, 640)], "#a2462f"
    )
    return (
        _bands("#ffd9a0", "#ffc98a", "#ffb277", "#f79a68", bottom=660) + circle(510, 400, 150, "#fff1c9") + mesa
        + _hills(rng, 660, 22, "#d97d4b") + _hills(rng, 760, 30, "#c4673c") + _hills(rng, 870, 24, "#a75432")
    )  # fmt: skip


def _night(rng: random.Random) -> str:
    moon = (
        circle(640, 300, 165, "#ffeeb0") + circle(590, 260, 26, "#f3dc8f") + circle(700, 350, 36, "#f3dc8f")
    )
    return (
        _bands("#141a3f", "#1d2554", "#283368", "#37457a") + _stars(rng, 36, 700) + moon
        + _hills(rng, 780, 42, "#1a2348") + _pines(rng, 880, 150, "#0f1733", 14)
    )  # fmt: skip


def _snow(rng: random.Random) -> str:
    flakes = "".join(
        circle(rng.uniform(0, 1000), rng.uniform(0, 900), rng.uniform(4, 10), "#ffffff") for _ in range(50)
    )
    return (
        _bands("#8fc1e3", "#a9d2ea", "#c6e3f1", "#dff0f6") + _peaks(rng, 730, 330, "#7fa6c9", "#ffffff")
        + _pines(rng, 800, 190, "#3f7187", 10) + _hills(rng, 800, 34, "#f4fafc")
        + _hills(rng, 890, 22, "#dcecf3") + flakes
    )  # fmt: skip


def _garden(rng: random.Random) -> str:
    drawn = _bands("#bfe6f2", "#d4eff0", "#e9f5df", "#f8f3cf") + circle(250, 260, 110, "#ffd95e")
    drawn += _hills(rng, 700, 36, "#8fce7e") + _hills(rng, 790, 30, "#62b06a")
    for _ in range(22):
        x, y = rng.uniform(30, 970), rng.uniform(780, 960)
        tall = rng.uniform(50, 110)
        petal = rng.choice(("#f0718f", "#ffb52e", "#ffffff", "#8a6fd6", "#ef4f3f"))
        drawn += f'<rect x="{x - 3:.0f}" y="{y - tall:.0f}" width="6" height="{tall:.0f}" fill="#2f8a52"/>'
        for step in range(6):
            angle = step * math.pi / 3
            drawn += circle(x + 17 * math.cos(angle), y - tall + 17 * math.sin(angle), 13, petal)
        drawn += circle(x, y - tall, 11, "#ffd23f")
    return drawn


_SCENES: dict[str, Painter] = {
    "space": _space, "sea": _sea, "tropics": _tropics, "mountains": _mountains, "forest": _forest, "city": _city,
    "desert": _desert, "night": _night, "snow": _snow, "garden": _garden,
}  # fmt: skip
