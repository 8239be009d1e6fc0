"""Flat inks: cartoon, caricature, minimalist, vintage, abstract, pop art."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.replicate.artist import filters
from emulators.replicate.artist.compose import Layers
from emulators.replicate.artist.filters import Field
from emulators.replicate.artist.palette import Palette, contrast, mix
from emulators.replicate.artist.svg import Pixels


def lettering_of(layers: Layers) -> Field:
    return (layers.lettering / 255).astype(np.float32)


def inked_words(
    layers: Layers, palette: Palette, outline: float, drop: float = 0, ink: str | None = None
) -> Pixels:
    """Lettering with an outline and a dropped block shadow; plain where it lies on a ring or a ribbon."""
    words = lettering_of(layers)
    ink = ink or layers.ink
    if layers.on_plate or not words.any():
        return filters.solid(words, layers.ink)
    edge = palette.dark if contrast(palette.dark, ink) > contrast(palette.light, ink) else palette.light
    rim = filters.grow(words, outline)
    if drop:
        steps = max(1, int(drop / 3))
        block = rim
        for step in range(1, steps + 1):
            reach = round(drop * step / steps)
            block = np.maximum(block, _moved(rim, reach, reach))
        rim = block
    return filters.over(filters.solid(rim, edge), filters.solid(words, ink))


def _moved(mask: Field, dx: int, dy: int) -> Field:
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(mask, matrix, mask.shape[::-1]), np.float32)


def cel(subject: Pixels, reach: int) -> Pixels:
    """A lit upper left and a shaded lower right edge."""
    inside = filters.alpha(subject)
    shade = np.clip(inside - _moved(inside, -reach, -reach), 0, 1)
    light = np.clip(inside - _moved(inside, reach // 2, reach // 2), 0, 1)
    colour = subject[..., :3].astype(np.float32)
    colour *= (1 - 0.24 * shade)[..., None]
    colour += (255 - colour) * (0.3 * light * (1 - shade))[..., None]
    return np.dstack([colour.clip(0, 255).astype(np.uint8), subject[..., 3]])


def _outlined(
    layers: Layers, palette: Palette, inner: float, outer: float, subject: Pixels | None = None
) -> Pixels:
    subject = layers.subject if subject is None else subject
    lines = filters.contours(subject, inner)
    edge = filters.grow(filters.alpha(subject), outer)
    return filters.stacked(
        filters.solid(edge, palette.dark),
        subject,
        filters.solid(lines * filters.alpha(subject), palette.dark),
    )


def die_cut(picture: Pixels, palette: Palette, width: float) -> Pixels:
    """The pale rim of a sticker, where the picture's own edge would drown in the shirt."""
    rim = filters.grow(filters.alpha(picture), width)
    return filters.over(filters.solid(rim, palette.line), picture)


def cartoon(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    unit = layers.side / 1024
    drawn = _outlined(layers, palette, 5 * unit, 9 * unit, cel(layers.subject, round(26 * unit)))
    ground = layers.ground
    ys = np.linspace(-0.35, 0.62, layers.side, dtype=np.float32)[:, None]
    dots = filters.halftone(np.broadcast_to(ys, (layers.side, layers.side)).clip(0, 1), 22 * unit)
    inside = filters.alpha(ground)
    shaded = filters.over(ground, filters.solid(dots * inside * 0.22, palette.dark))
    shaded = filters.with_alpha(shaded, inside)
    words = inked_words(layers, palette, 10 * unit, 14 * unit)
    picture = filters.stacked(shaded, drawn, layers.front, words)
    return die_cut(picture, palette, 9 * unit) if palette.on_dark else picture


def caricature(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """A head too big for its body, in a thick and thin line."""
    unit = layers.side / 1024
    subject = filters.wobble(_big_head(layers.subject), rng, 5 * unit, 5)
    lit = cel(subject, round(34 * unit))
    heavy = filters.grow(filters.alpha(subject), 6 * unit)
    heavy = np.maximum(heavy, _moved(heavy, round(11 * unit), round(11 * unit)))
    lines = filters.contours(subject, 4.5 * unit)
    lines = np.maximum(lines, _moved(lines, round(2 * unit), round(2 * unit))) * filters.alpha(subject)
    hatch = filters.hatch(rng, layers.side, 58, 13 * unit, 3.2 * unit)
    shade = np.clip(
        filters.alpha(subject) - _moved(filters.alpha(subject), round(-54 * unit), round(-40 * unit)), 0, 1
    )
    drawn = filters.stacked(
        filters.solid(heavy, palette.dark), lit, filters.solid(hatch * shade, palette.dark),
        filters.solid(lines, palette.dark),
    )  # fmt: skip
    words = inked_words(layers, palette, 8 * unit, 12 * unit)
    picture = filters.stacked(layers.ground, drawn, layers.front, words)
    return die_cut(picture, palette, 8 * unit) if palette.on_dark else picture


def _big_head(subject: Pixels) -> Pixels:
    inside = filters.alpha(subject) > 0.5
    if not inside.any():
        return subject
    rows, columns = np.nonzero(inside)
    top, bottom = rows.min(), rows.max()
    middle_x, middle_y = columns.mean(), top + (bottom - top) * 0.36
    reach = (bottom - top) * 0.62
    ys, xs = np.mgrid[0 : subject.shape[0], 0 : subject.shape[1]].astype(np.float32)
    dx, dy = xs - middle_x, ys - middle_y
    away = np.sqrt(dx * dx + dy * dy) / reach
    pull = np.where(away < 1, 0.42 * (1 - away) ** 2 * (1 + 0.5 * away), 0).astype(np.float32)
    return filters.displace(subject, -dx * pull, -dy * pull)


def minimalist(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    """Two inks and the cloth: the subject in shades of one, the form behind it in the other."""
    subject = layers.subject
    ground_ink = palette.inks[0]
    deep = palette.dark if contrast(palette.dark, ground_ink) > 2 else palette.light
    tone = _even_tone(subject)
    inks = (
        deep,
        mix(deep, ground_ink, 0.42),
        palette.light if deep == palette.dark else mix(deep, ground_ink, 0.75),
    )
    flat = np.dstack([filters.by_tone(tone, inks), subject[..., 3]])
    flat = _smooth_regions(flat)
    ground = filters.solid(filters.alpha(layers.ground), ground_ink)
    picture = filters.stacked(ground, flat, filters.solid(filters.alpha(layers.front), ground_ink))
    if not layers.ground.any():
        picture = die_cut(picture, palette, 7 * layers.side / 1024)
    return filters.over(picture, filters.solid(lettering_of(layers), layers.ink))


def _even_tone(pixels: Pixels) -> Field:
    """Brightness stretched over the subject's own range, by rank: every step gets its share."""
    tone = filters.luma(pixels)
    inside = pixels[..., 3] > 128
    if not inside.any():
        return tone
    values = np.sort(tone[inside])
    ranks = np.searchsorted(values, tone).astype(np.float32) / len(values)
    return np.asarray(
        0.55 * ranks + 0.45 * (tone - values[0]) / max(values[-1] - values[0], 1e-3), np.float32
    ).clip(0, 0.999)


def _smooth_regions(pixels: Pixels) -> Pixels:
    return np.dstack([cv2.medianBlur(np.ascontiguousarray(pixels[..., :3]), 7), pixels[..., 3]])


def vintage(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """Three old inks, a coarse screen, and a shirt that went through the wash many times."""
    unit = layers.side / 1024
    cream = mix("#f1e3c4", palette.light, 0.25)
    inks = tuple(mix(ink, "#9a6b3f", 0.28) for ink in palette.inks[:3])
    dark = mix(palette.dark, "#3a2418", 0.4)
    table = (dark, *inks, cream)
    subject = filters.posterise(_smooth_regions(layers.subject), table)
    lines = filters.contours(layers.subject, 5 * unit) * filters.alpha(layers.subject)
    screen = filters.halftone(np.clip(0.72 - filters.luma(layers.subject), 0, 0.8), 13 * unit, 30)
    printed = filters.stacked(
        filters.solid(filters.grow(filters.alpha(subject), 8 * unit), dark), subject,
        filters.solid(screen * filters.alpha(subject) * 0.75, dark), filters.solid(lines, dark),
    )  # fmt: skip
    ground = filters.posterise(layers.ground, table)
    front = filters.posterise(layers.front, table)
    ink = filters.posterise(filters.solid(np.ones((1, 1), np.float32), layers.ink), table)[0, 0]
    ink_hex = "#" + "".join(f"{part:02x}" for part in ink[:3])
    if contrast(ink_hex, palette.shirt) < 2.2 and not layers.on_plate:
        ink_hex = cream if palette.on_dark else dark
    words = filters.solid(lettering_of(layers), layers.ink if layers.on_plate else ink_hex)
    picture = filters.stacked(ground, printed, front, words)
    return worn(picture, rng)


def worn(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """Ink that has come off in specks and cracks."""
    side = picture.shape[0]
    grain = filters.noise(rng, side, 110, 3)
    patches = filters.noise(rng, side, 5, 3)
    cracks = np.abs(filters.noise(rng, side, 26, 3) - 0.5)
    gone = (grain > 0.965 - 0.3 * np.clip(patches - 0.5, 0, 1)) | ((cracks < 0.006) & (patches > 0.5))
    return filters.with_alpha(picture, filters.alpha(picture) * (1 - gone.astype(np.float32)))


def abstract(layers: Layers, palette: Palette, rng: np.random.Generator) -> Pixels:
    """The subject cut from paper triangles, on big plain shapes."""
    unit = layers.side / 1024
    subject = layers.subject
    inside = filters.alpha(subject)
    mosaic = _triangles(subject, rng, 460)
    # Eyes and other small marks are what a thing is known by: they stay whole.
    told = np.abs(filters.luma(subject) - filters.luma(mosaic)) > 0.3
    small = cv2.morphologyEx(told.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
    mosaic[small] = subject[small]
    solid = (inside > 0.5).astype(np.float32)
    cut = cv2.approxPolyDP  # corners instead of curves: the cut of a scalpel
    outline = np.zeros(solid.shape, np.uint8)
    shapes, _ = cv2.findContours(solid.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for shape in shapes:
        if cv2.contourArea(shape) > 200 * unit:
            cv2.fillPoly(outline, [cut(shape, 7 * unit, True)], 1)
    facets = filters.with_alpha(mosaic, outline.astype(np.float32))
    rim = filters.grow(outline.astype(np.float32), 11 * unit)
    shadow = _moved(rim, round(16 * unit), round(16 * unit))
    rim_ink = palette.light
    picture = filters.stacked(
        layers.ground, filters.solid(shadow * np.clip(filters.alpha(layers.ground), 0, 1), palette.dark),
        filters.solid(rim, rim_ink), facets, layers.front,
    )  # fmt: skip
    return filters.over(picture, inked_words(layers, palette, 0 if layers.on_plate else 3 * unit))


def _triangles(subject: Pixels, rng: np.random.Generator, count: int) -> Pixels:
    side = subject.shape[0]
    out = np.zeros((side, side, 3), np.uint8)
    inside = subject[..., 3] > 128
    if not inside.any():
        return np.dstack([out, subject[..., 3]])
    lines = filters.contours(subject, 3) * inside
    rows, columns = np.nonzero(inside)
    edge_rows, edge_columns = np.nonzero(lines > 0.5)
    points = [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)]
    for ys, xs, number in ((rows, columns, count // 2), (edge_rows, edge_columns, count)):
        if len(ys):
            picked = rng.integers(0, len(ys), number)
            points += [(int(xs[k]), int(ys[k])) for k in picked]
    division = cv2.Subdiv2D((0, 0, side, side))
    for point in dict.fromkeys(points):
        division.insert((float(point[0]), float(point[1])))
    # Colours are read from a softened picture, so that a facet on a seam takes both sides.
    soft = cv2.GaussianBlur(np.ascontiguousarray(subject[..., :3]), (0, 0), 3)
    known = subject[..., 3] > 128
    for corners in np.asarray(division.getTriangleList(), np.float32).reshape(-1, 3, 2):
        if corners.min() < 0 or corners.max() >= side:
            continue
        x, y = (int(value) for value in corners.mean(axis=0))
        if not known[y, x]:
            near = corners.astype(int)
            hits = [(py, px) for px, py in near if known[py, px]]
            if not hits:
                continue
            y, x = hits[0]
        facet = soft[y, x].astype(np.float32) * rng.uniform(0.88, 1.12)
        colour = tuple(float(part) for part in facet.clip(0, 255))
        cv2.fillConvexPoly(out, corners.astype(np.int32), colour, lineType=cv2.LINE_AA)
    return np.dstack([out, subject[..., 3]])


def pop_art(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    """Comic dots and hard black, colour slightly off its line."""
    unit = layers.side / 1024
    subject = filters.posterise(_smooth_regions(layers.subject), (palette.dark, *palette.inks, palette.light))
    dots = filters.halftone(np.clip(0.85 - filters.luma(layers.subject), 0.1, 0.7), 16 * unit, 20)
    lines = filters.contours(layers.subject, 7 * unit) * filters.alpha(layers.subject)
    drawn = filters.stacked(
        filters.solid(filters.grow(filters.alpha(subject), 10 * unit), palette.dark),
        filters.shift(subject, round(6 * unit), round(5 * unit)),
        filters.solid(dots * filters.alpha(subject) * 0.55, palette.dark), filters.solid(lines, palette.dark),
    )  # fmt: skip
    return filters.stacked(
        layers.ground, drawn, layers.front, inked_words(layers, palette, 9 * unit, 14 * unit)
    )
