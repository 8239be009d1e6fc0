"""The picture of a link: its size, where the shirt is, and what it is made of."""

from __future__ import annotations

import base64
import io
from dataclasses import replace

import httpx
import pytest
from _shared.clients.mockups import Mockups
from _shared.pages.drawn_shirt import draw_shirt
from _shared.pages.link_picture import BUCKET, LinkPictures
from _shared.pages.shown_design import Color, ShownDesign
from PIL import Image, ImageChops

from tests.shop.unit.functions.fakes import FakeDatabase

FALLBACK = "https://shop.example/share.jpg"
DESIGN = ShownDesign(
    id="d",
    publication="p",
    product="of/ours",
    picture=None,
    own=Color("Navy", "#000080", 7, ("M",)),
    texts={"chosen_hex": "#C8102E"},
    colors=(),
)


class MemoryStore:
    def __init__(self) -> None:
        self.objects: dict[tuple[str, str], bytes] = {}

    def put(self, bucket: str, name: str, content: bytes, _media_type: str) -> None:
        self.objects[bucket, name] = content

    def get(self, bucket: str, name: str) -> bytes | None:
        return self.objects.get((bucket, name))


def photograph(size: tuple[int, int] = (800, 800)) -> bytes:
    """A blue shirt on a light ground."""
    image = Image.new("RGB", size, "#EEEEEE")
    image.paste("#0000FF", (size[0] // 4, size[1] // 8, size[0] * 3 // 4, size[1] * 7 // 8))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=95)
    return out.getvalue()


def print_of(color: str, size: tuple[int, int] = (400, 200)) -> bytes:
    """A design of one colour, without a ground."""
    image = Image.new("RGBA", (size[0] + 200, size[1] + 200))
    image.paste(color, (100, 100, size[0] + 100, size[1] + 100))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def pictures(
    content: bytes, status: int = 200, held: bytes = b""
) -> tuple[LinkPictures, MemoryStore, list[str]]:
    """`content` is the printer's answer, `held` the picture that the design's row holds."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(status, content=content)

    store = MemoryStore()
    mockups = Mockups("https://printer.example", httpx.MockTransport(answer))
    data = FakeDatabase(designs=[{"id": "d", "image_data": base64.b64encode(held).decode() or None}])
    return LinkPictures(data, store, mockups, FALLBACK), store, asked


def assert_colors(body: bytes, colors: dict[tuple[int, int], str], within: int) -> None:
    with Image.open(io.BytesIO(body)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1200, 630))
        for place, color in colors.items():
            found = picture.getpixel(place)
            assert isinstance(found, tuple)
            assert max(abs(a - b) for a, b in zip(found, bytes.fromhex(color), strict=True)) < within, place


def test_link_picture_is_drawn_once_with_the_shirt_in_the_middle() -> None:
    made, store, asked = pictures(photograph())
    first, again = made.page(DESIGN), made.page(DESIGN)
    assert first == again
    assert asked == ["https://printer.example/mockup/of%2Fours/7/102048/mockup.jpg?s=800"]
    assert list(store.objects) == [(BUCKET, "p.jpg")]
    assert len(first.body) < 100_000
    assert_colors(first.body, {(600, 315): "0000FF", (100, 315): "EEEEEE", (1100, 315): "EEEEEE"}, within=8)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        *((b"", 404), (b"<html>", 200), (photograph()[:900], 200), (b"\xff" * 11_000_000, 200)),
        (photograph((4000, 4000)), 200),
    ],
)
def test_design_is_drawn_on_a_shirt_of_its_color_without_a_photograph_to_read(
    content: bytes, status: int
) -> None:
    made, store, _ = pictures(content, status, held=print_of("#FFC53A"))
    page = made.page(DESIGN)
    assert page.status == 200
    assert store.objects == {(BUCKET, "p.jpg"): page.body}
    # the print on the chest, cloth below it, and the studio's wall
    assert_colors(page.body, {(600, 200): "E5B137", (600, 450): "B40E2A", (100, 315): "F6F2E6"}, within=24)


def test_design_that_the_printer_does_not_know_is_drawn_from_its_stored_picture() -> None:
    made, store, asked = pictures(b"")
    store.put("designs", "of/it.png", print_of("#2746E6"), "image/png")
    page = made.page(replace(DESIGN, product=None, picture="of/it.png", texts={"chosen_hex": ""}))
    assert (page.status, asked) == (200, [])
    assert_colors(page.body, {(600, 200): "2746E6", (600, 450): "E0E0E0"}, within=24)


@pytest.mark.parametrize("held", [b"", b"no picture", print_of("#2746E6")[:300]])
def test_unreadable_picture_leads_to_the_shops_own_and_keeps_nothing(held: bytes) -> None:
    made, store, _ = pictures(b"", 404, held)
    page = made.page(DESIGN)
    assert (page.status, page.headers["location"], page.body) == (302, FALLBACK, b"")
    assert not store.objects


@pytest.mark.parametrize("size", [(1600, 80), (80, 1600), (8, 8)])
def test_print_of_any_shape_stays_on_the_print_area(size: tuple[int, int]) -> None:
    with Image.open(io.BytesIO(print_of("#00FF00", size))) as opened:
        drawn = draw_shirt(opened, 1.0, "#1B1714")
    green = drawn.getchannel("G").point(lambda value: 255 if value > 140 else 0)
    reddish = drawn.getchannel("R").point(lambda value: 255 if value < 110 else 0)
    box = ImageChops.multiply(green, reddish).getbbox()
    assert box is not None
    assert box[0] >= 206
    assert box[1] >= 146
    assert box[2] <= 424
    assert box[3] <= 430
    assert (box[0] + box[2]) / 2 == pytest.approx(315, abs=2)
