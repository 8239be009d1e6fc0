"""Pictures: what is accepted, what is refused, and that a PNG leaves as it came."""

import base64
import io
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
import pytest
from _shared.core.errors import ShopError
from _shared.designs.images import PictureSlots, decode, decode_picture, open_picture, to_model_input, to_png
from PIL import Image

Make = Callable[..., str]


@pytest.fixture(scope="module")
def noise() -> Image.Image:
    """A picture that packs badly, so that half its bytes are half its pixels."""
    return Image.effect_noise((300, 300), 90).convert("RGB")


def encoded(image: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def error_of(text: str, **options: int) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        decode_picture(text, **options)
    return caught.value.status, caught.value.code


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_five_formats_are_read_with_and_without_a_prefix(picture: Make, kind: str) -> None:
    encoded = picture(kind)
    plain, prefixed = decode_picture(encoded), decode_picture(f"data:image/{kind.lower()};base64,{encoded}")
    assert plain == prefixed
    assert (plain.format, plain.width, plain.height) == (kind, 40, 20)


def test_text_and_documents_are_refused() -> None:
    assert error_of("this is not base64!") == (400, "not_an_image")
    assert error_of(base64.b64encode(b"%PDF-1.7 hello").decode()) == (400, "not_an_image")
    assert error_of("") == (400, "not_an_image")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_picture_cut_short_is_refused(noise: Image.Image, kind: str) -> None:
    whole = encoded(noise, kind)
    with pytest.raises(ShopError) as caught:
        to_model_input(decode_picture(base64.b64encode(whole[: len(whole) // 2]).decode()))
    assert (caught.value.status, caught.value.code) == (400, "not_an_image")


def test_drawing_in_svg_is_refused() -> None:
    assert error_of(base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()) == (
        400,
        "not_an_image",
    )


def test_too_many_bytes_are_refused_before_they_are_decoded() -> None:
    assert error_of("A" * 20_000_000) == (413, "image_too_large")


@pytest.mark.parametrize(
    ("kind", "side", "megapixels"),
    [("PNG", 5000, 25), ("JPEG", 5000, 25), ("GIF", 5000, 25), ("WEBP", 3400, 12), ("AVIF", 3400, 12)],
)
def test_too_many_pixels_are_refused_with_the_limit_and_what_to_do(
    picture: Make, kind: str, side: int, megapixels: int
) -> None:
    assert decode_picture(picture(kind, (side, side), "L")).width == side
    with pytest.raises(ShopError) as caught:
        decode_picture(picture(kind, (side + 200, side), "L"))
    problem = caught.value
    assert (problem.status, problem.code) == (413, "image_too_large")
    assert problem.error == (
        f"This picture has {side + 200} × {side} pixels, and we can take up to {megapixels} megapixels "
        f"({side} × {side}, for example). Please make it smaller and try again."
    )


def test_false_header_is_refused_before_memory_is_allocated() -> None:
    """Half a gigabyte and more in the header of a few bytes."""

    def webp(chunk: bytes, head: bytes) -> bytes:
        return (
            b"RIFF"
            + (len(head) + 12).to_bytes(4, "little")
            + b"WEBP"
            + chunk
            + len(head).to_bytes(4, "little")
            + head
        )

    side = (16383 - 1).to_bytes(3, "little")
    vp8x = webp(b"VP8X", bytes(4) + side + side)
    vp8 = webp(b"VP8 ", bytes(3) + b"\x9d\x01\x2a" + (16383).to_bytes(2, "little") * 2)
    vp8l = webp(b"VP8L", b"\x2f" + (16382 | 16382 << 14).to_bytes(4, "little") + bytes(5))
    gif = b"GIF89a" + (1).to_bytes(2, "little") * 2 + b"\x80\x00\x00" + bytes(6)
    frame = b"," + bytes(4) + (65535).to_bytes(2, "little") * 2 + b"\x00\x02\x02\x44\x01\x00;"
    for data in (vp8x, vp8, vp8l):
        assert error_of(base64.b64encode(data).decode()) == (413, "image_too_large")
    # a frame that is larger than the picture it belongs to
    assert error_of(base64.b64encode(gif + frame).decode())[0] in (400, 413)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"quality": 80}, (40, 20)),
        ({"lossless": True}, (300, 7)),
        ({"quality": 80, "exif": b"Exif\0\0"}, (41, 21)),
    ],
)
def test_every_kind_of_webp_is_read(options: dict[str, Any], size: tuple[int, int]) -> None:
    out = io.BytesIO()
    Image.new("RGB", size).save(out, "WEBP", **options)
    picture = decode_picture(base64.b64encode(out.getvalue()).decode())
    assert (picture.width, picture.height) == size


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_only_the_first_frame_is_decoded(kind: str) -> None:
    frames = [Image.new("RGB", (60, 40), color) for color in ("red", "blue", "green")]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], lossless=True)
    data, _ = to_model_input(decode_picture(base64.b64encode(out.getvalue()).decode()))
    with Image.open(io.BytesIO(data)) as seen:
        assert seen.convert("RGB").getpixel((30, 20)) == (254, 0, 0)


def test_animation_of_many_frames_is_read_as_its_first() -> None:
    """Ten thousand frames of 25 megapixels: no frame but the first is looked at."""
    out = io.BytesIO()
    Image.new("L", (5000, 5000)).save(out, "GIF")
    first = out.getvalue()
    assert first.endswith(b";")
    frame = b"," + bytes(4) + (5000).to_bytes(2, "little") * 2 + b"\x00\x02\x01\x44\x00"
    began = time.process_time()
    data, _ = to_model_input(decode_picture(base64.b64encode(first[:-1] + frame * 10_000 + b";").decode()))
    assert time.process_time() - began < 5
    with Image.open(io.BytesIO(data)) as seen:
        assert seen.size == (1536, 1536)


def test_model_output_becomes_png_and_a_png_stays_as_it_is(picture: Make) -> None:
    png = base64.b64decode(picture("PNG"))
    assert to_png(png)[0].data is png
    turned, clear = to_png(base64.b64decode(picture("WEBP")))
    assert (turned.format, turned.width, turned.height, clear) == ("PNG", 40, 20, 0.0)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_model_input_is_smaller_upright_and_without_metadata(kind: str) -> None:
    photo = Image.new("RGB", (4000, 2000), "red")
    exif = photo.getexif()
    exif[0x0112] = 6  # taken with the camera on its side
    exif[0x010F] = "Camera maker"
    out = io.BytesIO()
    photo.save(out, kind, exif=exif)
    data, media_type = to_model_input(decode_picture(base64.b64encode(out.getvalue()).decode()))
    assert media_type == "image/jpeg"
    with Image.open(io.BytesIO(data)) as seen:
        assert seen.size == (768, 1536)
        assert dict(seen.getexif()) == {}


def test_model_input_keeps_transparency(picture: Make) -> None:
    assert to_model_input(decode_picture(picture("PNG", (40, 20), "RGBA")))[1] == "image/png"


def test_transparent_share_is_measured(picture: Make) -> None:
    half = Image.new("RGBA", (40, 20))
    half.paste("red", (0, 0, 20, 20))
    assert to_png(encoded(half, "PNG"))[1] == 0.5
    assert to_png(base64.b64decode(picture("JPEG")))[1] == 0


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_pixels_of_every_kind_are_made_smaller_as_they_are(mode: str) -> None:
    """Large and small alike: what is made smaller band by band shows the same."""
    kind = "JPEG" if mode == "CMYK" else "PNG"
    for side in (400, 1700, 3300):
        source = Image.linear_gradient("L").resize((side, side // 2))
        whole = (
            Image.fromarray(np.asarray(source).astype("uint16") * 257)
            if mode == "I;16"
            else source.convert(mode)
        )
        shown = decode(open_picture(encoded(whole, kind)), 1536)
        assert max(shown.size) == min(side, 1536)
        assert shown.mode == ("RGBA" if mode in ("LA", "RGBA") else "RGB")
        fifth = shown.height // 5
        ends = [shown.crop((0, top, shown.width, top + fifth)) for top in (0, shown.height - fifth)]
        upper, lower = (float(np.asarray(end.convert("L")).mean()) for end in ends)
        assert abs(upper - 25) < 8
        assert abs(lower - 230) < 8


def test_picture_slots_allow_two_queue_eight_and_reject_the_rest() -> None:
    slots = PictureSlots(at_once=2, waiting=1, patience=30)
    inside, leave = threading.Semaphore(0), threading.Event()

    def work() -> str:
        try:
            with slots.slot():
                inside.release()
                assert leave.wait(30)
                return "done"
        except ShopError as problem:
            assert problem.retry_at is not None
            return f"{problem.status} {problem.code}"

    with ThreadPoolExecutor(4) as threads:
        working = [threads.submit(work) for _ in range(2)]
        assert inside.acquire(timeout=10)
        assert inside.acquire(timeout=10)
        others = [threads.submit(work) for _ in range(2)]
        # one of them waits, the other one has no room to
        done, waiting = wait(others, return_when=FIRST_COMPLETED)
        assert [each.result() for each in done] == ["503 pictures_busy"]
        assert not inside.acquire(blocking=False)
        leave.set()
        assert [each.result() for each in (*working, *waiting)] == ["done"] * 3


def test_picture_slot_wait_times_out() -> None:
    slots = PictureSlots(at_once=1, patience=0.05)
    with slots.slot(), pytest.raises(ShopError) as caught, slots.slot():
        raise AssertionError("nothing may be decoded")
    problem = caught.value
    assert (problem.status, problem.code) == (503, "pictures_busy")
    assert problem.error == "We have our hands full with other pictures right now."


def test_picture_slot_is_free_while_a_vendor_works() -> None:
    slots = PictureSlots(at_once=1, patience=0.05)
    with slots.slot(), slots.vacated(), slots.slot(), pytest.raises(ShopError), slots.slot():
        raise AssertionError("nothing may be decoded")
    with slots.paid_slot():
        pass
