"""The mockup studio: six views, any colour and size, the print placed and shaded like the cloth."""

from __future__ import annotations

import io

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw

from emulators.mockups import Placement, draw_mockup
from emulators.mockups.plates import VIEWS, plate
from emulators.printify import catalog

COLOURS = sorted({variant.hex for variant in catalog.variants().values()})
SIZE = 400
Pixels = npt.NDArray[np.int64]


def pixels(picture: Image.Image) -> Pixels:
    return np.array(picture).astype(np.int64)


def drawn(view: str, colour: str = "#FFFFFF", placement: Placement | None = None) -> Pixels:
    return pixels(draw_mockup(view, colour, placement, SIZE))


def changed(view: str, colour: str, placement: Placement, by: int = 40) -> npt.NDArray[np.bool_]:
    return np.asarray(np.abs(drawn(view, colour, placement) - drawn(view, colour)).max(axis=2) > by)


def cover_of(view: str) -> npt.NDArray[np.uint8]:
    stage = plate(view, SIZE)
    whole = np.zeros((SIZE, SIZE), np.uint8)
    left, upper, right, lower = stage.box
    whole[upper:lower, left:right] = stage.cover
    return whole


def shirt_of(view: str) -> npt.NDArray[np.bool_]:
    """Return where nothing but the shirt is seen."""
    return np.asarray(cv2.erode(cover_of(view), np.ones((5, 5))) == 255)


def ink(colour: str = "#2746e6", side: int = 256) -> Image.Image:
    return Image.new("RGBA", (side, side), colour)


def test_catalog_uses_the_views_of_the_studio() -> None:
    assert {name for name, _ in catalog.VIEWS.values()} == set(VIEWS)


def test_unknown_view_is_rejected() -> None:
    with pytest.raises(ValueError, match="There is no view 'side'"):
        draw_mockup("side", "#FFFFFF", None, 200)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [200, 800, 1600])
def test_every_view_has_its_size(view: str, size: int) -> None:
    picture = draw_mockup(view, "#C8102E", None, size)
    assert (picture.size, picture.mode) == ((size, size), "RGB")


@pytest.mark.parametrize("view", VIEWS)
def test_shirt_has_every_colour_of_the_catalog(view: str) -> None:
    shirt = shirt_of(view)
    for colour in COLOURS:
        mean = drawn(view, colour)[shirt].mean(axis=0)
        rgb = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
        assert np.abs(mean - rgb).max() < 48, colour


@pytest.mark.parametrize("view", VIEWS)
def test_white_shirt_has_shading_and_black_shirt_has_folds(view: str) -> None:
    shirt = shirt_of(view)
    white, black = drawn(view)[shirt].mean(axis=1), drawn(view, "#1A1A1A")[shirt].mean(axis=1)
    assert np.percentile(white, 99) <= 254 and np.percentile(white, 5) < np.percentile(white, 95) - 20
    assert np.percentile(black, 95) - np.percentile(black, 5) > 8


@pytest.mark.parametrize("view", VIEWS)
def test_only_the_shirt_changes_with_its_colour(view: str) -> None:
    around = cover_of(view) == 0
    assert around.mean() > 0.3
    assert (drawn(view, "#C8102E")[around] == drawn(view, "#273B33")[around]).all()


def test_mockup_is_deterministic() -> None:
    design = Placement(ink(), 0.4, 0.5, 0.6, 12)
    first = draw_mockup("male", "#97999B", design, 300).tobytes()
    plate.cache_clear()
    assert draw_mockup("male", "#97999B", design, 300).tobytes() == first


@pytest.mark.parametrize("view", VIEWS)
def test_print_is_on_the_chest_or_between_the_shoulders(view: str) -> None:
    mask = changed(view, "#FFFFFF", Placement(ink(), 0.5, 0.45, 0.92))
    rows, columns = np.nonzero(mask)
    assert 0.05 < mask.mean() < 0.3
    assert columns.min() > 100 and columns.max() < 300
    assert rows.min() > (50 if view == "back" else 80) and rows.max() < 320
    assert not (mask & (cover_of(view) == 0)).any()


def test_transparent_print_changes_nothing() -> None:
    assert not changed("front", "#97999B", Placement(Image.new("RGBA", (64, 64))), by=0).any()


def test_half_transparent_ink_blends_with_the_cloth() -> None:
    rim = Image.new("RGBA", (64, 64), (200, 16, 46, 128))
    middle = (slice(180, 220), slice(190, 210))
    bare, full = drawn("front")[middle], drawn("front", "#FFFFFF", Placement(ink("#c8102e")))[middle]
    half = drawn("front", "#FFFFFF", Placement(rim))[middle]
    assert (full.mean((0, 1))[1:] < half.mean((0, 1))[1:]).all()
    assert (half.mean((0, 1))[1:] < bare.mean((0, 1))[1:]).all()


def test_black_ink_can_be_seen_on_a_black_shirt() -> None:
    assert changed("front", "#1A1A1A", Placement(ink("#000000")), by=5).sum() > 5000


def middle_and_area(view: str, x: float, y: float, scale: float) -> tuple[float, float, int]:
    rows, columns = np.nonzero(changed(view, "#FFFFFF", Placement(ink("#000000"), x, y, scale), by=60))
    return float(columns.mean()), float(rows.mean()), len(rows)


@pytest.mark.parametrize("view", VIEWS)
def test_placement_moves_and_scales_the_print(view: str) -> None:
    whole, half = middle_and_area(view, 0.5, 0.5, 0.8), middle_and_area(view, 0.5, 0.5, 0.4)
    right = middle_and_area(view, 0.7, 0.3, 0.4)
    assert half[2] == pytest.approx(whole[2] / 4, rel=0.15)
    assert right[0] > half[0] + 15
    assert right[1] < half[1] - 15


def test_print_rotation_is_clockwise() -> None:
    bar = Image.new("RGBA", (256, 256))
    ImageDraw.Draw(bar).rectangle((0, 112, 255, 143), fill="black")

    def tilt(angle: float) -> float:
        rows, columns = np.nonzero(changed("flat", "#FFFFFF", Placement(bar, scale=0.8, angle=angle), by=60))
        return float(np.degrees(np.arctan(np.polyfit(columns, rows, 1)[0])))

    assert tilt(20) - tilt(0) == pytest.approx(20, abs=3)
    assert tilt(-20) - tilt(0) == pytest.approx(-20, abs=3)


def test_print_is_clipped_to_the_print_area() -> None:
    assert middle_and_area("front", 1.0, 0.5, 1)[2] == pytest.approx(
        middle_and_area("front", 0.5, 0.5, 1)[2] / 2, rel=0.1
    )


@pytest.mark.parametrize("view", VIEWS)
def test_print_is_shaded_like_the_cloth(view: str) -> None:
    """A plain grey print is dark where the bare white cloth is dark."""
    design = Placement(ink("#808080"), 0.5, 0.5, 0.9)
    printed = changed(view, "#FFFFFF", design, by=60)
    inner = cv2.erode(printed.astype(np.uint8), np.ones((9, 9))) > 0
    bare, shown = drawn(view).mean(axis=2)[inner], drawn(view, "#FFFFFF", design).mean(axis=2)[inner]
    assert np.corrcoef(bare, shown)[0, 1] > 0.7
    assert shown.std() > 2


@pytest.mark.parametrize("view", ["male", "female"])
def test_folds_distort_the_print(view: str) -> None:
    """A straight stripe does not stay straight on a draped shirt."""
    stripe = Image.new("RGBA", (256, 256))
    ImageDraw.Draw(stripe).rectangle((0, 120, 255, 135), fill="black")
    rows, columns = np.nonzero(changed(view, "#FFFFFF", Placement(stripe, 0.5, 0.75, 0.95), by=60))
    centres = np.array([rows[columns == column].mean() for column in np.unique(columns)])
    straight = np.polyval(np.polyfit(np.unique(columns), centres, 1), np.unique(columns))
    assert np.abs(centres - straight).max() > 1


def test_mockup_is_a_small_jpeg() -> None:
    content = io.BytesIO()
    draw_mockup("male", "#1F2A44", Placement(ink()), 800).save(content, "JPEG", quality=88)
    assert 10_000 < len(content.getvalue()) < 200_000
