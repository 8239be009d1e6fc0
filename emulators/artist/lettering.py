"""Words on the shirt, in any script (`faces`): on a line, an arc, a ribbon or in a stack.

Every function gives a mask (0–255) of the canvas; colour and style come later. Letters never leave their box.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from emulators.artist.faces import (
    CAN_SHAPE,
    clusters,
    direction_of,
    directions,
    file_of,
    file_of_face,
    in_visual_order,
    is_shaped,
    load,
)
from emulators.assets import Assets

Mask = npt.NDArray[np.uint8]

STYLE_FACES = {
    "realistic photo": "poster", "cartoon": "comic", "sketch": "marker", "watercolor": "script",
    "minimalist": "grotesque", "vintage": "slab", "abstract": "deco", "doodle": "marker", "line art": "deco",
    "caricature": "comic", "pop art": "comic", "ghibli": "grotesque",
}  # fmt: skip


@dataclass(frozen=True)
class Run:
    """Signs that one file draws in one direction ("ltr", "rtl"; None where nothing can turn it)."""

    text: str
    font: ImageFont.FreeTypeFont
    direction: str | None
    shaped: bool

    @property
    def length(self) -> float:
        return self.font.getlength(self.text, direction=self.direction)

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.font.getbbox(self.text, anchor="ls", direction=self.direction)

    def draw(self, pen: ImageDraw.ImageDraw, at: tuple[float, float]) -> None:
        pen.text(at, self.text, 255, self.font, anchor="ls", direction=self.direction)


def runs(assets: Assets, face: str, text: str, size: int) -> list[Run]:
    """`text` from left to right, cut where a letter has to come from another file or runs the other way."""
    signs = list(clusters(text))
    turns = directions(signs)
    pieces: list[tuple[Run, str]] = []
    for sign, turn in zip(signs, turns, strict=True):
        file = file_of(assets, face, text, sign) or file_of_face(assets, face)
        font = load(assets, file, size)
        if pieces and pieces[-1][1] == turn and pieces[-1][0].font is font:
            last = pieces.pop()[0]
            piece = replace(last, text=last.text + sign)
        else:
            piece = Run(sign, font, turn if CAN_SHAPE else None, is_shaped(file))
        pieces.append((piece, turn))
    return in_visual_order(pieces, direction_of(text))


def case(text: str, face: str) -> str:
    """In capitals, where the face and the script have them for more than headlines (Georgian has not)."""
    if face == "script":
        return text
    return re.sub("[^\u10d0-\u10ff]+", lambda part: part[0].upper(), text)


def measure(assets: Assets, face: str, text: str, size: int) -> tuple[float, float, float, float]:
    """Ink's left, top, right and bottom from the start of the base line."""
    at, left, top, right, bottom = 0.0, 1e6, 1e6, -1e6, -1e6
    for run in runs(assets, face, text, size):
        box = run.box
        left, top = min(left, at + box[0]), min(top, box[1])
        right, bottom = max(right, at + box[2]), max(bottom, box[3])
        at += run.length
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
    for run in runs(assets, face, text, size):
        run.draw(pen, (at, base))
        at += run.length
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
    long = sum(run.length for run in runs(assets, face, text, 100))
    longest = math.radians(span) * radius
    size = max(6, int(min(height / max(bottom - top, 1), longest / max(long, 1) * 0.98) * 100))
    pieces = runs(assets, face, text, size)
    if any(run.shaped or run.direction == "rtl" for run in pieces):
        return _bent(assets, face, text, side, centre, radius, (longest, height), below)
    signs = [(sign, run.font) for run in pieces for sign in clusters(run.text)]
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


def _bent(
    assets: Assets, face: str, text: str, side: int, centre: tuple[float, float], radius: float,
    box: tuple[float, float], below: bool,
) -> Mask:  # fmt: skip
    """A straight line laid on the circle: letters that hang together cannot be set one by one."""
    width, height = box
    strip = math.ceil(max(box))
    straight = line(assets, face, text, strip, (0, 0, width, height))
    # its foot on the circle, its head where it hangs
    foot = height if below else float(np.nonzero(straight.any(axis=1))[0].max() + 1)
    ys, xs = np.indices((side, side), np.float32)
    dx, dy = xs - np.float32(centre[0]), ys - np.float32(centre[1])
    away = np.hypot(dx, dy) - np.float32(radius)
    angle = np.arctan2(dx, dy if below else -dy)
    across = angle * np.float32(radius) + np.float32(width / 2)
    down = away if below else np.float32(foot) - away
    return np.asarray(cv2.remap(straight, across, down, cv2.INTER_LINEAR), np.uint8)


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


# Han and kana
_SPACELESS = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def break_rows(text: str, longest: int = 11) -> list[str]:
    """Words into as few rows of about `longest` letters as go, of lengths as even as can be."""
    words = text.split()
    if len(words) == 1 and _SPACELESS.fullmatch(text):
        return _pieces(text, longest)
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


def _pieces(word: str, longest: int) -> list[str]:
    """In even parts: such letters are twice as wide, and a line may end after any of them."""
    count = -(-len(word) * 2 // longest)
    each = -(-len(word) // count)
    return [word[place : place + each] for place in range(0, len(word), each)]
