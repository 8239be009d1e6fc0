"""Cloth in a light: relief from folds, colour, stitches, the print following the folds, shadow and ground."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from emulators.printify.studio.garments import GARMENTS, Area, Garment

Field = npt.NDArray[np.float32]

_PAPER = np.array([246, 241, 231], np.float32)
_AREA_SHAPE = 5100 / 4500


@dataclass(frozen=True)
class Placement:
    """A picture on the print area: centre and width as fractions of the area, angle in degrees."""

    picture: Image.Image
    x: float = 0.5
    y: float = 0.5
    scale: float = 1.0
    angle: float = 0.0


@dataclass(frozen=True)
class Stage:
    """What is the same for every colour and design of a view: masks from 0 to 1, light as a factor."""

    outline: Field
    inside: Field
    collar: Field
    threads: Field
    seams: Field
    light: Field
    bend_x: Field
    bend_y: Field
    ground: Field
    behind: Field
    behind_alpha: Field


def draw_mockup(view: str, colour: str, placement: Placement | None, size: int) -> Image.Image:
    """The view as an RGB picture of `size` pixels square."""
    garment = GARMENTS[view]
    stage = _stage(view, size)
    picture = (
        stage.ground * (1 - stage.behind_alpha[..., None]) + stage.behind * stage.behind_alpha[..., None]
    )
    shirt = _dyed(stage, colour)
    if placement is not None:
        shirt = _printed(shirt, stage, garment.area, placement, size)
    shown = np.maximum(stage.outline, stage.inside)[..., None]
    picture = picture * (1 - shown) + shirt * shown
    return Image.fromarray(picture.clip(0, 255).astype(np.uint8), "RGB")


def _dyed(stage: Stage, colour: str) -> npt.NDArray[np.float32]:
    digits = colour.lstrip("#")
    dye = np.array([int(digits[at : at + 2], 16) for at in (0, 2, 4)], np.float32)
    brightness = float(dye @ np.array([0.299, 0.587, 0.114], np.float32)) / 255
    # Black cotton is dark grey in light, and white one keeps room for its shadows.
    dye = dye * (0.965 if brightness > 0.9 else 1.0) + (1 - brightness) ** 3 * 14
    depth = 1.0 if brightness < 0.85 else 0.78
    light = 1 + (stage.light - 1) * depth
    cloth = dye * light[..., None]
    # Dark cloth shows its folds by what shines, not by what is shaded.
    shine = np.clip(stage.light - 1, 0, 1) * (1 - brightness) * 120
    cloth = cloth + shine[..., None]
    rib = 1 - 0.1 * stage.collar - 0.2 * stage.seams
    cloth = cloth * rib[..., None]
    within = stage.inside[..., None]
    cloth = cloth * (1 - within) + dye * 0.62 * within
    thread = dye * (0.8 if brightness > 0.35 else 1.0) + (0 if brightness > 0.35 else 26)
    threads = stage.threads[..., None] * 0.75
    return np.asarray(cloth * (1 - threads) + thread * threads, np.float32)


def _printed(
    shirt: npt.NDArray[np.float32], stage: Stage, area: Area, placement: Placement, size: int
) -> npt.NDArray[np.float32]:
    unit = size / 1000
    width = max(2, round(area.width * placement.scale * unit))
    height = max(2, round(width * placement.picture.height / placement.picture.width))
    art = np.array(placement.picture.resize((width, height), Image.Resampling.LANCZOS), np.float32)
    art[..., :3] *= art[..., 3:] / 255
    # Where the picture's middle lies: within the area, and the area turned about its own middle.
    turn = math.radians(area.turn)
    off_x = (placement.x - 0.5) * area.width
    off_y = (placement.y - 0.5) * area.width * _AREA_SHAPE
    middle_x = (area.x + off_x * math.cos(turn) - off_y * math.sin(turn)) * unit
    middle_y = (area.y + off_x * math.sin(turn) + off_y * math.cos(turn)) * unit
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -(area.turn + placement.angle), 1)
    matrix[0, 2] += middle_x - width / 2
    matrix[1, 2] += middle_y - height / 2
    laid = cv2.warpAffine(art, matrix, (size, size), flags=cv2.INTER_LINEAR)
    laid = cv2.remap(laid, stage.bend_x, stage.bend_y, cv2.INTER_LINEAR)
    cover = laid[..., 3:] / 255 * stage.outline[..., None]
    ink = laid[..., :3] / np.maximum(laid[..., 3:] / 255, 1e-3)
    light = 1 + (stage.light - 1) * 0.9
    # A print is a thin film: light and a little of the weave go through it.
    ink = ink * light[..., None] * 0.965 + shirt * 0.035
    return np.asarray(shirt * (1 - cover) + ink * cover, np.float32)


@lru_cache(maxsize=6)
def _stage(view: str, size: int) -> Stage:
    garment = GARMENTS[view]
    unit = size / 1000
    outline, inside, collar = _masks(
        [f'<path d="{d}" fill="{{}}"/>' for d in (garment.outline, garment.inside, garment.collar)],
        size,
        garment,
    )
    seams, threads, _ = _masks(
        [
            "".join(_line(d, 3.0) for d in (*garment.seams, garment.collar)),
            "".join(_line(d, 2.2, "7 4") for d in garment.stitches),
            "",
        ],
        size,
        garment,
    )
    inside, collar, seams, threads = (
        inside * (1 - outline),
        collar * outline,
        seams * outline,
        threads * outline,
    )
    height = _relief(garment, outline, collar, size)
    rise = unit * 0.2  # heights change over units, not pixels: the same folds at every size
    slope_x = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3), np.float32) * rise
    slope_y = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3), np.float32) * rise
    light = _light(garment, outline, slope_x, slope_y, collar, size)
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32)
    bend_x, bend_y = (np.clip(slope, -0.9, 0.9) * 8 * unit for slope in (slope_x, slope_y))
    behind = _pixels(garment.behind, size, garment)
    behind_alpha = np.asarray(behind[..., 3] / 255, np.float32)
    ground = _ground(garment, np.maximum(outline, inside), behind_alpha, size)
    return Stage(
        outline, inside, collar, threads, seams, light,
        (xs + bend_x).astype(np.float32), (ys + bend_y).astype(np.float32),
        ground, behind[..., :3], behind_alpha,
    )  # fmt: skip


def _relief(garment: Garment, outline: Field, collar: Field, size: int) -> Field:
    """Heights of the cloth: its folds, small wrinkles, the ribbed collar."""
    half = 400
    scale = half / 1000
    total = np.zeros((half, half), np.float32)
    turn = cv2.getRotationMatrix2D((half / 2, half / 2), -garment.area.turn, 1)
    for fold in garment.folds:
        stroke = np.zeros((half, half), np.float32)
        points = np.array([[(x * scale, y * scale) for x, y in _smooth(fold.points)]], np.float32)
        fade = np.linspace(0.35, 1, points.shape[1] - 1)
        for step in range(points.shape[1] - 1):
            strength = float(fade[step] if step < len(fade) * 0.6 else 1 - (step / len(fade) - 0.6) * 2.0)
            start, end = points[0, step].astype(int), points[0, step + 1].astype(int)
            cv2.line(
                stroke, tuple(map(int, start)), tuple(map(int, end)), max(strength, 0.05), 2, cv2.LINE_AA
            )
        soft = cv2.GaussianBlur(stroke, (0, 0), fold.width * scale * 0.8)
        peak = float(soft.max())
        if peak > 0:
            total += np.asarray(soft, np.float32) * (fold.height * fold.width / peak)
    total = np.asarray(cv2.warpAffine(total, turn, (half, half)), np.float32)
    rng = np.random.default_rng(len(garment.folds) * 97 + int(garment.area.y))
    for cells, weight in ((7, 7.0), (17, 2.6)):
        grid = rng.random((cells if garment.lying else cells // 2 + 2, cells), np.float32)
        total += (
            np.asarray(cv2.resize(grid, (half, half), interpolation=cv2.INTER_CUBIC), np.float32) - 0.5
        ) * weight
    height = np.asarray(cv2.resize(total, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
    height += cv2.GaussianBlur(collar, (0, 0), 4 * size / 1000) * 9
    edge = np.asarray(cv2.distanceTransform((outline > 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    height += np.sqrt(np.clip(edge / (26 * size / 1000), 0, 1)) * 13
    return np.asarray(height * outline, np.float32)


def _smooth(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """A quadratic curve through three points, in steps."""
    (ax, ay), (bx, by), (cx, cy) = points
    qx, qy = 2 * bx - (ax + cx) / 2, 2 * by - (ay + cy) / 2
    steps = [step / 14 for step in range(15)]
    return [
        (
            (1 - t) ** 2 * ax + 2 * t * (1 - t) * qx + t * t * cx,
            (1 - t) ** 2 * ay + 2 * t * (1 - t) * qy + t * t * cy,
        )
        for t in steps
    ]


def _light(
    garment: Garment, outline: Field, slope_x: Field, slope_y: Field, collar: Field, size: int
) -> Field:
    unit = size / 1000
    lamp = 0.36 * slope_x + 0.46 * slope_y
    light = 1 + np.clip(lamp, -0.62, 0.4) * 0.62
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) / size
    light = light * (1.03 - 0.09 * ys)
    if garment.roundness:
        around = np.clip(np.abs(xs - 0.49) / 0.26, 0, 1.4)
        light = light * (1 - garment.roundness * around**2.6 * 0.5)
    edge = np.asarray(cv2.distanceTransform((outline > 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    light = light * (1 - 0.2 * np.exp(-edge / (9 * unit)))
    # The collar throws a thin shadow on the chest; its ribs run across it.
    below = cv2.GaussianBlur(collar, (0, 0), 7 * unit) * (1 - collar)
    light = light * (1 - 0.26 * below)
    ribs = 0.5 + 0.5 * np.sin(xs * size * 2 * math.pi / max(5 * unit, 3.2))
    light = light * (1 - 0.07 * ribs * collar)
    weave = np.random.default_rng(5).normal(0, 0.009, (size, size)).astype(np.float32)
    return np.asarray(light + weave, np.float32)


def _ground(garment: Garment, shirt: Field, figure: Field, size: int) -> Field:
    """Paper, lit from the upper left, with the soft shadow of what lies or hangs before it."""
    unit = size / 1000
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) / size
    glow = 1.025 - 0.075 * np.sqrt((xs - 0.42) ** 2 + (ys - 0.34) ** 2)
    shape = np.maximum(shirt, figure)
    near, far = (5, 16) if garment.lying else (14, 40)
    reach = (near * unit * 1.2, near * unit * 1.6)
    matrix = np.array([[1, 0, reach[0]], [0, 1, reach[1]]], np.float32)
    moved = cv2.warpAffine(shape, matrix, (size, size))
    shadow = 0.3 * cv2.GaussianBlur(moved, (0, 0), near * unit) + 0.22 * cv2.GaussianBlur(
        moved, (0, 0), far * unit
    )
    return np.asarray(_PAPER * (glow * (1 - shadow * 0.75))[..., None], np.float32)


def _line(d: str, width: float, dash: str = "") -> str:
    dashes = f'stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{d}" fill="none" stroke="{{}}" stroke-width="{width}" {dashes}/>'


def _masks(shapes: list[str], size: int, garment: Garment) -> tuple[Field, Field, Field]:
    """Three shapes (colours left open as `{}`) as masks, drawn at once: one in each colour channel."""
    layers = "".join(
        f'<g style="mix-blend-mode:screen">{shape.replace("{}", ink)}</g>'
        for shape, ink in zip(shapes, ("#f00", "#0f0", "#00f"), strict=True)
    )
    pixels = _pixels(f'<rect width="1000" height="1000" x="0" y="0"/>{layers}', size, garment)
    pixels = np.asarray(pixels / 255, np.float32)
    return pixels[..., 0], pixels[..., 1], pixels[..., 2]


def _pixels(content: str, size: int, garment: Garment) -> Field:
    if not content:
        return np.zeros((size, size, 4), np.float32)
    import resvg_py

    turned = f'<g transform="rotate({garment.area.turn} 500 500)">{content}</g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">{turned}</svg>'
    png: Any = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size, skip_system_fonts=True)
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGBA"), np.float32)
