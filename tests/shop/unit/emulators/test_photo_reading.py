"""Photographs in every format of phones and programs; and invalid ones."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from emulators.artist.photo import UnreadablePhotoError, open_photo
from tests.shop.unit.emulators.photographs import encoded, photograph

BLUE, RED = (39, 70, 230), (240, 73, 47)


def marked(width: int = 90, height: int = 60) -> Image.Image:
    """White, with a blue block in the upper left and a red one in the lower right."""
    picture = Image.new("RGB", (width, height), "white")
    picture.paste(BLUE, (0, 0, width // 3, height // 3))
    picture.paste(RED, (width * 2 // 3, height * 2 // 3, width, height))
    return picture


def near(one: tuple[int, ...] | float | None, other: tuple[int, int, int]) -> bool:
    assert isinstance(one, tuple)
    return all(abs(a - b) < 40 for a, b in zip(one[:3], other, strict=True))


# How a camera that was held so has stored the upright picture.
_STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(orientation: int, format: str) -> None:
    turn = _STORED[orientation]
    stored = marked() if turn is None else marked().transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = open_photo(encoded(stored, format, exif=exif), 1000)
    assert picture.size == (90, 60)
    assert near(picture.getpixel((8, 8)), BLUE)
    assert near(picture.getpixel((82, 52)), RED)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "CMYK", "1"])
def test_every_colour_mode_is_read(mode: str) -> None:
    format = "TIFF" if mode == "CMYK" else "PNG"
    picture = open_photo(encoded(marked().convert(mode), format))
    assert (picture.mode, picture.size) == ("RGBA", (90, 60))
    dark, light = picture.getpixel((8, 8)), picture.getpixel((45, 30))
    assert isinstance(dark, tuple) and isinstance(light, tuple)
    assert sum(dark[:3]) < sum(light[:3])
    assert light[3] == 255


def test_sixteen_bit_shades_are_preserved() -> None:
    ramp = np.linspace(0, 65535, 200).astype(np.uint16)[None].repeat(50, 0)
    picture = np.array(open_photo(encoded(Image.fromarray(ramp), "PNG")))
    assert abs(int(picture[10, 100, 0]) - 127) < 4
    assert picture[10, 199, 0] == 255


def test_transparent_palette_keeps_its_transparency() -> None:
    picture = Image.new("P", (20, 20), 0)
    picture.putpalette([0, 0, 0, 255, 0, 0])
    picture.paste(1, (5, 5, 15, 15))
    read = np.array(open_photo(encoded(picture, "GIF", transparency=0)))
    assert read[2, 2, 3] == 0
    assert tuple(read[10, 10]) == (255, 0, 0, 255)


def test_animation_gives_its_first_frame() -> None:
    other = Image.new("RGB", (90, 60), "red")
    for format in ("GIF", "WEBP", "PNG"):
        read = open_photo(encoded(marked(), format, save_all=True, append_images=[other]))
        assert near(read.getpixel((8, 8)), BLUE)
        assert near(read.getpixel((45, 30)), (255, 255, 255))


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_large_picture_is_decoded_at_reduced_size(format: str) -> None:
    picture = open_photo(encoded(marked(4000, 2600), format), 800)
    assert picture.size == (800, 520)
    assert near(picture.getpixel((40, 40)), BLUE)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"not a picture at all",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
        photograph("coffee")[:900],
        b"<svg/>",
    ],
    ids=["nothing", "a GIF's first bytes", "words", "a broken PNG", "half a JPEG", "SVG"],
)
def test_invalid_picture_is_rejected_with_a_reason(content: bytes) -> None:
    with pytest.raises(UnreadablePhotoError, match="could not be read"):
        open_photo(content, 800)


def test_picture_of_too_many_pixels_is_rejected() -> None:
    # A header that claims 40,000 × 40,000 pixels: refused before anything is decoded.
    content = bytearray(encoded(Image.new("1", (8, 8)), "BMP"))
    content[18:26] = (40_000).to_bytes(4, "little") * 2
    with pytest.raises(UnreadablePhotoError):
        open_photo(bytes(content))


def test_too_many_pixels_are_rejected_before_they_are_decoded() -> None:
    with pytest.raises(UnreadablePhotoError, match="larger than 25 megapixels"):
        open_photo(encoded(Image.new("1", (5001, 5000)), "PNG"), 800)
