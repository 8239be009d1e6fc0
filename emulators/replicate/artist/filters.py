"""Pixel operations that the styles are made of. Pictures are RGBA uint8, masks float32 from 0 to 1."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from emulators.replicate.artist.palette import rgb
from emulators.replicate.artist.svg import Pixels

Field = npt.NDArray[np.float32]


def alpha(pixels: Pixels) -> Field:
    return np.asarray(pixels[..., 3].astype(np.float32) / 255, np.float32)


def luma(pixels: Pixels) -> Field:
    """Brightness, 0 to 1; transparent pixels count as they are stored."""
    weights = np.array([0.299, 0.587, 0.114], np.float32)
    return np.asarray((pixels[..., :3].astype(np.float32) @ weights) / 255, np.float32)


def solid(mask: Field, colour: str) -> Pixels:
    """`colour` where `mask` is."""
    out = np.empty((*mask.shape, 4), np.uint8)
    out[..., :3] = rgb(colour)
    out[..., 3] = np.clip(mask * 255, 0, 255)
    return out


def over(bottom: Pixels, top: Pixels) -> Pixels:
    """`top` laid on `bottom`."""
    upper = alpha(top)[..., None]
    lower = alpha(bottom)[..., None] * (1 - upper)
    total = upper + lower
    colour = (top[..., :3] * upper + bottom[..., :3] * lower) / np.maximum(total, 1e-4)
    return np.dstack([colour, total * 255]).astype(np.uint8)


def stacked(*layers: Pixels) -> Pixels:
    result = layers[0]
    for layer in layers[1:]:
        result = over(result, layer)
    return result


def with_alpha(pixels: Pixels, mask: Field) -> Pixels:
    return np.dstack([pixels[..., :3], np.clip(mask * 255, 0, 255).astype(np.uint8)])


def grow(mask: Field, radius: float) -> Field:
    """The mask widened by `radius` pixels, with a smooth edge."""
    outside = (mask < 0.5).astype(np.uint8)
    if outside.all():
        return np.zeros_like(mask)
    reach = cv2.distanceTransform(outside, cv2.DIST_L2, 5)
    return np.asarray(np.clip(radius - reach + 0.5, 0, 1), np.float32)


def depth(mask: Field) -> Field:
    """How far each pixel lies inside the mask, in pixels."""
    inside = (mask >= 0.5).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 5), np.float32)


def blur(field: Field, sigma: float) -> Field:
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)


def noise(rng: np.random.Generator, side: int, cells: int, octaves: int = 4) -> Field:
    """Smooth fractal noise from 0 to 1; `cells` is the number of its largest bumps across."""
    total = np.zeros((side, side), np.float32)
    weight, sum_ = 1.0, 0.0
    for octave in range(octaves):
        count = min(cells * 2**octave, side) + 3
        grid = rng.random((count, count), np.float32)
        total += weight * np.asarray(
            cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC), np.float32
        )
        sum_ += weight
        weight *= 0.5
    total /= sum_
    low, high = np.percentile(total, (2, 98))
    return np.asarray(np.clip((total - low) / (high - low), 0, 1), np.float32)


def displace(pixels: Pixels, dx: Field, dy: Field) -> Pixels:
    side_y, side_x = pixels.shape[:2]
    xs, ys = np.meshgrid(np.arange(side_x, dtype=np.float32), np.arange(side_y, dtype=np.float32))
    moved = cv2.remap(
        pixels,
        (xs + dx).astype(np.float32),
        (ys + dy).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=0,
    )
    return np.asarray(moved, np.uint8)


def wobble(pixels: Pixels, rng: np.random.Generator, amount: float, cells: int) -> Pixels:
    """A hand that is not quite steady."""
    side = pixels.shape[0]
    return displace(
        pixels,
        (noise(rng, side, cells, 2) - 0.5) * 2 * amount,
        (noise(rng, side, cells, 2) - 0.5) * 2 * amount,
    )


def shift(pixels: Pixels, dx: int, dy: int) -> Pixels:
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(pixels, matrix, pixels.shape[1::-1]), np.uint8)


def contours(pixels: Pixels, width: float, threshold: float = 26) -> Field:
    """Lines where colours meet and along the outer edge, about `width` pixels wide."""
    flat = pixels.astype(np.float32)
    flat[..., :3] *= alpha(pixels)[..., None]
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    soft = cv2.GaussianBlur(flat, (0, 0), 1.2)
    step = np.asarray(cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, kernel), np.float32).max(axis=2)
    line = (step > threshold).astype(np.uint8)
    line = np.asarray(cv2.morphologyEx(line, cv2.MORPH_CLOSE, kernel), np.uint8)
    # A core without specks, then brought to one even width.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(line, connectivity=8)
    keep = np.zeros(count, bool)
    keep[1:] = stats[1:, cv2.CC_STAT_AREA] > 90
    core = keep[labels].astype(np.float32)
    return blur(grow(core, max(width / 2 - 1.5, 0)), 0.6)


def halftone(tone: Field, cell: float, degrees: float = 45) -> Field:
    """Dots whose size follows `tone` (0 none, 1 full)."""
    side_y, side_x = tone.shape
    ys, xs = np.mgrid[0:side_y, 0:side_x].astype(np.float32)
    turn = math.radians(degrees)
    u = (xs * math.cos(turn) + ys * math.sin(turn)) * (2 * math.pi / cell)
    v = (-xs * math.sin(turn) + ys * math.cos(turn)) * (2 * math.pi / cell)
    screen = (np.cos(u) + np.cos(v)) / 4 + 0.5
    return np.asarray(np.clip((tone - (1 - screen)) * 8 + 0.5, 0, 1), np.float32)


def hatch(
    rng: np.random.Generator, side: int, degrees: float, spacing: float, width: float, wave: float = 5
) -> Field:
    """Parallel pencil lines, slightly uneven."""
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    turn = math.radians(degrees)
    across = -xs * math.sin(turn) + ys * math.cos(turn) + (noise(rng, side, 9, 2) - 0.5) * 2 * wave
    place = np.abs((across / spacing) % 1 - 0.5) * 2 * spacing / 2
    uneven = width * (0.55 + 0.75 * noise(rng, side, 40, 2))
    return np.asarray(np.clip(uneven - place + 0.5, 0, 1), np.float32)


def posterise(pixels: Pixels, inks: tuple[str, ...]) -> Pixels:
    """Every pixel in the nearest of `inks`."""
    table = np.array([rgb(ink) for ink in inks], np.float32)
    # The answer for every colour of five bits a channel, then a look-up: forty times faster than per pixel.
    levels = np.arange(32, dtype=np.float32) * 8 + 4
    cube = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), -1).reshape(-1, 1, 3)
    nearest = ((cube - table[None]) ** 2 * np.array([0.3, 0.59, 0.11], np.float32)).sum(-1).argmin(-1)
    coarse = (pixels[..., :3] >> 3).astype(np.int32)
    index = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    return np.dstack([table[nearest[index]].astype(np.uint8), pixels[..., 3]])


def by_tone(tone: Field, inks: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    """`inks` from dark to light, by brightness spread evenly over the picture's own range."""
    table = np.array([rgb(ink) for ink in inks], np.uint8)
    steps = np.clip((tone * len(inks)).astype(int), 0, len(inks) - 1)
    return np.asarray(table[steps], np.uint8)


def harden(pixels: Pixels) -> Pixels:
    """No half-transparent pixels: on cloth they print as speckle."""
    out = pixels.copy()
    out[..., 3] = np.where(pixels[..., 3] >= 128, 255, 0)
    out[out[..., 3] == 0] = 0
    return out
