"""Portrait styles: cropped to the face, and another style where there is no face that they could draw."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
import pytest
from PIL import Image

from emulators.artist import restyle
from emulators.artist.photo.faces import Face, find_faces
from emulators.artist.photo.portrait import PORTRAITS, Fitting, fitting, part_around
from emulators.replicate.tasks import run_task
from tests.shop.unit.emulators.photographs import ASSETS, encoded, photograph
from tests.support.random_cases import few

PORTRAIT_STYLES = ("Caricature", "Cartoon", "Line art")


def astronaut(face: int) -> Image.Image:
    """Her head and shoulders; the face is `face` pixels high."""
    with Image.open(io.BytesIO(photograph("astronaut"))) as photo:
        head = photo.convert("RGB").crop((60, 0, 400, 360))
    scale = face / 105
    return head.resize((round(head.width * scale), round(head.height * scale)), Image.Resampling.LANCZOS)


def tourist(face: int, left: int) -> bytes:
    """She stands before a palace, in a picture of 1000 × 667 pixels."""
    with Image.open(io.BytesIO(photograph("china"))) as palace:
        scene = palace.convert("RGB").resize((1000, 667))
    person = astronaut(face)
    scene.paste(person, (left, scene.height - person.height))
    return encoded(scene, "JPEG", quality=92)


@lru_cache(maxsize=8)
def drawn(content: bytes, style: str, instructions: str = "") -> Image.Image:
    prompt = f"Style: {style}\nShirt colour: White (#FFFFFF)"
    return restyle(content, prompt + (f"\nInstructions: {instructions}" if instructions else ""), 1, ASSETS)


def face_in(picture: Image.Image) -> float:
    """Return how high the largest face of a drawing is, as a share of the drawing; 0 without one."""
    ground = Image.new("RGBA", picture.size, "white")
    ground.alpha_composite(picture)
    faces = find_faces(np.asarray(ground.convert("RGB").resize((768, 768))))
    return faces[0].height / 768 if faces else 0.0


@pytest.mark.parametrize(
    ("style", "left"),
    few([*zip(PORTRAIT_STYLES, (100, 700, 100), strict=True), *zip(PORTRAIT_STYLES, (700, 100, 700), strict=True)], 3),
)  # fmt: skip
def test_portrait_is_cropped_to_a_small_face_at_any_place(style: str, left: int) -> None:
    picture = drawn(tourist(90, left), style)
    assert face_in(picture) > 0.2
    assert "Comment" not in picture.info


def test_face_stays_small_where_the_background_is_wanted_or_the_style_is_no_portrait() -> None:
    content = tourist(90, 700)
    assert face_in(drawn(content, "Cartoon", "keep the background")) < 0.2
    assert face_in(drawn(content, "Watercolor")) < 0.2


def test_face_of_few_pixels_is_drawn_in_another_style_which_the_file_says() -> None:
    inputs = {"prompt": "Style: Cartoon\nShirt colour: White (#FFFFFF)", "seed": 1, "output_format": "png"}
    remark = "It was drawn in the style pop art: the face is too small for cartoon."
    for face, said in ((36, remark), (105, None)):
        images = {"input_image": encoded(astronaut(face), "PNG")}
        ((content, _),) = run_task("restyle", inputs, images, ASSETS)
        with Image.open(io.BytesIO(content)) as picture:
            assert picture.info.get("Comment") == said
            assert picture.info["Software"].startswith("Teesmith's local renderer")
            if said:
                assert picture.tobytes() == drawn(images["input_image"], "pop art").tobytes()


def face_at(x: float, y: float, height: float) -> Face:
    """The astronaut's face, moved and made larger."""
    with Image.open(io.BytesIO(photograph("astronaut"))) as photo:
        face = find_faces(np.asarray(photo.convert("RGB")))[0]
    scale = height / face.height
    return face.moved(scale, x - face.middle[0] * scale, y - face.middle[1] * scale)


def test_face_of_few_pixels_is_drawn_in_the_styles_that_can() -> None:
    small = face_at(200, 200, 36)
    for style in ("caricature", "cartoon"):
        remark = f"It was drawn in the style pop art: the face is too small for {style}."
        assert fitting(style, (small,), 400, 400) == Fitting("pop art", remark)
    for style in ("line art", "sketch"):
        assert fitting(style, (small,), 400, 400) == Fitting(style)


def test_face_that_is_cut_off_or_turned_away_is_no_portrait() -> None:
    whole, cut = face_at(200, 200, 100), face_at(10, 200, 100)
    points = whole.points.copy()
    points[1] = points[234]
    turned = Face(points)
    for style, (other, _) in PORTRAITS.items():
        assert fitting(style, (whole,), 400, 400).style == style
        assert fitting(style, (cut,), 400, 400).remark.endswith(f"the face is cut off for {style}.")
        assert fitting(style, (turned,), 400, 400).style == other
        assert "from the side" in fitting(style, (turned,), 400, 400).remark
    assert fitting("sketch", (cut,), 400, 400).remark == ""
    assert fitting("cartoon", (), 400, 400).remark == ""


def test_group_is_not_cropped_to_one_of_its_faces_but_a_bystander_is_left_out() -> None:
    main = face_at(500, 500, 100)
    assert part_around((main,), 1000, 1000) is not None
    assert part_around((main, face_at(200, 500, 80)), 1000, 1000) is None
    assert part_around((main, face_at(200, 500, 40)), 1000, 1000) is not None
    assert part_around((face_at(190, 190, 100),), 380, 380) is None
    assert part_around((), 1000, 1000) is None
