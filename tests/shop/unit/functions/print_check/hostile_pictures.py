"""Sides that a print shop would send back, made by code from a number, and what it would say about each.

The verdicts were written before the check was run on them. A side is 6 × 6.8 inches at 150 pixels an
inch, so a pixel is 0.17 mm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from _shared.print_check.colours import Rgb
from _shared.print_check.findings import Kind, Mend
from PIL import Image, ImageDraw, ImageFilter, ImageFont

DPI = 150
SIZE = (900, 1020)
INKS: tuple[Rgb, ...] = (
    (240, 73, 47),
    (39, 70, 230),
    (53, 179, 138),
    (27, 23, 20),
    (120, 30, 90),
    (200, 120, 20),
)
WHITE: Rgb = (255, 255, 255)


@dataclass(frozen=True)
class Hostile:
    """A side on a cloth, what is wrong with it, and the mend that is tried on it."""

    picture: Image.Image
    kind: Kind
    cloth: Rgb = WHITE
    mend: Mend | None = None


def _drawn(dice: Random) -> tuple[Image.Image, ImageDraw.ImageDraw, Rgb]:
    """A clear side with something sound on it."""
    picture = Image.new("RGBA", SIZE)
    pen = ImageDraw.Draw(picture)
    left, top = dice.randint(80, 300), dice.randint(80, 300)
    colour = dice.choice(INKS)
    pen.ellipse((left, top, left + dice.randint(200, 400), top + dice.randint(200, 400)), fill=colour)
    return picture, pen, dice.choice(INKS)


def hairlines(dice: Random) -> Hostile:
    picture, pen, ink = _drawn(dice)
    for _ in range(dice.randint(2, 6)):
        turn, length = dice.uniform(0, math.pi), dice.randint(150, 400)
        x, y = dice.randint(200, 500), dice.randint(650, 950)
        end = (x + length * math.cos(turn), min(y + length * math.sin(turn), 1000))
        pen.line((x, y, *end), fill=ink, width=dice.randint(1, 2))
    return Hostile(picture, "thin_lines", mend="thicken")


def hair_rings(dice: Random) -> Hostile:
    picture, pen, ink = _drawn(dice)
    for ring in range(dice.randint(2, 5)):
        side = 60 + 50 * ring
        pen.ellipse((450 - side, 700 - side // 2, 450 + side, 700 + side // 2), outline=ink, width=1)
    return Hostile(picture, "thin_lines", mend="thicken")


def hair_gaps(dice: Random) -> Hostile:
    picture, pen, ink = _drawn(dice)
    pen.rectangle((100, 500, 800, 950), fill=ink)
    for gap in range(dice.randint(3, 8)):
        at = 150 + 60 * gap + dice.randint(0, 30)
        pen.line((at, 480, at + dice.randint(-30, 30), 970), fill=(0, 0, 0, 0), width=dice.randint(1, 2))
    return Hostile(picture, "thin_lines", mend="thicken")


def tiny_lettering(dice: Random) -> Hostile:
    picture, pen, ink = _drawn(dice)
    font = ImageFont.load_default(size=dice.randint(11, 15))
    for line in range(6):
        pen.text(
            (120, 720 + 30 * line), "All rights of the maker are reserved, see inside", fill=ink, font=font
        )
    return Hostile(picture, "thin_lines", mend="thicken")


def dust(dice: Random) -> Hostile:
    picture, pen, ink = _drawn(dice)
    for _ in range(dice.randint(15, 60)):
        x, y, side = dice.randint(20, 880), dice.randint(720, 1000), dice.randint(0, 1)
        pen.rectangle((x, y, x + side, y + side), fill=ink)
    return Hostile(picture, "specks", mend="remove_specks")


def pinholes(dice: Random) -> Hostile:
    picture, pen, ink = _drawn(dice)
    pen.rectangle((100, 500, 800, 950), fill=ink)
    for _ in range(dice.randint(15, 60)):
        x, y, side = dice.randint(110, 780), dice.randint(510, 930), dice.randint(0, 1)
        pen.rectangle((x, y, x + side, y + side), fill=(0, 0, 0, 0))
    return Hostile(picture, "specks", mend="remove_specks")


def grain(dice: Random) -> Hostile:
    noise = Image.frombytes("L", SIZE, dice.randbytes(SIZE[0] * SIZE[1]))
    cut = dice.randint(90, 160)
    picture = Image.new("RGBA", SIZE, dice.choice(INKS))
    picture.putalpha(noise.point(lambda value: 255 if value > cut else 0))
    return Hostile(picture, "specks", mend="remove_specks")


def glow(dice: Random) -> Hostile:
    picture, _, ink = _drawn(dice)
    light = Image.radial_gradient("L").resize((500, 500)).point(lambda value: max(0, 255 - 2 * value))
    shine = Image.new("RGBA", (500, 500), ink)
    shine.putalpha(light)
    picture.alpha_composite(shine, (dice.randint(0, 380), dice.randint(300, 500)))
    return Hostile(picture, "half_transparent", mend="harden")


def drop_shadow(dice: Random) -> Hostile:
    picture, _, _ = _drawn(dice)
    shadow = Image.new("RGBA", SIZE, (0, 0, 0))
    shadow.putalpha(picture.getchannel("A").filter(ImageFilter.GaussianBlur(dice.randint(12, 30))))
    shadow.alpha_composite(picture, (dice.randint(0, 10), 0))
    return Hostile(shadow, "half_transparent", mend="harden")


def fade(dice: Random) -> Hostile:
    picture = Image.new("RGBA", SIZE)
    band = Image.new("RGBA", (600, 500), dice.choice(INKS))
    band.putalpha(
        Image.linear_gradient("L")
        .resize((600, 500))
        .rotate(dice.choice((0, 90, 180, 270)))
        .resize((600, 500))
    )
    picture.paste(band, (150, dice.randint(100, 400)))
    return Hostile(picture, "half_transparent", mend="harden")


def boxed(dice: Random) -> Hostile:
    """A subject on a ground of one colour with the noise of a JPEG."""
    ground = dice.choice((WHITE, (244, 244, 240), (20, 20, 20), (180, 220, 250)))
    picture = Image.new("RGB", SIZE, ground)
    pen = ImageDraw.Draw(picture)
    for _ in range(dice.randint(2, 5)):
        x, y, side = dice.randint(150, 400), dice.randint(150, 500), dice.randint(150, 300)
        pen.ellipse((x, y, x + side, y + side), fill=dice.choice(INKS[:3]))
    noise = Image.frombytes("L", SIZE, dice.randbytes(SIZE[0] * SIZE[1])).point(lambda value: value // 64)
    picture = Image.blend(picture, Image.merge("RGB", (noise, noise, noise)), 0.01)
    return Hostile(picture.convert("RGBA"), "box_around_photo", (200, 16, 46), "cut_out")


def swallowed(dice: Random) -> Hostile:
    """A third of the ink or more nearly has the colour of the shirt."""
    cloth = dice.choice(
        ((255, 255, 255), (26, 26, 26), (31, 42, 68), (200, 16, 46), (202, 191, 173), (84, 86, 90))
    )
    picture = Image.new("RGBA", SIZE)
    pen = ImageDraw.Draw(picture)
    near = tuple(min(max(channel + dice.randint(-4, 4), 0), 255) for channel in cloth)
    pen.rectangle((100, 100, 800, 500), fill=(240, 200, 40))
    pen.rectangle((100, 500, 800, dice.randint(720, 1000)), fill=(near[0], near[1], near[2]))
    return Hostile(picture, "swallowed_ink", cloth)


FAMILIES: Mapping[str, Callable[[Random], Hostile]] = {
    made.__name__: made
    for made in (
        hairlines, hair_rings, hair_gaps, tiny_lettering, dust, pinholes, grain, glow, drop_shadow, fade, boxed,
        swallowed,
    )
}  # fmt: skip
