"""Pictures: what is accepted, what is refused, and that a PNG leaves as it came."""

import base64
import io
from collections.abc import Callable

import pytest
from _shared.errors import ShopError
from _shared.pictures import as_png, clear_share, decode_picture, for_artist
from PIL import Image

Make = Callable[..., str]


def refusal(text: str, **options: int) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        decode_picture(text, **options)
    return caught.value.status, caught.value.code


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_the_four_formats_are_read_with_and_without_a_prefix(picture: Make, kind: str) -> None:
    encoded = picture(kind)
    plain, prefixed = decode_picture(encoded), decode_picture(f"data:image/{kind.lower()};base64,{encoded}")
    assert plain == prefixed
    assert (plain.format, plain.width, plain.height) == (kind, 40, 20)


def test_text_and_documents_are_no_pictures() -> None:
    assert refusal("this is not base64!") == (400, "not_an_image")
    assert refusal(base64.b64encode(b"%PDF-1.7 hello").decode()) == (400, "not_an_image")
    assert refusal("") == (400, "not_an_image")


def test_a_picture_cut_short_is_refused(picture: Make) -> None:
    whole = base64.b64decode(picture("PNG", (300, 300)))
    assert refusal(base64.b64encode(whole[: len(whole) // 2]).decode()) == (400, "not_an_image")


def test_a_drawing_in_svg_is_refused() -> None:
    assert refusal(base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()) == (
        400,
        "not_an_image",
    )


def test_too_many_bytes_are_refused_before_they_are_decoded() -> None:
    assert refusal("A" * 20_000_000) == (413, "image_too_large")


def test_too_many_pixels_are_refused(picture: Make) -> None:
    assert refusal(picture("PNG", (9000, 9000), "1")) == (413, "image_too_large")


def test_a_png_stays_byte_for_byte_and_others_become_png(picture: Make) -> None:
    png = decode_picture(picture("PNG"))
    assert as_png(png) is png
    turned = as_png(decode_picture(picture("WEBP")))
    assert (turned.format, turned.width, turned.height) == ("PNG", 40, 20)


def test_the_artist_gets_a_smaller_upright_picture_without_metadata() -> None:
    photo = Image.new("RGB", (4000, 2000), "red")
    exif = photo.getexif()
    exif[0x0112] = 6  # taken with the camera on its side
    exif[0x010F] = "Camera maker"
    out = io.BytesIO()
    photo.save(out, "JPEG", exif=exif)
    data, media_type = for_artist(decode_picture(base64.b64encode(out.getvalue()).decode()))
    assert media_type == "image/jpeg"
    with Image.open(io.BytesIO(data)) as seen:
        assert seen.size == (768, 1536)
        assert dict(seen.getexif()) == {}


def test_transparency_reaches_the_artist(picture: Make) -> None:
    assert for_artist(decode_picture(picture("PNG", (40, 20), "RGBA")))[1] == "image/png"


def test_how_much_of_a_picture_is_clear(picture: Make) -> None:
    half = Image.new("RGBA", (40, 20))
    half.paste("red", (0, 0, 20, 20))
    out = io.BytesIO()
    half.save(out, "PNG")
    assert clear_share(decode_picture(base64.b64encode(out.getvalue()).decode())) == 0.5
    assert clear_share(decode_picture(picture("JPEG"))) == 0
