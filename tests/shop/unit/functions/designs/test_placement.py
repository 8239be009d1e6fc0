"""Print areas and placement: every variant once; the picture inside its area, high on the chest, never blown up."""

import pytest
from _shared.designs.placement import LEAST_DPI, Size, ink_box, placement, print_areas, print_inches
from PIL import Image

SMALL, MEDIUM, LARGE = (3319, 3761), (3909, 4431), (4500, 5100)
# what a shirt of the size measures, laid flat, in inches
FLAT_WIDTHS = {SMALL: 18, MEDIUM: 20, LARGE: 22}


def test_variants_are_grouped_by_the_size_of_their_area() -> None:
    areas = print_areas({12124: LARGE, 12126: SMALL, 12127: LARGE}, "img", (4140, 4140))
    assert [area["variant_ids"] for area in areas] == [[12124, 12127], [12126]]
    (placeholder,) = areas[0]["placeholders"]
    assert placeholder["position"] == "front"
    assert placeholder["images"] == [{"id": "img", "x": 0.5, "y": 0.4459, "scale": 0.92, "angle": 0}]


@pytest.mark.parametrize("picture", [(4096, 4096), (4096, 2048), (6000, 600)])
@pytest.mark.parametrize("area", FLAT_WIDTHS)
def test_print_is_as_wide_as_printers_make_a_full_front(picture: Size, area: Size) -> None:
    share = print_inches(picture, area) / FLAT_WIDTHS[area]
    assert 0.56 <= share <= 0.63


@pytest.mark.parametrize("picture", [(4140, 4140), (4096, 2731), (2731, 4096), (6000, 600), (600, 6000)])
@pytest.mark.parametrize("area", FLAT_WIDTHS)
def test_whole_picture_lies_inside_the_area_with_its_top_on_the_chest(picture: Size, area: Size) -> None:
    placed = placement(picture, area)
    height = placed["scale"] * area[0] * picture[1] / picture[0]
    centre = placed["y"] * area[1]
    assert 0 < placed["scale"] <= 0.92
    assert (centre - height / 2) / area[1] == pytest.approx(0.04, abs=0.001)
    assert centre + height / 2 <= area[1]


@pytest.mark.parametrize("area", FLAT_WIDTHS)
def test_tall_design_is_limited_by_the_areas_height(area: Size) -> None:
    placed = placement((2000, 4000), area)
    assert placed["scale"] * area[0] * 2 == pytest.approx(0.92 * area[1], rel=0.001)


@pytest.mark.parametrize("area", FLAT_WIDTHS)
def test_tiny_picture_is_printed_as_wide_as_its_pixels_last_for(area: Size) -> None:
    """200 pixels, enlarged four times, are 800: five inches and a third at 150 an inch, on every size of shirt."""
    assert print_inches((200, 60), area) == pytest.approx(200 * 4 / LEAST_DPI, abs=0.01)


def test_box_of_the_ink_leaves_out_margins_and_what_is_hardly_there() -> None:
    picture = Image.new("RGBA", (100, 80), (255, 0, 0, 60))
    picture.paste((0, 0, 255, 200), (20, 30, 70, 60))
    assert ink_box(picture) == (20, 30, 70, 60)
    assert ink_box(Image.new("RGBA", (10, 10))) is None
    assert ink_box(Image.new("RGB", (10, 20))) == (0, 0, 10, 20)
