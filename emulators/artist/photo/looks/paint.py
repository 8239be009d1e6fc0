"""Paint: watercolour and the painted backgrounds of animated films."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import luminance, rgb
from emulators.artist.photo import grounds, lines, regions, sheet
from emulators.artist.photo.board import HALF
from emulators.artist.photo.looks.base import Scene, outlined
from emulators.artist.photo.sheet import Sheet, crisp, large, large_colours
from emulators.artist.photo.subject import Colours

_PAPER = "#fdf9f0"


def watercolor(scene: Scene) -> Sheet:
    """Washes laid wet over each other: pigment pools at edges, runs beyond the figure, leaves paper in the lights."""
    paper = Sheet()
    rng = scene.rng
    flow, tooth = sheet.grain(rng, 6, 4, HALF), sheet.grain(rng, 130, 2, HALF)
    figure = scene.board.figure
    if scene.board.is_cropped and scene.board.window is not None:
        figure = figure * _wet_edge(scene, scene.board.window, flow)
    on_paper = luminance(scene.palette.shirt) < 0.75
    runs = np.zeros_like(figure) if on_paper else _runs(scene, figure)
    if on_paper:
        torn = filters.grow((filters.blur(figure, 6) > 0.4).astype(np.float32), 9)
        paper.ink(crisp(filters.blur(torn, 5) + (flow - 0.5) * 0.35, 0.5, 2), _PAPER)
    colours = _bled(scene)
    paint = _pigment(scene, colours, np.maximum(figure, runs), flow, tooth)
    paper.picture(crisp(np.maximum(figure, runs)), paint)
    pencil = lines.inked(scene.edges(1.3), 0.0075, specks=60)
    broken = sheet.grain(rng, 90, 2) > 0.25
    paper.ink((pencil * 0.72 * broken * crisp(figure)).astype(np.float32), "#4a3b4c")
    return paper


def _bled(scene: Scene) -> Colours:
    """Rich colours whose borders wander."""
    board = scene.board
    hsv = cv2.cvtColor(scene.smooth, cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 1] = np.clip(hsv[..., 1] * 1.3 + 8, 0, 255)
    hsv[..., 2] = 255 * (hsv[..., 2] / 255) ** 0.72
    rich = cv2.cvtColor(hsv.clip(0, 255).astype(np.uint8), cv2.COLOR_HSV2RGB)
    # Colour from the figure only: outside it, what is near bleeds out.
    weight = filters.blur(board.figure, 14)[..., None] + 1e-3
    spread = cv2.GaussianBlur(rich.astype(np.float32) * board.figure[..., None], (0, 0), 14) / weight
    rich = np.where(board.figure[..., None] > 0.5, rich, spread).clip(0, 255).astype(np.uint8)
    dx, dy = ((sheet.grain(scene.rng, 40, 2, HALF) - 0.5) * 9 for _ in range(2))
    calm = 1 - 0.8 * np.maximum(scene.features(), board.face_field(0.8))
    ys, xs = np.mgrid[0:HALF, 0:HALF].astype(np.float32)
    return np.asarray(cv2.remap(rich, xs + dx * calm, ys + dy * calm, cv2.INTER_LINEAR), np.uint8)


def _pigment(scene: Scene, colours: Colours, shape: Field, flow: Field, tooth: Field) -> Colours:
    """Layers of a transparent colour: more of it is darker and richer, as on paper."""
    colour = np.maximum(colours.astype(np.float32) / 255, 0.015)
    tone = regions.ranked(filters.blur(scene.tone, 2.5), shape, 0.3)
    # Three washes, each with a hard inner edge where it dried.
    steps = sum(np.clip((level - tone) * 16 + 0.5, 0, 1) for level in (0.3, 0.55, 0.8)) / 3
    dried = sum(np.exp(-((((tone - level) * 60) / 1.4) ** 2)) for level in (0.3, 0.55, 0.8))
    rim = np.exp(-filters.depth(shape) / 3.2)
    amount = 0.34 + 0.5 * steps + 0.12 * dried + 0.75 * rim + 0.4 * (flow - 0.5) + 0.2 * (tooth - 0.5)
    lights = np.clip((tone - 0.86) * 7, 0, 1) * (1 - rim)
    amount *= 1 - 0.75 * lights
    painted = np.power(colour, np.clip(amount, 0.06, 1.8)[..., None])
    white = np.array(rgb(_PAPER), np.float32)
    return large_colours(np.asarray((painted * white).clip(0, 255), np.uint8))


def _runs(scene: Scene, figure: Field) -> Field:
    """Splashes around the figure, and drips where it ends below."""
    rng = scene.rng
    out = np.zeros((HALF, HALF), np.float32)
    rows, columns = np.nonzero(figure > 0.5)
    if not len(rows):
        return out
    shapes, _ = cv2.findContours((figure > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = np.concatenate([shape[:, 0] for shape in shapes])
    middle = np.array([columns.mean(), rows.mean()])
    for _ in range(54):
        x, y = rim[int(rng.integers(len(rim)))].astype(np.float64)
        away = np.array([x, y]) - middle
        away /= max(float(np.linalg.norm(away)), 1.0)
        reach = rng.exponential(17) + 3
        radius = max(1.4, rng.exponential(3.6))
        at = np.clip(np.array([x, y]) + away * reach, radius + 19, HALF - radius - 20)
        cv2.circle(out, (round(at[0] * 16), round(at[1] * 16)), round(radius * 16), 1.0, -1, cv2.LINE_AA, 4)
    floor = float(rows.max())
    for _ in range(9):
        x = float(rng.choice(columns[rows > floor - 26]))
        below = rows[columns == round(x)].max()
        length = rng.uniform(14, 52)
        end = min(below + length, HALF - 24.0)
        width = rng.uniform(2.2, 4.2)
        cv2.line(
            out,
            (round(x * 16), int(below - 8) * 16),
            (round(x * 16), round(end * 16)),
            1.0,
            round(width),
            cv2.LINE_AA,
            4,
        )
        cv2.circle(out, (round(x * 16), round(end * 16)), round(width * 0.9 * 16), 1.0, -1, cv2.LINE_AA, 4)
    return np.asarray(out, np.float32)


def _wet_edge(scene: Scene, figure: Field, flow: Field) -> Field:
    """The edge of a broad wet brush instead of the photograph's straight sides."""
    depth = filters.depth(np.pad(figure, 1))[1:-1, 1:-1]
    fine = sheet.grain(scene.rng, 34, 3, HALF)
    edge = depth - 6 - 44 * flow - 16 * fine
    return np.clip(filters.blur((edge > 0).astype(np.float32), 1.2), 0, 1)


def ghibli(scene: Scene) -> Sheet:
    """Gouache in summer light, a thin warm line, and where the ground was taken away a sky with towering clouds."""
    paper = Sheet()
    shape = scene.figure if scene.window is None else np.maximum(scene.figure, scene.window)
    if luminance(scene.palette.shirt) < 0.6:
        outlined(paper, shape, 10, "#fffaf0")
    if scene.has_ground and scene.window is not None:
        paper.picture(scene.window, grounds.painted(scene.wishes, scene.rng, "sky"))
        rim = sheet.widen(scene.figure, 4) * scene.window
        paper.ink(rim * 0.85, "#5a3a28")
    else:
        outlined(paper, scene.figure, 4.5, "#5a3a28")
    paper.picture(scene.figure, _gouache(scene))
    thin = lines.inked(scene.edges(1.25), 0.0075, specks=34)
    paper.ink(thin * scene.figure * 0.85, "#54341f")
    return paper


def _gouache(scene: Scene) -> Colours:
    """Soft-edged fields of clean colour, lit warm from the upper left and cool in the shade."""
    labels, inks = regions.main_colours(
        scene.smooth, scene.board.figure, 18, 1.5 if scene.board.is_scene else 1.32
    )
    flat = cv2.GaussianBlur(
        regions.cut_paper(labels, _sunlit(inks[None].clip(0, 255).astype(np.uint8))[0], 1.8), (0, 0), 2.2
    )
    soft = large_colours(_sunlit(np.asarray(cv2.GaussianBlur(scene.smooth, (0, 0), 1.6), np.uint8)))
    painted = np.asarray(cv2.addWeighted(flat, 0.66, soft, 0.34, 0), np.uint8)
    at = np.linspace(0, 1, HALF, dtype=np.float32)
    glow = np.exp(-(((at[None] - 0.22) / 0.6) ** 2 + ((at[:, None] - 0.12) / 0.6) ** 2)) * 0.22
    shade = np.clip(0.32 - filters.blur(scene.tone, 4), 0, 0.3)
    for ink, share in (((58, 62, 120), shade), ((255, 240, 200), glow)):
        weight = large(np.asarray(share, np.float32)).clip(0, 1)
        light = np.empty_like(painted)
        light[:] = ink
        painted = np.asarray(cv2.blendLinear(light, painted, weight, 1 - weight), np.uint8)
    brush = ((sheet.grain(scene.rng, 70, 2) - 0.5) * 12).astype(np.int16)
    return np.asarray((painted + brush[..., None]).clip(0, 255), np.uint8)


def _sunlit(colours: Colours) -> Colours:
    """Clean and bright: colour and light raised most where they are low."""
    hsv = cv2.cvtColor(colours, cv2.COLOR_RGB2HSV)
    level = np.arange(256) / 255
    hsv[..., 1] = cv2.LUT(np.ascontiguousarray(hsv[..., 1]), (255 * level**0.84).astype(np.uint8))
    hsv[..., 2] = cv2.LUT(
        np.ascontiguousarray(hsv[..., 2]), (28 + 227 * level**0.78).clip(0, 255).astype(np.uint8)
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)
