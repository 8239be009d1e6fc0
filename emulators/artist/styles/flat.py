"""Flat inks: cartoon, minimalist, pop art; and the lettering and wear that others share."""

from __future__ import annotations

import cv2
import numpy as np

from emulators.artist import filters
from emulators.artist.filters import Field
from emulators.artist.palette import Palette, contrast, luminance, mix, rgb
from emulators.artist.sheet import Layers
from emulators.artist.styles.pen import lines_of
from emulators.artist.svg import Pixels


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
        shadow = rim
        for step in range(1, steps + 1):
            reach = round(drop * step / steps)
            shadow = np.maximum(shadow, filters.moved(rim, reach, reach))
        rim = shadow
    return filters.over(filters.solid(rim, edge), filters.solid(words, ink))


def cel(subject: Pixels, reach: int, ink: str = "#1c1030", depth: float = 0.34) -> Pixels:
    """Two hard-edged tones: the lower right in shade, a light edge at the upper left."""
    inside = filters.alpha(subject)
    soft = filters.blur(inside, reach * 0.35)
    shade = np.clip((inside - filters.moved(soft, -reach, -reach) - 0.35) * 6, 0, 1)
    light = np.clip((inside - filters.moved(soft, reach * 0.45, reach * 0.45) - 0.55) * 6, 0, 1)
    shaded = filters.blend(subject, ink, np.asarray(depth * shade, np.float32))
    return filters.blend(shaded, "#ffffff", np.asarray(0.42 * light * (1 - shade), np.float32))


def outlined(layers: Layers, ink: str, outer: float, subject: Pixels) -> Pixels:
    """The subject within its own pen lines and a heavier line around the whole."""
    inside = filters.alpha(subject)
    edge = filters.grow(inside, outer)
    lines = lines_of(layers, 5)
    return filters.stacked(filters.solid(edge, ink), subject, filters.solid(lines, ink))


def die_cut(picture: Pixels, palette: Palette, width: float) -> Pixels:
    """The pale rim of a sticker, where the picture's own edge would drown in the shirt."""
    rim = filters.grow(filters.alpha(picture), width)
    return filters.over(filters.solid(rim, palette.line), picture)


def cartoon(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    """Bold outline, two flat tones, printer's dots in the shade."""
    unit = layers.side / 1024
    ink = mix(palette.dark, "#000000", 0.35)
    subject = _vivid(cel(layers.subject, round(30 * unit)))
    inside = filters.alpha(subject)
    shade = filters.blur(np.clip(inside - filters.moved(inside, -74 * unit, -66 * unit), 0, 1), 26 * unit)
    dots = filters.halftone(np.asarray(shade * 0.8, np.float32), 15 * unit)
    subject = filters.blend(subject, ink, np.asarray(dots * 0.3 * (shade > 0.08), np.float32))
    drawn = outlined(layers, ink, 12 * unit, subject)
    ground = _dotted(layers, ink, unit)
    words = inked_words(layers, palette, 10 * unit, 14 * unit)
    picture = filters.stacked(ground, drawn, layers.front, words)
    return die_cut(picture, palette, 10 * unit) if palette.on_dark else picture


def _vivid(pixels: Pixels) -> Pixels:
    """Colours a little more of themselves."""
    grey = cv2.cvtColor(cv2.cvtColor(pixels[..., :3], cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    out = pixels.copy()
    out[..., :3] = cv2.addWeighted(np.ascontiguousarray(pixels[..., :3]), 1.22, grey, -0.22, 4)
    return out


def _dotted(layers: Layers, ink: str, unit: float) -> Pixels:
    """The ground with dots that grow towards its foot."""
    if not layers.ground.any():
        return layers.ground
    ys = np.linspace(-0.4, 0.56, layers.side, dtype=np.float32)[:, None].clip(0, 1)
    dots = filters.halftone(np.ascontiguousarray(np.broadcast_to(ys, (layers.side, layers.side))), 22 * unit)
    return filters.blend(layers.ground, ink, dots * 0.2)


def minimalist(layers: Layers, palette: Palette, _rng: np.random.Generator) -> Pixels:
    """Two inks and the cloth: what lies on the form takes one tone, what lies on the cloth the other."""
    subject, ground = layers.subject, (filters.alpha(layers.ground) > 0.5).astype(np.float32)
    field_ink = palette.inks[0]
    inside = filters.alpha(subject)
    if layers.lines is not None and inside.any():
        # A thread of cloth between things that overlap, or they would run into one blot.
        inside = np.asarray(inside * (1 - layers.lines * (filters.depth(inside) > 4)), np.float32)
        subject = filters.with_alpha(subject, inside)
    on_field, on_cloth = palette.on(field_ink), palette.line
    plain = layers.one_ink or not inside.any()
    if plain:
        picture = filters.solid(ground, field_ink)
        if on_field != on_cloth:
            # One ink all over, with a gap of cloth where the form ends: the shape stays whole.
            picture = filters.with_alpha(
                picture, ground * (1 - filters.grow(inside, 11 * layers.side / 1024))
            )
        picture = filters.over(picture, filters.solid(inside, on_cloth))
        for ink in palette.named:
            if contrast(ink, palette.shirt) > 1.7:
                asked = (
                    np.abs(subject[..., :3].astype(np.int16) - np.array(rgb(ink), np.int16)).max(axis=2) < 12
                )
                picture = filters.over(picture, filters.solid(np.asarray(inside * asked, np.float32), ink))
    else:
        deep = on_cloth
        lift = mix(deep, field_ink, 0.5)
        pale = palette.light if deep == palette.dark else mix(deep, palette.dark, 0.78)
        flat = np.dstack(
            [filters.by_tone(_even_tone(subject), _by_brightness(deep, lift, pale)), subject[..., 3]]
        )
        gap = filters.grow(inside, 11 * layers.side / 1024)
        picture = filters.with_alpha(filters.solid(ground, field_ink), ground * (1 - gap))
        picture = filters.over(picture, _smooth_regions(flat))
        rim = (
            (gap - filters.grow(inside, 5 * layers.side / 1024)).clip(0, 1)
            if deep != palette.dark
            else 0 * gap
        )
        picture = filters.over(picture, filters.solid(np.asarray(rim, np.float32), deep))
    picture = filters.over(picture, filters.solid(filters.alpha(layers.front), field_ink))
    return filters.over(picture, filters.solid(lettering_of(layers), layers.ink))


def _by_brightness(*inks: str) -> tuple[str, ...]:
    return tuple(sorted(inks, key=luminance))


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
    out = pixels.copy()
    out[..., :3] = cv2.medianBlur(np.ascontiguousarray(pixels[..., :3]), 5)
    return out


def worn(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """Ink that has come off in specks and cracks."""
    side = picture.shape[0]
    grain = filters.noise(rng, side, 110, 3)
    patches = filters.noise(rng, side, 5, 3)
    cracks = np.abs(filters.noise(rng, side, 26, 3) - 0.5)
    gone = (grain > 0.965 - 0.3 * np.clip(patches - 0.5, 0, 1)) | ((cracks < 0.006) & (patches > 0.5))
    return filters.with_alpha(picture, filters.alpha(picture) * (1 - gone.astype(np.float32)))


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
