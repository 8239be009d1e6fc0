"""Pixel operations that the styles are made of. Pictures are RGBA uint8, masks float32 from 0 to 1."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from emulators.artist.palette import rgb
from emulators.artist.svg import Pixels

Field = npt.NDArray[np.float32]


def alpha(pixels: Pixels) -> Field:
    return np.asarray(pixels[..., 3].astype(np.float32) / 255, np.float32)


def luma(pixels: Pixels) -> Field:
    """Brightness, 0 to 1; transparent pixels count as they are stored."""
    grey = cv2.cvtColor(np.ascontiguousarray(pixels[..., :3]), cv2.COLOR_RGB2GRAY)
    return np.asarray(grey.astype(np.float32) / 255, np.float32)


def solid(mask: Field, colour: str) -> Pixels:
    """`colour` where `mask` is."""
    level = np.asarray(cv2.convertScaleAbs(mask, alpha=255), np.uint8)
    flat = [np.full(mask.shape, part, np.uint8) for part in rgb(colour)]
    return np.asarray(cv2.merge([*flat, level]), np.uint8)


def over(bottom: Pixels, top: Pixels) -> Pixels:
    """`top` laid on `bottom`."""
    rows, columns = _extent(top)
    out = bottom.copy()
    if rows is None or columns is None:
        return out
    upper = np.ascontiguousarray(top[rows, columns])
    lower = np.ascontiguousarray(bottom[rows, columns])
    covering = upper[..., 3].astype(np.float32)
    beneath = lower[..., 3].astype(np.float32) * (1 - covering / 255)
    laid = np.asarray(cv2.blendLinear(upper, lower, covering + 1e-3, beneath), np.uint8)
    laid[..., 3] = cv2.convertScaleAbs(covering + beneath)
    out[rows, columns] = laid
    return out


def _extent(pixels: Pixels) -> tuple[slice | None, slice | None]:
    """The rows and columns that are drawn on at all."""
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(pixels[..., 3]))
    if not width:
        return None, None
    return slice(y, y + height), slice(x, x + width)


def stacked(*layers: Pixels) -> Pixels:
    result = layers[0]
    for layer in layers[1:]:
        result = over(result, layer)
    return result


def with_alpha(pixels: Pixels, mask: Field) -> Pixels:
    out = pixels.copy()
    out[..., 3] = cv2.convertScaleAbs(np.ascontiguousarray(mask, np.float32), alpha=255)
    return out


def grow(mask: Field, radius: float) -> Field:
    """The mask widened by `radius` pixels, with a smooth edge."""
    outside = (mask < 0.5).astype(np.uint8)
    if outside.all():
        return np.zeros_like(mask)
    reach = cv2.distanceTransform(outside, cv2.DIST_L2, 5)
    return np.asarray(np.clip(radius - reach + 0.5, 0, 1), np.float32)


def depth(mask: Field) -> Field:
    """Return how far each pixel lies inside the mask, in pixels."""
    inside = (mask >= 0.5).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 5), np.float32)


def blur(field: Field, sigma: float) -> Field:
    if sigma < 6:
        return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)
    # A wide blur leaves nothing fine: a quarter of the pixels show it as well.
    small = cv2.resize(field, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    return np.asarray(cv2.resize(soft, field.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def noise(rng: np.random.Generator, side: int, cells: int, octaves: int = 4) -> Field:
    """Smooth fractal noise from 0 to 1; `cells` is the number of its largest bumps across."""
    # Broad bumps are made small and enlarged: the difference is invisible, and it takes a tenth of the time.
    work = min(side, max(96, 4 * cells * 2 ** (octaves - 1)))
    total = np.zeros((work, work), np.float32)
    weight = 1.0
    for octave in range(octaves):
        count = min(cells * 2**octave, work) + 3
        grid = rng.random((count, count), np.float32)
        total += weight * np.asarray(
            cv2.resize(grid, (work, work), interpolation=cv2.INTER_CUBIC), np.float32
        )
        weight *= 0.5
    low, high = np.percentile(total[::3, ::3], (2, 98))
    total = np.clip((total - low) / (high - low), 0, 1)
    if work < side:
        total = np.asarray(cv2.resize(total, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(total, np.float32)


def displace(pixels: Pixels, dx: Field, dy: Field) -> Pixels:
    side_y, side_x = pixels.shape[:2]
    xs = (np.arange(side_x, dtype=np.float32)[None, :] + dx).astype(np.float32)
    ys = (np.arange(side_y, dtype=np.float32)[:, None] + dy).astype(np.float32)
    moved = cv2.remap(pixels, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
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
    flat = pixels.copy()
    flat[flat[..., 3] < 128] = 0
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    soft = cv2.GaussianBlur(flat, (0, 0), 1.2)
    step = np.asarray(cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, kernel), np.uint8).max(axis=2)
    line = (step > threshold).astype(np.uint8)
    line = np.asarray(cv2.morphologyEx(line, cv2.MORPH_CLOSE, kernel), np.uint8)
    # A core without specks, then brought to one even width.
    count, labels, stats, _ = cv2.connectedComponentsWithStats(line, connectivity=8)
    is_large = np.zeros(count, np.float32)
    is_large[1:] = stats[1:, cv2.CC_STAT_AREA] > 90
    return blur(grow(is_large[labels], max(width / 2 - 1.5, 0)), 0.6)


def halftone(tone: Field, cell: float, degrees: float = 45) -> Field:
    """Dots of a size that follows `tone` (0 none, 1 full)."""
    side_y, side_x = tone.shape
    turn = math.radians(degrees)
    step = 2 * math.pi / cell
    xs, ys = np.arange(side_x, dtype=np.float32) * step, np.arange(side_y, dtype=np.float32) * step
    # cos(a x + b y) from sums of angles: two outer products instead of a cosine for every pixel.
    screen = np.full(tone.shape, 0.5, np.float32)
    for along, down in ((math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))):
        screen += (
            np.outer(np.cos(ys * down), np.cos(xs * along)) - np.outer(np.sin(ys * down), np.sin(xs * along))
        ) / 4
    return np.asarray(np.clip((tone + screen - 1) * 8 + 0.5, 0, 1), np.float32)


def hatch(
    rng: np.random.Generator, side: int, degrees: float, spacing: float, width: float, wave: float = 5
) -> Field:
    """Parallel pencil lines, slightly uneven."""
    turn = math.radians(degrees)
    xs, ys = np.arange(side, dtype=np.float32), np.arange(side, dtype=np.float32)
    across = (noise(rng, side, 9, 2) - 0.5) * (2 * wave / spacing)
    across += (-xs * (math.sin(turn) / spacing))[None, :]
    across += (ys * (math.cos(turn) / spacing))[:, None]
    across -= np.floor(across)
    place = np.abs(across - 0.5) * spacing
    uneven = width * (0.55 + 0.75 * noise(rng, side, 40, 2))
    return np.asarray(np.clip(uneven - place + 0.5, 0, 1), np.float32)


def posterise(pixels: Pixels, inks: tuple[str, ...]) -> Pixels:
    """Every pixel in the nearest of `inks`."""
    coarse = (pixels[..., :3] >> 3).astype(np.uint16)
    index = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    colours = cv2.split(_nearest(inks)[index])
    return np.asarray(cv2.merge([*colours, np.ascontiguousarray(pixels[..., 3])]), np.uint8)


@lru_cache(maxsize=8)
def _nearest(inks: tuple[str, ...]) -> Pixels:
    """The answer for every colour of five bits a channel: a look-up is forty times faster than every pixel."""
    table = np.array([rgb(ink) for ink in inks], np.float32)
    levels = np.arange(32, dtype=np.float32) * 8 + 4
    cube = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), -1).reshape(-1, 1, 3)
    nearest = ((cube - table[None]) ** 2 * np.array([0.35, 0.4, 0.25], np.float32)).sum(-1).argmin(-1)
    return np.asarray(table.astype(np.uint8)[nearest], np.uint8)


def by_tone(tone: Field, inks: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    """`inks` from dark to light, by brightness spread evenly over the picture's own range."""
    table = np.array([rgb(ink) for ink in inks], np.uint8)
    steps = np.clip((tone * len(inks)).astype(int), 0, len(inks) - 1)
    return np.asarray(table[steps], np.uint8)


def moved(mask: Field, dx: float, dy: float) -> Field:
    """The mask pushed aside; what comes in is empty."""
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(mask, matrix, mask.shape[::-1]), np.float32)


def blend(pixels: Pixels, colour: str, share: Field) -> Pixels:
    """The colours of `pixels` drawn towards `colour`; the alpha stays."""
    other = np.empty_like(pixels)
    other[...] = (*rgb(colour), 0)
    mixed = np.asarray(cv2.blendLinear(pixels, other, 1.001 - share, share), np.uint8)
    mixed[..., 3] = pixels[..., 3]
    return mixed


def within(pixels: Pixels, margin: float) -> Pixels:
    """The picture itself when `margin` pixels are free all round, else made as much smaller as that takes."""
    side = pixels.shape[0]
    x, y, width, height = cv2.boundingRect((pixels[..., 3] > 100).astype(np.uint8))
    if not width or min(x, y, side - x - width, side - y - height) >= margin:
        return pixels
    scale = min(1.0, (side - 2 * margin - 2) / max(width, height))
    left = min(
        max((x + width / 2) * 1.0, margin + width * scale / 2 + 1), side - margin - width * scale / 2 - 1
    )
    top = min(
        max((y + height / 2) * 1.0, margin + height * scale / 2 + 1), side - margin - height * scale / 2 - 1
    )
    matrix = np.array(
        [[scale, 0, left - (x + width / 2) * scale], [0, scale, top - (y + height / 2) * scale]], np.float32
    )
    return np.asarray(cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_AREA), np.uint8)


def enlarge(pixels: Pixels, side: int) -> Pixels:
    """A square picture at `side` pixels: sharpened colours, an edge that is cut anew."""
    if pixels.shape[0] == side:
        return pixels
    flat = pixels[..., :3].copy()
    inside = (pixels[..., 3] > 40).astype(np.uint8)
    # What is transparent takes its neighbour's colour first, or edges would get a fringe of black.
    spread = cv2.dilate(flat * inside[..., None], np.ones((5, 5), np.uint8))
    flat = np.where(inside[..., None] > 0, flat, spread)
    large = np.asarray(cv2.resize(flat, (side, side), interpolation=cv2.INTER_CUBIC), np.uint8)
    soft = cv2.GaussianBlur(large, (0, 0), 1.6)
    sharp = np.asarray(cv2.addWeighted(large, 1.7, soft, -0.7, 0), np.uint8)
    edge = cv2.resize(np.ascontiguousarray(pixels[..., 3]), (side, side), interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.merge([*cv2.split(sharp), edge]), np.uint8)


def stroked(rng: np.random.Generator, dx: Field, dy: Field, length: int, step: float) -> Field:
    """Noise combed along a flow (unit vectors): hairs, brush marks, grain of wood. 0 to 1, middle 0.5."""
    side = dx.shape[0]
    field = np.asarray(cv2.GaussianBlur(rng.random((side, side), np.float32), (0, 0), 0.8), np.float32)
    xs = np.arange(side, dtype=np.float32)[None, :]
    ys = np.arange(side, dtype=np.float32)[:, None]
    # Each pass doubles how far a pixel's value is carried: log steps instead of one step a pixel.
    for power in range(length):
        reach = step * 2**power
        carried = cv2.remap(
            field, xs + dx * reach, ys + dy * reach, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        field = np.asarray(cv2.addWeighted(field, 0.5, carried, 0.5, 0), np.float32)
    mean, spread = cv2.meanStdDev(field)
    return np.asarray(
        np.clip((field - float(mean[0, 0])) / (5 * float(spread[0, 0])) + 0.5, 0, 1), np.float32
    )


def flow(field: Field, sigma: float) -> tuple[Field, Field]:
    """Unit vectors down the slopes of `field`."""
    soft = blur(field, sigma)
    dx = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=5), np.float32)
    dy = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=5), np.float32)
    length = np.asarray(cv2.magnitude(dx, dy), np.float32) + 1e-3
    return -dx / length, -dy / length


def marks(subject: Pixels) -> Field:
    """Eyes, noses and other small marks, by which a face is known: what a broad median does away with."""
    side = subject.shape[0]
    small = cv2.resize(subject, (256, 256), interpolation=cv2.INTER_AREA)
    broad = cv2.medianBlur(np.ascontiguousarray(small[..., :3]), 25)
    apart = np.abs(small[..., :3].astype(np.int16) - broad).max(axis=2)
    inner = cv2.erode((small[..., 3] > 200).astype(np.uint8), np.ones((13, 13), np.uint8))
    details = cv2.morphologyEx(
        ((apart > 52) & (inner > 0)).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
    )
    return blur(np.asarray(cv2.resize(details.astype(np.float32), (side, side)), np.float32), 1.5)


def stand_off(picture: Pixels, shirt: str, line: str, width: float, words: Field) -> Pixels:
    """A thin rim where too much of the picture's own edge, but for the words', has nearly the shirt's colour."""
    spared = grow(words, 3 * width) > 0.5
    inside = ((alpha(picture) > 0.5) & ~spared).astype(np.uint8)
    core = cv2.erode(inside, np.ones((3, 3), np.uint8), iterations=max(1, round(width / 2)))
    edge = (inside - core).astype(bool)
    if not edge.any():
        return picture
    apart = np.abs(picture[edge][:, :3].astype(np.int16) - np.array(rgb(shirt), np.int16)).max(axis=1)
    if float((apart < 46).mean()) < 0.07:
        return picture
    return over(solid(grow(inside.astype(np.float32), width) * (1 - spared), line), picture)


def harden(pixels: Pixels) -> Pixels:
    """No half-transparent pixels: on cloth they print as speckle."""
    _, solid_ = cv2.threshold(np.ascontiguousarray(pixels[..., 3]), 127, 255, cv2.THRESH_BINARY)
    out = np.asarray(cv2.bitwise_and(pixels, pixels, mask=solid_), np.uint8)
    out[..., 3] = solid_
    return out
