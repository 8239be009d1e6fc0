"""How the things of an idea stand together: rows, riders, companions, backdrops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emulators.replicate.artist.cast import Actor, face_of
from emulators.replicate.artist.palette import Palette, luminance, mix
from emulators.replicate.artist.svg import circle, place

if TYPE_CHECKING:
    from emulators.replicate.artist.compose import Sheet

Box = tuple[float, float, float, float]
"""Centre x, centre y, width, height."""


def arrange(actors: list[Actor], box: Box, sheet: Sheet) -> str:
    """SVG of all `actors` within `box`."""
    total = sum(actor.count for actor in actors)
    if len(actors) == 1:
        return _crowd(actors[0], box, sheet)
    if total > len(actors) + 2:
        return _mixed_crowd(actors, box, sheet)
    return _together(actors, box, sheet)


def _draw(
    actor: Actor, sheet: Sheet, x: float, y: float, size: float, turn: float = 0, flip: bool = False
) -> str:
    icon = sheet.icons.get(actor.icon)
    if sheet.brief.style == "realistic photo":
        icon = sheet.icons.in_set(actor.icon, "noto") or icon
    body = sheet.palette.recolour(icon.body, actor.tint)
    if icon.one_colour:
        # The set's bodies name `currentColor`; without it they take the group's ink.
        ink = actor.tint or _silhouette_ink(sheet.palette)
        shape = icon.body.replace('fill="currentColor"', "")
        body = f'<g fill="{ink}">{shape}</g>'
    drawn = place(icon, body, x, y, size, turn, flip)
    if actor.wearer is not None:
        # The head in the suit's helmet: where the set's astronaut has its own.
        head = sheet.icons.get(actor.wearer)
        glass = size * 0.205
        disc = circle(x, y - size * 0.135, glass, sheet.palette.recolour("#2b3a67"))
        drawn += disc + place(
            head, sheet.palette.recolour(head.body, actor.tint), x, y - size * 0.135, glass * 1.72
        )
    return drawn


def _silhouette_ink(palette: Palette) -> str:
    """A one-colour subject takes the ink that is furthest from the ground's."""
    ground = palette.inks[0]
    return palette.light if luminance(ground) < 0.25 else mix(palette.dark, ground, 0.08)


def _crowd(actor: Actor, box: Box, sheet: Sheet) -> str:
    x, y, width, height = box
    count = actor.count
    if count == 1:
        return _draw(actor, sheet, x, y, min(width, height))
    if count <= 3:
        size = min(height, width) * (0.66 if count == 2 else 0.56)
        step = size * 0.74
        drawn = []
        for place_ in range(count):
            offset = place_ - (count - 1) / 2
            scale = 1.0 if count == 2 or place_ == 1 else 0.84
            low = size * (1 - scale) / 2
            item = _draw(
                actor,
                sheet,
                x + offset * step,
                y + low,
                size * scale,
                offset * (4 if count == 2 else 7),
                offset > 0,
            )
            drawn.append((scale, item))
        return "".join(item for _, item in sorted(drawn, key=lambda pair: pair[0]))
    return _rows([actor] * count, box, sheet)


def _rows(things: list[Actor], box: Box, sheet: Sheet) -> str:
    x, y, width, height = box
    count = len(things)
    rows = 2 if count <= 7 else 3
    per_row = [count // rows + (1 if row >= rows - count % rows else 0) for row in range(rows)]
    size = min(height / rows * 0.98, width / max(per_row) * 1.06)
    drawn, at = "", 0
    for row, number in enumerate(per_row):
        for column in range(number):
            offset = column - (number - 1) / 2
            px = x + offset * min(width / max(number, 1), size * 1.02)
            py = y + (row - (rows - 1) / 2) * min(height / rows, size * 0.98)
            turn = sheet.rng.uniform(-10, 10)
            drawn += _draw(things[at], sheet, px, py, size * 0.92, turn, (row + column) % 2 == 1)
            at += 1
    return drawn


def _mixed_crowd(actors: list[Actor], box: Box, sheet: Sheet) -> str:
    things = [actor for actor in actors for _ in range(actor.count)][:12]
    sheet.rng.shuffle(things)
    return _rows(things, box, sheet)


_HEADS = (
    "fox",
    "bear",
    "panda",
    "frog",
    "lion",
    "wolf",
    "koala",
    "polar-bear",
    "hamster",
    "rabbit",
    "raccoon",
)
_WEARABLE = (
    "sunglasses",
    "glasses",
    "crown",
    "top-hat",
    "graduation-cap",
    "goggles",
    "womans-hat",
    "billed-cap",
)
# Icons that lie across their square, and the turn that lays them level.
_LEVEL = {"skateboard": 45, "snowboard": 45, "skis": 0}


def _worn(hero: Actor, other: Actor, sheet: Sheet) -> bool:
    """Whether `other` is put on the hero's head rather than held."""
    name = other.icon.partition(":")[2]
    if other.relation == "worn":
        return True
    has_head = hero.icon.partition(":")[2] in _HEADS or face_of(hero.icon, sheet.icons) != hero.icon
    return other.relation == "with" and name in _WEARABLE and has_head


def _together(actors: list[Actor], box: Box, sheet: Sheet) -> str:
    """The first thing is the hero; the others stand to it as the idea says."""
    x, y, width, height = box
    size = min(width, height)
    hero, others = actors[0], actors[1:]
    back, front = "", ""
    hero_x, hero_y, hero_size = x, y, size * 0.8
    side = 1
    others = sorted(others, key=lambda other: _worn(hero, other, sheet))
    for number, other in enumerate(others):
        if other.relation == "on":
            # The mount carries the hero: it is as wide, and the hero's feet reach into it.
            hero_y, hero_size = y - size * 0.2, size * 0.6
            turn = _LEVEL.get(other.icon.partition(":")[2], 0)
            back += _draw(other, sheet, x, y + size * 0.23, size * 0.64, turn)
        elif _worn(hero, other, sheet):
            hero.icon = face_of(hero.icon, sheet.icons)
            glasses = "glass" in other.icon
            lift = hero_size / size * (0.03 if glasses else -0.46)
            front += _draw(
                other, sheet, hero_x, hero_y + size * lift, hero_size * (0.62 if glasses else 0.56)
            )
        elif other.relation == "above":
            back += _draw(other, sheet, x + size * 0.3 * side, y - size * 0.33, size * 0.42)
            hero_y, hero_size = y + size * 0.1, size * 0.74
            side = -side
        elif other.relation == "behind":
            back += _draw(other, sheet, x + size * 0.1 * side, y - size * 0.14, size * 0.9)
            hero_y, hero_size = y + size * 0.16, size * 0.62
        elif other.relation == "with":
            front += _draw(
                other, sheet, x + size * 0.31 * side, y + size * 0.27, size * 0.44, 6 * side, side < 0
            )
            hero_x = x - size * 0.05 * side if len(others) == 1 else x
            side = -side
        elif len(others) == 1:
            hero_x, hero_size = x - size * 0.25, size * 0.58
            front += _draw(other, sheet, x + size * 0.25, y + size * 0.02, size * 0.56, 0, flip=True)
        else:
            low = 0.24 if number < 2 else -0.22
            front += _draw(
                other, sheet, x + size * 0.34 * side, y + size * low, size * 0.44, 5 * side, side < 0
            )
            hero_y = y - size * 0.06
            side = -side
    if hero.count > 1:
        return back + _crowd(hero, (hero_x, hero_y, hero_size * 1.2, hero_size * 1.2), sheet) + front
    return back + _draw(hero, sheet, hero_x, hero_y, hero_size) + front
