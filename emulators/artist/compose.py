"""The composition: which kind suits the idea, the style and the seed, and what each kind puts where.

Units are a thousandth of the canvas.
"""

from __future__ import annotations

import re
from dataclasses import replace

import cv2
import numpy as np

from emulators.artist import figures
from emulators.artist.arrange import Box, arrange, bounds, is_head
from emulators.artist.cast import Actor, Cast, face_of
from emulators.artist.figures import Figure
from emulators.artist.filters import Field
from emulators.artist.icons import Icons
from emulators.artist.kinds import KINDS, choose_kind
from emulators.artist.lexicon import PLACES, stem
from emulators.artist.palette import rgb
from emulators.artist.sheet import Layers, Plan, Sheet
from emulators.artist.svg import Pixels, place, render
from emulators.artist.text_only import words_alone

# Styles that draw with a pen, and how thick its line is in units.
_PENS = {
    "cartoon": 7.0, "sketch": 3.6, "watercolor": 2.6, "vintage": 5.0, "doodle": 8.0, "line art": 6.0,
    "caricature": 5.0, "minimalist": 9.0, "pop art": 7.0, "ghibli": 3.4,
}  # fmt: skip
_FILL = re.compile(r'fill="(?!none)[^"]+"')
_STROKE = re.compile(r'stroke="(?!none)[^"]+"')


def compose(sheet: Sheet) -> Layers:
    return draw_plan(*plan(sheet)) if sheet.cast.actors else words_alone(sheet)


def plan(sheet: Sheet) -> tuple[Sheet, Plan, str]:
    """Return what to draw of the cast, where, and the kind of composition; nothing but the lettering is drawn yet."""
    things = _without_place(sheet.cast)
    actors = things if any(not _is_place(actor) for actor in things) else sheet.cast.actors
    if (
        all(_is_place(actor) for actor in actors)
        and sheet.cast.scene
        and sheet.style not in ("minimalist", "abstract", "doodle", "caricature")
    ):
        actors = []
    if sheet.style == "minimalist":
        actors = _in_one_ink(actors, sheet.icons)
    sheet = replace(sheet, cast=replace(sheet.cast, actors=actors))
    kind = choose_kind(sheet)
    return sheet, KINDS[kind](sheet), kind


def draw_plan(sheet: Sheet, plan: Plan, kind: str) -> Layers:
    """Pixels of a plan: colour, and the pen's lines where the style has a pen."""
    side, style = sheet.side, sheet.style
    placed, extra = _figures(sheet, plan.box, kind)
    subject = render(
        extra + "".join(figures.colour(f, sheet.icons, sheet.palette) for f in placed) + _eyes(sheet, placed),
        side,
    )
    ground = render(plan.ground, side)
    if plan.echo:
        ground = _echo(subject, sheet, plan.echo)
    pen = _PENS.get(style)
    lines = ground_lines = fur = None
    if style == "minimalist" and len(placed) < 2:
        pen = None
    if pen and placed:
        content = "".join(figures.lines(f, sheet.icons, pen) for f in placed)
        lines = figures.line_field(content, side, pen * 1.6 * side / 1000)
    scenic = style == "watercolor" and kind == "scene"
    if (
        pen
        and (style in ("line art", "sketch") or scenic)
        and plan.ground
        and kind != "sunset"
        and not plan.echo
    ):
        white = _STROKE.sub('stroke="#000"', _FILL.sub('fill="#fff"', plan.ground))
        content = f'<g stroke="#000" stroke-width="{pen * 0.62:.1f}" stroke-linejoin="round">{white}</g>'
        ground_lines = figures.line_field(content, side, pen * side / 1000)
    if style == "realistic photo" and placed:
        fur = _fur(sheet, placed)
    words = plan.words if plan.words is not None else sheet.blank()
    return Layers(
        ground, subject, render(plan.front, side), words, plan.ink or sheet.palette.readable(), plan.on_plate,
        lines, ground_lines, fur, bool(placed) and all(sheet.icons.get(f.actor.icon).one_colour for f in placed), kind,
    )  # fmt: skip


def _figures(sheet: Sheet, box: Box, kind: str) -> tuple[list[Figure], str]:
    """The cast at its places, and what is drawn behind it: a caricature's little bodies."""
    actors = sheet.cast.actors
    if kind == "panels":
        x, y, width, _ = box
        half = width / 2
        placed = []
        for row in (-1, 1):
            for column in (-1, 1):
                tile = (x + column * half / 2, y + row * half / 2, half * 0.78, half * 0.78)
                placed += arrange(actors, tile, sheet.icons, sheet.rng)
        return placed, ""
    if kind == "repeat":
        return _repeat(sheet, box), ""
    if not _gets_body(sheet):
        return arrange(actors, box, sheet.icons, sheet.rng), ""
    heads = [replace(actor, icon=face_of(actor.icon, sheet.icons)) for actor in actors]
    x, y, width, height = box
    placed = arrange(heads, (x, y - height * 0.17, width, height * 0.66), sheet.icons, sheet.rng)
    hero = next(figure for figure in placed if figure.actor.word == actors[0].word)
    left, _, right, bottom = bounds([hero], sheet.icons)
    tall = y + height / 2 - bottom + height * 0.05
    palette = sheet.palette
    cloth, shoe = palette.inks[1 % len(palette.inks)], palette.inks[2 % len(palette.inks)]
    return placed, figures.limbs((left + right) / 2, bottom - height * 0.05, tall, palette.dark, cloth, shoe)


def _gets_body(sheet: Sheet) -> bool:
    actors = sheet.cast.actors
    alone = len(actors) == 1 or all(other.relation in ("with", "worn", "above") for other in actors[1:])
    if sheet.style != "caricature" or not actors or actors[0].count > 1 or not alone or actors[0].wearer:
        return False
    icon = sheet.icons.get(actors[0].icon)
    if icon.kind in ("animal", "furry"):
        # A whole animal has a body already.
        return is_head(face_of(actors[0].icon, sheet.icons))
    return not icon.one_colour and icon.kind not in ("person", "vehicle")


def _eyes(sheet: Sheet, placed: list[Figure]) -> str:
    """A caricature gives things a face."""
    if (
        not placed
        or not _gets_body(sheet)
        or sheet.icons.get(sheet.cast.actors[0].icon).kind in ("animal", "furry")
    ):
        return ""
    hero = next(figure for figure in placed if figure.actor.word == sheet.cast.actors[0].word)
    left, top, right, bottom = bounds([hero], sheet.icons)
    size = min(right - left, bottom - top)
    return figures.googly((left + right) / 2, top + (bottom - top) * 0.42, size * 0.9, sheet.palette.dark)


def _repeat(sheet: Sheet, box: Box) -> list[Figure]:
    """The cast over and over, every second row moved by half a step."""
    x, y, width, height = box
    columns = 3
    step = width / columns
    rows = max(2, round(height / step))
    placed: list[Figure] = []
    for row in range(rows):
        odd = row % 2
        for column in range(columns - odd):
            middle = x - width / 2 + (column + 0.5 + odd * 0.5) * step
            tile = (middle, y + (row - (rows - 1) / 2) * (height / rows), step * 0.84, height / rows * 0.84)
            tilt = -8 if (row + column) % 2 else 8
            placed += [
                replace(figure, turn=figure.turn + tilt)
                for figure in arrange(sheet.cast.actors, tile, sheet.icons, sheet.rng)
            ]
    return placed


def _fur(sheet: Sheet, placed: list[Figure]) -> Field:
    """Return where animals are, judged by a small rendering."""
    content = ""
    for figure in placed:
        icon = sheet.icons.get(figure.actor.icon)
        ink = (
            "#ffffff"
            if icon.kind == "furry" and not icon.one_colour and figure.actor.wearer is None
            else "#000000"
        )
        body = _FILL.sub(f'fill="{ink}"', icon.body)
        content += place(
            icon, f'<g fill="{ink}">{body}</g>', figure.x, figure.y, figure.size, figure.turn, figure.flip
        )
    small = render(content, 192)
    field = cv2.resize(
        np.ascontiguousarray(small[..., 0]), (sheet.side, sheet.side), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(field.astype(np.float32) / 255, np.float32)


def _echo(subject: Pixels, sheet: Sheet, bands: int) -> Pixels:
    """The subject's own outline again and again, each in the next ink."""
    side = sheet.side
    outside = (subject[..., 3] < 128).astype(np.uint8)
    reach = np.asarray(cv2.distanceTransform(outside, cv2.DIST_L2, 5), np.float32)
    reach = np.asarray(cv2.GaussianBlur(reach, (0, 0), 5 * sheet.scale), np.float32)
    width = 27 * sheet.scale
    ground = np.zeros((side, side, 4), np.uint8)
    inks = [sheet.palette.light if sheet.palette.on_dark else sheet.palette.dark, *sheet.palette.inks]
    for band in range(bands, 0, -1):
        ink = inks[0] if band == 1 else inks[1 + band % (len(inks) - 1)]
        ground[reach < band * width] = (*rgb(ink), 255)
    return ground


def _in_one_ink(actors: list[Actor], icons: Icons) -> list[Actor]:
    """Everything as silhouettes, where all of it can be; a mixture of two ways of drawing looks like a mistake."""
    swapped = [figures.silhouette_of(actor.icon, icons) for actor in actors]
    joined = any(actor.wearer or actor.relation in ("on", "inside", "worn") for actor in actors)
    if joined or not all(swapped):
        return actors
    return [replace(actor, icon=name) for actor, name in zip(actors, swapped, strict=True) if name]


def _without_place(cast: Cast) -> list[Actor]:
    """The landscape already shows the place: `a fox in the forest` needs no second tree in front."""
    if not cast.scene:
        return cast.actors
    return [
        actor
        for number, actor in enumerate(cast.actors)
        if (actor.relation in ("on", "above") and number and actor.word not in ("space", "sky"))
        or not _is_place(actor)
    ]


def _is_place(actor: Actor) -> bool:
    return all(stem(word) in PLACES for word in actor.word.split())
