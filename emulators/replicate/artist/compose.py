"""The layout: where subjects, ornaments and words go. Units are a thousandth of the canvas."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from emulators.replicate.artist import ornaments
from emulators.replicate.artist.arrange import Box, arrange
from emulators.replicate.artist.brief import Brief
from emulators.replicate.artist.cast import Actor, Cast
from emulators.replicate.artist.icons import Icons
from emulators.replicate.artist.lettering import STYLE_FACES, Mask, arc, break_rows, case, line, stack
from emulators.replicate.artist.palette import Palette, mix
from emulators.replicate.artist.scenery import paint_scene
from emulators.replicate.artist.svg import Pixels, circle, clipped, render, star
from emulators.replicate.artist.words import PLACES, stem
from emulators.replicate.assets import Assets


@dataclass(frozen=True)
class Layers:
    """Pictures from back to front. `ink` is the lettering's colour, `on_plate` whether it lies on the ground layer."""

    ground: Pixels
    subject: Pixels
    front: Pixels
    lettering: Mask
    ink: str
    on_plate: bool = False

    @property
    def side(self) -> int:
        return int(self.ground.shape[0])


@dataclass(frozen=True)
class Sheet:
    """What a layout is made from."""

    brief: Brief
    cast: Cast
    palette: Palette
    icons: Icons
    assets: Assets
    rng: random.Random
    side: int

    @property
    def face(self) -> str:
        return STYLE_FACES[self.brief.style]

    @property
    def text(self) -> str:
        return case(self.brief.lettering, self.face)

    @property
    def scale(self) -> float:
        return self.side / 1000

    def subject(self, box: Box) -> Pixels:
        return render(arrange(self.cast.actors, box, self) if self.cast.actors else "", self.side)

    def words(self, box: Box) -> Mask:
        """The lettering in a box (x, y, width, height in units): one row, or a stack when it is long."""
        if not self.text:
            return np.zeros((self.side, self.side), np.uint8)
        pixels = tuple(value * self.scale for value in box)
        rows = break_rows(self.text, 18)
        place = (pixels[0], pixels[1], pixels[2], pixels[3])
        if len(rows) == 1:
            return line(self.assets, self.face, rows[0], self.side, place)
        return stack(self.assets, self.face, rows, self.side, place)

    def arched(self, text: str, radius: float, height: float, *, below: bool = False, y: float = 500) -> Mask:
        centre = (self.side / 2, y * self.scale)
        radius, height = radius * self.scale, height * self.scale
        return arc(self.assets, self.face, text, self.side, centre, radius, height, below=below)


Layout = Callable[[Sheet], Layers]

_LAYOUTS = {
    "realistic photo": ("disc", "scene", "scene"),
    "cartoon": ("burst", "badge", "disc", "sunset"),
    "sketch": ("lone", "disc"),
    "watercolor": ("pebble", "pebble", "scene"),
    "minimalist": ("disc", "sunset", "lone"),
    "vintage": ("badge", "crest", "sunset"),
    "abstract": ("grid", "grid", "disc"),
    "doodle": ("pebble", "lone"),
    "line art": ("disc", "sunset", "lone"),
    "caricature": ("burst", "disc", "lone"),
    "pop art": ("burst", "grid"),
    "ghibli": ("scene", "scene"),
}  # fmt: skip
# Styles that a landscape suits, when the idea names a place.
_SCENIC = (
    "realistic photo",
    "cartoon",
    "watercolor",
    "vintage",
    "ghibli",
    "sketch",
    "line art",
    "caricature",
)


def compose(sheet: Sheet) -> Layers:
    style = sheet.brief.style
    kept = _without_place(sheet.cast, style in _SCENIC)
    if sheet.cast.actors and not kept and style in _SCENIC:
        return _scene(replace(sheet, cast=replace(sheet.cast, actors=[])))
    cast = replace(sheet.cast, actors=kept or sheet.cast.actors)
    sheet = replace(sheet, cast=cast)
    if not cast.actors:
        return _lockup(sheet)
    name = sheet.rng.choice(_LAYOUTS[style])
    if cast.scene and style in _SCENIC and sheet.rng.random() < 0.75:
        name = "scene"
    if name == "scene" and not cast.scene:
        name = "disc"
    if sum(actor.count for actor in cast.actors) >= 5 and style not in ("abstract", "line art"):
        name = "pattern"
    return _NAMED[name](sheet)


def _layers(
    sheet: Sheet, ground: str, box: Box, words: Mask, ink: str, front: str = "", on_plate: bool = False
) -> Layers:
    side = sheet.side
    return Layers(render(ground, side), sheet.subject(box), render(front, side), words, ink, on_plate)


def _badge(sheet: Sheet) -> Layers:
    palette = sheet.palette
    if not sheet.text:
        ground = ornaments.badge(palette, 500, 500, 440, sheet.rng)
        return _layers(sheet, ground, (500, 490, 690, 690), sheet.words((0, 0, 1, 1)), palette.line)
    ring = palette.dark if palette.on_dark is False else palette.inks[1 % len(palette.inks)]
    field = palette.inks[0]
    shade = mix(field, palette.light, 0.22)
    ground = (
        circle(500, 500, 485, ring) + circle(500, 500, 466, palette.on(ring)) + circle(500, 500, 458, ring)
        + circle(500, 500, 312, palette.on(ring)) + circle(500, 500, 300, field)
        + clipped("hub", circle(500, 500, 300, "#000"), ornaments.rays(500, 500, 0, 320, 18, shade))
    )  # fmt: skip
    words = sheet.text.split()
    top, bottom = sheet.text, ""
    if len(sheet.text) > 13 and len(words) > 1:
        cut = max(1, (len(words) + 1) // 2)
        top, bottom = " ".join(words[:cut]), " ".join(words[cut:])
    mask = sheet.arched(top, 344, 84)
    if bottom:
        mask = np.maximum(mask, sheet.arched(bottom, 350, 78, below=True))
    else:
        for turn in (-42, 0, 42):
            x, y = 500 + 385 * np.sin(np.radians(turn)), 500 + 385 * np.cos(np.radians(turn))
            ground += star(float(x), float(y), 30 if turn else 40, palette.on(ring))
    return _layers(sheet, ground, (500, 500, 480, 480), mask, palette.on(ring), on_plate=True)


def _sunset(sheet: Sheet) -> Layers:
    palette = sheet.palette
    if sheet.text:
        ground = ornaments.sunset(palette, 500, 390, 345)
        return _layers(
            sheet, ground, (500, 450, 560, 560), sheet.words((70, 780, 860, 190)), palette.readable()
        )
    ground = ornaments.sunset(palette, 500, 480, 440)
    return _layers(sheet, ground, (500, 530, 700, 700), sheet.words((0, 0, 1, 1)), palette.line)


def _crest(sheet: Sheet) -> Layers:
    palette = sheet.palette
    if not sheet.text:
        ground = ornaments.shield(palette, 500, 500, 830)
        return _layers(sheet, ground, (500, 480, 560, 560), sheet.words((0, 0, 1, 1)), palette.line)
    ground = ornaments.shield(palette, 500, 430, 740)
    ribbon = palette.inks[2 % len(palette.inks)]
    fold = mix(ribbon, palette.dark, 0.4)
    front = (
        f'<path d="M20 800h170v120H20l52-60z M980 800H810v120h170l-52-60z" fill="{fold}"/>'
        f'<path d="M110 760h780v130H110z" fill="{ribbon}"/>'
    )
    words = sheet.words((150, 780, 700, 90))
    return _layers(sheet, ground, (500, 410, 500, 500), words, palette.on(ribbon), front, on_plate=True)


def _burst(sheet: Sheet) -> Layers:
    palette = sheet.palette
    y = 410 if sheet.text else 490
    ground = ornaments.burst(palette, 500, y, 400 if sheet.text else 470, sheet.rng)
    size = 640 if sheet.text else 740
    return _layers(sheet, ground, (500, y, size, size), sheet.words((60, 770, 880, 205)), palette.readable())


def _disc(sheet: Sheet) -> Layers:
    palette = sheet.palette
    y = 420 if sheet.text else 490
    radius = 360 if sheet.text else 430
    ground = circle(500, y, radius, palette.inks[0])
    if sheet.brief.style not in ("minimalist", "realistic photo"):
        ground += ornaments.sparkles(palette, sheet.rng, 500, y, radius * 1.12)
    size = radius * 1.68
    return _layers(sheet, ground, (500, y, size, size), sheet.words((70, 800, 860, 175)), palette.readable())


def _pebble(sheet: Sheet) -> Layers:
    palette, rng = sheet.palette, sheet.rng
    y = 420 if sheet.text else 490
    ground = ornaments.blob(500, y, 385, mix(palette.inks[0], palette.light, 0.3), rng)
    ground += ornaments.blob(
        690, y - 190, 150, mix(palette.inks[1 % len(palette.inks)], palette.light, 0.35), rng
    )
    ground += ornaments.blob(
        280, y + 210, 130, mix(palette.inks[2 % len(palette.inks)], palette.light, 0.35), rng
    )
    size = 640 if sheet.text else 720
    return _layers(sheet, ground, (500, y, size, size), sheet.words((80, 800, 840, 175)), palette.readable())


def _lone(sheet: Sheet) -> Layers:
    y, size = (420, 720) if sheet.text else (500, 860)
    ground = ornaments.sparkles(sheet.palette, sheet.rng, 500, y, size * 0.56, 11)
    return _layers(
        sheet, ground, (500, y, size, size), sheet.words((70, 810, 860, 165)), sheet.palette.readable()
    )


def _grid(sheet: Sheet) -> Layers:
    palette = sheet.palette
    shape = '<rect x="60" y="40" width="880" height="880" rx="40"/>'
    if sheet.text:
        shape = '<rect x="150" y="30" width="700" height="700" rx="36"/>'
    y = 380 if sheet.text else 490
    size = 580 if sheet.text else 740
    ground = clipped("sheet", shape, ornaments.bauhaus(palette, sheet.rng))
    return _layers(sheet, ground, (500, y, size, size), sheet.words((70, 780, 860, 190)), palette.readable())


def _scene(sheet: Sheet) -> Layers:
    palette, rng = sheet.palette, sheet.rng
    y, reach = (410, 385) if sheet.text else (490, 460)
    shape = rng.choice(
        (
            circle(500, y, reach, "#000"),
            circle(500, y, reach, "#000"),
            f'<rect x="{500 - reach * 0.86:.0f}" y="{y - reach:.0f}" width="{reach * 1.72:.0f}" '
            f'height="{reach * 2:.0f}" rx="{reach * 0.86:.0f}"/>',
            f'<rect x="{500 - reach:.0f}" y="{y - reach * 0.92:.0f}" width="{reach * 2:.0f}" '
            f'height="{reach * 1.84:.0f}" rx="46"/>',
        )
    )
    scale = reach / 500
    picture = palette.recolour(paint_scene(sheet.cast.scene, rng))
    moved = f'<g transform="translate({500 - 500 * scale:.1f} {y - 500 * scale:.1f}) scale({scale:.3f})">{picture}</g>'
    size = reach * 1.36
    box = (500, y + reach * 0.26, size, size)
    words = sheet.words((70, 815, 860, 160))
    return _layers(sheet, clipped("view", shape, moved), box, words, palette.readable())


def _without_place(cast: Cast, scenic: bool) -> list[Actor]:
    """The landscape already shows the place: `a fox in the forest` needs no second tree in front."""
    if not cast.scene:
        return cast.actors
    return [
        actor
        for actor in cast.actors
        if (actor.relation == "on" and not scenic)
        or not all(stem(word) in PLACES for word in actor.word.split())
    ]


def _pattern(sheet: Sheet) -> Layers:
    palette = sheet.palette
    height = 720 if sheet.text else 920
    ground = ornaments.sparkles(palette, sheet.rng, 500, height / 2, 460, 8)
    box = (500, height / 2 + 20, 900, height)
    return _layers(sheet, ground, box, sheet.words((60, 790, 880, 180)), palette.readable())


def _lockup(sheet: Sheet) -> Layers:
    """Words alone: a poster of the idea's own words, between rules and stars."""
    palette, side = sheet.palette, sheet.side
    spoken = (
        sheet.brief.lettering
        or " ".join((sheet.cast.unknown or sheet.brief.idea.split())[:4])
        or "Made by hand"
    )
    box = (70 * sheet.scale, 170 * sheet.scale, 860 * sheet.scale, 680 * sheet.scale)
    # The face and the breaking that fill the poster best.
    masks = [
        stack(sheet.assets, face, break_rows(case(spoken, face)[:48], longest), side, box)
        for face in dict.fromkeys((sheet.face, "poster"))
        for longest in (6, 9, 13)
    ]
    words = max(masks, key=lambda mask: int((mask > 128).sum()))
    rows = np.nonzero(words.max(axis=1) > 128)[0] / sheet.scale
    top, bottom = float(rows.min()), float(rows.max())
    first, second = palette.inks[0], palette.inks[1 % len(palette.inks)]
    bars = ((top - 66, 20, first), (top - 38, 8, second), (bottom + 30, 8, second), (bottom + 46, 20, first))
    ground = "".join(
        f'<rect x="70" y="{y:.1f}" width="860" height="{h}" fill="{ink}"/>' for y, h, ink in bars
    )
    ground += star(500, max(top - 112, 34), 34, first)
    ground += "".join(star(500 + dx, max(top - 108, 36), 20, second) for dx in (-80, 80))
    ground += star(500, min(bottom + 108, 962), 30, second, 4, 0.34)
    blank = np.zeros((side, side, 4), np.uint8)
    return Layers(render(ground, side), blank, blank, words, palette.readable())


_NAMED: dict[str, Layout] = {
    "badge": _badge, "sunset": _sunset, "crest": _crest, "burst": _burst, "disc": _disc, "pebble": _pebble,
    "lone": _lone, "grid": _grid, "scene": _scene, "pattern": _pattern,
}  # fmt: skip
