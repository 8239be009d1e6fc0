"""Paint and light: watercolour, the lit realism of a studio photograph, the soft fields of an animated film."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.replicate.artist import filters
from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.filters import Field
from emulators.replicate.artist.palette import Palette, mix, rgb
from emulators.replicate.artist.styles.flat import inked_words, lettering_of
from emulators.replicate.artist.svg import Pixels


def watercolor(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Pigment that pools at its edges and runs a little, on its own patch of paper where the shirt is dark."""
    side, unit = layers.side, layers.side / 1024
    flow, grain = filters.noise(rng, side, 6, 5), filters.noise(rng, side, 90, 3)
    ground = wash(filters.wobble(layers.ground, rng, 26 * unit, 5), flow, grain, 0.5)
    subject = wash(filters.wobble(layers.subject, rng, 9 * unit, 9), flow[::-1], grain, 0.26)
    lines = (
        filters.contours(layers.subject, 2.6 * unit)
        * filters.alpha(subject)
        * (filters.noise(rng, side, 20, 2) > 0.42)
    )
    splash = _splash(side, rng, np.maximum(filters.alpha(layers.ground), filters.alpha(layers.subject)))
    drops = wash(filters.solid(splash, palette.inks[1 % len(palette.inks)]), flow, grain, 0.4)
    drops = filters.solid(np.zeros_like(splash), palette.light) if palette.on_dark else drops
    picture = filters.stacked(drops, ground, subject, filters.solid(lines * 0.55, palette.dark), layers.front)
    words = wash(filters.solid(lettering_of(layers), layers.ink), flow[:, ::-1], grain, 0.22)
    if not palette.on_dark:
        return filters.over(picture, words)
    torn = (
        filters.blur(filters.grow(filters.alpha(filters.over(ground, subject)), 26 * unit), 9 * unit)
        + (filters.noise(rng, side, 40, 3) - 0.5) * 0.5
    )
    paper = filters.solid((torn > 0.5).astype(np.float32), "#fbf6ea")
    return filters.stacked(paper, picture, inked_words(layers, palette, 0.5))


def wash(pixels: Pixels, flow: Field, grain: Field, variety: float) -> Pixels:
    """Pigment on wet paper: `flow` and `grain` are noise, `variety` how much the pigment varies."""
    side = pixels.shape[0]
    unit = side / 1024
    inside = filters.alpha(pixels)
    if not inside.any():
        return pixels
    colour = pixels[..., :3].astype(np.float32) / 255
    # Colours bleed into each other a little, never into nothing.
    weight = filters.blur(inside, 4 * unit)[..., None] + 1e-3
    bled = np.asarray(cv2.GaussianBlur(colour * inside[..., None], (0, 0), 4 * unit), np.float32) / weight
    pool = np.exp(-filters.depth(inside) / (5.5 * unit)) * 0.55
    inner = filters.contours(pixels, 3 * unit, 34) * 0.22
    pigment = 0.62 + variety * (flow - 0.5) * 1.6 + 0.14 * (grain - 0.5) + pool + inner
    absorbed = np.power(np.clip(bled, 0.02, 1), np.clip(pigment, 0.22, 1.7)[..., None])
    return np.dstack([(absorbed * 255).clip(0, 255).astype(np.uint8), pixels[..., 3]])


def _splash(side: int, rng: np.random.Generator, taken: Field) -> Field:
    """Drops flung around the picture."""
    canvas = np.zeros((side, side), np.float32)
    unit = side / 1024
    for _ in range(46):
        angle = rng.uniform(0, 2 * np.pi)
        reach = rng.normal(455, 32) * unit
        x, y = side / 2 + reach * np.cos(angle), side * 0.46 + reach * np.sin(angle)
        radius = max(2.0, rng.exponential(6.5)) * unit
        if radius + 8 < x < side - radius - 8 and radius + 8 < y < side - radius - 8:
            cv2.circle(canvas, (int(x), int(y)), int(radius), 1, -1, cv2.LINE_AA)
    return canvas * (1 - (taken > 0.5))


def realistic(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Volume, light from the upper left, a soft shadow and a lens's depth of field."""
    side, unit = layers.side, layers.side / 1024
    ground = _backdrop(layers)
    subject = _lit(layers.subject, unit)
    inside = filters.alpha(layers.subject)
    shadow = filters.blur(_moved(inside, 20 * unit, 26 * unit), 20 * unit) * 0.5 * filters.alpha(ground)
    ground = ground.copy()
    ground[..., :3] = (ground[..., :3] * (1 - shadow)[..., None]).astype(np.uint8)
    if not layers.ground.any():
        ground = filters.solid(np.zeros((side, side), np.float32), palette.light)
    picture = filters.stacked(ground, subject, layers.front)
    grain = rng.normal(0, 5.0, (side, side, 1)).astype(np.float32)
    picture[..., :3] = (picture[..., :3].astype(np.float32) + grain).clip(0, 255).astype(np.uint8)
    return filters.over(picture, filters.solid(lettering_of(layers), layers.ink))


def _moved(mask: Field, dx: float, dy: float) -> Field:
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(mask, matrix, mask.shape[::-1]), np.float32)


def _backdrop(layers: Layers) -> Pixels:
    """Out of focus behind the subject, brighter where the light falls, darker towards its own edge."""
    side, unit = layers.side, layers.side / 1024
    inside = filters.alpha(layers.ground)
    colour = layers.ground[..., :3].astype(np.float32)
    # Out of focus only where there is something in front to be in focus.
    sigma = (9 if layers.subject.any() else 1.2) * unit
    weight = filters.blur(inside, sigma)[..., None] + 1e-3
    soft = np.asarray(cv2.GaussianBlur(colour * inside[..., None], (0, 0), sigma), np.float32) / weight
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side
    glow = np.exp(-(((xs - 0.4) / 0.42) ** 2 + ((ys - 0.3) / 0.4) ** 2))
    edge = 1 - 0.38 * np.exp(-filters.depth(inside) / (70 * unit))
    flat = float(np.std(colour[inside > 0.5])) < 12 if (inside > 0.5).any() else False
    lift = 0.34 if flat else 0.16
    lit = soft * (0.84 * edge)[..., None]
    lit += (255 - lit) * (glow * lift)[..., None]
    return np.dstack([lit.clip(0, 255).astype(np.uint8), layers.ground[..., 3]])


def _lit(subject: Pixels, unit: float) -> Pixels:
    """A flat drawing as a rounded thing: heights from its outline and its colour fields, then a lamp."""
    inside = filters.alpha(subject)
    if not inside.any():
        return subject
    dome = np.sqrt(np.clip(filters.depth(inside) / (120 * unit), 0, 1)) * 46 * unit
    fields = filters.contours(subject, 2 * unit)
    relief = np.sqrt(np.clip(filters.depth(inside * (1 - fields)) / (46 * unit), 0, 1)) * 17 * unit
    height = filters.blur((dome + relief).astype(np.float32), 5 * unit)
    dx = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3), np.float32) / 8
    dy = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3), np.float32) / 8
    length = np.sqrt(dx * dx + dy * dy + 1)
    lamp = np.array([-0.52, -0.62, 0.59], np.float32)
    facing = (-dx * lamp[0] - dy * lamp[1] + lamp[2]) / length
    half = np.array([-0.28, -0.34, 0.898], np.float32)
    shine = np.clip((-dx * half[0] - dy * half[1] + half[2]) / length, 0, 1) ** 46
    light = 0.5 + 0.78 * np.clip(facing, 0, 1)
    colour = subject[..., :3].astype(np.float32) * light[..., None]
    warm = np.array([255, 246, 226], np.float32)
    colour += (warm - colour) * (0.42 * shine * (filters.depth(inside) > 3))[..., None]
    return np.dstack([colour.clip(0, 255).astype(np.uint8), subject[..., 3]])


def ghibli(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Gouache fields, sunlight through summer air, a thin brown line."""
    side, unit = layers.side, layers.side / 1024
    whole = filters.over(layers.ground, layers.subject)
    brush = filters.noise(rng, side, 14, 4)
    colour = whole[..., :3].astype(np.float32)
    sun = np.array(rgb("#fff1c4"), np.float32)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side
    glow = np.exp(-(((xs - 0.3) / 0.5) ** 2 + ((ys - 0.22) / 0.45) ** 2)) * 0.34
    colour = colour * (0.92 + 0.16 * (brush - 0.5))[..., None]
    colour += (sun - colour) * glow[..., None]
    painted = np.dstack([colour.clip(0, 255).astype(np.uint8), whole[..., 3]])
    line = mix(palette.dark, "#5b3a22", 0.6)
    lines = filters.contours(layers.subject, 3.6 * unit) * filters.alpha(layers.subject)
    rim = filters.grow(filters.alpha(layers.subject), 3.5 * unit) - (filters.alpha(layers.subject) > 0.5)
    drawn = np.maximum(lines, rim.clip(0, 1) * filters.alpha(whole))
    picture = filters.stacked(painted, filters.solid(drawn * 0.85, line), layers.front)
    return filters.over(picture, inked_words(layers, palette, 0.5))
