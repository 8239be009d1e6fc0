"""Pictures as `/render/image` draws them: sizes, crops, formats, and what is left out."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Any

import pytest
from localbase.storage.errors import StorageError
from localbase.storage.images.drawing import Unfit, draw
from localbase.storage.images.options import Transformation, from_body, from_claim, from_query
from PIL import Image, ImageCms


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> io.BytesIO:
    out = io.BytesIO()
    image.save(out, kind, **options)
    out.seek(0)
    return out


def drawn(source: io.BytesIO, *, takes_webp: bool = False, **options: Any) -> tuple[Image.Image, str]:
    data, mime = draw(source.getvalue(), asdict(Transformation(**options)), takes_webp=takes_webp)
    image = Image.open(io.BytesIO(data))
    image.load()
    return image, mime


def quarters() -> Image.Image:
    """400 × 200: red and green above, blue and white below."""
    image = Image.new("RGB", (400, 200), "red")
    for box, colour in (((200, 0), "lime"), ((0, 100), "blue"), ((200, 100), "white")):
        image.paste(colour, (*box, box[0] + 200, box[1] + 100))
    return image


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({}, (400, 200)),
        ({"width": 100}, (100, 50)),
        ({"height": 100}, (200, 100)),
        ({"width": 100, "height": 100}, (100, 100)),
        ({"width": 100, "height": 100, "resize": "contain"}, (100, 50)),
        ({"width": 100, "height": 100, "resize": "fill"}, (100, 100)),
        # Never larger than the original.
        ({"width": 1000}, (400, 200)),
        ({"width": 1000, "height": 100}, (400, 100)),
        ({"width": 1000, "height": 1000, "resize": "fill"}, (400, 200)),
        ({"width": 1000, "height": 1000, "resize": "contain"}, (400, 200)),
        ({"width": 1, "height": 1}, (1, 1)),
    ],
)
def test_picture_has_the_size_of_its_options(options: dict[str, Any], size: tuple[int, int]) -> None:
    for kind in ("PNG", "JPEG"):
        assert drawn(encoded(quarters(), kind), **options)[0].size == size


@pytest.mark.parametrize(
    ("options", "colour"),
    [
        ({"gravity": "nowe"}, (255, 0, 0)),
        ({"gravity": "noea"}, (0, 255, 0)),
        ({"gravity": "sowe"}, (0, 0, 255)),
        ({"gravity": "soea"}, (255, 255, 255)),
        ({"gravity": "fp", "x_offset": 0.9, "y_offset": 0.1}, (0, 255, 0)),
        ({"gravity": "fp", "x_offset": 0.0, "y_offset": 1.0}, (0, 0, 255)),
        ({"gravity": "nowe", "x_offset": 200.0}, (0, 255, 0)),
        ({"gravity": "nowe", "x_offset": 0.5}, (0, 255, 0)),
        ({"gravity": "soea", "x_offset": 200.0, "y_offset": 100.0}, (255, 0, 0)),
    ],
)
def test_cover_leaves_what_gravity_says(options: dict[str, Any], colour: tuple[int, int, int]) -> None:
    # Of the height a half is left and of the width a half: one quarter.
    source = encoded(quarters().resize((400, 400)).crop((0, 0, 400, 400)))
    image, _ = drawn(source, width=400, height=100, **options)
    assert image.size == (400, 100)
    wide = encoded(quarters())
    image, _ = drawn(wide, width=100, height=200, **options)
    assert image.size == (100, 200)
    x = 50
    y = 20 if colour in ((255, 0, 0), (0, 255, 0)) else 180
    assert image.getpixel((x, y)) == colour


def test_smart_gravity_leaves_what_has_edges() -> None:
    image = Image.new("L", (400, 100), 128)
    for x in range(300, 380, 4):
        image.paste(255, (x, 0, x + 2, 100))
    cropped, _ = drawn(encoded(image), width=100, height=100, gravity="sm")
    assert len(cropped.convert("L").getcolors() or []) > 1
    assert (
        len(drawn(encoded(image), width=100, height=100, gravity="nowe")[0].convert("L").getcolors() or [])
        == 1
    )


@pytest.mark.parametrize(
    ("kind", "options", "takes_webp", "mime"),
    [
        ("PNG", {}, False, "image/png"),
        ("PNG", {}, True, "image/webp"),
        ("PNG", {"format": "origin"}, True, "image/png"),
        ("PNG", {"format": "webp"}, False, "image/webp"),
        ("JPEG", {"format": "avif"}, False, "image/avif"),
        ("JPEG", {}, False, "image/jpeg"),
        ("GIF", {}, False, "image/gif"),
        ("BMP", {}, False, "image/png"),
        ("WEBP", {"format": "origin"}, False, "image/webp"),
    ],
)
def test_format_is_the_requested_one(kind: str, options: dict[str, Any], takes_webp: bool, mime: str) -> None:
    image, content_type = drawn(encoded(quarters(), kind), takes_webp=takes_webp, width=40, **options)
    assert (content_type, Image.MIME[str(image.format)]) == (mime, mime)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "F"])
def test_every_kind_of_pixel_is_drawn(mode: str) -> None:
    kind = {"CMYK": "JPEG", "F": "TIFF"}.get(mode, "PNG")
    source = encoded(Image.new(mode, (20, 10)), kind)
    if kind == "TIFF":
        with pytest.raises(Unfit):
            drawn(source, width=5)
        return
    for output_format in ("origin", "webp", "avif"):
        source.seek(0)
        assert drawn(source, width=5, format=output_format)[0].size == (5, 2)


def test_transparency_of_pictures_stays() -> None:
    image = Image.new("RGBA", (20, 20), (255, 0, 0, 0))
    assert drawn(encoded(image), width=10, format="webp")[0].getpixel((5, 5))[3] == 0  # type: ignore[index]
    palette = Image.new("P", (20, 20), 0)
    source = encoded(palette, "GIF", transparency=0)
    assert drawn(source, width=10, format="webp")[0].getpixel((5, 5))[3] == 0  # type: ignore[index]


def test_place_of_a_photo_is_left_out_and_its_turn_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "camera"
    source = encoded(quarters(), "JPEG", exif=exif)
    image, _ = drawn(source, width=100)
    assert image.size == (100, 200)
    assert dict(image.getexif()) == {}


def test_large_photo_is_decoded_at_a_part_of_its_size() -> None:
    source = encoded(Image.new("RGB", (4000, 3000), "red"), "JPEG")
    image, _ = drawn(source, width=300, height=300)
    assert (image.size, image.getpixel((150, 150))) == ((300, 300), (254, 0, 0))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"<svgs xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a",
    ],
)
def test_file_that_is_no_picture_is_unfit(content: bytes) -> None:
    with pytest.raises(Unfit, match="invalid or unsupported"):
        drawn(io.BytesIO(content), width=10)


def test_options_are_carried_by_a_token() -> None:
    options = {"width": 100, "height": 5000, "resize": "contain", "quality": 50, "gravity": "fp"}
    transformation = from_body(
        {**options, "x_offset": 0.25, "y_offset": "1", "role": "service_role", "url": "x"}
    )
    assert transformation is not None
    assert transformation.height == 2000
    assert "role" not in transformation.claim()
    assert from_claim(transformation.claim()) == transformation
    assert from_body({"width": 0}) is None
    assert from_body(None) is None
    assert from_query({"width": "20", "token": "x"}) == Transformation(width=20)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"width": "wide"}, "querystring/width must be integer"),
        ({"width": "-1"}, "querystring/width must be >= 0"),
        ({"height": "1.5"}, "querystring/height must be integer"),
        ({"quality": "19"}, "querystring/quality must be >= 20"),
        ({"quality": "101"}, "querystring/quality must be <= 100"),
        ({"resize": "stretch"}, "querystring/resize must be equal to one of the allowed values"),
        ({"format": "svg"}, "querystring/format must be equal to one of the allowed values"),
        ({"gravity": "up"}, "querystring/gravity must be equal to one of the allowed values"),
        ({"x_offset": "nan"}, "querystring/x_offset must be number"),
        ({"x_offset": "1e400"}, "querystring/x_offset must be number"),
        ({"gravity": "fp", "x_offset": "2", "y_offset": "0"}, "Focal point requires"),
        ({"gravity": "fp"}, "Focal point requires"),
    ],
)
def test_option_that_is_none_is_400(query: dict[str, str], message: str) -> None:
    with pytest.raises(StorageError, match=message):
        from_query(query)


def test_photo_with_further_ones_behind_it_is_a_jpeg() -> None:
    several = encoded(quarters(), "MPO", save_all=True, append_images=[quarters().resize((40, 20))])
    assert Image.open(several).format == "MPO"
    image, mime = drawn(several, width=100)
    assert (image.size, image.format, mime) == ((100, 50), "JPEG", "image/jpeg")


@pytest.mark.parametrize(
    ("options", "claim", "header"),
    [
        (
            {"width": 200, "height": 300, "quality": 60},
            "height:300,width:200,resize:cover,quality:60",
            "height:300,width:200,resizing_type:fill,quality:60",
        ),
        ({"width": 5, "resize": "contain"}, "width:5,resize:contain", "width:5,resizing_type:fit"),
        ({"height": 5, "resize": "fill"}, "height:5,resize:fill", "height:5,resizing_type:force"),
        ({"gravity": "fp", "x_offset": 0.0, "y_offset": 1.0}, "gravity:fp:0:1", "gravity:fp:0:1"),
        ({"gravity": "no", "y_offset": 0.25}, "gravity:no:0:0.25", "gravity:no:0:0.25"),
        ({"gravity": "sm", "x_offset": 1.0}, "gravity:sm", "gravity:sm"),
        ({"gravity": "ce"}, "gravity:ce", "gravity:ce"),
        ({"format": "origin"}, "", ""),
        ({"format": "avif"}, "format:avif", "format:avif"),
        ({"x_offset": 1.0, "resize": "fill"}, "", ""),
    ],
    ids=str,
)
def test_options_are_written_in_upstreams_terms_and_order(
    options: dict[str, Any], claim: str, header: str
) -> None:
    transformation = Transformation(**options)
    assert (transformation.claim(), transformation.header()) == (claim, header)


@pytest.mark.parametrize("options", [{}, {"width": 10}, {"format": "webp"}], ids=str)
def test_grey_of_sixteen_bits_keeps_its_shade(options: dict[str, Any]) -> None:
    image, _ = drawn(encoded(Image.new("I;16", (20, 20), 0x4000)), **options)
    assert image.convert("L").getpixel((2, 2)) in range(0x3E, 0x43)


@pytest.mark.parametrize(
    ("mode", "space", "kind", "options", "stays"),
    [
        ("RGB", b"RGB ", "PNG", {"format": "webp"}, True),
        ("P", b"RGB ", "PNG", {"width": 10}, True),
        ("L", b"GRAY", "PNG", {"width": 10}, True),
        ("L", b"GRAY", "PNG", {"format": "avif"}, False),
        ("CMYK", b"CMYK", "JPEG", {}, True),
        ("CMYK", b"CMYK", "JPEG", {"width": 7}, False),
        ("CMYK", b"CMYK", "JPEG", {"format": "webp"}, False),
    ],
)
def test_colour_profile_stays_where_the_pixels_are_still_of_its_kind(
    mode: str, space: bytes, kind: str, options: dict[str, Any], stays: bool
) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = profile[:16] + space + profile[20:]
    image, _ = drawn(encoded(Image.new(mode, (20, 20)), kind, icc_profile=profile), **options)
    assert image.info.get("icc_profile") == (profile if stays else None)
