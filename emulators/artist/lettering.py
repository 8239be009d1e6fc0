"""Words on the shirt: free display faces, on a line, an arc, a ribbon or in a stack.

Every function gives a mask (0–255) of the canvas; colour and style come later. Letters never leave their box.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from emulators.assets import Assets

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
    "world": ("@fontsource/noto-sans", "noto-sans-latin-800-normal.woff2"),
}  # fmt: skip
# The files that a letter may come from, beside the face's own: those of the shop's display face, then other scripts.
_OWN = ("latin", "latin-ext")
_ELSEWHERE = (
    ("grotesque", "latin"), ("grotesque", "latin-ext"), ("world", "cyrillic"), ("world", "cyrillic-ext"),
    ("world", "greek"), ("world", "vietnamese"),
)  # fmt: skip

STYLE_FACES = {
    "realistic photo": "poster", "cartoon": "comic", "sketch": "marker", "watercolor": "script",
    "minimalist": "grotesque", "vintage": "slab", "abstract": "deco", "doodle": "marker", "line art": "deco",
    "caricature": "comic", "pop art": "comic", "ghibli": "grotesque",
}  # fmt: skip


@lru_cache(maxsize=96)
def load_font(assets: Assets, face: str, size: int, subset: str = "latin") -> ImageFont.FreeTypeFont:
    """The face at `size` pixels; the shop's own display face replaces one that is not installed.

    `subset` names the file of the face: its letters are parted by script.
    """
    for name in (face, "grotesque"):
        package, file = _FACES[name]
        path = assets.font(package, file.replace("-latin-", f"-{subset}-"))
        if path.exists():
            font = ImageFont.truetype(str(path), size)
            if name == "grotesque":
                font.set_variation_by_axes([96, 800, 100])
            return font
    raise FileNotFoundError(f"none of the display faces is installed under {assets.modules}")


@lru_cache(maxsize=1024)
def _has(assets: Assets, face: str, sign: str, subset: str) -> bool:
    """Whether the file draws `sign` as anything but its box for unknown letters."""
    if sign in _MISREAD.get(face, ""):
        return False
    font = load_font(assets, face, 40, subset)
    return sign.isspace() or bytes(font.getmask(sign)) != bytes(font.getmask("\uffff"))


# Signs that a face draws so freely that they read as others: an ampersand that looks like a plus.
_MISREAD = {"marker": "&", "deco": "&"}

Run = tuple[str, ImageFont.FreeTypeFont]


def _file_of(assets: Assets, face: str, sign: str) -> tuple[str, str] | None:
    """Face and subset that draw `sign`."""
    files = (*((face, subset) for subset in _OWN), *_ELSEWHERE)
    return next((file for file in files if _has(assets, file[0], sign, file[1])), None)


def drawable(assets: Assets, text: str) -> str:
    """`text` without the signs that no face holds: emoji, and scripts beyond Latin, Greek and Cyrillic."""
    kept = "".join(sign for sign in text if _file_of(assets, "grotesque", sign))
    return " ".join(kept.split())


def runs(assets: Assets, face: str, text: str, size: int) -> list[Run]:
    """`text` cut where a letter has to come from another file, so that every letter is really drawn."""
    pieces: list[Run] = []
    for sign in text:
        name, subset = _file_of(assets, face, sign) or (face, "latin")
        font = load_font(assets, name, size, subset)
        if pieces and (pieces[-1][1] is font or sign.isspace()):
            pieces[-1] = (pieces[-1][0] + sign, pieces[-1][1])
        else:
            pieces.append((sign, font))
    return pieces


def case(text: str, face: str) -> str:
    return text if face == "script" else text.upper()


def measure(assets: Assets, face: str, text: str, size: int) -> tuple[float, float, float, float]:
    """Ink's left, top, right and bottom from the start of the base line."""
    at, left, top, right, bottom = 0.0, 1e6, 1e6, -1e6, -1e6
    for part, font in runs(assets, face, text, size):
        box = font.getbbox(part, anchor="ls")
        left, top = min(left, at + box[0]), min(top, box[1])
        right, bottom = max(right, at + box[2]), max(bottom, box[3])
        at += font.getlength(part)
    return left, top, right, bottom


def line(assets: Assets, face: str, text: str, side: int, box: tuple[float, float, float, float]) -> Mask:
    """`text` centred in the box (x, y, width, height in pixels), as large as fits."""
    image = Image.new("L", (side, side))
    x, y, width, height = box
    left, top, right, bottom = measure(assets, face, text, 100)
    size = max(6, int(min(width / max(right - left, 1), height / max(bottom - top, 1)) * 100))
    left, top, right, bottom = measure(assets, face, text, size)
    at = x + (width - (right - left)) / 2 - left
    base = y + (height - (bottom - top)) / 2 - top
    pen = ImageDraw.Draw(image)
    for part, font in runs(assets, face, text, size):
        pen.text((at, base), part, 255, font, anchor="ls")
        at += font.getlength(part)
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
    left, top, right, bottom = measure(assets, face, text, 100)
    return (bottom - top) * width / max(right - left, 1)


def arc(
    assets: Assets, face: str, text: str, side: int, centre: tuple[float, float], radius: float, height: float,
    *, below: bool = False, span: float = 150,
) -> Mask:  # fmt: skip
    """Letters along a circle, standing on it (or hanging from it, `below`), over at most `span` degrees."""
    _, top, _, bottom = measure(assets, face, text, 100)
    long = sum(font.getlength(part) for part, font in runs(assets, face, text, 100))
    longest = math.radians(span) * radius
    size = max(6, int(min(height / max(bottom - top, 1), longest / max(long, 1) * 0.98) * 100))
    signs = [(sign, font) for part, font in runs(assets, face, text, size) for sign in part]
    ascent = -measure(assets, face, text, size)[1]
    widths = [font.getlength(sign) for sign, font in signs]
    # Kerning: what a pair takes together, less the second alone.
    steps = [
        font.getlength(sign + signs[place + 1][0]) - font.getlength(signs[place + 1][0])
        if place + 1 < len(signs) and signs[place + 1][1] is font
        else font.getlength(sign)
        for place, (sign, font) in enumerate(signs)
    ]
    tracking = max(0.0, min(size * 0.05, (longest - sum(steps)) / max(len(signs), 1)))
    mask = Image.new("L", (side, side))
    at = -(sum(steps) + tracking * (len(signs) - 1)) / 2
    for (sign, font), wide, step in zip(signs, widths, steps, strict=True):
        _stamp(mask, font, sign, centre, radius, (at + wide / 2) / radius, ascent, below)
        at += step + tracking
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
        cuts = [[" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words))]
        rows = min(cuts, key=lambda pair: max(len(row) for row in pair))
    return rows or [text]
