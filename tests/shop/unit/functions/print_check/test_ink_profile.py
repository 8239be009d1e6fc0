"""Colours as the printer's own profile has them, and files that are no such profile."""

from __future__ import annotations

from pathlib import Path

import pytest
from _shared.core.errors import ShopError
from _shared.print_check.check import check
from _shared.print_check.ink_profile import InkProfile, ink_profile
from PIL import Image

from tests.shop.unit.functions.print_check.profiles import dull_cmyk, flat, pale_rgb, write


def pixel(picture: Image.Image, x: int = 1, y: int = 1) -> tuple[int, ...]:
    return tuple(picture.crop((x, y, x + 1, y + 1)).tobytes())


def test_ink_is_as_pale_as_the_profile_says_and_clear_pixels_stay_clear(tmp_path: Path) -> None:
    ink = InkProfile(write(tmp_path, pale_rgb()))
    red, green, blue, alpha = pixel(ink.printed(flat("#ff0000")))
    assert (red > 180, 60 < green < 200, 60 < blue < 200, alpha) == (True, True, True, 255)
    assert pixel(ink.printed(flat("#ffffff"))) == (255, 255, 255, 255)
    half = flat("#00ff0080")
    half.putpixel((0, 0), (0, 0, 0, 0))
    printed = ink.printed(half)
    assert [pixel(printed, 0, 0)[3], pixel(printed)[3]] == [0, 128]


def test_four_inks_without_a_true_black_print_no_darker_than_theirs(tmp_path: Path) -> None:
    ink = InkProfile(write(tmp_path, dull_cmyk()))
    black, white = (pixel(ink.printed(flat(color))) for color in ("#000000", "#ffffff"))
    # L* 40 is a grey of 94
    assert all(80 < channel < 110 for channel in black[:3])
    assert all(channel > 245 for channel in white[:3])


def test_colour_that_the_cloth_swallows_in_ink_alone_is_found(tmp_path: Path) -> None:
    grey = (94, 94, 94)
    side = Image.new("RGBA", (400, 400))
    side.paste((0, 0, 0, 255), (50, 50, 350, 350))
    ink = InkProfile(write(tmp_path, dull_cmyk()))
    assert check(side, grey, dpi=150) == []
    assert [finding.kind for finding in check(ink.printed(side), grey, dpi=150)] == ["swallowed_ink"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (pale_rgb(kind=b"mntr"), "class mntr for RGB: it takes an output profile (prtr) for CMYK or RGB"),
        (pale_rgb(space=b"HSV "), "for HSV: it takes an output profile"),
        (b"no profile at all", "is no ICC profile that can be read"),
        (b"", "is no ICC profile that can be read"),
    ],
)
def test_file_that_is_no_output_profile_is_refused_with_its_reason(
    tmp_path: Path, data: bytes, why: str
) -> None:
    file = tmp_path / "ink.icc"
    file.write_bytes(data)
    with pytest.raises(ShopError) as refused:
        InkProfile(file)
    assert (refused.value.status, refused.value.code) == (503, "ink_profile_unusable")
    assert why in str(refused.value.cause)


def test_missing_file_is_named_and_without_a_name_there_is_no_profile() -> None:
    assert ink_profile("") is None
    with pytest.raises(ShopError) as refused:
        ink_profile("none.icc")
    assert refused.value.cause == "There is no file none.icc in functions/_shared."
