"""Grounds behind a figure for when the photograph's own ground was removed; never a photograph."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from emulators.artist.filters import Field
from emulators.artist.palette import Palette, mix, rgb
from emulators.artist.photo import sheet
from emulators.artist.photo.board import SIDE, Board
from emulators.artist.photo.sheet import Sheet
from emulators.artist.photo.subject import Colours
from emulators.artist.photo.wishes import Wishes

Row = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def lay(
    paper: Sheet, shape: Field, board: Board, wishes: Wishes, rng: np.random.Generator, usual: str
) -> None:
    """The wished-for ground in `shape`, or the style's usual one."""
    name = wishes.ground if wishes.ground in _GROUNDS else usual
    if name in ("rays", "burst"):
        inks = (
            (wishes.ground_tint or "#ffcf24", "#ff7b2e")
            if name == "burst"
            else (wishes.ground_tint or "#f6a63a", "#fbe3b3")
        )
        rays(paper, shape, board, inks)
        return
    paper.picture(shape, painted(wishes, rng, usual))


def painted(wishes: Wishes, rng: np.random.Generator, usual: str) -> Colours:
    """The ground as a picture at SIDE."""
    name = wishes.ground if wishes.ground in _GROUNDS else usual
    picture = _GROUNDS[name](rng, wishes.ground_tint)
    if wishes.ground_tint and name not in ("plain", "umber"):
        flat = np.empty_like(picture)
        flat[:] = rgb(wishes.ground_tint)
        picture = np.asarray(cv2.addWeighted(picture, 0.6, flat, 0.4, 0), np.uint8)
    return picture


def dotted(paper: Sheet, shape: Field, palette: Palette, rng: np.random.Generator) -> None:
    """One bright field with a fade of dots, as in a comic."""
    ink = palette.inks[int(rng.integers(len(palette.inks)))]
    paper.ink(shape, ink)
    fade = np.broadcast_to(np.linspace(-0.25, 0.6, SIDE, dtype=np.float32)[:, None], (SIDE, SIDE)).clip(0, 1)
    paper.ink(sheet.dots(np.ascontiguousarray(fade), 30, 45) * shape, mix(ink, "#ffffff", 0.4))


def rays(paper: Sheet, shape: Field, board: Board, inks: tuple[str, str], count: int = 14) -> None:
    """Rays from behind the figure's upper half."""
    rows, columns = np.nonzero(board.figure > 0.5)
    cx = float(columns.mean()) * 2 if len(columns) else SIDE / 2
    cy = float(np.percentile(rows, 40)) * 2 if len(rows) else SIDE / 2
    wedges = np.zeros((SIDE, SIDE), np.uint8)
    for number in range(count):
        a, b = (2 * np.pi * (number + part) / count for part in (0.0, 0.5))
        far = SIDE * 1.6
        points = [
            (cx, cy),
            (cx + far * np.cos(a), cy + far * np.sin(a)),
            (cx + far * np.cos(b), cy + far * np.sin(b)),
        ]
        cv2.fillPoly(wedges, [np.round(np.array(points)).astype(np.int32)], 255, cv2.LINE_AA)
    paper.ink(shape, inks[1])
    paper.ink(np.asarray(wedges * (shape / 255), np.float32), inks[0])


def _fade(*stops: tuple[float, str]) -> Colours:
    """From top to bottom through the colours at their heights (0 to 1)."""
    at = np.linspace(0, 1, SIDE)
    table = np.array([rgb(colour) for _, colour in stops], np.float64)
    column = np.stack(
        [np.interp(at, [height for height, _ in stops], table[:, part]) for part in range(3)], -1
    )
    return np.repeat(column[:, None].astype(np.uint8), SIDE, axis=1)


def _ridge(rng: np.random.Generator, height: float, rough: float, bumps: int) -> Row:
    """The upper edge of hills, one height (0 to 1) for each column."""
    knots = height + rough * (rng.random(bumps + 4) - 0.5)
    row = cv2.resize(knots.astype(np.float32)[None], (SIDE, 1), interpolation=cv2.INTER_CUBIC)[0]
    return np.asarray(row, np.float32)


def _below(picture: Colours, edge: Row, colour: str) -> Colours:
    """Fills everything below the edge."""
    rows = np.arange(SIDE, dtype=np.float32)[:, None]
    mask = np.clip(rows - edge[None] * SIDE + 0.5, 0, 1).astype(np.float32)
    flat = np.empty_like(picture)
    flat[:] = rgb(colour)
    return np.asarray(cv2.blendLinear(flat, picture, mask, 1 - mask), np.uint8)


def _sunset(rng: np.random.Generator, _tint: str) -> Colours:
    sky = _fade((0.0, "#3b1d5e"), (0.3, "#a8326e"), (0.52, "#f2663b"), (0.68, "#ffc15a"), (1.0, "#ffe3a0"))
    centre = (SIDE // 2 + int(rng.integers(-160, 160)), round(SIDE * 0.60))
    cv2.circle(sky, centre, 330, rgb("#ffe58a"), -1, cv2.LINE_AA)
    for number in range(5):
        top = centre[1] + 30 + number * 58
        cv2.rectangle(
            sky, (0, top), (SIDE, top + 10 + 5 * number), rgb(mix("#f2663b", "#ffc15a", number / 5)), -1
        )
    for height, colour in ((0.74, "#7c2a5c"), (0.81, "#4a1c4d"), (0.9, "#2a1238")):
        sky = _below(sky, _ridge(rng, height, 0.09, 7), colour)
    return sky


def _space(rng: np.random.Generator, _tint: str) -> Colours:
    sky = _fade((0.0, "#0b0a24"), (0.6, "#1c1450"), (1.0, "#2d1b66")).astype(np.float32)
    for colour, amount in (("#ff4fb0", 0.5), ("#2fb8ff", 0.45)):
        cloud = np.clip(sheet.grain(rng, 3, 5) - 0.45, 0, 1)[..., None] * amount * 1.6
        sky += (np.array(rgb(colour), np.float32) - sky) * cloud
    out = np.asarray(sky.clip(0, 255), np.uint8)
    for _ in range(190):
        x, y = (int(part) for part in rng.integers(8, SIDE - 8, 2))
        cv2.circle(out, (x, y), int(rng.choice([2, 2, 3, 4, 6])), (255, 250, 235), -1, cv2.LINE_AA)
    x, y = int(rng.choice([280, SIDE - 280])), 320
    cv2.circle(out, (x, y), 130, rgb("#ff9a4d"), -1, cv2.LINE_AA)
    cv2.circle(out, (x - 34, y - 34), 84, rgb("#ffc07f"), -1, cv2.LINE_AA)
    cv2.ellipse(out, (x, y), (220, 46), -18, 0, 360, rgb("#ffe6bd"), 14, cv2.LINE_AA)
    return out


def _forest(rng: np.random.Generator, _tint: str) -> Colours:
    out = _fade((0.0, "#bfe3d6"), (0.6, "#eaf3d0"), (1.0, "#cfe2a8"))
    for base, tall, colour in ((0.72, 0.36, "#8fbf9a"), (0.84, 0.44, "#4f8f68"), (1.0, 0.52, "#235a43")):
        for x in np.arange(-60, SIDE + 60, 120 + 40 * base):
            _pine(
                out, float(x + rng.uniform(-40, 40)), base * SIDE, tall * SIDE * rng.uniform(0.7, 1.1), colour
            )
        out = _below(out, _ridge(rng, base, 0.03, 6), colour)
    return out


def _pine(out: Colours, x: float, foot: float, tall: float, colour: str) -> None:
    for tier in range(4):
        top = foot - tall * (1 - tier * 0.2)
        wide = tall * (0.11 + 0.06 * tier)
        low = top + tall * 0.4
        cv2.fillPoly(
            out,
            [np.array([(x, top), (x - wide, low), (x + wide, low)]).round().astype(np.int32)],
            rgb(colour),
            cv2.LINE_AA,
        )


def _beach(rng: np.random.Generator, _tint: str) -> Colours:
    out = _fade((0.0, "#3aa7e0"), (0.5, "#a9e2f2"), (0.58, "#e6f8f4"), (1.0, "#e6f8f4"))
    cv2.circle(out, (SIDE - 330, 300), 140, rgb("#ffe27a"), -1, cv2.LINE_AA)
    flat = np.zeros(SIDE, np.float32)
    out = _below(out, flat + 0.58, "#139fb4")
    out = _below(out, _ridge(rng, 0.72, 0.03, 9), "#4fd0cc")
    out = _below(out, _ridge(rng, 0.79, 0.04, 7), "#ffffff")
    out = _below(out, _ridge(rng, 0.805, 0.04, 7), "#f4dba4")
    for foot_x, lean in ((150, 130), (SIDE - 120, -150)):
        trunk = (
            np.array([(foot_x + lean * t**2, SIDE * 0.92 - 860 * t) for t in np.linspace(0, 1, 14)])
            .round()
            .astype(np.int32)
        )
        cv2.polylines(out, [trunk], False, rgb("#8a5a33"), 34, cv2.LINE_AA)
        top = trunk[-1]
        for turn in np.linspace(-0.3, np.pi + 0.3, 8):
            end = top + np.array([np.cos(turn) * 300, -np.sin(turn) * 150 + 70])
            bend = top + np.array([np.cos(turn) * 170, -np.sin(turn) * 190 - 30])
            leaf = (
                np.array([top, np.subtract(bend, (0, 34)), end, np.add(bend, (0, 34))])
                .round()
                .astype(np.int32)
            )
            cv2.fillPoly(out, [leaf], rgb("#2f8f4e"), cv2.LINE_AA)
    return out


def _mountains(rng: np.random.Generator, _tint: str) -> Colours:
    out = _fade((0.0, "#f7c46c"), (0.4, "#f9e3b4"), (1.0, "#f3efe0"))
    for height, rough, colour in (
        (0.5, 0.42, "#a9bccb"),
        (0.64, 0.34, "#6f8fa6"),
        (0.78, 0.24, "#3f6379"),
        (0.9, 0.14, "#23414f"),
    ):
        knots = np.clip(height + rough * (rng.random(11) - 0.5), 0.1, 1)
        edge = np.interp(np.arange(SIDE), np.linspace(0, SIDE, 11), knots).astype(np.float32)
        out = _below(out, edge, colour)
    return out


def _city(rng: np.random.Generator, _tint: str) -> Colours:
    out = _fade((0.0, "#2b2360"), (0.5, "#c2557f"), (0.8, "#ffb37a"), (1.0, "#ffd9a3"))
    for base, colour, light in ((0.42, "#6a4a86", ""), (0.58, "#2c2350", "#ffd36b")):
        x = -20
        while x < SIDE:
            wide, top = int(rng.integers(90, 190)), int(SIDE * (base + rng.uniform(-0.16, 0.14)))
            cv2.rectangle(out, (x, top), (x + wide, SIDE), rgb(colour), -1)
            for row in range(top + 26, SIDE, 48) if light else ():
                for column in range(x + 18, x + wide - 24, 40):
                    if rng.random() < 0.45:
                        cv2.rectangle(out, (column, row), (column + 16, row + 22), rgb(light), -1)
            x += wide + int(rng.integers(0, 14))
    return out


def _plain(rng: np.random.Generator, tint: str) -> Colours:
    out = np.empty((SIDE, SIDE, 3), np.uint8)
    out[:] = rgb(tint or ("#f6b73c", "#4bb3a7", "#ef7b5a", "#7b8fe0")[int(rng.integers(4))])
    return out


def _umber(rng: np.random.Generator, _tint: str) -> Colours:
    """A portrait painter's ground: dark at the edges, warm behind the head."""
    at = np.linspace(-1, 1, SIDE, dtype=np.float32)
    glow = np.exp(-((at[None] / 0.8) ** 2 + ((at[:, None] + 0.2) / 0.8) ** 2))[..., None]
    brush = (sheet.grain(rng, 9, 4)[..., None] - 0.5) * 36
    return np.asarray(
        (np.array(rgb("#4a3626")) * (1 - glow) + np.array(rgb("#b0895a")) * glow + brush).clip(0, 255),
        np.uint8,
    )


def _grid(rng: np.random.Generator, _tint: str) -> Colours:
    """The striped sun and the glowing grid of the eighties."""
    out = _fade((0.0, "#12082e"), (0.45, "#4a1280"), (0.66, "#ff3f9f"), (0.661, "#1a0a3c"), (1.0, "#2b0d57"))
    sun = out.copy()
    cv2.circle(sun, (SIDE // 2, round(SIDE * 0.46)), 400, rgb("#ffd84a"), -1, cv2.LINE_AA)
    fade = _fade((0.2, "#ffe65c"), (0.66, "#ff3f9f"))
    where = (np.abs(sun.astype(np.int16) - out.astype(np.int16)).sum(-1) > 0) & (
        np.arange(SIDE)[:, None] < SIDE * 0.66
    )
    for number in range(7):
        top = round(SIDE * (0.44 + number * 0.034))
        where[top : top + 6 + 3 * number] = False
    out[where] = fade[where]
    horizon = round(SIDE * 0.66)
    for number in range(1, 12):
        y = horizon + round((SIDE - horizon) * (number / 11) ** 1.9)
        cv2.line(out, (0, y), (SIDE, y), rgb("#19e3ff"), 5, cv2.LINE_AA)
    for number in range(-14, 15):
        cv2.line(
            out,
            (SIDE // 2 + number * 44, horizon),
            (SIDE // 2 + number * 300, SIDE),
            rgb("#19e3ff"),
            5,
            cv2.LINE_AA,
        )
    for _ in range(60):
        x, y = int(rng.integers(0, SIDE)), int(rng.integers(0, SIDE // 3))
        cv2.circle(out, (x, y), 3, (255, 255, 255), -1, cv2.LINE_AA)
    return out


def summer_sky(rng: np.random.Generator, _tint: str = "") -> Colours:
    """A deep blue sky, towering clouds, a meadow at the foot."""
    sky = _fade((0.0, "#2f7fd6"), (0.45, "#6db7ee"), (0.8, "#c9ecf7"), (1.0, "#e9f7ef"))
    at = np.linspace(0, 1, SIDE, dtype=np.float32)
    for base, tall, light in ((0.60, 0.42, 0.88), (0.74, 0.30, 1.0)):
        sky = _clouds(sky, rng, base, tall, light)
    hill = 0.80 + 0.035 * np.sin(at * 5 + rng.uniform(0, 6)) + 0.012 * np.sin(at * 17 + 1)
    for drop, colour, shade in ((0.0, "#7fb650", "#5f9a43"), (0.07, "#63a244", "#477f38")):
        top = int((float(hill.min()) + drop) * SIDE)
        rows = np.arange(top, SIDE, dtype=np.float32)[:, None]
        ground = np.clip(rows - (hill[None] + drop) * SIDE + 0.5, 0, 1)[..., None]
        tuft = sheet.grain(rng, 120, 2)[top:, :, None]
        grass = np.array(rgb(colour), np.float32) * tuft + np.array(rgb(shade), np.float32) * (1 - tuft)
        sky[top:] = (sky[top:] * (1 - ground) + grass * ground).astype(np.uint8)
    return sky


def _clouds(sky: Colours, rng: np.random.Generator, base: float, tall: float, light: float) -> Colours:
    """Heaps of round puffs on one flat base, white above and blue-grey below."""
    small = SIDE // 2
    cover = np.zeros((small, small), np.float32)
    shade = np.zeros((small, small), np.float32)
    middle = rng.uniform(0.1, 0.9)
    for _ in range(70):
        x = rng.normal(middle, 0.26)
        lift = tall * np.exp(-(((x - middle) / 0.24) ** 2)) * rng.uniform(0, 1) ** 0.7
        y, radius = base - lift, rng.uniform(0.03, 0.085)
        centre = (round(x * small), round(y * small))
        cv2.circle(cover, centre, round(radius * small), 1.0, -1, cv2.LINE_AA)
        cv2.circle(shade, (centre[0] - round(radius * small * 0.25), centre[1] - round(radius * small * 0.3)),
                   round(radius * small * 0.78), 1.0, -1, cv2.LINE_AA)  # fmt: skip
    cover = cv2.GaussianBlur(cover, (0, 0), 1.6) * light
    lit = cv2.GaussianBlur(shade * cover, (0, 0), 5)[..., None]
    cloud = np.asarray(
        np.array([176, 205, 232], np.float32) * (1 - lit) + np.array([255, 253, 246], np.float32) * lit,
        np.uint8,
    )
    share = sheet.large(np.asarray(cover, np.float32)).clip(0, 1)
    return np.asarray(cv2.blendLinear(sheet.large_colours(cloud), sky, share, 1 - share), np.uint8)


_GROUNDS: dict[str, Callable[[np.random.Generator, str], Colours]] = {
    "sunset": _sunset, "space": _space, "forest": _forest, "beach": _beach, "mountains": _mountains, "city": _city,
    "sky": summer_sky, "rays": _plain, "burst": _plain, "plain": _plain, "umber": _umber, "grid": _grid,
}  # fmt: skip
