"""Paint: watercolour, and the soft fields of an animated film."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, mix, rgb
from emulators.artist.sheet import Layers
from emulators.artist.styles.flat import inked_words, lettering_of
from emulators.artist.styles.pen import lines_of
from emulators.artist.svg import Pixels

PAPER = "#fcf8ee"


def watercolor(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Pigment that pools at its edges, runs and blooms; on its own torn paper where the shirt is not light."""
    side, unit = layers.side, layers.side / 1024
    flow, grain = filters.noise(rng, side, 5, 5), filters.noise(rng, side, 120, 2)
    ground = filters.blend(layers.ground, "#fffaf0", np.full(flow.shape, 0.22, np.float32))
    scene = layers.kind == "scene"
    ground = wash(
        filters.wobble(ground, rng, (12 if scene else 34) * unit, 5), flow, grain, 0.34 if scene else 0.62
    )
    creep = [(filters.noise(rng, side, 26, 3) - 0.5) * 15 * unit for _ in range(2)]
    subject = filters.displace(layers.subject, creep[0], creep[1])
    subject = wash(subject, flow[::-1], grain, 0.46)
    inside = filters.alpha(subject)
    bloom = _blooms(side, rng) * (inside > 0.5)
    subject = filters.blend(subject, "#fffdf6", np.asarray(bloom, np.float32))
    pencil = lines_of(layers, 2.6 * unit) * inside * (filters.noise(rng, side, 20, 2) > 0.16)
    splash = _splash(side, rng, np.maximum(filters.alpha(layers.ground), inside), lettering_of(layers))
    drops = wash(filters.solid(splash, palette.inks[1 % len(palette.inks)]), flow, grain, 0.4, plain=True)
    if layers.ground_lines is not None:
        pencil = np.maximum(pencil, layers.ground_lines * (1 - inside) * 0.8)
    picture = filters.stacked(
        drops, ground, _bleed(subject, rng, unit), subject,
        filters.solid(np.asarray(pencil * 0.8, np.float32), mix(palette.dark, "#5a4a52", 0.4)), layers.front,
    )  # fmt: skip
    words = wash(filters.solid(lettering_of(layers), layers.ink), flow[:, ::-1], grain, 0.3, plain=True)
    picture = filters.over(picture, words)
    if not palette.paper:
        return picture
    # One torn sheet under everything.
    covered = np.maximum(filters.alpha(filters.stacked(ground, subject)), lettering_of(layers))
    paper = _torn(covered, rng, unit)
    sheet = filters.blend(filters.solid(paper, PAPER), "#e6dcc6", np.asarray(0.4 * flow, np.float32))
    return filters.over(sheet, filters.with_alpha(picture, filters.alpha(picture) * paper))


def _torn(covered: Field, rng: np.random.Generator, unit: float) -> Field:
    """A piece of paper torn off around `covered`: its hull and a ragged margin, all inside the canvas."""
    side = covered.shape[0]
    hull = np.zeros((side, side), np.uint8)
    points = cv2.findNonZero((covered[::4, ::4] > 0.5).astype(np.uint8))
    if points is not None:
        cv2.fillConvexPoly(hull, cv2.convexHull(points * 4), 1)
    margin = filters.grow(hull.astype(np.float32), 34 * unit)
    ragged = filters.depth(margin) / unit - 14 + (filters.noise(rng, side, 26, 4) - 0.5) * 24
    rim = round(12 * unit) + 1
    inner = np.zeros_like(covered)
    inner[rim:-rim, rim:-rim] = 1
    return np.asarray(((ragged > 0) | (covered > 0.5)) * inner, np.float32)


def _blooms(side: int, rng: np.random.Generator) -> Field:
    """Back-runs: pale fields with a ragged edge, where a drop of water fell into wet paint."""
    field = filters.noise(rng, side, 4, 5)
    return np.asarray(np.clip((field - 0.66) * 5, 0, 1) * 0.42, np.float32)


def _bleed(subject: Pixels, rng: np.random.Generator, unit: float) -> Pixels:
    """A paler tide of the subject's own colours that has run past its outline."""
    side = subject.shape[0]
    inside = filters.alpha(subject)
    if not inside.any():
        return subject
    reach = filters.noise(rng, side, 7, 3) * 44 * unit - 10 * unit
    outside = np.asarray(cv2.distanceTransform((inside < 0.5).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    tide = (outside < reach).astype(np.float32)
    half = cv2.resize(
        subject[..., :3].astype(np.float32) * inside[..., None],
        None,
        fx=0.25,
        fy=0.25,
        interpolation=cv2.INTER_AREA,
    )
    weight = cv2.resize(inside, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = (
        cv2.GaussianBlur(half, (0, 0), 7 * unit)
        / (cv2.GaussianBlur(weight, (0, 0), 7 * unit) + 1e-3)[..., None]
    )
    colour = cv2.resize(soft, (side, side), interpolation=cv2.INTER_LINEAR).clip(0, 255)
    edge = np.clip((outside - reach + 5 * unit) / (5 * unit), 0, 1)
    share = (0.62 - 0.3 * edge)[..., None]
    pale = colour + (np.array([255, 252, 244], np.float32) - colour) * share
    return np.dstack([pale.astype(np.uint8), (tide * 255).astype(np.uint8)])


def wash(pixels: Pixels, flow: Field, grain: Field, variety: float, plain: bool = False) -> Pixels:
    """Pigment on wet paper: `flow` and `grain` are noise, `variety` how much the pigment varies.

    `plain` says that the pixels have one colour, without seams inside.
    """
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
    inner = 0.0 if plain else filters.contours(pixels, 3 * unit, 34) * 0.22
    pigment = 0.62 + variety * (flow - 0.5) * 1.6 + 0.14 * (grain - 0.5) + pool + inner
    absorbed = np.power(np.clip(bled, 0.02, 1), np.clip(pigment, 0.22, 1.7)[..., None])
    return np.dstack([(absorbed * 255).clip(0, 255).astype(np.uint8), pixels[..., 3]])


def _splash(side: int, rng: np.random.Generator, occupied: Field, words: Field) -> Field:
    """Drops flung around the picture, close to it and off the words."""
    canvas = np.zeros((side, side), np.float32)
    unit = side / 1024
    near = filters.grow((occupied > 0.5).astype(np.float32), 80 * unit) * (1 - filters.grow(words, 24 * unit))
    for _ in range(150):
        x, y = rng.uniform(24 * unit, side - 24 * unit, 2)
        radius = min(max(2.2, rng.exponential(5.5)), 20) * unit
        if near[int(y), int(x)] > 0.5 and occupied[int(y), int(x)] < 0.5:
            cv2.circle(canvas, (int(x), int(y)), int(radius), 1, -1, cv2.LINE_AA)
    return canvas * (1 - (occupied > 0.5))


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
    lines = lines_of(layers, 3.6 * unit) * filters.alpha(layers.subject)
    rim = filters.grow(filters.alpha(layers.subject), 3.5 * unit) - (filters.alpha(layers.subject) > 0.5)
    drawn = np.maximum(lines, rim.clip(0, 1) * filters.alpha(whole))
    picture = filters.stacked(painted, filters.solid(drawn * 0.85, line), layers.front)
    return filters.over(picture, inked_words(layers, palette, 0.5))
