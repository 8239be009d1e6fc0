"""A scene's side: findings are on the layer that they are of, with the place or the mend that does away with them."""

from __future__ import annotations

import io
from dataclasses import asdict

from _shared.designs.images import Picture, open_picture
from _shared.print_check.colours import Rgb
from _shared.print_check.findings import Finding
from _shared.print_check.side_check import check_side
from _shared.scene.print_side import scene_of_design
from _shared.scene.scene import Scene, parse_scene
from PIL import Image, ImageDraw

AREA = (1500, 1700)
WHITE: Rgb = (255, 255, 255)


def file(image: Image.Image) -> Picture:
    out = io.BytesIO()
    image.save(out, "PNG")
    return open_picture(out.getvalue())


def disc(side: int, *, ground: str | None = None) -> Picture:
    image = Image.new("RGBA", (side, side), ground)
    ImageDraw.Draw(image).ellipse((side // 8, side // 8, side * 7 // 8, side * 7 // 8), fill="#f0492f")
    return file(image)


def picture_layer(id: str, source: str, **place: float) -> dict[str, object]:
    return {"id": id, "kind": "picture", "source": source, "angle": 0, **place}


def scene(*layers: dict[str, object]) -> Scene:
    return parse_scene({"version": 1, "front": [], "back": list(layers)})


SOURCE = "3f0f1f0e-0d4b-4f58-9d0a-6f7f5f1e2a01"


def checked(drawing: Scene, picture: Picture, cloth: Rgb = WHITE) -> list[Finding]:
    return check_side(drawing, "back", AREA, lambda _: picture, cloth)


def test_plain_design_and_an_empty_side_are_not_blamed() -> None:
    picture = disc(800)
    design = scene_of_design(picture, AREA)
    assert check_side(design, "front", AREA, lambda _: picture, WHITE) == []
    assert checked(design, picture) == []


def test_each_finding_names_its_layer_and_its_mend() -> None:
    drawing = scene(
        picture_layer("over", SOURCE, x=0.95, y=0.2, scale=0.3),
        {"id": "words", "kind": "shape", "shape": "square", "color": "#ffffff", "ratio": 0.4,
         "x": 0.4, "y": 0.8, "scale": 0.6, "angle": 0},
    )  # fmt: skip
    found = {finding.kind: finding for finding in checked(drawing, disc(500))}
    assert set(found) == {"outside_area", "swallowed_ink"}
    assert (found["swallowed_ink"].layer, found["swallowed_ink"].mend) == ("words", None)
    assert (found["outside_area"].layer, found["outside_area"].mend) == ("over", "shrink")
    mended = found["outside_area"].place
    assert mended is not None
    place = asdict(mended)
    assert place["x"] < 0.95
    assert checked(scene(picture_layer("over", SOURCE, **place)), disc(500)) == []


def test_clear_rim_may_hang_over_the_edge() -> None:
    assert checked(scene(picture_layer("a", SOURCE, x=0.89, y=0.5, scale=0.25)), disc(500)) == []


def test_coarse_picture_in_a_box_is_made_smaller_or_enlarged_and_cut_out() -> None:
    found = checked(scene(picture_layer("a", SOURCE, x=0.5, y=0.5, scale=0.8)), disc(60, ground="#d0e0ff"))
    assert [(finding.kind, finding.severity, finding.mend) for finding in found] == [
        ("low_resolution", "stop", "enlarge"),
        ("box_around_photo", "warn", "cut_out"),
    ]
    (place,) = [finding.place for finding in found if finding.place]
    smaller = scene(picture_layer("a", SOURCE, **asdict(place)))
    assert [finding.kind for finding in checked(smaller, disc(60, ground="#d0e0ff"))] == ["box_around_photo"]
