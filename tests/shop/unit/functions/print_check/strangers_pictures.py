"""Sixty more sides that a print shop would send back, by somebody who had not read the check.

They were drawn from what people bring along, with the help page's verdicts (docs/print-check.md) alone, which were
written before the check saw them. A side is as in `hostile_pictures`.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from random import Random

from _shared.print_check.colours import Rgb
from _shared.print_check.findings import Kind, Mend
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from tests.shop.unit.functions.print_check.hostile_pictures import INKS, SIZE, WHITE, Hostile
from tests.support.stacks import ROOT

FACES = ROOT / "functions" / "_shared" / "scene" / "faces"
BLACK: Rgb = (26, 26, 26)
NAVY: Rgb = (31, 42, 68)
CLEAR = (0, 0, 0, 0)


def _side() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGBA", SIZE)
    return picture, ImageDraw.Draw(picture)


def _face(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FACES / f"{name}.ttf", size)


def _said(picture: Image.Image, kind: Kind, mend: Mend | None = None, cloth: Rgb = WHITE) -> Hostile:
    return Hostile(picture, kind, cloth, mend)


def signature(dice: Random) -> Hostile:
    """A name written with a fine pen below a badge."""
    picture, pen = _side()
    pen.regular_polygon((450, 300, 200), dice.randint(5, 9), fill=dice.choice(INKS))
    loops, slant = dice.uniform(5, 9), dice.uniform(20, 60)
    points = [
        (
            150 + step * 0.6 + slant * math.sin(step / 40),
            760 + 70 * math.sin(step / 1000 * 2 * math.pi * loops),
        )
        for step in range(1000)
    ]
    pen.line(points, fill=dice.choice(INKS), width=dice.randint(1, 2))
    return _said(picture, "thin_lines", "thicken")


def sheet_music(dice: Random) -> Hostile:
    """Staves of hairlines with thick notes on them."""
    picture, pen = _side()
    ink = dice.choice(INKS)
    for staff in range(3):
        for line in range(5):
            y = 150 + 260 * staff + 24 * line
            pen.line((80, y, 820, y), fill=ink, width=1)
        for note in range(8):
            x, y = 110 + 90 * note, 140 + 260 * staff + 12 * dice.randint(0, 8)
            pen.ellipse((x, y, x + 30, y + 22), fill=ink)
            pen.line((x + 28, y + 10, x + 28, y - 70), fill=ink, width=5)
    return _said(picture, "thin_lines", "thicken")


def circuit(dice: Random) -> Hostile:
    """Traces of a printed circuit between round pads."""
    picture, pen = _side()
    ink = dice.choice(INKS)
    for _ in range(14):
        x, y = dice.randint(100, 400), dice.randint(100, 900)
        right, knee = dice.randint(500, 800), dice.randint(420, 480)
        pen.line((x, y, knee, y), fill=ink, width=2)
        pen.line((knee, y, knee, y + 60, right, y + 60), fill=ink, width=2)
        for at in ((x, y), (right, y + 60)):
            pen.ellipse((at[0] - 14, at[1] - 14, at[0] + 14, at[1] + 14), fill=ink)
    return _said(picture, "thin_lines", "thicken")


def globe(dice: Random) -> Hostile:
    """A disc that meridians and parallels of bare cloth cut, finer than ink can keep open."""
    picture, pen = _side()
    pen.ellipse((100, 160, 800, 860), fill=dice.choice(INKS))
    for part in range(1, dice.randint(4, 7)):
        half = 350 * part / 7
        pen.ellipse((450 - half, 160, 450 + half, 860), outline=CLEAR, width=1)
        for sign in (-1, 1):
            y = 510 + sign * 300 * part / 7
            pen.line((100, y, 800, y), fill=CLEAR, width=1)
    return _said(picture, "thin_lines", "thicken")


def fireworks(dice: Random) -> Hostile:
    """Rays that are as thin as hair."""
    picture, pen = _side()
    for _ in range(3):
        x, y, ink = dice.randint(250, 650), dice.randint(250, 750), dice.choice(INKS)
        for ray in range(24):
            turn, length = ray * math.pi / 12, dice.randint(130, 220)
            near = (x + 40 * math.cos(turn), y + 40 * math.sin(turn))
            pen.line((*near, x + length * math.cos(turn), y + length * math.sin(turn)), fill=ink, width=1)
        pen.ellipse((x - 30, y - 30, x + 30, y + 30), fill=ink)
    return _said(picture, "thin_lines", "thicken")


def small_print(dice: Random) -> Hostile:
    """Lines in a small, light hand below a headline."""
    picture, pen = _side()
    ink = dice.choice(INKS)
    pen.text((90, 160), "TOUR", fill=ink, font=_face("anton", 260))
    words = "Lisbon Porto Braga Faro Coimbra Evora Aveiro Viseu"
    for line in range(7):
        pen.text((90, 560 + 34 * line), words, fill=ink, font=_face("great-vibes", dice.randint(20, 26)))
    return _said(picture, "thin_lines", "thicken")


def snowfall(dice: Random) -> Hostile:
    """Flakes that are dots of two pixels, over a mountain."""
    picture, pen = _side()
    pen.polygon(((100, 900), (450, 420), (800, 900)), fill=dice.choice(INKS))
    for _ in range(dice.randint(60, 120)):
        x, y = dice.randint(40, 860), dice.randint(40, 400)
        pen.ellipse((x, y, x + 1, y + 1), fill=dice.choice(INKS))
    return _said(picture, "specks", "remove_specks")


def crumbs(dice: Random) -> Hostile:
    """What a wand leaves where it cut a ground out: single pixels around the words."""
    picture, pen = _side()
    ink = dice.choice(INKS)
    pen.text((80, 380), "FRESH", fill=ink, font=_face("archivo-black", 200))
    for _ in range(dice.randint(25, 70)):
        x, y = dice.randint(60, 840), dice.choice((dice.randint(250, 370), dice.randint(660, 800)))
        pen.point((x, y), fill=(*ink, 255))
    return _said(picture, "specks", "remove_specks")


def salt(dice: Random) -> Hostile:
    """Holes of a pixel in broad letters."""
    picture, pen = _side()
    pen.text((60, 320), "SALT", fill=dice.choice(INKS), font=_face("archivo-black", 280))
    inside = [
        (x, y)
        for x, y in ((dice.randint(60, 840), dice.randint(330, 680)) for _ in range(900))
        if picture.crop((x - 6, y - 6, x + 7, y + 7)).getchannel("A").getextrema()[0] == 255
    ]
    for at in inside[:60]:
        pen.point(at, fill=CLEAR)
    return _said(picture, "specks", "remove_specks")


def halo(dice: Random) -> Hostile:
    """A subject that was cut out with the light of its ground around it."""
    picture, pen = _side()
    side = dice.randint(220, 320)
    box = (450 - side, 510 - side, 450 + side, 510 + side)
    pen.ellipse(box, fill=(255, 255, 255, dice.randint(60, 150)))
    rim = dice.randint(14, 30)
    pen.ellipse((box[0] + rim, box[1] + rim, box[2] - rim, box[3] - rim), fill=dice.choice(INKS))
    return _said(picture, "half_transparent", "harden", BLACK)


def smoke(dice: Random) -> Hostile:
    """Clouds of thin smoke over a chimney."""
    picture, _ = _side()
    clouds = Image.new("L", SIZE)
    pen = ImageDraw.Draw(clouds)
    for _ in range(9):
        x, y, side = dice.randint(250, 550), dice.randint(120, 450), dice.randint(60, 130)
        pen.ellipse((x, y, x + side, y + side), fill=dice.randint(90, 190))
    picture.paste((120, 120, 130), (0, 0), clouds.filter(ImageFilter.GaussianBlur(22)))
    ImageDraw.Draw(picture).rectangle((380, 560, 560, 920), fill=dice.choice(INKS))
    return _said(picture, "half_transparent", "harden")


def wash(dice: Random) -> Hostile:
    """A layer at half its strength, as a slider of a drawing program leaves it."""
    picture, pen = _side()
    ink = dice.choice(INKS)
    pen.rounded_rectangle((120, 150, 780, 560), 60, fill=(*ink, dice.randint(90, 170)))
    pen.text((150, 640), "Summer", fill=ink, font=_face("lobster", 200))
    return _said(picture, "half_transparent", "harden")


def vignette(dice: Random) -> Hostile:
    """A picture that fades to nothing at its rim."""
    picture, _ = _side()
    square = Image.effect_noise((640, 640), dice.randint(20, 60)).convert("RGB")
    tinted = ImageChops.multiply(square, Image.new("RGB", square.size, dice.choice(INKS[:3])))
    fading = ImageChops.invert(Image.radial_gradient("L")).resize((640, 640))
    picture.paste(tinted, (130, 190), fading)
    return _said(picture, "half_transparent", "harden")


def _as_jpeg(picture: Image.Image, quality: int) -> Image.Image:
    """As it comes back from a messenger."""
    out = io.BytesIO()
    picture.convert("RGB").save(out, "JPEG", quality=quality)
    return Image.open(out).convert("RGBA")


def logo_as_jpeg(dice: Random) -> Hostile:
    """A club's badge in a box that was never cut off."""
    ground = dice.choice((WHITE, (10, 10, 10), (30, 60, 120)))
    picture = Image.new("RGB", SIZE, ground)
    pen = ImageDraw.Draw(picture)
    pen.ellipse((200, 250, 700, 750), fill=(240, 200, 40), outline=(200, 30, 30), width=40)
    pen.text((300, 420), "FC", fill=(200, 30, 30), font=_face("anton", 180))
    return _said(_as_jpeg(picture, dice.randint(45, 85)), "box_around_photo", "cut_out", (53, 179, 138))


def screenshot(dice: Random) -> Hostile:
    """Words on a page that was photographed by the screen's own key."""
    page = dice.choice(((250, 250, 250), (30, 30, 30), (250, 244, 230)))
    picture = Image.new("RGBA", SIZE, page)
    pen = ImageDraw.Draw(picture)
    ink = (235, 235, 235) if sum(page) < 300 else (20, 20, 20)
    for line, words in enumerate(("Be", "the", "change")):
        pen.text((140, 160 + 240 * line), words, fill=ink, font=_face("archivo-black", 160))
    return _said(picture, "box_around_photo", "cut_out", (200, 16, 46))


def white_on_white(dice: Random) -> Hostile:
    """A design for dark shirts on a white one."""
    picture, pen = _side()
    shade = dice.randint(246, 255)
    pen.text((60, 330), "NIGHT", fill=(shade, shade, shade), font=_face("archivo-black", 220))
    pen.rectangle((100, 640, 800, 690), fill=(shade, shade, shade))
    return _said(picture, "swallowed_ink")


def black_on_black(dice: Random) -> Hostile:
    """A bright bird and its name, which is black as the shirt."""
    picture, pen = _side()
    pen.ellipse((300, 120, 600, 420), fill=dice.choice(((240, 200, 40), (230, 90, 40), (90, 200, 240))))
    shade = dice.randint(14, 36)
    pen.text((70, 560), "RAVEN", fill=(shade, shade, shade), font=_face("anton", 300))
    return _said(picture, "swallowed_ink", cloth=BLACK)


def navy_sea(dice: Random) -> Hostile:
    """A sailing boat whose sea is the shirt's blue."""
    picture, pen = _side()
    pen.polygon(((450, 120), (450, 520), (720, 520)), fill=(245, 245, 240))
    pen.polygon(((200, 540), (700, 540), (620, 640), (280, 640)), fill=(200, 60, 40))
    near = tuple(channel + dice.randint(-3, 3) for channel in NAVY)
    pen.rectangle((80, 640, 820, dice.randint(760, 900)), fill=(near[0], near[1], near[2]))
    return _said(picture, "swallowed_ink", cloth=NAVY)


def pale_words(dice: Random) -> Hostile:
    """Cream letters on a white shirt, under a red rule."""
    picture, pen = _side()
    pen.rectangle((100, 200, 800, 230), fill=(200, 16, 46))
    ink = (dice.randint(250, 255), dice.randint(249, 252), dice.randint(240, 246))
    pen.text((80, 330), "Vanilla", fill=ink, font=_face("lobster", 240))
    return _said(picture, "swallowed_ink")


def everything(dice: Random) -> Hostile:
    """Dust, hairlines and a glow at once; which of them is asked for changes with the number."""
    picture, pen = _side()
    ink = dice.choice(INKS)
    pen.rectangle((120, 120, 780, 420), fill=ink)
    for line in range(6):
        pen.line((120, 480 + 16 * line, 780, 480 + 16 * line), fill=ink, width=1)
    for _ in range(40):
        x, y = dice.randint(100, 800), dice.randint(620, 700)
        pen.point((x, y), fill=(*ink, 255))
    light = Image.radial_gradient("L").resize((260, 260)).point(lambda value: max(0, 200 - 2 * value))
    picture.paste(ink, (320, 730), light)
    troubles: tuple[tuple[Kind, Mend], ...] = (
        ("thin_lines", "thicken"), ("specks", "remove_specks"), ("half_transparent", "harden")
    )  # fmt: skip
    return _said(picture, *dice.choice(troubles))


FAMILIES: Mapping[str, Callable[[Random], Hostile]] = {
    made.__name__: made
    for made in (
        signature, sheet_music, circuit, globe, fireworks, small_print, snowfall, crumbs, salt, halo, smoke, wash,
        vignette, logo_as_jpeg, screenshot, white_on_white, black_on_black, navy_sea, pale_words, everything,
    )
}  # fmt: skip
