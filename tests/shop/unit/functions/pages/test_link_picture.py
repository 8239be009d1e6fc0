"""The picture of a link: its size, where the shirt is, and what it is made of."""

from __future__ import annotations

import io

import httpx
import pytest
from _shared.clients.mockups import Mockups
from _shared.pages.link_picture import BUCKET, LinkPictures
from _shared.pages.shown_design import Color, ShownDesign
from PIL import Image

FALLBACK = "https://shop.example/share.jpg"
DESIGN = ShownDesign(
    id="d",
    publication="p",
    product="of/ours",
    picture=None,
    own=Color("Navy", "#000080", 7, ("M",)),
    texts={},
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


def pictures(content: bytes, status: int = 200) -> tuple[LinkPictures, MemoryStore, list[str]]:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(status, content=content)

    store = MemoryStore()
    mockups = Mockups("https://printer.example", httpx.MockTransport(answer))
    return LinkPictures(store, mockups, FALLBACK), store, asked


def test_link_picture_is_drawn_once_with_the_shirt_in_the_middle() -> None:
    made, store, asked = pictures(photograph())
    first, again = made.page(DESIGN), made.page(DESIGN)
    assert first == again
    assert asked == ["https://printer.example/mockup/of%2Fours/7/102048/mockup.jpg?s=800"]
    assert list(store.objects) == [(BUCKET, "p.jpg")]
    assert len(first.body) < 100_000
    with Image.open(io.BytesIO(first.body)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1200, 630))
        places = {(600, 315): (0, 0, 255), (100, 315): (238, 238, 238), (1100, 315): (238, 238, 238)}
        for place, color in places.items():
            found = picture.getpixel(place)
            assert isinstance(found, tuple)
            assert max(abs(a - b) for a, b in zip(found, color, strict=True)) < 8, place


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"", 404), (b"<html>", 200), (photograph()[:900], 200), (b"\xff" * 11_000_000, 200)],
)
def test_printers_fault_leads_to_the_shops_own_picture_and_keeps_nothing(content: bytes, status: int) -> None:
    made, store, _ = pictures(content, status)
    page = made.page(DESIGN)
    assert (page.status, page.headers["location"], page.body) == (302, FALLBACK, b"")
    assert not store.objects


def test_photograph_of_too_many_pixels_is_not_decoded() -> None:
    made, store, _ = pictures(photograph((4000, 4000)))
    assert made.page(DESIGN).status == 302
    assert not store.objects
