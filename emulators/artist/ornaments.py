"""Shapes behind and around a subject: rays, striped suns, shields, rings, stars."""

from __future__ import annotations

import math
import random

from emulators.artist.palette import Palette, mix
from emulators.artist.svg import circle, clipped, path, star


def rays(x: float, y: float, inner: float, outer: float, count: int, fill: str, width: float = 0.5) -> str:
    """Wedges around a centre; `width` is their share of the turn."""
    wedges = []
    for step in range(count):
        middle = 2 * math.pi * step / count
        half = math.pi / count * width
        wedges.append(
            path(
                [
                    (x + inner * math.cos(middle - half), y + inner * math.sin(middle - half)),
                    (x + outer * math.cos(middle - half), y + outer * math.sin(middle - half)),
                    (x + outer * math.cos(middle + half), y + outer * math.sin(middle + half)),
                    (x + inner * math.cos(middle + half), y + inner * math.sin(middle + half)),
                ],
                fill,
            )
        )
    return "".join(wedges)


def badge(palette: Palette, x: float, y: float, radius: float, rng: random.Random) -> str:
    """A round patch: rim, ring, field with rays."""
    inks = palette.inks
    field, rim = inks[0], inks[1 % len(inks)]
    content = circle(x, y, radius, rim) + circle(x, y, radius * 0.93, palette.light)
    content += circle(x, y, radius * 0.885, field)
    shade = mix(field, palette.light, 0.24)
    inside = rays(x, y, 0, radius, rng.choice((16, 20, 24)), shade)
    return content + clipped("field", circle(x, y, radius * 0.885, "#000"), inside)


def sunset(palette: Palette, x: float, y: float, radius: float) -> str:
    """A sun of stripes that thin out towards the bottom, warm above and deep below."""
    top, bottom = palette.inks[2 % len(palette.inks)], palette.inks[0]
    bands, at = [], y - radius
    for step in range(9):
        height = radius * 2 / 9
        gap = max(0, (step - 3)) * radius * 0.017
        colour = mix(top, bottom, step / 8)
        bands.append(
            f'<rect x="{x - radius}" y="{at:.1f}" width="{radius * 2}" height="{height - gap:.1f}" fill="{colour}"/>'
        )
        at += height
    return clipped("sun", circle(x, y, radius, "#000"), "".join(bands))


def shield(palette: Palette, x: float, y: float, size: float) -> str:
    """A crest: rim, inner line, halved field."""
    half = size / 2

    def outline(scale: float) -> str:
        w, h = half * scale, half * scale * 1.12
        return (
            f"M{x - w:.1f} {y - h * 0.86:.1f}Q{x - w * 0.45:.1f} {y - h * 0.82:.1f} {x:.1f} {y - h:.1f}"
            f"Q{x + w * 0.45:.1f} {y - h * 0.82:.1f} {x + w:.1f} {y - h * 0.86:.1f}"
            f"C{x + w * 1.04:.1f} {y + h * 0.3:.1f} {x + w * 0.55:.1f} {y + h * 0.72:.1f} {x:.1f} {y + h:.1f}"
            f"C{x - w * 0.55:.1f} {y + h * 0.72:.1f} {x - w * 1.04:.1f} {y + h * 0.3:.1f} {x - w:.1f} "
            f"{y - h * 0.86:.1f}Z"
        )

    first, second = palette.inks[0], palette.inks[1 % len(palette.inks)]
    halves = (
        f'<rect x="{x - half}" y="{y - size}" width="{half}" height="{size * 2}" fill="{first}"/>'
        f'<rect x="{x}" y="{y - size}" width="{half}" height="{size * 2}" fill="{mix(first, palette.dark, 0.16)}"/>'
    )
    inside = f'<path d="{outline(0.86)}" fill="#000"/>'
    return (
        f'<path d="{outline(1)}" fill="{second}"/><path d="{outline(0.93)}" fill="{palette.light}"/>'
        + clipped("crest", inside, halves)
    )


def burst(palette: Palette, x: float, y: float, radius: float, rng: random.Random) -> str:
    """A comic burst: two spiky stars, one behind the other."""
    points = rng.choice((14, 16, 18))
    inks = palette.inks
    return star(x, y, radius, inks[1 % len(inks)], points, 0.78) + star(
        x, y, radius * 0.9, inks[0], points, 0.76
    )


def blob(x: float, y: float, radius: float, fill: str, rng: random.Random) -> str:
    """A soft pebble of colour."""
    count = 7
    knots = [
        (x + radius * rng.uniform(0.82, 1.04) * math.cos(2 * math.pi * step / count),
         y + radius * rng.uniform(0.82, 1.04) * math.sin(2 * math.pi * step / count))
        for step in range(count)
    ]  # fmt: skip
    drawn = f"M{(knots[0][0] + knots[-1][0]) / 2:.1f} {(knots[0][1] + knots[-1][1]) / 2:.1f}"
    for step, (kx, ky) in enumerate(knots):
        following = knots[(step + 1) % count]
        drawn += f"Q{kx:.1f} {ky:.1f} {(kx + following[0]) / 2:.1f} {(ky + following[1]) / 2:.1f}"
    return f'<path d="{drawn}Z" fill="{fill}"/>'


def bauhaus(palette: Palette, rng: random.Random) -> str:
    """Big quarter circles, half circles and stripes on a grid."""
    cells = []
    side = 250
    for row in range(4):
        for column in range(4):
            x, y = column * side, row * side
            ink = rng.choice(palette.inks)
            other = rng.choice([palette.light, palette.dark, *palette.inks])
            kind = rng.randrange(5)
            if rng.random() < 0.22:
                continue
            cells.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{other}"/>')
            inner = {
                0: circle(x + rng.choice((0, side)), y + rng.choice((0, side)), side, ink),
                1: circle(x + side / 2, y + rng.choice((0, side)), side / 2, ink),
                2: "".join(
                    f'<rect x="{x}" y="{y + k * 50}" width="{side}" height="25" fill="{ink}"/>'
                    for k in range(5)
                ),
                3: circle(x + side / 2, y + side / 2, side * 0.36, ink),
                4: path([(x, y), (x + side, y), (x, y + side)], ink),
            }[kind]
            shape = f'<rect x="{x}" y="{y}" width="{side}" height="{side}"/>'
            cells.append(clipped(f"cell{row}{column}", shape, inner))
    return "".join(cells)


def rainbow(palette: Palette, x: float, y: float, radius: float, base: float) -> str:
    """An arch of four bands, as on a van of the seventies; its legs go down to `base`."""
    inks = [palette.inks[step % len(palette.inks)] for step in range(4)]
    drawn, band = "", radius * 0.125
    for step, ink in enumerate(inks):
        reach = radius - step * band * 1.18
        drawn += (
            f'<path d="M{x - reach:.1f} {base:.1f}V{y:.1f}A{reach:.1f} {reach:.1f} 0 0 1 {x + reach:.1f} {y:.1f}'
            f"V{base:.1f}H{x + reach - band:.1f}V{y:.1f}A{reach - band:.1f} {reach - band:.1f} 0 0 0 "
            f'{x - reach + band:.1f} {y:.1f}V{base:.1f}Z" fill="{ink}"/>'
        )
    return drawn


def speed_stripes(palette: Palette, y: float, height: float) -> str:
    """Four stripes right across, dipping in the middle like a track suit's."""
    drawn, band = "", height / 4.8
    for step in range(4):
        top = y - height / 2 + step * band * 1.24
        ink = palette.inks[step % len(palette.inks)]
        low, foot = top + 140, top + 140 + band
        drawn += (
            f'<path d="M40 {top:.1f}H330Q400 {top:.1f} 440 {top + 70:.1f}T560 {low:.1f}H960V{foot:.1f}'
            f'H550Q470 {foot:.1f} 420 {foot - 60:.1f}T320 {top + band:.1f}H40Z" fill="{ink}"/>'
        )
    return drawn


def wreath(palette: Palette, x: float, y: float, radius: float, rng: random.Random) -> str:
    """Two twigs that meet at the top: leaves, buds, a small bow where they start."""
    stem, leaf, bud = (
        palette.inks[1 % len(palette.inks)],
        palette.inks[0],
        palette.inks[2 % len(palette.inks)],
    )
    drawn = ""
    plump = rng.uniform(0.26, 0.4)
    for side in (-1, 1):
        knots = []
        for step in range(13):
            turn = math.radians(90 + side * (8 + step * 12.6))
            knots.append((x + radius * math.cos(turn), y + radius * math.sin(turn), turn))
        line = "M" + "L".join(f"{kx:.1f} {ky:.1f}" for kx, ky, _ in knots)
        drawn += f'<path d="{line}" fill="none" stroke="{stem}" stroke-width="7" stroke-linecap="round"/>'
        for step, (kx, ky, turn) in enumerate(knots[1:]):
            for flank in (-1, 1):
                lean = turn + side * (math.pi / 2) + flank * 0.75
                long = radius * (0.2 - 0.006 * step)
                tip = (kx + long * math.cos(lean), ky + long * math.sin(lean))
                wide = long * plump
                nx, ny = -math.sin(lean) * wide, math.cos(lean) * wide
                mid = ((kx + tip[0]) / 2, (ky + tip[1]) / 2)
                fill = leaf if (step + flank) % 4 else stem
                drawn += (
                    f'<path d="M{kx:.1f} {ky:.1f}Q{mid[0] + nx:.1f} {mid[1] + ny:.1f} {tip[0]:.1f} {tip[1]:.1f}'
                    f'Q{mid[0] - nx:.1f} {mid[1] - ny:.1f} {kx:.1f} {ky:.1f}Z" fill="{fill}"/>'
                )
            if step % 3 == 1:
                drawn += circle(kx + 34 * math.cos(turn), ky + 34 * math.sin(turn), 13, bud)
    return drawn


def line_frame(x: float, y: float, radius: float, ink: str, kind: str, width: float = 9) -> str:
    """Two thin lines in the shape of an arch, a diamond, a hexagon or a ring."""
    drawn = ""
    for reach, stroke in ((radius, width), (radius - width * 2.6, width * 0.45)):
        extra = f'fill="none" stroke="{ink}" stroke-width="{stroke:.1f}" stroke-linejoin="round"'
        if kind == "arch":
            half = reach * 0.78
            foot, spring = y + reach * 0.98, y - reach + half
            drawn += (
                f'<path d="M{x - half:.1f} {foot:.1f}V{spring:.1f}A{half:.1f} {half:.1f} 0 0 1 {x + half:.1f} '
                f'{spring:.1f}V{foot:.1f}Z" {extra}/>'
            )
        elif kind == "ring":
            drawn += f'<circle cx="{x}" cy="{y}" r="{reach:.1f}" {extra}/>'
        else:
            corners = 4 if kind == "diamond" else 6
            points = [
                (x + reach * math.cos(2 * math.pi * k / corners - math.pi / 2),
                 y + reach * math.sin(2 * math.pi * k / corners - math.pi / 2))
                for k in range(corners)
            ]  # fmt: skip
            drawn += '<path d="M' + "L".join(f"{px:.1f} {py:.1f}" for px, py in points) + f'Z" {extra}/>'
    return drawn


def panels(palette: Palette, left: float, top: float, size: float) -> str:
    """Four fields in four inks, for four times the same subject."""
    half = size / 2
    return "".join(
        f'<rect x="{left + column * half:.1f}" y="{top + row * half:.1f}" width="{half:.1f}" height="{half:.1f}" '
        f'fill="{palette.inks[(row * 2 + column) % len(palette.inks)]}"/>'
        for row in range(2)
        for column in range(2)
    )


def horizon(x: float, y: float, wide: float, ink: str, rng: random.Random) -> str:
    """A few lines of ground under the feet."""
    drawn = ""
    for step in range(5):
        half = wide * (0.5 - step * 0.085) * rng.uniform(0.85, 1.1)
        drawn += (
            f'<rect x="{x - half + rng.uniform(-40, 40):.1f}" y="{y + step * 20:.1f}" width="{half * 2:.1f}" '
            f'height="{9 - step:.1f}" rx="4" fill="{ink}"/>'
        )
    return drawn
