"""A hundred sound pictures are never blamed: the local artist's in every style, photographs, and these redrawn."""

from __future__ import annotations

from pathlib import Path
from tempfile import gettempdir

import pytest
from _shared.designs.placement import ink_box, largest_print, placement
from _shared.print_check.check import check, check_ground
from _shared.print_check.colours import Rgb
from _shared.print_check.ink import CHECK_DPI
from PIL import Image

from emulators.artist import draw, restyle
from emulators.assets import Assets
from emulators.gallery import PHOTO_STYLES, PHOTOS, SHIRTS, SUBJECTS, TEXT_STYLES, WISHES, text_prompt
from tests.support.random_cases import few
from tests.support.stacks import ROOT

ASSETS = Assets(ROOT / "node_modules", Path(gettempdir()) / "artist-tests")
AREA = (4500, 5100)
SIDE = 1536
# five styles of each wish; the cup and the astronaut's suit are white, so not all is on the shirt that it was drawn for
DRAWN = [(wish, style) for wish in range(len(WISHES)) for style in TEXT_STYLES[wish % 2 :: 2]]
PHOTOGRAPHS = [
    (subject, style, shirt)
    for subject, shirt in zip(SUBJECTS, ("Navy", "Navy", "Sand", "Black"), strict=True)
    for style in ("", *PHOTO_STYLES)
]


def blamed(picture: Image.Image, shirt: str) -> list[str]:
    """What the check says of a picture where the shop prints it."""
    whole = picture.convert("RGBA")
    trimmed = whole.crop(ink_box(whole))
    place = placement(largest_print(trimmed.size), AREA)
    wide, high = AREA[0] * CHECK_DPI // 300, AREA[1] * CHECK_DPI // 300
    size = (round(place["scale"] * wide), round(place["scale"] * wide * trimmed.height / trimmed.width))
    side = Image.new("RGBA", (wide, high))
    middle = (round(place["x"] * wide - size[0] / 2), round(place["y"] * high - size[1] / 2))
    side.paste(trimmed.resize(size, Image.Resampling.BICUBIC), middle)
    digits = SHIRTS[shirt]
    cloth: Rgb = (int(digits[1:3], 16), int(digits[3:5], 16), int(digits[5:7], 16))
    dpi = trimmed.width * 300 / (place["scale"] * AREA[0])
    found = [finding.kind for finding in check(side, cloth, dpi=CHECK_DPI, picture_dpi=dpi)]
    return [*found, *(["box_around_photo"] if check_ground(trimmed) else [])]


@pytest.mark.parametrize(("wish", "style"), few(DRAWN, 1))
def test_drawing_of_the_artist_is_not_blamed(wish: int, style: str) -> None:
    sample = WISHES[wish]
    shirt = "Sand" if sample.idea.endswith("cup of tea") else sample.shirt
    assert blamed(draw(text_prompt(sample, style), 40 + wish, (SIDE, SIDE), ASSETS), shirt) == []


@pytest.mark.parametrize(("subject", "style", "shirt"), few(PHOTOGRAPHS, 1))
def test_photograph_is_not_blamed_as_it_is_or_in_a_style(subject: str, style: str, shirt: str) -> None:
    content = (PHOTOS / f"{subject}.jpg").read_bytes()
    words = f"Style: {style}\nShirt colour: {shirt} ({SHIRTS[shirt]})"
    picture = restyle(content, words, 7, ASSETS) if style else Image.open(PHOTOS / f"{subject}.jpg")
    assert blamed(picture, shirt) == []
