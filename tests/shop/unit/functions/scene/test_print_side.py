"""A side's print file: where each layer lies in it, what is trimmed, and the file of a design that no one adjusted."""

from __future__ import annotations

import io
from typing import Any

import pytest
from _shared.designs.images import Picture
from _shared.designs.placement import placement, print_inches
from _shared.designs.print_file import make_print_file
from _shared.scene.print_side import SideFile, draw_side, make_side, scene_of_design
from _shared.scene.scene import Scene, parse_scene
from PIL import Image

AREA = (900, 1020)
SMALL_AREA = (600, 700)
SVG = Picture(
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 5"><path d="M0 0H10V5H0Z"/></svg>', "SVG", 10, 5
)


def photo() -> Picture:
    """40 × 20 pixels of red, its left half transparent."""
    image = Image.new("RGBA", (40, 20))
    image.paste((200, 0, 0, 255), (20, 0, 40, 20))
    out = io.BytesIO()
    image.save(out, "PNG")
    return Picture(out.getvalue(), "PNG", *image.size)


def pictures(source: str) -> Picture:
    return photo() if source == "design" else SVG


def enlarge(picture: Image.Image, factor: float) -> Image.Image:
    return picture.resize((round(picture.width * factor), round(picture.height * factor)))


def side(*layers: dict[str, Any]) -> Scene:
    common = {"x": 0.5, "y": 0.5, "scale": 0.5, "angle": 0}
    placed = [{**common, "id": f"l{number}", **layer} for number, layer in enumerate(layers)]
    return parse_scene({"version": 1, "front": [], "back": placed})


def made(scene: Scene) -> SideFile:
    file = make_side(scene, "back", AREA, pictures, enlarge)
    assert file
    return file


def pixels(file: SideFile) -> Image.Image:
    return Image.open(io.BytesIO(file.picture.data))


SQUARE = {"kind": "shape", "shape": "square", "color": "#0000ff", "ratio": 1}
PHOTO = {"kind": "picture", "source": "design"}


def test_file_is_trimmed_to_its_ink_and_placed_by_shares_on_every_size() -> None:
    file = made(side({**SQUARE, "x": 0.3, "y": 0.4, "scale": 0.2}))
    assert (file.picture.width, file.picture.height, file.dpi, file.warnings) == (180, 180, 300, ())
    place = {"x": 0.3, "y": 0.4, "scale": 0.2, "angle": 0}
    assert file.place(AREA) == file.place(SMALL_AREA) == place
    assert pixels(file).getcolors() == [(180 * 180, (0, 0, 255, 255))]


def test_every_pixel_is_ink_or_none_where_a_layer_is_turned() -> None:
    file = made(side({**SQUARE, "angle": 30}))
    alphas = {value for _, value in pixels(file).getchannel("A").getcolors() or []}
    assert alphas == {0, 255}
    # a square's corners reach cos 30° + sin 30° of its side
    assert file.picture.width == pytest.approx(450 * 1.366, abs=1.5)


def test_ink_outside_of_the_area_is_cut_off() -> None:
    file = made(side({**SQUARE, "x": 1, "scale": 0.2}))
    assert (file.picture.width, file.x, file.scale) == (90, 0.95, 0.1)
    assert make_side(side({**SQUARE, "x": 1.9}), "back", AREA, pictures, enlarge) is None


def test_upper_layer_covers_lower_one() -> None:
    file = made(side(SQUARE, {**PHOTO, "crop": {"left": 0.5, "top": 0, "width": 0.5, "height": 1}}))
    seen = pixels(file)
    assert seen.size == (450, 450)
    assert seen.getpixel((225, 225)) == (200, 0, 0, 255)


def test_transparent_part_of_a_picture_prints_nothing_and_its_ink_takes_a_color() -> None:
    file = made(side({**PHOTO, "color": "#00ff00"}))
    assert pixels(file).getpixel((100, 100)) == (0, 255, 0, 255)
    # the right half of a box that is half the area wide
    assert [file.x, file.scale] == pytest.approx([0.625, 0.25], abs=0.003)


def test_outline_in_one_color_is_enlarged_without_the_model() -> None:
    asked: list[float] = []

    def model(picture: Image.Image, factor: float) -> Image.Image:
        asked.append(factor)
        return enlarge(picture, factor)

    for layer, models in (({**PHOTO, "color": "#00ff00"}, 0), (PHOTO, 1)):
        asked.clear()
        assert make_side(side(layer), "back", AREA, pictures, model)
        assert len(asked) == models


def test_small_picture_is_enlarged_four_times_at_most() -> None:
    file = made(side({**PHOTO, "scale": 1}))
    assert file.dpi == round(40 * 4 * 300 / 900)
    assert "40 × 20 pixels" in file.warnings[0]


def test_vector_picture_is_as_sharp_as_the_print() -> None:
    file = made(side({**PHOTO, "source": "4b1c7a1e-58a4-4a32-9d0e-6a2f5b7c9d10"}))
    assert [file.picture.width, file.picture.height] == pytest.approx([450, 225], abs=1)
    assert (file.dpi, file.warnings) == (300, ())


def test_characters_that_a_face_lacks_are_named() -> None:
    words = {"kind": "lettering", "text": "漢 is ω", "face": "anton", "color": "#000000"}
    assert made(side(words)).warnings == ("The face of “漢 is ω” lacks 漢, ω: this is not printed.",)


def test_design_that_no_one_adjusted_has_the_file_and_placement_of_before() -> None:
    before = make_print_file(photo(), lambda width, height: print_inches((width, height), AREA), enlarge)
    scene = scene_of_design(photo(), AREA)
    file = make_side(scene, "front", AREA, pictures, enlarge)
    assert file
    assert file.picture.data == before.picture.data
    assert (file.dpi, file.warnings) == (before.dpi, before.warnings)
    for area in (AREA, SMALL_AREA):
        assert file.place(area) == placement((before.picture.width, before.picture.height), area)
    moved = {**scene.front[0].model_dump(), "x": 0.55}
    adjusted = make_side(
        parse_scene({**scene.model_dump(), "front": [moved]}), "front", AREA, pictures, enlarge
    )
    assert adjusted
    assert adjusted.x == pytest.approx(0.55, abs=0.001)


def test_small_drawing_of_a_side_shows_the_same() -> None:
    drawn = draw_side(side(SQUARE, {**PHOTO, "scale": 0.25}), "back", AREA, 90, pictures)
    assert drawn.size == (90, 102)
    assert [drawn.getpixel(point) for point in ((1, 1), (45, 35), (50, 51))] == [
        *((0, 0, 0, 0), (0, 0, 255, 255), (200, 0, 0, 255)),
    ]
