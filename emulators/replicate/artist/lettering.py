"""Words on the shirt: free display faces, on a line, an arc, a ribbon or in a stack.

Every function gives a mask (0–255) of the canvas; colour and style come later. Letters never leave their box.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from emulators.replicate.assets import Assets

Mask = npt.NDArray[np.uint8]

# face → npm package and file; all OFL
_FACES = {
    "poster": ("@fontsource/anton", "anton-latin-400-normal.woff2"),
    "slab": ("@fontsource/alfa-slab-one", "alfa-slab-one-latin-400-normal.woff2"),
    "comic": ("@fontsource/bangers", "bangers-latin-400-normal.woff2"),
    "script": ("@fontsource/pacifico", "pacifico-latin-400-normal.woff2"),
    "deco": ("@fontsource/righteous", "righteous-latin-400-normal.woff2"),
    "marker": ("@fontsource/permanent-marker", "permanent-marker-latin-400-normal.woff2"),
    "grotesque": (
        "@fontsource-variable/bricolage-grotesque", "bricolage-grotesque-latin-standard-normal.woff2",
    ),
}  # fmt: skip

STYLE_FACES = {
    "realistic photo": "poster", "cartoon": "comic", "sketch": "marker", "watercolor": "script",
    "minimalist": "grotesque", "vintage": "slab", "abstract": "deco", "doodle": "marker", "line art": "deco",
    "caricature": "comic", "pop art": "comic", "ghibli": "grotesque",
}  # fmt: skip


@lru_cache(maxsize=64)
def load_font(assets: Assets, face: str, size: int) -> ImageFont.FreeTypeFont:
    """The face at `size` pixels; the shop's own display face stands in for one that is not installed."""
    for name in (face, "grotesque"):
        path = assets.font(*_FACES[name])
        if path.exists():
            font = ImageFont.truetype(str(path), size)
            if name == "grotesque":
                font.set_variation_by_axes([96, 800, 100])
            return font
    raise FileNotFoundError(f"none of the display faces is installed under {assets.modules}")


def case(text: str, face: str) -> str:
    return text if face == "script" else text.upper()


def fit_font(assets: Assets, face: str, text: str, width: float, height: float) -> ImageFont.FreeTypeFont:
    """The largest size at which `text` stays within the box."""
    probe = load_font(assets, face, 100)
    left, top, right, bottom = probe.getbbox(text)
    size = min(width / max(right - left, 1), height / max(bottom - top, 1)) * 100
    return load_font(assets, face, max(8, int(size)))


def line(assets: Assets, face: str, text: str, side: int, box: tuple[float, float, float, float]) -> Mask:
    """`text` centred in the box (x, y, width, height in pixels), as large as fits."""
    image = Image.new("L", (side, side))
    x, y, width, height = box
    font = fit_font(assets, face, text, width, height)
    left, top, right, bottom = font.getbbox(text)
    place = (x + (width - (right - left)) / 2 - left, y + (height - (bottom - top)) / 2 - top)
    ImageDraw.Draw(image).text(place, text, 255, font)
    return np.array(image)


def stack(
    assets: Assets,
    face: str,
    rows: list[str],
    side: int,
    box: tuple[float, float, float, float],
    gap: float = 0.07,
) -> Mask:
    """Rows of words, each as wide as the box lets it, heights balanced: a poster."""
    x, y, width, height = box
    natural = [_natural_height(assets, face, row, width) for row in rows]
    limit = height * 0.62
    natural = [min(tall, limit) for tall in natural]
    room = height * (1 - gap * (len(rows) - 1))
    shrink = min(1.0, room / sum(natural))
    total = sum(natural) * shrink + height * gap * (len(rows) - 1)
    mask = np.zeros((side, side), np.uint8)
    at = y + (height - total) / 2
    for row, tall in zip(rows, natural, strict=True):
        mask = np.maximum(mask, line(assets, face, row, side, (x, at, width, tall * shrink)))
        at += tall * shrink + height * gap
    return mask


def _natural_height(assets: Assets, face: str, text: str, width: float) -> float:
    left, top, right, bottom = load_font(assets, face, 100).getbbox(text)
    return (bottom - top) * width / max(right - left, 1)


def arc(
    assets: Assets, face: str, text: str, side: int, centre: tuple[float, float], radius: float, height: float,
    *, below: bool = False, span: float = 150,
) -> Mask:  # fmt: skip
    """Letters along a circle, standing on it (or hanging from it, `below`), over at most `span` degrees."""
    probe = load_font(assets, face, 100)
    top, bottom = probe.getbbox(text)[1::2]
    size = height / max(bottom - top, 1) * 100
    longest = math.radians(span) * radius
    size = min(size, longest / max(probe.getlength(text), 1) * 100 * 0.98)
    font = load_font(assets, face, max(8, int(size)))
    tracking = min(size * 0.05, (longest - font.getlength(text)) / max(len(text), 1))
    ascent = -font.getbbox(text, anchor="ls")[1]
    total = font.getlength(text) + tracking * (len(text) - 1)
    mask = Image.new("L", (side, side))
    at = -total / 2
    for place, letter in enumerate(text):
        # Kerning: what the pair takes together, less the second alone.
        following = text[place : place + 2]
        advance = (
            font.getlength(following) - font.getlength(following[1:])
            if len(following) == 2
            else font.getlength(letter)
        )
        middle = at + font.getlength(letter) / 2
        angle = middle / radius
        _stamp(mask, font, letter, centre, radius, angle, ascent, below)
        at += advance + tracking
    return np.array(mask)


def _stamp(
    mask: Image.Image, font: ImageFont.FreeTypeFont, letter: str, centre: tuple[float, float], radius: float,
    angle: float, ascent: float, below: bool,
) -> None:  # fmt: skip
    box = int(font.size * 2.6)
    tile = Image.new("L", (box, box))
    # The tile's middle is the letter's foot (its head when hanging), which sits on the circle.
    foot = box / 2 + (ascent if below else 0)
    ImageDraw.Draw(tile).text((box / 2, foot), letter, 255, font, anchor="ms")
    turn = math.degrees(angle) if below else -math.degrees(angle)
    tile = tile.rotate(turn, Image.Resampling.BICUBIC)
    sign = 1 if below else -1
    x = centre[0] + radius * math.sin(angle)
    y = centre[1] + sign * radius * math.cos(angle)
    corner = (round(x - box / 2), round(y - box / 2))
    region = (corner[0], corner[1], corner[0] + box, corner[1] + box)
    under = mask.crop(region)
    mask.paste(Image.fromarray(np.maximum(np.array(under), np.array(tile))), corner)


def break_rows(text: str, longest: int = 11) -> list[str]:
    """Words into as few rows of about `longest` letters as go, of lengths as even as can be."""
    words = text.split()
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + 1 + len(word) <= longest:
            rows[-1] += " " + word
        else:
            rows.append(word)
    if len(rows) == 2:
        cuts = [[" ".join(words[:cut]), " ".join(words[cut:])] for cut in range(1, len(words))]
        rows = min(cuts, key=lambda pair: max(len(row) for row in pair))
    return rows or [text]
