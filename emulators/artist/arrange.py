"""The arrangement of an idea's things: riders on their mounts, hats on heads, crowds in rows.

Places are found in free units by what each icon really covers, then the whole group is fitted into its box.
"""

from __future__ import annotations

import random
from dataclasses import replace

from emulators.artist.cast import Actor, face_of
from emulators.artist.figures import Extent, Figure, extent
from emulators.artist.icons import Icons

Box = tuple[float, float, float, float]
"""Centre x, centre y, width, height."""
Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_EYEWEAR = ("glasses", "sunglasses", "goggles")
_NECKWEAR = ("scarf", "necktie", "bow-tie", "ribbon")
_HEADWEAR = ("crown", "top-hat", "graduation-cap", "womans-hat", "billed-cap", "headphone", "helmet")
# Icons that lie across their square, and the turn that lays them level.
_LEVEL = {"skateboard": 0, "snowboard": 45, "surf-board": 45, "skis": 0}
# Icons that are a head and nothing else.
_HEADS = (
    "fox", "bear", "panda", "frog", "lion", "wolf", "koala", "polar-bear", "hamster", "unicorn", "face", "skull",
)  # fmt: skip
_STAGES = (
    "mountain",
    "moon",
    "planet",
    "ice",
    "iceberg",
    "island",
    "globe",
    "cloud",
    "rock",
    "wave",
    "wheel",
)
_READ = ("book", "books", "open-book", "laptop", "newspaper", "scroll")
_PLAYED = ("guitar", "violin", "banjo", "accordion", "saxophone", "trumpet")
_STRUCK = ("drum", "musical-keyboard", "grand-piano", "piano-keys", "drum-kit")


def arrange(actors: list[Actor], box: Box, icons: Icons, rng: random.Random) -> list[Figure]:
    """`actors` as figures from back to front, together as large as `box` lets them be."""
    if not actors:
        return []
    sky = [actor for actor in actors if actor.relation == "above" and len(actors) > 1]
    ground = [actor for actor in actors if actor not in sky] or actors
    total = sum(actor.count for actor in ground)
    if total > len(ground) and (total > 3 or len(ground) > 1):
        figures = _crowd([actor for actor in ground for _ in range(actor.count)][:12], icons, rng)
    elif len(ground) == 1:
        figures = _row([ground[0]] * ground[0].count, icons)
    else:
        figures = _together(ground, icons)
    return fitted(_under(figures, sky, icons, rng), box, icons)


def fitted(figures: list[Figure], box: Box, icons: Icons) -> list[Figure]:
    """The same group, scaled and moved so that its ink fills the box."""
    left, top, right, bottom = bounds(figures, icons)
    x, y, width, height = box
    scale = min(width / max(right - left, 1e-6), height / max(bottom - top, 1e-6))
    dx, dy = x - (left + right) / 2 * scale, y - (top + bottom) / 2 * scale
    return [figure.moved(scale, dx, dy) for figure in figures]


def bounds(figures: list[Figure], icons: Icons) -> Bounds:
    edges = [_edges(figure, icons) for figure in figures]
    return (
        min(edge[0] for edge in edges), min(edge[1] for edge in edges),
        max(edge[2] for edge in edges), max(edge[3] for edge in edges),
    )  # fmt: skip


def _edges(figure: Figure, icons: Icons) -> Bounds:
    ink = extent(icons, figure.actor.icon)
    half = figure.size / 2
    if abs(figure.turn) > 20:
        # What lies across its square is long and thin once it is level.
        return figure.x - half * 1.2, figure.y - half * 0.36, figure.x + half * 1.2, figure.y + half * 0.36
    left, right = (1 - ink.right, 1 - ink.left) if figure.flip else (ink.left, ink.right)
    return (
        figure.x - half + left * figure.size, figure.y - half + ink.top * figure.size,
        figure.x - half + right * figure.size, figure.y - half + ink.bottom * figure.size,
    )  # fmt: skip


def _standing(
    actor: Actor, icons: Icons, middle: float, base: float, tall: float, turn: float = 0, flip: bool = False
) -> Figure:
    """A figure with the foot of its ink on `base`, `tall` units high, around `middle`."""
    ink = extent(icons, actor.icon)
    size = tall / ink.height
    shift = (ink.left + ink.right) / 2 - 0.5
    return Figure(
        actor, middle - (-shift if flip else shift) * size, base - (ink.bottom - 0.5) * size, size, turn, flip
    )


def _wide(ink: Extent) -> float:
    return ink.width / ink.height


def _row(things: list[Actor], icons: Icons) -> list[Figure]:
    """Up to three of a kind, the middle one in front."""
    if len(things) == 1:
        return [_standing(things[0], icons, 0, 0, 1)]
    step = _wide(extent(icons, things[0].icon)) * (0.86 if len(things) == 2 else 0.72)
    placed = []
    for number, actor in enumerate(things):
        offset = number - (len(things) - 1) / 2
        front = len(things) == 2 or offset == 0
        figure = _standing(actor, icons, offset * step, 0, 1 if front else 0.84, offset * 5, offset > 0)
        placed.append((front, figure))
    return [figure for _, figure in sorted(placed, key=lambda pair: pair[0])]


def _crowd(things: list[Actor], icons: Icons, rng: random.Random) -> list[Figure]:
    """Rows like a school photograph, the front row lowest."""
    carried = [
        actor for actor in things if actor.relation == "with" or (actor.count == 1 and len(things) == 3)
    ]
    others = [actor for actor in things if actor not in carried]
    rng.shuffle(others)
    things = [*others, *carried]
    count = len(things)
    rows = 1 if count == 2 else 2 if count <= 7 else 3
    sizes = [count // rows + (1 if row >= rows - count % rows else 0) for row in range(rows)]
    if count == 3:
        sizes = [2, 1]
    figures, at = [], 0
    step = 0.5 if count == 3 and carried else 0.82
    for row, number in enumerate(sizes):
        for column in range(number):
            actor = things[at]
            tall = 0.94 if _wide(extent(icons, actor.icon)) < 1.15 else 0.78
            tall *= 0.72 if actor in carried else 1.0
            figures.append(
                _standing(
                    actor, icons, (column - (number - 1) / 2) * 1.02, row * step, tall, rng.uniform(-6, 6),
                    rng.random() < 0.5,
                )
            )  # fmt: skip
            at += 1
    return figures


def _under(figures: list[Figure], sky: list[Actor], icons: Icons, rng: random.Random) -> list[Figure]:
    """Return what is over the others: large and behind when it is a moon or a sun."""
    if not sky:
        return figures
    left, top, right, bottom = bounds(figures, icons)
    wide, tall = right - left, bottom - top
    behind = []
    for number, actor in enumerate(sky):
        heaven = icons.get(actor.icon).kind == "sky"
        high = (0.86 if heaven else 0.5) * min(max(wide, tall), tall * 1.3)
        side = (0.12 if heaven else 0.3) * wide * (1 if (number + rng.randrange(2)) % 2 else -1)
        base = top + tall * (0.52 if heaven else 0.12)
        behind.append(_standing(actor, icons, (left + right) / 2 + side, base, high))
    return behind + figures


def _is(actor: Actor, names: tuple[str, ...]) -> bool:
    return _named(actor.icon, names)


def _named(reference: str, names: tuple[str, ...]) -> bool:
    name = reference.partition(":")[2]
    return any(name == suffix or name.endswith("-" + suffix) for suffix in names)


def is_head(reference: str) -> bool:
    """Tell whether the icon is a head and nothing else."""
    return _named(reference, _HEADS)


def worn(hero: Actor, other: Actor, icons: Icons) -> bool:
    """Tell whether `other` is put on rather than held."""
    if other.relation == "worn":
        return True
    living = icons.get(hero.icon).kind in ("animal", "furry", "food", "plant", "person")
    return other.relation == "with" and living and _is(other, _EYEWEAR + _HEADWEAR + _NECKWEAR + ("hat",))


def _together(actors: list[Actor], icons: Icons) -> list[Figure]:
    """The first thing is the hero; the others stand to it as the idea says."""
    hero, others = actors[0], actors[1:]
    on = [other for other in others if worn(hero, other, icons)]
    if on:
        hero = replace(hero, icon=face_of(hero.icon, icons))
    main = _standing(hero, icons, 0, 0, 1)
    figures = [main]
    side, mounted = 1, False
    for other in others:
        if other in on:
            figures.append(_put_on(other, main, icons))
        elif other.relation == "on" and not mounted:
            figures.insert(0, _mount(other, main, icons))
            mounted = True
        elif other.relation == "inside":
            figures.append(_vessel(other, main, icons))
        elif other.relation in ("behind", "on"):
            figures.insert(0, _standing(other, icons, side * 0.28, -0.02, 1.3))
        elif other.relation == "with":
            figures.append(_held(other, main, icons, side))
            side = -side
        else:
            figures = _next_to(figures, other, icons, side)
            side = -side
    return figures


def _put_on(other: Actor, main: Figure, icons: Icons) -> Figure:
    """On the hero's head, eyes or neck, by where its icon has them."""
    left, top, right, bottom = _edges(main, icons)
    wide, tall = right - left, bottom - top
    ink = extent(icons, other.icon)
    living = icons.get(main.actor.icon).kind in ("animal", "furry", "person")
    if living and not _is(main.actor, _HEADS):
        return _put_on_body(other, main, icons)
    middle = (left + right) / 2
    if _is(other, _EYEWEAR):
        return _standing(other, icons, middle, top + tall * 0.62, wide * 0.74 / _wide(ink))
    if _is(other, _NECKWEAR):
        return _standing(other, icons, middle, bottom + tall * 0.3, tall * 0.42)
    if _is(other, ("headphone",)):
        return _standing(other, icons, middle, top + tall * 0.74, wide * 1.34 / _wide(ink))
    if _is(other, ("samurai-helmet", "viking-helmet", "spartan-helmet", "ninja-head")):
        return _standing(other, icons, middle, top + tall * 0.42, wide * 0.9 / _wide(ink))
    return _standing(other, icons, middle, top + tall * 0.13, min(wide * 0.6 / _wide(ink), tall * 0.5))


def _put_on_body(other: Actor, main: Figure, icons: Icons) -> Figure:
    """On a whole figure: its head is where its outline is highest."""
    _, top, _, bottom = _edges(main, icons)
    own = extent(icons, main.actor.icon)
    highest = [place for place, row in enumerate(own.profile) if row < own.top + 0.09]
    share = (sum(highest) / len(highest) + 0.5) / len(own.profile) - 0.5
    low = 0.0
    if _wide(own) > 1.35:
        # A long animal on its four legs carries its head in front.
        share, low = own.left + 0.17 * own.width - 0.5, 0.26
    head = main.x + (-share if main.flip else share) * main.size
    tall = bottom - top
    top += low * tall
    span = min(0.4 * tall, 0.5 * own.width * main.size)
    ink = extent(icons, other.icon)
    if _is(other, _EYEWEAR):
        return _standing(other, icons, head, top + tall * 0.26, span / _wide(ink))
    if _is(other, _NECKWEAR):
        return _standing(other, icons, head + 0.04 * tall, top + tall * 0.66, tall * 0.32)
    if _is(other, ("headphone",)):
        return _standing(other, icons, head, top + tall * 0.3, span * 1.2 / _wide(ink))
    return _standing(other, icons, head, top + tall * 0.08, min(span / _wide(ink), tall * 0.3))


def _mount(other: Actor, main: Figure, icons: Icons) -> Figure:
    """Under the hero, as wide as carries it, so high that its seat meets the hero's feet."""
    left, top, right, bottom = _edges(main, icons)
    wide = max(right - left, 0.6 * (bottom - top))
    name = other.icon.partition(":")[2]
    turn = _LEVEL.get(name, 0)
    middle = (left + right) / 2
    if turn:
        size = wide * 1.35
        return Figure(other, middle, bottom + size * 0.02, size, turn)
    ink = extent(icons, other.icon)
    span = wide * (1.7 if _is(other, _STAGES) else 1.3)
    size = span / ink.width
    seat = ink.profile[round((ink.left + ink.right) / 2 * (len(ink.profile) - 1))]
    overlap = 0.16 if icons.get(other.icon).kind == "vehicle" else 0.07
    y = bottom - (bottom - top) * overlap + (0.5 - seat) * size
    return Figure(other, middle - ((ink.left + ink.right) / 2 - 0.5) * size, y, size)


def _vessel(other: Actor, main: Figure, icons: Icons) -> Figure:
    """In front of the hero, which looks out of it."""
    left, top, right, bottom = _edges(main, icons)
    ink = extent(icons, other.icon)
    tall = (right - left) * 1.3 / _wide(ink)
    tall = min(max(tall, 0.62 * (bottom - top)), 1.05 * (bottom - top))
    return _standing(other, icons, (left + right) / 2, top + (bottom - top) * 0.56 + tall, tall)


def _held(other: Actor, main: Figure, icons: Icons, side: int) -> Figure:
    left, top, right, bottom = _edges(main, icons)
    wide, tall = right - left, bottom - top
    middle = (left + right) / 2
    if _is(other, _READ):
        return _standing(other, icons, middle, bottom + tall * 0.2, tall * 0.42)
    if _is(other, _STRUCK):
        return _standing(other, icons, middle, bottom + tall * 0.12, tall * 0.5)
    if _is(other, _PLAYED):
        low = 0.42 if _is(main.actor, _HEADS) else 0.06
        return _standing(other, icons, middle + wide * 0.06, bottom + tall * low, tall * 0.7)
    if _is(other, ("balloon", "kite", "fishing-pole")):
        return _standing(other, icons, middle + side * wide * 0.56, top + tall * 0.5, tall * 0.7)
    reach = wide * 0.5 if _wide(extent(icons, main.actor.icon)) < 1.3 else wide * 0.4
    return _standing(
        other, icons, middle + side * reach, bottom + tall * 0.05, tall * 0.5, 7 * side, side < 0
    )


def _next_to(figures: list[Figure], other: Actor, icons: Icons, side: int) -> list[Figure]:
    left, _, right, bottom = bounds(figures, icons)
    living = icons.get(other.icon).kind in ("animal", "furry", "person")
    tall = 0.92 if living or len(figures) == 1 else 0.6
    half = tall * _wide(extent(icons, other.icon)) / 2
    middle = right + half * 0.82 if side > 0 else left - half * 0.82
    return [*figures, _standing(other, icons, middle, min(bottom, 0.05), tall, 0, side > 0 and living)]
