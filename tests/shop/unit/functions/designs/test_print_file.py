"""The print file: trimmed, as large as cloth needs, pixels opaque or transparent, warnings for the shopper."""

import io
from collections.abc import Mapping

import pytest
from _shared.core.errors import ShopError
from _shared.designs.images import Picture, open_picture
from _shared.designs.print_file import Enlarger, PrintFile, make_print_file
from PIL import Image, ImageDraw


def picture(image: Image.Image, kind: str = "PNG") -> Picture:
    out = io.BytesIO()
    image.save(out, kind)
    return open_picture(out.getvalue())


def disc(side: int, *, ink: str = "white", blurred: bool = False) -> Image.Image:
    """A disc of half the picture's width on nothing, drawn small so that its edge is soft if `blurred`."""
    drawn = Image.new("RGBA", (side, side))
    ImageDraw.Draw(drawn).ellipse((side // 4, side // 4, side * 3 // 4, side * 3 // 4), fill=ink)
    return drawn.resize((side // 8, side // 8)).resize((side, side)) if blurred else drawn


class Enlarging:
    """A plain enlargement, which records its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[tuple[int, int], float]] = []

    def __call__(self, image: Image.Image, factor: float) -> Image.Image:
        assert image.mode == "RGB"
        self.calls.append((image.size, factor))
        return image.resize((round(image.width * factor), round(image.height * factor)))


def ten_inches(width: int, height: int) -> float:
    assert width
    assert height
    return 10.0


def made(source: Picture, enlarging: Enlarging | None = None) -> tuple[PrintFile, Image.Image]:
    ready = make_print_file(source, ten_inches, enlarging or Enlarging())
    return ready, Image.open(io.BytesIO(ready.picture.data))


def test_margins_are_trimmed_and_the_rest_is_enlarged_to_300_dots_an_inch() -> None:
    enlarging = Enlarging()
    ready, image = made(picture(disc(2000)), enlarging)
    assert enlarging.calls == [((1001, 1001), 3.0)]
    assert (image.size, ready.dpi, ready.warnings) == ((3000, 3000), 300, ())
    assert image.format == "PNG"


def test_print_file_has_hard_edges() -> None:
    _, image = made(picture(disc(1600, blurred=True)))
    alpha = image.getchannel("A")
    assert {value for value, count in enumerate(alpha.histogram()) if count} == {0, 255}
    # a white disc stays white up to its edge: nothing of the clear ground's black is mixed in
    inked = Image.composite(image.convert("L"), Image.new("L", image.size, 255), alpha)
    assert min(value for value, count in enumerate(inked.histogram()) if count) >= 250


def test_picture_that_is_large_enough_needs_no_model_and_no_more_dots_than_cloth_takes() -> None:
    enlarging = Enlarging()
    large = Image.new("RGBA", (3500, 3500))
    ImageDraw.Draw(large).ellipse((100, 100, 3400, 3400), fill="white")
    ready, image = made(picture(large), enlarging)
    assert enlarging.calls == []
    assert (image.size, ready.dpi) == ((3000, 3000), 300)
    # nothing of the clear ground's black is mixed into the edge
    inked = Image.composite(image.convert("L"), Image.new("L", image.size, 255), image.getchannel("A"))
    assert min(value for value, count in enumerate(inked.histogram()) if count) >= 250


def test_small_picture_is_printed_with_a_warning() -> None:
    ready, image = made(picture(disc(400)))
    assert image.width == 201 * 4
    (warning,) = ready.warnings
    assert warning == (
        "This picture is small (400 × 400 pixels) for a print 10 inches wide: it may look soft. "
        "A larger picture prints sharper."
    )


def test_picture_without_transparency_prints_as_a_rectangle_with_a_warning() -> None:
    ready, image = made(picture(Image.new("RGB", (1200, 1200), "red"), "JPEG"))
    assert ready.warnings == ("This design has no transparent background, so it prints as a rectangle.",)
    assert image.getchannel("A").getextrema() == (255, 255)


@pytest.mark.parametrize("alpha", [0, 100])
def test_transparent_picture_is_not_printed(alpha: int) -> None:
    with pytest.raises(ShopError) as caught:
        made(picture(Image.new("RGBA", (1000, 1000), (255, 0, 0, alpha))))
    assert (caught.value.status, caught.value.code) == (400, "empty_picture")


class BrokenModel:
    """A model with an output that is no picture."""

    def upload(self, picture: bytes, media_type: str) -> str:
        return f"{len(picture)} bytes of {media_type}"

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        assert (model, inputs["scale"]) == ("up/scale", 4.0)
        return b"<html>"


def test_enlargement_that_cannot_be_read_leaves_the_product_for_later() -> None:
    with pytest.raises(ShopError) as caught:
        make_print_file(picture(disc(600)), ten_inches, Enlarger(BrokenModel(), "up/scale").enlarge)
    assert (caught.value.status, caught.value.code) == (502, "artist_unavailable")
