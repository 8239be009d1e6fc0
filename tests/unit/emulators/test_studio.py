"""The mockup studio: five views, any colour, any size, the print where it belongs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from emulators.printify.studio import Placement, draw_mockup

VIEWS = ("front", "hanger", "flat", "male", "female")


def pixels(picture: Image.Image) -> npt.NDArray[np.int64]:
    return np.array(picture).astype(np.int64)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [200, 800])
def test_every_view_has_its_size(view: str, size: int) -> None:
    picture = draw_mockup(view, "#C8102E", None, size)
    assert (picture.size, picture.mode) == ((size, size), "RGB")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("colour", ["#FFFFFF", "#1A1A1A", "#224D8F", "#F4633A"])
def test_the_shirt_has_the_colour_that_was_asked(view: str, colour: str) -> None:
    chest = pixels(draw_mockup(view, colour, None, 400))[220:300, 170:230].mean(axis=(0, 1))
    wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
    assert np.abs(chest - wanted).max() < 45


@pytest.mark.parametrize("view", VIEWS)
def test_the_print_lies_on_the_shirt_and_nowhere_else(view: str) -> None:
    plain = pixels(draw_mockup(view, "#FFFFFF", None, 400))
    design = Image.new("RGBA", (1024, 1024), "#2746e6")
    printed = pixels(draw_mockup(view, "#FFFFFF", Placement(design, 0.5, 0.45), 400))
    changed = np.abs(printed - plain).max(axis=2) > 40
    rows, columns = np.nonzero(changed)
    assert 0.03 < changed.mean() < 0.3
    assert columns.min() > 100 and columns.max() < 300
    assert rows.min() > 80 and rows.max() < 320


def test_a_transparent_print_changes_nothing() -> None:
    empty = Placement(Image.new("RGBA", (64, 64)))
    assert (
        draw_mockup("front", "#97999B", empty, 300).tobytes()
        == draw_mockup("front", "#97999B", None, 300).tobytes()
    )


def test_placement_moves_and_scales_the_print() -> None:
    design = Image.new("RGBA", (64, 64), "#000000")
    plain = pixels(draw_mockup("front", "#FFFFFF", None, 400))

    def middle_and_area(x: float, y: float, scale: float) -> tuple[float, float, int]:
        shown = pixels(draw_mockup("front", "#FFFFFF", Placement(design, x, y, scale), 400))
        rows, columns = np.nonzero(np.abs(shown - plain).max(axis=2) > 60)
        return float(columns.mean()), float(rows.mean()), len(rows)

    whole, half = middle_and_area(0.5, 0.5, 1), middle_and_area(0.5, 0.5, 0.5)
    right = middle_and_area(0.7, 0.3, 0.5)
    assert half[2] == pytest.approx(whole[2] / 4, rel=0.12)
    assert right[0] > half[0] + 15
    assert right[1] < half[1] - 15
