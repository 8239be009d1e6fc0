"""The kinds of composition: spot, badge, crest, sunset, poster and the rest, each a plan of one sheet."""

from __future__ import annotations

import random
import re
import zlib

import numpy as np

from emulators.artist import ornaments
from emulators.artist.arrange import arrange, bounds
from emulators.artist.lettering import Mask, break_rows
from emulators.artist.palette import mix
from emulators.artist.scenery import paint_scene
from emulators.artist.sheet import Kind, Plan, Sheet
from emulators.artist.svg import circle, clipped, star

_SUITED = {
    "realistic photo": ("spot", "studio", "scene", "window"),
    "cartoon": ("burst", "spot", "sunset", "badge", "echo", "rainbow"),
    "sketch": ("spot", "frame", "wreath", "scene"),
    "watercolor": ("pebble", "wreath", "scene", "spot"),
    "minimalist": ("disc", "horizon", "frame", "half"),
    "vintage": ("badge", "sunset", "crest", "rainbow", "stripes"),
    "abstract": ("grid", "panels", "echo", "half"),
    "doodle": ("spot", "pebble", "repeat", "wreath"),
    "line art": ("frame", "wreath", "sunset", "spot", "scene"),
    "caricature": ("spot", "burst", "rainbow", "disc"),
    "pop art": ("burst", "panels", "grid"),
    "ghibli": ("scene", "pebble"),
}  # fmt: skip
# Styles that a landscape suits, when the idea names a place.
_SCENIC = ("realistic photo", "cartoon", "watercolor", "vintage", "ghibli", "sketch", "line art")


def choose_kind(sheet: Sheet) -> str:
    """By the seed, so that the next seed is another kind; the idea decides which comes first."""
    actors, scene = sheet.cast.actors, sheet.cast.scene
    if not actors:
        return "scene"
    kinds = [kind for kind in _SUITED[sheet.style] if kind != "scene" or scene]
    if scene and sheet.style in _SCENIC and "scene" not in kinds:
        kinds.append("scene")
    if len(actors) > 1 or actors[0].wearer:
        kinds = [kind for kind in kinds if kind != "repeat"]
    if sum(actor.count for actor in actors) >= 4:
        kinds = [kind for kind in kinds if kind not in ("panels", "repeat", "crest")]
    if (
        len(sheet.text.split()) >= 2
        and _aspect(sheet) > 1.15
        and sheet.style not in ("minimalist", "sketch", "watercolor")
    ):
        kinds.append("poster")
    random.Random(zlib.crc32(f"{sheet.brief.idea} {sheet.style}".encode())).shuffle(kinds)
    return kinds[sheet.brief.seed % len(kinds)]


def _aspect(sheet: Sheet) -> float:
    """Width of the cast divided by its height."""
    placed = arrange(sheet.cast.actors, (0, 0, 1, 1), sheet.icons, random.Random(0))
    left, top, right, bottom = bounds(placed, sheet.icons)
    return (right - left) / (bottom - top)


def _box(sheet: Sheet, alone: float = 900, lettered: float = 690) -> tuple[float, float, float, float]:
    """The subject's box: the whole sheet, or what the words leave of it."""
    return (500, 395, min(lettered * 1.16, 900), lettered) if sheet.text else (500, 500, alone, alone)


def _foot(sheet: Sheet) -> Mask:
    """The words under the subject; more words take more room."""
    longest = max(18, len(sheet.text) // 2 + 5)
    rows = len(break_rows(sheet.text, longest)) if sheet.text else 1
    return sheet.words((55, 775, 890, 190) if rows > 1 else (55, 790, 890, 160), longest)


def _spot(sheet: Sheet) -> Plan:
    """The subject alone: large, without a frame."""
    if not sheet.text:
        return Plan((500, 500, 900, 900), ink=sheet.palette.readable())
    top, bottom = sheet.halves()
    if 6 <= len(sheet.text) <= 26 and _aspect(sheet) < 1.3 and sheet.rng.random() < 0.5:
        words = sheet.arched(top if bottom and len(sheet.text) > 14 else sheet.text, 400, 98, y=520)
        lower = bottom if bottom and len(sheet.text) > 14 else ""
        if lower:
            words = np.maximum(words, sheet.spell(lower, (160, 850, 680, 110), 30))
        return Plan((500, 540, 600, 560 if lower else 640), words=words)
    return Plan(_box(sheet), words=_foot(sheet))


def _studio(sheet: Sheet) -> Plan:
    """A photographer's backdrop: wall, floor and a pool of light."""
    palette = sheet.palette
    wall = mix(palette.inks[0], palette.light, 0.18)
    floor = mix(palette.inks[0], palette.dark, 0.34)
    low = 740 if sheet.text else 930
    shape = f'<rect x="90" y="40" width="820" height="{low - 40}" rx="26"/>'
    if sheet.rng.random() < 0.4:
        shape = f'<ellipse cx="500" cy="{(low + 40) / 2}" rx="{400 if sheet.text else 440}" ry="{(low - 40) / 2}"/>'
    level = low * 0.74
    inside = (
        f'<rect width="1000" height="1000" fill="{wall}"/>'
        f'<rect y="{level:.0f}" width="1000" height="1000" fill="{floor}"/>'
        + "".join(
            circle(sheet.rng.uniform(80, 920), sheet.rng.uniform(60, level - 60), sheet.rng.uniform(18, 60),
                   mix(wall, "#fff3d0", sheet.rng.uniform(0.2, 0.6)))
            for _ in range(16)
        )
    )  # fmt: skip
    tall = low - 130
    return Plan((500, 40 + 62 + tall / 2, 740, tall), clipped("studio", shape, inside), _foot(sheet))


def _window(sheet: Sheet) -> Plan:
    """The backdrop as a tall arch that the subject steps out of."""
    plan = _studio(sheet)
    low = 745 if sheet.text else 945
    shape = f'<path d="M215 {low}V325A285 285 0 0 1 785 325V{low}Z"/>'
    x, _, _, _ = plan.box
    ground = re.sub(r"<clipPath.*?</clipPath>", f'<clipPath id="studio">{shape}</clipPath>', plan.ground)
    tall = low - 150
    return Plan((x, low - tall / 2 + 12, 800, tall), ground, plan.words)


def _badge(sheet: Sheet) -> Plan:
    palette = sheet.palette
    if not sheet.text:
        ground = ornaments.badge(palette, 500, 500, 440, sheet.rng)
        return Plan((500, 490, 720, 760), ground)
    ring = palette.inks[1 % len(palette.inks)] if palette.on_dark else palette.dark
    field = palette.inks[0]
    shade = mix(field, palette.light, 0.22)
    ground = (
        circle(500, 500, 468, ring) + circle(500, 500, 450, palette.on(ring)) + circle(500, 500, 443, ring)
        + circle(500, 500, 318, palette.on(ring)) + circle(500, 500, 306, field)
        + clipped("hub", circle(500, 500, 306, "#000"), ornaments.rays(500, 500, 0, 330, 18, shade))
    )  # fmt: skip
    top, bottom = sheet.halves() if len(sheet.text) > 13 else (sheet.text, "")
    mask = sheet.arched(top, 345, 74)
    if bottom:
        mask = np.maximum(mask, sheet.arched(bottom, 347, 70, below=True))
    else:
        for turn in (-42, 0, 42):
            x, y = 500 + 381 * np.sin(np.radians(turn)), 500 + 381 * np.cos(np.radians(turn))
            ground += star(float(x), float(y), 30 if turn else 40, palette.on(ring))
    return Plan((500, 492, 480, 520), ground, mask, palette.on(ring), on_plate=True)


def _sunset(sheet: Sheet) -> Plan:
    """A striped sun that the subject is larger than."""
    y, radius = (385, 330) if sheet.text else (440, 400)
    ground = ornaments.sunset(sheet.palette, 500, y, radius)
    size = radius * 1.86
    return Plan((500, y + radius * 0.14, min(size * 1.2, 900), size), ground, _foot(sheet))


def _crest(sheet: Sheet) -> Plan:
    palette = sheet.palette
    if not sheet.text:
        ground = ornaments.shield(palette, 500, 500, 830)
        return Plan((500, 460, 660, 660), ground)
    ground = ornaments.shield(palette, 500, 420, 720)
    ribbon = palette.inks[2 % len(palette.inks)]
    fold = mix(ribbon, palette.dark, 0.4)
    front = (
        f'<path d="M34 810h160v130H34l50-65z M966 810H806v130h160l-50-65z" fill="{fold}"/>'
        f'<path d="M105 765h790v140H105z" fill="{ribbon}"/>'
    )
    return Plan(
        (500, 375, 600, 560), ground, sheet.words((140, 783, 720, 104), 24), palette.on(ribbon), front, True
    )


def _burst(sheet: Sheet) -> Plan:
    y = 400 if sheet.text else 490
    ground = ornaments.burst(sheet.palette, 500, y, 390 if sheet.text else 470, sheet.rng)
    size = 700 if sheet.text else 840
    return Plan((500, y, min(size * 1.15, 900), size), ground, _foot(sheet))


def _disc(sheet: Sheet) -> Plan:
    """A plain moon behind; the subject reaches over its edge."""
    y, radius = (390, 320) if sheet.text else (480, 400)
    side = sheet.rng.choice((-1, 0, 1))
    ground = circle(500 + side * 70, y - 30, radius, sheet.palette.inks[0])
    size = radius * 1.9
    return Plan((500 - side * 40, y + 30, min(size * 1.2, 900), size * 0.98), ground, _foot(sheet))


def _half(sheet: Sheet) -> Plan:
    """The subject rises out of a half disc."""
    palette = sheet.palette
    base = 730 if sheet.text else 830
    reach = 360 if sheet.text else 430
    disc = f'<path d="M{500 - reach} {base}A{reach} {reach} 0 0 1 {500 + reach} {base}Z" fill="{palette.inks[0]}"/>'
    ink, wide = palette.inks[1 % len(palette.inks)], reach * 2 + 120
    bar = f'<rect x="{500 - wide / 2}" y="{base}" width="{wide}" height="16" fill="{ink}"/>'
    tall = base - 60
    return Plan((500, 60 + tall / 2, 720, tall), disc + bar, _foot(sheet))


def _horizon(sheet: Sheet) -> Plan:
    """A small subject on a few lines of ground, under a small sun: mostly cloth."""
    palette, rng = sheet.palette, sheet.rng
    base = 690 if sheet.text else 770
    side = rng.choice((-1, 1))
    ground = circle(500 + side * 215, base - 420, 105, palette.inks[0])
    ground += ornaments.horizon(500, base - 4, 820, palette.inks[0], rng)
    return Plan((500 - side * 60, base - 232, 560, 470), ground, _foot(sheet))


def _frame(sheet: Sheet) -> Plan:
    """Two fine lines around; the subject steps out of them."""
    y, reach = (400, 345) if sheet.text else (500, 430)
    kind = sheet.rng.choice(("arch", "hexagon", "ring", "diamond"))
    ground = ornaments.line_frame(500, y, reach, sheet.palette.readable(), kind)
    size = reach * (1.3 if kind == "diamond" else 1.62)
    return Plan((500, y + reach * 0.06, size, size), ground, _foot(sheet))


def _wreath(sheet: Sheet) -> Plan:
    y, reach = (390, 300) if sheet.text else (490, 385)
    ground = ornaments.wreath(sheet.palette, 500, y, reach, sheet.rng)
    size = reach * 1.62
    return Plan((500, y - 8, size, size), ground, _foot(sheet))


def _rainbow(sheet: Sheet) -> Plan:
    base = 740 if sheet.text else 930
    radius = 370 if sheet.text else 430
    ground = ornaments.rainbow(sheet.palette, 500, base - radius * 0.92, radius, base)
    tall = base - 170
    return Plan((500, base - tall / 2 + 6, 640, tall), ground, _foot(sheet))


def _stripes(sheet: Sheet) -> Plan:
    y = 400 if sheet.text else 490
    ground = ornaments.speed_stripes(sheet.palette, y, 280)
    size = 690 if sheet.text else 840
    return Plan((500, y, size, size), ground, _foot(sheet))


def _echo(sheet: Sheet) -> Plan:
    x, y, width, height = _box(sheet, 660, 500)
    return Plan((x, y, width, height), words=_foot(sheet), echo=5 if not sheet.text else 4)


def _pebble(sheet: Sheet) -> Plan:
    palette, rng = sheet.palette, sheet.rng
    y = 400 if sheet.text else 490
    ground = ornaments.blob(500, y, 370 if sheet.text else 430, mix(palette.inks[0], palette.light, 0.3), rng)
    for dx, dy, reach, ink in ((200, -190, 150, 1), (-220, 200, 130, 2)):
        ground += ornaments.blob(
            500 + dx, y + dy, reach, mix(palette.inks[ink % len(palette.inks)], palette.light, 0.35), rng
        )
    size = 680 if sheet.text else 800
    return Plan((500, y, min(size * 1.15, 900), size), ground, _foot(sheet))


def _grid(sheet: Sheet) -> Plan:
    shape = '<rect x="70" y="50" width="860" height="860"/>'
    if sheet.text:
        shape = '<rect x="145" y="30" width="710" height="710"/>'
    y, size = (400, 640) if sheet.text else (490, 800)
    return Plan(
        (500, y, size, size),
        clipped("sheet", shape, ornaments.bauhaus(sheet.palette, sheet.rng)),
        _foot(sheet),
    )


def _panels(sheet: Sheet) -> Plan:
    size = 720 if sheet.text else 880
    left, top = 500 - size / 2, 30 if sheet.text else 60
    return Plan(
        (500, top + size / 2, size, size), ornaments.panels(sheet.palette, left, top, size), _foot(sheet)
    )


def _repeat(sheet: Sheet) -> Plan:
    return Plan((500, 390, 900, 690) if sheet.text else (500, 500, 920, 900), words=_foot(sheet))


def _poster(sheet: Sheet) -> Plan:
    """Words as large as the sheet, above and below; the subject is placed between them."""
    top, bottom = sheet.halves()
    words = sheet.spell(top, (50, 40, 900, 215), 30)
    if bottom:
        words = np.maximum(words, sheet.spell(bottom, (50, 760, 900, 200), 30))
    ink = sheet.palette.readable()
    ground = "".join(
        f'<rect x="50" y="{y}" width="900" height="10" fill="{ink}"/>'
        for y in ((278, 727) if bottom else (278,))
    )
    return Plan((500, 502, 860, 400) if bottom else (500, 628, 860, 620), ground, words, ink)


def _scene(sheet: Sheet) -> Plan:
    """A landscape in a window; the subject is placed in it, its feet before the frame."""
    palette, rng = sheet.palette, sheet.rng
    y, reach = (400, 370) if sheet.text else (490, 455)
    half, top, low = reach * 0.8, y - reach, y + reach
    shapes = (
        circle(500, y, reach, "#000"),
        f'<path d="M{500 - half} {low}V{top + half}A{half} {half} 0 0 1 {500 + half} {top + half}V{low}Z"/>',
        f'<rect x="{500 - reach}" y="{y - reach * 0.92}" width="{reach * 2}" height="{reach * 1.84}" rx="46"/>',
        f'<rect x="{500 - half}" y="{top}" width="{half * 2}" height="{reach * 2}" rx="14"/>',
    )
    shape = shapes[sheet.brief.seed // 3 % len(shapes)]
    scale = reach / 500
    picture = palette.recolour(paint_scene(sheet.cast.scene, rng))
    moved = f'<g transform="translate({500 - 500 * scale:.1f} {y - 500 * scale:.1f}) scale({scale:.3f})">{picture}</g>'
    size = reach * 1.4
    return Plan((500, y + reach * 0.32, size * 1.1, size), clipped("view", shape, moved), _foot(sheet))


KINDS: dict[str, Kind] = {
    "spot": _spot, "studio": _studio, "window": _window, "badge": _badge, "sunset": _sunset, "crest": _crest,
    "burst": _burst,
    "disc": _disc, "half": _half, "horizon": _horizon, "frame": _frame, "wreath": _wreath, "rainbow": _rainbow,
    "stripes": _stripes, "echo": _echo, "pebble": _pebble, "grid": _grid, "panels": _panels, "repeat": _repeat,
    "poster": _poster, "scene": _scene,
}  # fmt: skip
