"""Realistic photo: a lamp, hair, metal and glaze, a shadow, a lens out of focus behind the subject."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, mix
from emulators.artist.sheet import Layers
from emulators.artist.styles.flat import lettering_of
from emulators.artist.svg import Pixels


def realistic(layers: Layers, _palette: Palette, rng: np.random.Generator) -> Pixels:
    """Volume under a lamp at the upper left; animals get hair, one-ink things turn to metal."""
    unit = layers.side / 1024
    subject = _subject(layers, rng, unit)
    inside = filters.alpha(subject)
    ground = _backdrop(layers, rng)
    if layers.ground.any():
        shadow = filters.blur(filters.moved(inside, 26 * unit, 34 * unit), 22 * unit) * 0.62
        close = filters.blur(filters.moved(inside, 6 * unit, 10 * unit), 6 * unit) * 0.4
        ground = filters.blend(ground, "#0b0a14", np.clip(np.maximum(shadow, close), 0, 0.85))
    picture = filters.stacked(ground, subject, layers.front)
    return _graded(filters.over(picture, _letters(layers, unit)))


def _subject(layers: Layers, rng: np.random.Generator, unit: float) -> Pixels:
    subject = layers.subject
    inside = filters.alpha(subject)
    if not inside.any():
        return subject
    deep = filters.depth(inside)
    dx, dy = filters.flow(np.minimum(deep, 150 * unit), 14 * unit)
    hair = layers.fur
    if hair is not None and hair.max() > 0.5:
        subject, inside = _furred(subject, hair, deep, (dx, dy + 0.35), rng)
        deep = filters.depth(inside)
    flat = layers.one_ink
    normal = _normals(subject, inside, deep, unit, flat)
    return _metal(subject, normal) if flat else _shaded(subject, normal, deep, hair, unit)


def _furred(
    subject: Pixels, hair: Field, deep: Field, flow: tuple[Field, Field], rng: np.random.Generator
) -> tuple[Pixels, Field]:
    """Hair that follows the form: it parts the colours, lightens and darkens, and frays the outline."""
    side = subject.shape[0]
    unit = side / 1024
    strands = filters.stroked(rng, flow[0], flow[1], 5, 1.1 * unit)
    quarter = cv2.resize(deep, None, fx=0.25, fy=0.25)
    thick = cv2.dilate(quarter, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (61, 61)))
    # A thin leg has short hair.
    long = np.clip(cv2.resize(thick, (side, side)) / (150 * unit), 0.16, 1)
    pull = (strands - 0.5) * 34 * unit * hair * long
    moved = filters.displace(subject, -flow[0] * pull, -flow[1] * pull)
    marks = filters.marks(subject)
    furred = filters.blend(
        moved, "#000000", np.asarray(np.clip(0.5 - strands, 0, 1) * 0.8 * hair * (1 - marks), np.float32)
    )
    furred = filters.blend(
        furred, "#fff6e0", np.asarray(np.clip(strands - 0.5, 0, 1) * 0.5 * hair * (1 - marks), np.float32)
    )
    whole = np.where((marks > 0.5)[..., None], subject, furred)
    return whole, filters.alpha(whole)


def _normals(
    subject: Pixels, inside: Field, deep: Field, unit: float, flat: bool
) -> tuple[Field, Field, Field]:
    reach = (46 if flat else 150) * unit
    share = np.clip(deep / reach, 0, 1)
    dome = np.sqrt(share * (2 - share)) * reach * (0.6 if flat else 0.5)
    if not flat:
        seams = filters.contours(subject, 2 * unit, 30)
        ridge = np.clip(filters.depth(inside * (1 - seams)) / (40 * unit), 0, 1)
        dome = dome + np.sqrt(ridge * (2 - ridge)) * 13 * unit
    height = filters.blur(np.asarray(dome, np.float32), (2.2 if flat else 4.2) * unit)
    dx = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3), np.float32) / 7
    dy = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3), np.float32) / 7
    length = 1 / np.sqrt(dx * dx + dy * dy + 1)
    return (
        np.asarray(-dx * length, np.float32),
        np.asarray(-dy * length, np.float32),
        np.asarray(length, np.float32),
    )


def _shaded(
    subject: Pixels, normal: tuple[Field, Field, Field], deep: Field, hair: Field | None, unit: float
) -> Pixels:
    nx, ny, nz = normal
    facing = nx * -0.5 + ny * -0.6 + nz * 0.62
    light = 0.46 + 0.78 * np.clip(facing, 0, 1) + 0.08 * np.clip(-ny, 0, 1)
    # Light that comes back from the floor, and the dark where the form turns away.
    light *= 0.8 + 0.2 * np.clip(deep / (34 * unit), 0, 1)
    colour = subject[..., :3].astype(np.float32)
    warm = np.array([1.04, 1.0, 0.93], np.float32)
    cool = np.array([0.88, 0.95, 1.1], np.float32)
    side = np.clip(facing, 0, 1)[..., None]
    colour *= light[..., None] * (cool + (warm - cool) * side)
    gloss = np.clip(nx * -0.27 + ny * -0.33 + nz * 0.905, 0, 1) ** 60
    if hair is not None:
        gloss = gloss * (1 - 0.88 * hair)
    rim = np.clip(1 - nz, 0, 1) ** 3 * np.clip(nx * 0.8 - ny * 0.2, 0, 1)
    shine = (0.6 * gloss + 0.5 * rim)[..., None]
    colour += (np.array([255, 250, 238], np.float32) - colour) * np.clip(shine, 0, 0.9)
    return np.dstack([colour.clip(0, 255).astype(np.uint8), subject[..., 3]])


def _metal(subject: Pixels, normal: tuple[Field, Field, Field]) -> Pixels:
    """Polished metal in the thing's own hue: what it mirrors is a bright sky over a dark floor."""
    nx, ny, _ = normal
    inside = subject[..., 3] > 128
    own = subject[inside][:, :3].mean(axis=0)
    if own.mean() < 90:
        own = own * 0.4 + np.array([150, 156, 168]) * 0.6
    lit = np.clip(0.5 - 0.5 * ny - 0.22 * nx, 0, 1)
    ramp = np.interp(
        np.linspace(0, 1, 256),
        [0, 0.2, 0.42, 0.5, 0.56, 0.72, 0.9, 1],
        [0.3, 0.5, 0.22, 0.42, 0.8, 1.02, 1.5, 1.7],
    )
    level = ramp.astype(np.float32)[(lit * 255).astype(np.uint8)]
    colour = own.astype(np.float32) * level[..., None]
    colour = np.where(colour > 255, 255 - (colour - 255) * 0.05, colour)
    return np.dstack([colour.clip(0, 255).astype(np.uint8), subject[..., 3]])


def _backdrop(layers: Layers, rng: np.random.Generator) -> Pixels:
    """Out of focus behind the subject, with discs of light; darker towards its own edge."""
    side, unit = layers.side, layers.side / 1024
    if not layers.ground.any():
        return layers.ground
    inside = filters.alpha(layers.ground)
    # Out of focus only where there is something in front to be in focus.
    alone = not layers.subject.any()
    sigma = 1.4 if alone else (15 if layers.kind == "studio" else 8)
    small = cv2.resize(layers.ground[..., :3].astype(np.float32) * inside[..., None], None, fx=0.5, fy=0.5)
    weight = cv2.resize(inside, None, fx=0.5, fy=0.5)
    half = sigma * unit / 2
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), half), np.float32)
    soft /= (np.asarray(cv2.GaussianBlur(weight, (0, 0), half), np.float32) + 1e-3)[..., None]
    reach = np.asarray(cv2.resize(filters.depth(inside), None, fx=0.5, fy=0.5), np.float32)
    ys, xs = np.mgrid[0 : soft.shape[0], 0 : soft.shape[1]].astype(np.float32) / soft.shape[0]
    glow = np.exp(-(((xs - 0.38) / 0.4) ** 2 + ((ys - 0.26) / 0.36) ** 2))
    lit = soft * (0.8 - 0.42 * np.exp(-reach / (80 * unit)))[..., None]
    lit += (np.array([255, 246, 226], np.float32) - lit) * (glow * (0.2 if alone else 0.36))[..., None]
    if not alone:
        lit += (255 - lit) * (_bokeh(soft.shape[0], rng) * 0.5)[..., None]
    whole = cv2.resize(lit.clip(0, 255).astype(np.uint8), (side, side), interpolation=cv2.INTER_LINEAR)
    picture = np.dstack([whole, layers.ground[..., 3]])
    return _weathered(picture, rng, unit) if alone else picture


def _weathered(picture: Pixels, rng: np.random.Generator, unit: float) -> Pixels:
    """A landscape without its ruler-drawn edges: ragged outlines, mottled fields, haze and cloud above."""
    side = picture.shape[0]
    fine = [filters.noise(rng, side, 70, 3) - 0.5 for _ in range(2)]
    ragged = filters.displace(picture, fine[0] * 9 * unit, fine[1] * 14 * unit)
    ragged[..., 3] = picture[..., 3]
    mottle = filters.noise(rng, side, 34, 5)
    ragged = filters.blend(ragged, "#05070d", np.asarray(0.26 * mottle, np.float32))
    height = np.linspace(1, 0, side, dtype=np.float32)[:, None]
    cloud = np.clip(filters.noise(rng, side, 5, 5) - 0.55, 0, 1) * 1.2 * np.clip(height - 0.35, 0, 1)
    return filters.blend(ragged, "#fff8ec", np.asarray(np.clip(cloud, 0, 0.8), np.float32))


def _bokeh(side: int, rng: np.random.Generator) -> Field:
    canvas = np.zeros((side, side), np.float32)
    for _ in range(34):
        x, y = rng.uniform(0.08, 0.92, 2) * side
        disc = np.zeros_like(canvas)
        cv2.circle(disc, (int(x), int(y)), int(rng.uniform(0.012, 0.042) * side), 1, -1, cv2.LINE_AA)
        canvas = np.maximum(canvas, disc * float(rng.uniform(0.12, 0.55)))
    return filters.blur(canvas, side / 400)


def _letters(layers: Layers, unit: float) -> Pixels:
    """Lettering as cut metal: a bevel that catches the lamp, the face in its ink."""
    words = lettering_of(layers)
    if not words.any():
        return filters.solid(words, layers.ink)
    bevel = np.clip(filters.depth(words) / (5.5 * unit), 0, 1)
    height = filters.blur(bevel, 2 * unit)
    dx = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3), np.float32)
    dy = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3), np.float32)
    light = (dx + dy) * 0.42
    face = filters.solid(words, layers.ink)
    face = filters.blend(face, mix(layers.ink, "#ffffff", 0.75), np.clip(light, 0, 0.8))
    return filters.blend(face, mix(layers.ink, "#000000", 0.5), np.clip(-light, 0, 0.7))


def _graded(picture: Pixels) -> Pixels:
    """A gentle film curve: deeper shadows, unchanged bright lights."""
    steps = np.linspace(0, 1, 256)
    curve = np.clip(steps + 0.11 * np.sin((steps - 0.5) * 2 * np.pi) * 0.9, 0, 1) * 255
    tables = [curve * 1.0, curve * 0.995, curve * 0.97 + 4]
    table = np.dstack([np.clip(channel, 0, 255).astype(np.uint8) for channel in tables])
    graded = cv2.LUT(np.ascontiguousarray(picture[..., :3]), table)
    return np.dstack([graded, picture[..., 3]])
