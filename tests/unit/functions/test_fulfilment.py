"""Print areas and placement: every variant once, the picture inside its area and high on the chest."""

import pytest
from _shared.clients.printify import Area, Upload
from _shared.fulfilment import placement, print_areas

SMALL, LARGE = Area(3319, 3761), Area(4500, 5100)


def test_variants_are_grouped_by_the_size_of_their_area() -> None:
    areas = print_areas({12124: LARGE, 12126: SMALL, 12127: LARGE}, Upload("img", 1024, 1024))
    assert [area["variant_ids"] for area in areas] == [[12124, 12127], [12126]]
    (placeholder,) = areas[0]["placeholders"]
    assert placeholder["position"] == "front"
    assert placeholder["images"] == [{"id": "img", "x": 0.5, "y": 0.4459, "scale": 0.92, "angle": 0}]


@pytest.mark.parametrize("size", [(1024, 1024), (1536, 1024), (1024, 1536), (3000, 300), (300, 3000)])
@pytest.mark.parametrize("area", [SMALL, LARGE])
def test_the_whole_picture_lies_inside_the_area(size: tuple[int, int], area: Area) -> None:
    placed = placement(Upload("img", *size), area)
    width = placed["scale"] * area.width
    height = width * size[1] / size[0]
    centre = placed["y"] * area.height
    assert 0 < width <= area.width
    assert centre - height / 2 >= 0
    assert centre + height / 2 <= area.height
