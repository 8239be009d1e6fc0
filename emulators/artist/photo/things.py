"""Things to add: drawn around the figure (stars, hearts, flowers …) or worn by it (sunglasses, crown …)."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.palette import Palette, contrast
from emulators.artist.photo import faces
from emulators.artist.photo.board import HALF, SIDE, Board
from emulators.artist.photo.faces import Face
from emulators.artist.photo.sheet import Sheet

Points = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

_EDGE = "#1b1620"


def scatter(
    paper: Sheet, board: Board, names: tuple[str, ...], palette: Palette, rng: np.random.Generator
) -> None:
    """About twenty things in the free space around the figure, larger where there is more of it."""
    if not names:
        return
    occupied = board.figure if board.window is None else np.maximum(board.figure, board.window)
    free = np.zeros((HALF, HALF), np.uint8)
    left, top, right, bottom = 8, 8, HALF - 8, min(HALF - 8, round(board.box[1] + board.box[3]) + 30)
    free[top:bottom, left:right] = 1
    free[occupied > 0.4] = 0
    if int(free.sum()) < HALF * HALF * 0.06:
        # The picture fills the board: things lie along its rim, over the background.
        free[top:bottom, left:right] = 1
        free[filters.grow((board.figure if not board.is_scene else board.face_field()), 6) > 0.4] = 0
        free[round(HALF * 0.22) : round(HALF * 0.78), round(HALF * 0.22) : round(HALF * 0.78)] = 0
    inks = [ink for ink in palette.inks if contrast(ink, palette.shirt) > 1.4] or [palette.line]
    free = free[::4, ::4].copy()
    for number in range(22):
        room = cv2.distanceTransform(np.pad(free, 1), cv2.DIST_L2, 3)[1:-1, 1:-1] * 4
        spots = np.argwhere(room > max(9.0, min(30.0, float(room.max()) * 0.55)))
        if not len(spots):
            break
        row, column = (int(part) for part in spots[int(rng.integers(len(spots)))])
        x, y = column * 4 + 2, row * 4 + 2
        size = float(min(room[row, column] * 0.92, rng.uniform(17, 40)))
        ink = inks[number % len(inks)]
        _THINGS[names[number % len(names)]](paper, x * 2.0, y * 2.0, size * 2, ink, rng)
        cv2.circle(free, (column, row), round(size * 1.25 / 4), 0, -1)


def _shape(paper: Sheet, rings: list[Points], ink: str, edge: float = 5) -> None:
    """Filled polygons with a dark outline, as far as they are on the sheet."""
    points = np.concatenate(rings)
    left, top = (max(0, int(value)) for value in points.min(axis=0) - edge - 3)
    right, bottom = (min(SIDE, int(value)) for value in points.max(axis=0) + edge + 4)
    if right <= left or bottom <= top:
        return
    fixed = [np.round((ring - (left, top)) * 16).astype(np.int32) for ring in rings]
    for colour, width in ((_EDGE, round(edge * 2)), (ink, 0)):
        canvas = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(canvas, fixed, 255, cv2.LINE_AA, 4)
        if width:
            cv2.polylines(canvas, fixed, True, 255, width, cv2.LINE_AA, 4)
        if width or colour == ink:
            paper.ink(canvas.astype(np.float32) / np.float32(255), colour, (left, top))


def _round(x: float, y: float, width: float, height: float | None = None, turn: float = 0) -> Points:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    u, v = width * np.cos(angle), (height or width) * np.sin(angle)
    return np.stack(
        [x + u * math.cos(turn) - v * math.sin(turn), y + u * math.sin(turn) + v * math.cos(turn)], -1
    )


def _star(paper: Sheet, x: float, y: float, size: float, ink: str, rng: np.random.Generator) -> None:
    turn = rng.uniform(-0.3, 0.3) - np.pi / 2
    angle = turn + np.arange(10) * np.pi / 5
    reach = np.where(np.arange(10) % 2 == 0, size, size * 0.45)
    _shape(paper, [np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], -1)], ink)


def _heart(paper: Sheet, x: float, y: float, size: float, _ink: str, rng: np.random.Generator) -> None:
    t = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    u, v = 16 * np.sin(t) ** 3, -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    turn = rng.uniform(-0.3, 0.3)
    u, v = u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)
    _shape(
        paper,
        [np.stack([x + u * size / 17, y + v * size / 17], -1)],
        ("#e8213f", "#ff6f91")[int(rng.integers(2))],
    )


def _flower(paper: Sheet, x: float, y: float, size: float, ink: str, rng: np.random.Generator) -> None:
    turn = rng.uniform(0, 1)
    petals = [
        _round(x + size * 0.55 * math.cos(a), y + size * 0.55 * math.sin(a), size * 0.42, size * 0.3, a)
        for a in turn + np.arange(6) * np.pi / 3
    ]
    for petal in petals:
        _shape(paper, [petal], ink, 4)
    _shape(paper, [_round(x, y, size * 0.28)], "#ffd23e", 4)


def _confetti(paper: Sheet, x: float, y: float, size: float, ink: str, rng: np.random.Generator) -> None:
    for _ in range(3):
        cx, cy, turn = x + rng.uniform(-0.7, 0.7) * size, y + rng.uniform(-0.7, 0.7) * size, rng.uniform(0, 3)
        corners = [(-1, -0.4), (1, -0.4), (1, 0.4), (-1, 0.4)]
        ring = np.array(
            [
                (u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn))
                for u, v in corners
            ]
        )
        _shape(paper, [np.array([cx, cy]) + ring * size * 0.3], ink, 0)


def _bolt(paper: Sheet, x: float, y: float, size: float, _ink: str, _rng: np.random.Generator) -> None:
    ring = np.array(
        [(0.15, -1), (-0.55, 0.15), (-0.05, 0.15), (-0.25, 1), (0.6, -0.25), (0.1, -0.25), (0.5, -1)]
    )
    _shape(paper, [np.array([x, y]) + ring * size], "#ffd21f")


def _bubble(paper: Sheet, x: float, y: float, size: float, ink: str, _rng: np.random.Generator) -> None:
    _shape(paper, [_round(x, y, size * 0.9)], ink, 0)
    _shape(paper, [_round(x - size * 0.32, y - size * 0.34, size * 0.22, size * 0.14, -0.7)], "#ffffff", 0)


def _snow(paper: Sheet, x: float, y: float, size: float, _ink: str, _rng: np.random.Generator) -> None:
    canvas = np.zeros((SIDE, SIDE), np.uint8)
    for turn in np.arange(6) * np.pi / 3:
        end = (x + size * math.cos(turn), y + size * math.sin(turn))
        cv2.line(
            canvas,
            (round(x), round(y)),
            (round(end[0]), round(end[1])),
            255,
            max(3, round(size * 0.13)),
            cv2.LINE_AA,
        )
        for side in (-0.7, 0.7):
            mid = (x + 0.55 * size * math.cos(turn), y + 0.55 * size * math.sin(turn))
            tip = (mid[0] + 0.36 * size * math.cos(turn + side), mid[1] + 0.36 * size * math.sin(turn + side))
            points = [(round(mid[0]), round(mid[1])), (round(tip[0]), round(tip[1]))]
            cv2.line(canvas, points[0], points[1], 255, max(3, round(size * 0.1)), cv2.LINE_AA)
    paper.ink(canvas.astype(np.float32) / np.float32(255), "#7cc4ee")


def _leaf(paper: Sheet, x: float, y: float, size: float, _ink: str, rng: np.random.Generator) -> None:
    turn, t = rng.uniform(0, 6.3), np.linspace(0, 1, 24)
    wide = 0.42 * np.sin(np.pi * t) ** 0.8
    u = np.concatenate([t, t[::-1]]) * 2 - 1
    v = np.concatenate([wide, -wide[::-1]])
    ring = np.stack([u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)], -1)
    _shape(paper, [np.array([x, y]) + ring * size], ("#4c9a4f", "#2f7d45", "#8ab54a")[int(rng.integers(3))])


def _splash(paper: Sheet, x: float, y: float, size: float, ink: str, rng: np.random.Generator) -> None:
    angle = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    reach = size * (0.5 + 0.4 * rng.random(36) ** 2)
    rings = [np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], -1)]
    rings += [
        _round(x + size * 1.0 * math.cos(a), y + size * 1.0 * math.sin(a), size * 0.1)
        for a in rng.uniform(0, 6.3, 4)
    ]
    for ring in rings:
        _shape(paper, [ring], ink, 0)


def _note(paper: Sheet, x: float, y: float, size: float, ink: str, _rng: np.random.Generator) -> None:
    stem = np.array([(0.18, -0.9), (0.34, -0.9), (0.34, 0.6), (0.18, 0.6)])
    flag = np.array([(0.34, -0.9), (0.85, -0.45), (0.75, -0.05), (0.34, -0.45)])
    at = np.array([x, y])
    for ring in (
        at + stem * size,
        at + flag * size,
        _round(x - 0.02 * size, y + 0.6 * size, size * 0.38, size * 0.27, -0.3),
    ):
        _shape(paper, [ring], ink, 0)


_THINGS: dict[str, Callable[[Sheet, float, float, float, str, np.random.Generator], None]] = {
    "star": _star, "heart": _heart, "flower": _flower, "confetti": _confetti, "lightning": _bolt, "bubble": _bubble,
    "snow": _snow, "leaf": _leaf, "splash": _splash, "note": _note,
}  # fmt: skip


def wear(paper: Sheet, board: Board, names: tuple[str, ...]) -> None:
    """Sunglasses on every face that was found; what is worn on the head also on a figure without a human face."""
    for name in names:
        if name == "sunglasses":
            for face in board.faces:
                _sunglasses(paper, face)
            continue
        draw, tall = _HATS[name]
        for x, y, width, turn in _heads(board):
            fitting = min(width, (y - 12) / tall, 1.9 * min(x - 8, SIDE - 8 - x))
            if fitting > 60:
                draw(paper, x, y, fitting, turn)


def _heads(board: Board) -> list[tuple[float, float, float, float]]:
    """(x, y) of the top of each head at SIDE, its width, and its tilt in radians."""
    solid = board.figure > 0.5
    heads = []
    for face in board.faces:
        x = face.points[10, 0] + (face.points[10, 0] - face.points[152, 0]) * 0.22
        column = solid[:, int(np.clip(x, 0, HALF - 1))]
        rows = np.flatnonzero(column[: max(1, int(face.points[10, 1]))])
        crown = (
            float(rows[0])
            if len(rows) and not board.is_scene
            else float(face.points[10, 1] - face.height * 0.3)
        )
        top = max(crown + 0.06 * face.height, float(face.points[10, 1] - face.height * 0.55))
        heads.append((float(x) * 2, top * 2, face.width * 2.7, math.radians(face.turn)))
    if heads or board.is_scene or not solid.any():
        return heads
    rows, columns = np.nonzero(solid)
    height, width = np.ptp(rows) + 1, np.ptp(columns) + 1
    upper = rows < rows.min() + height * 0.22
    middle = float(np.median(columns[upper]))
    crown = float(np.flatnonzero(solid[:, int(middle)])[0])
    return [(middle * 2, crown * 2 + 12, float(min(width * 0.42, height * 0.5)) * 2, 0.0)]


def _turned(ring: Points, x: float, y: float, scale: float, turn: float) -> Points:
    cos, sin = math.cos(turn), math.sin(turn)
    return np.stack(
        [
            x + scale * (ring[:, 0] * cos - ring[:, 1] * sin),
            y + scale * (ring[:, 0] * sin + ring[:, 1] * cos),
        ],
        -1,
    )


def _sunglasses(paper: Sheet, face: Face) -> None:
    left, right = (face.part(part).mean(axis=0) * 2.0 for part in (faces.LEFT_EYE, faces.RIGHT_EYE))
    gap = float(np.linalg.norm(right - left))
    turn = math.radians(face.turn)
    lens = np.array([(-0.44, -0.26), (0.44, -0.26), (0.42, 0.05), (0.24, 0.3), (-0.2, 0.3), (-0.41, 0.06)])
    bridge = np.array([(-0.2, -0.24), (1.2, -0.24), (1.2, -0.12), (-0.2, -0.12)])
    _shape(paper, [_turned(bridge, float(left[0]), float(left[1]), gap, turn)], "#15131a", 2)
    for eye in (left, right):
        x, y = float(eye[0]), float(eye[1] + gap * 0.03)
        _shape(paper, [_turned(_softened(lens), x, y, gap, turn)], "#15131a", 4)
        glint = np.array([(-0.3, -0.16), (-0.14, -0.16), (-0.24, 0.12), (-0.34, 0.0)])
        _shape(paper, [_turned(glint, x, y, gap, turn)], "#8fd3ff", 0)
    for eye, ear in ((left, face.points[127] * 2.0), (right, face.points[356] * 2.0)):
        side = np.array([eye, ear])
        canvas = np.zeros((SIDE, SIDE), np.uint8)
        cv2.polylines(
            canvas, [np.round(side).astype(np.int32)], False, 255, max(5, round(gap * 0.07)), cv2.LINE_AA
        )
        paper.ink(canvas.astype(np.float32) / np.float32(255), "#15131a")


def _softened(ring: Points) -> Points:
    """Corners cut twice, as Chaikin does."""
    for _ in range(3):
        after = np.roll(ring, -1, axis=0)
        ring = np.stack([0.75 * ring + 0.25 * after, 0.25 * ring + 0.75 * after], 1).reshape(-1, 2)
    return ring


def _crown(paper: Sheet, x: float, y: float, width: float, turn: float) -> None:
    ring = np.array(
        [(-0.4, 0.08), (-0.46, -0.42), (-0.22, -0.16), (0, -0.54), (0.22, -0.16), (0.46, -0.42), (0.4, 0.08)]
    )
    _shape(paper, [_turned(ring, x, y, width, turn)], "#ffc72e", 6)
    band = np.array([(-0.4, 0.08), (-0.41, -0.05), (0.41, -0.05), (0.4, 0.08)])
    _shape(paper, [_turned(band, x, y, width, turn)], "#f09a1a", 3)
    for u, v, ink in (
        (-0.46, -0.44, "#e8213f"),
        (0, -0.57, "#2f7fe0"),
        (0.46, -0.44, "#e8213f"),
        (0, 0.015, "#e8213f"),
    ):
        centre = _turned(np.array([(u, v)]), x, y, width, turn)[0]
        _shape(paper, [_round(float(centre[0]), float(centre[1]), width * 0.045)], ink, 3)


def _halo(paper: Sheet, x: float, y: float, width: float, turn: float) -> None:
    centre = _turned(np.array([(0.0, -0.14)]), x, y, width, turn)[0]
    canvas = np.zeros((SIDE, SIDE), np.uint8)
    axes = round(width * 0.42), round(width * 0.12)
    for thick, ink in ((round(width * 0.1), _EDGE), (round(width * 0.065), "#ffd84a")):
        canvas[:] = 0
        cv2.ellipse(
            canvas,
            (round(centre[0]), round(centre[1])),
            axes,
            math.degrees(turn),
            0,
            360,
            255,
            thick,
            cv2.LINE_AA,
        )
        paper.ink(canvas.astype(np.float32) / np.float32(255), ink)


def _party_hat(paper: Sheet, x: float, y: float, width: float, turn: float) -> None:
    _shape(
        paper, [_turned(np.array([(-0.3, 0.08), (0, -0.75), (0.3, 0.08)]), x, y, width, turn)], "#ff4f8b", 6
    )
    for number in range(3):
        low, high = 0.02 - number * 0.24, -0.1 - number * 0.24
        wide = [0.3 * (1 - (0.08 - v) / 0.83) for v in (low, high)]
        ring = np.array([(-wide[0], low), (wide[0], low), (wide[1], high), (-wide[1], high)])
        _shape(paper, [_turned(ring, x, y, width, turn)], "#ffe14a", 0)
    tip = _turned(np.array([(0.0, -0.77)]), x, y, width, turn)[0]
    _shape(paper, [_round(float(tip[0]), float(tip[1]), width * 0.09)], "#35c7e8", 4)


def _santa_hat(paper: Sheet, x: float, y: float, width: float, turn: float) -> None:
    cone = np.array(
        [(-0.42, 0.02), (-0.3, -0.4), (0.05, -0.62), (0.45, -0.5), (0.62, -0.16), (0.42, -0.3), (0.4, 0.02)]
    )
    _shape(paper, [_turned(_softened(cone), x, y, width, turn)], "#d3202f", 6)
    brim = np.array([(-0.5, 0.14), (-0.5, -0.06), (0.5, -0.06), (0.5, 0.14)])
    _shape(paper, [_turned(_softened(brim), x, y, width, turn)], "#ffffff", 5)
    tip = _turned(np.array([(0.6, -0.14)]), x, y, width, turn)[0]
    _shape(paper, [_round(float(tip[0]), float(tip[1]), width * 0.11)], "#ffffff", 5)


# How each is drawn, and its height in parts of its width.
_HATS: dict[str, tuple[Callable[[Sheet, float, float, float, float], None], float]] = {
    "crown": (_crown, 0.64), "halo": (_halo, 0.32), "party hat": (_party_hat, 0.88), "santa hat": (_santa_hat, 0.66),
}  # fmt: skip
