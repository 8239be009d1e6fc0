"""One thing of the cast as SVG: in colour, or as pen lines that hide what lies behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from emulators.artist.cast import Actor
from emulators.artist.icons import Icon, Icons
from emulators.artist.palette import Palette, contrast, luminance, mix
from emulators.artist.svg import circle, path, place, render

_FILL = re.compile(r'fill="(?!none)([^"]+)"')
_STROKE = re.compile(r'stroke="(?!none)[^"]+"')
_CURRENT = 'fill="currentColor"'
# Shine and shade that a set lays over a drawing half-transparently: a pen leaves them out.
_SHEEN = re.compile(r'<(?:path|circle|ellipse|rect|g)\b[^>]*\b(?:fill-)?opacity="0?\.[0-6]\d*"[^>]*/>')

# A drawn thing → the silhouette that says the same with one ink.
_SILHOUETTES = {
    "fox": "fox-head", "dog": "sitting-dog", "dog-face": "labrador-head", "cat-face": "cat", "t-rex": "dinosaur-rex",
    "wolf": "wolf-howl", "bear": "bear-head", "mountain": "summits", "taco": "tacos", "rabbit": "rabbit",
    "rabbit-face": "rabbit-head", "spouting-whale": "sperm-whale", "honeybee": "bee", "bicycle": "dutch-bike",
    "tiger": "tiger-head", "tiger-face": "tiger-head", "dragon": "spiked-dragon-head", "horse": "horse-head",
    "deer": "stag-head", "elephant": "elephant-head", "black-cat": "cat", "atom-symbol": "atom", "frog": "frog",
    "full-moon": "moon", "hot-beverage": "coffee-cup", "hot-pepper": "chili-pepper", "camping": "camping-tent",
    "snow-capped-mountain": "summits", "turtle": "sea-turtle", "bird": "finch", "black-bird": "raven",
    "headphone": "headphones", "eagle": "eagle-emblem", "musical-keyboard": "grand-piano", "hibiscus": "flowers",
    "chess-pawn": "chess-knight", "fish": "trout", "open-book": "open-book", "minibus": "surfer-van",
    "evergreen-tree": "pine-tree", "palm-tree": "palm-tree", "crossed-swords": "crossed-swords",
}  # fmt: skip


Point = tuple[float, float]


@dataclass(frozen=True)
class Figure:
    """An actor at its place: centre, width of its icon's square in units, degrees, mirrored or not."""

    actor: Actor
    x: float
    y: float
    size: float
    turn: float = 0
    flip: bool = False

    def moved(self, scale: float, dx: float, dy: float) -> Figure:
        return replace(self, x=self.x * scale + dx, y=self.y * scale + dy, size=self.size * scale)


@dataclass(frozen=True)
class Extent:
    """The ink of a square icon: left, top, right, bottom as shares of its side, and each column's first row."""

    left: float
    top: float
    right: float
    bottom: float
    profile: tuple[float, ...]

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


_PROBE = 48


@lru_cache(maxsize=256)
def extent(icons: Icons, reference: str) -> Extent:
    icon = icons.get(reference)
    ink: npt.NDArray[np.bool_] = render(place(icon, icon.body, 500, 500, 1000), _PROBE)[..., 3] > 90
    if not ink.any():
        return Extent(0, 0, 1, 1, (0.0,) * _PROBE)
    rows, columns = np.nonzero(ink)
    profile = tuple(
        float(ink[:, column].argmax()) / _PROBE if ink[:, column].any() else 1.0 for column in range(_PROBE)
    )
    return Extent(
        columns.min() / _PROBE, rows.min() / _PROBE, (columns.max() + 1) / _PROBE, (rows.max() + 1) / _PROBE, profile
    )  # fmt: skip


def silhouette_of(reference: str, icons: Icons) -> str | None:
    """The one-colour drawing of the same thing, where there is one."""
    name = reference.partition(":")[2]
    for candidate in (_SILHOUETTES.get(name), name):
        if candidate and icons.in_set(f"game-icons:{candidate}", "game-icons"):
            return f"game-icons:{candidate}"
    return None


def colour(figure: Figure, icons: Icons, palette: Palette) -> str:
    """The figure in the mood's colours; one-colour icons in an ink that contrasts with the ground."""
    actor = figure.actor
    icon = icons.get(actor.icon)
    if icon.one_colour:
        ink = actor.tint or _silhouette_ink(palette)
        shape = icon.body.replace(_CURRENT, "")
        body = f'<g fill="{ink}">{shape}</g>'
    else:
        body = palette.recolour(icon.body, actor.tint)
    drawn = place(icon, body, figure.x, figure.y, figure.size, figure.turn, figure.flip)
    if actor.wearer is not None:
        head = icons.get(actor.wearer)
        body = palette.recolour(head.body, actor.tint)
        if head.one_colour:
            body = f'<g fill="#f3efe6">{head.body.replace(_CURRENT, "")}</g>'
        drawn += _in_helmet(figure, head, body, palette.recolour("#2b3a67"))
    return drawn


def _in_helmet(figure: Figure, head: Icon, body: str, glass: str, rim: str = "") -> str:
    """The head in the suit's helmet: where the set's astronaut has its own."""
    radius = figure.size * 0.262
    y = figure.y - figure.size * 0.112
    return circle(figure.x, y, radius, glass, rim) + place(head, body, figure.x, y, radius * 1.66)


def _silhouette_ink(palette: Palette) -> str:
    """The ink that reads on the ground's first ink and on the bare shirt alike."""
    inks = (palette.light, mix(palette.dark, palette.inks[0], 0.08), *palette.inks[1:])
    return max(inks, key=lambda ink: min(contrast(ink, palette.inks[0]), contrast(ink, palette.shirt)))


def lines(figure: Figure, icons: Icons, width: float) -> str:
    """White shapes with black contours `width` units wide: what is black is line."""
    icon = icons.get(figure.actor.icon)
    drawn = place(
        icon, _penned(icon, width, figure.size), figure.x, figure.y, figure.size, figure.turn, figure.flip
    )
    if figure.actor.wearer is not None:
        head = icons.get(figure.actor.wearer)
        stroke = f'stroke="#000" stroke-width="{width:.2f}"'
        penned = _penned(head, width, figure.size * 0.43)
        drawn += _in_helmet(figure, head, penned, "#fff", stroke)
    return drawn


def _penned(icon: Icon, width: float, size: float) -> str:
    # Small things are drawn with a finer pen, or their lines would run together.
    fine = min(1.0, max(0.42, size / 520))
    stroke = width * fine * icon.side / max(size, 1e-3)
    if icon.one_colour:
        body = icon.body.replace(_CURRENT, "")
        return f'<g fill="#fff" stroke="#000" stroke-width="{stroke:.3f}" stroke-linejoin="round">{body}</g>'

    def refill(match: re.Match[str]) -> str:
        value = match.group(1)
        dark = value.startswith("#") and luminance(value) < 0.045
        return 'fill="#000"' if dark else 'fill="#fff"'

    body = _FILL.sub(refill, _STROKE.sub('stroke="#000"', _SHEEN.sub("", icon.body)))
    return (
        f'<g fill="#fff" stroke="#000" stroke-width="{stroke:.3f}" stroke-linejoin="round" stroke-linecap="round">'
        f"{body}</g>"
    )


def line_field(content: str, side: int, hollow: float) -> npt.NDArray[np.float32]:
    """Rendered `lines` as a field of 0 to 1; black areas deeper than `hollow` pixels become contours too."""
    drawn = render(content, side)
    dark = cv2.multiply(255 - drawn[..., 1], np.ascontiguousarray(drawn[..., 3]), scale=1 / 255)
    field = np.asarray(dark, np.float32) / 255
    reach = cv2.distanceTransform((field > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(np.where(reach > hollow, np.clip(1 - (reach - hollow), 0, 1), field), np.float32)


def googly(x: float, y: float, size: float, ink: str) -> str:
    """Two big eyes and a grin, for things that have no face of their own."""
    eye = size * 0.13
    drawn = ""
    for side in (-1, 1):
        cx = x + side * eye * 1.05
        drawn += circle(cx, y, eye, "#ffffff", f'stroke="{ink}" stroke-width="{size * 0.022:.1f}"')
        drawn += circle(cx + eye * 0.25, y + eye * 0.2, eye * 0.5, ink) + circle(
            cx + eye * 0.05, y - eye * 0.05, eye * 0.17, "#ffffff"
        )
    reach, low = size * 0.17, y + size * 0.19
    mouth = (
        f'<path d="M{x - reach:.1f} {low:.1f}Q{x:.1f} {y + size * 0.42:.1f} {x + reach:.1f} {low:.1f}Z" '
        f'fill="{ink}" stroke="{ink}" stroke-width="{size * 0.025:.1f}" stroke-linejoin="round"/>'
    )
    teeth = path(
        [(x - size * 0.12, y + size * 0.2), (x + size * 0.12, y + size * 0.2),
         (x + size * 0.1, y + size * 0.235), (x - size * 0.1, y + size * 0.235)],
        "#ffffff",
    )  # fmt: skip
    return drawn + mouth + teeth


def _tube(start: Point, bend: Point, end: Point, colour: str, ink: str, width: float) -> str:
    """A hose from `start` to `end` that hangs through `bend`, with an outline."""
    d = f"M{start[0]:.1f} {start[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    return "".join(
        f'<path d="{d}" fill="none" stroke="{fill}" stroke-width="{wide:.1f}" stroke-linecap="round"/>'
        for fill, wide in ((ink, width * 1.5), (colour, width * 0.82))
    )


def limbs(x: float, top: float, size: float, ink: str, cloth: str, shoe: str) -> str:
    """A body far too small for its head: rubber-hose arms and legs, gloves and big shoes; `size` is its height."""
    hose, line = size * 0.1, f'stroke="{ink}" stroke-width="{size * 0.03:.1f}"'
    hip, foot = top + size * 0.52, top + size * 0.9
    drawn = ""
    for side in (-1, 1):

        def at(across: float, y: float, side: int = side) -> Point:
            return x + side * size * across, y

        drawn += _tube(at(0.13, hip), at(0.3, hip + size * 0.2), at(0.22, foot), cloth, ink, hose)
        drawn += (
            f'<ellipse cx="{at(0.32, 0)[0]:.1f}" cy="{foot + size * 0.03:.1f}" rx="{size * 0.22:.1f}" '
            f'ry="{size * 0.1:.1f}" fill="{shoe}" {line}/>'
        )
        # One hand waves, the other hangs.
        hand = at(0.6, top + size * (0.12 if side > 0 else 0.46))
        drawn += _tube(at(0.2, top + size * 0.2), at(0.55, top + size * 0.42), hand, cloth, ink, hose)
        drawn += circle(*hand, size * 0.115, "#ffffff", line)
    wide, narrow, waist = size * 0.24, size * 0.2, size * 0.36
    trunk = (
        f'<path d="M{x - wide:.1f} {top:.1f}Q{x - waist:.1f} {hip:.1f} {x - narrow:.1f} {hip + size * 0.08:.1f}'
        f'H{x + narrow:.1f}Q{x + waist:.1f} {hip:.1f} {x + wide:.1f} {top:.1f}Z" fill="{cloth}" {line}/>'
    )
    return drawn + trunk
