"""The files that are made of a scene: a side's print file and where it lies, and a side drawn small.

Facts of the trade: `designs.print_file`. The ratio of a layer's picture is that of the file's own width and height.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from _shared.designs.images import SLOTS, Picture, decode
from _shared.designs.placement import (
    IDEAL_DPI,
    LEAST_DPI,
    Size,
    hardened,
    ink_box,
    largest_print,
    placement,
    print_inches,
)
from _shared.designs.print_file import make_print_file, png
from _shared.scene.drawing import draw
from _shared.scene.lettering import outline
from _shared.scene.pictures import Enlarge, Prepared, prepare
from _shared.scene.resvg import SVG
from _shared.scene.scene import DESIGN, WHOLE, Crop, LetteringLayer, PictureLayer, Scene, Side

# a smaller print is a mistake
_SPECKS = 8
# of a layer's numbers: the browser's and ours may find the ink's edge a pixel apart
_ALIKE = 0.002
_DECIMALS = 6

Pictures = Callable[[str], Picture]
"""The picture of a layer's `source`."""


@dataclass(frozen=True)
class SideFile:
    """A side's print file; `x`, `y`, `scale` and `angle` are Printify's; `warnings` are sentences for the shopper."""

    picture: Picture
    x: float
    y: float
    scale: float
    angle: float
    dpi: int
    warnings: tuple[str, ...]
    untouched: bool = False
    """Whether it is a design as it was before anyone adjusted it, for which each area has its own placement."""

    def place(self, area: Size) -> dict[str, float]:
        """Where the file lies on a size of area."""
        if self.untouched:
            return placement((self.picture.width, self.picture.height), area)
        return {"x": self.x, "y": self.y, "scale": self.scale, "angle": self.angle}


def make_side(scene: Scene, side: Side, area: Size, pictures: Pictures, enlarge: Enlarge) -> SideFile | None:
    """The print file of a side on its largest area; None where nothing is printed."""
    layers = scene.side(side)
    if not layers:
        return None
    if side == "front" and is_untouched(scene, area, pictures):
        return _untouched(pictures(DESIGN), area, enlarge)
    dpis: list[float] = []
    warnings: list[str] = []

    def prepared(layer: PictureLayer) -> Prepared:
        picture = pictures(layer.source)
        ready, dpi = prepare(layer, picture, area, area[0], enlarge)
        dpis.append(dpi)
        if dpi < LEAST_DPI:
            warnings.append(
                f"A picture is small ({picture.width} × {picture.height} pixels) for its place on the shirt: it may "
                "look soft. A larger picture prints sharper, and so does a smaller print."
            )
        return ready

    with SLOTS.slot():
        drawn = draw(layers, area, area[0], prepared)
        alpha = hardened(drawn.getchannel("A"))
        box = alpha.getbbox()
        if box is None or min(box[2] - box[0], box[3] - box[1]) < _SPECKS:
            return None
        drawn.putalpha(alpha)
        trimmed = drawn.crop(box)
        file = Picture(png(trimmed), "PNG", trimmed.width, trimmed.height)
    warnings += [
        f"The face of “{layer.text[:20]}” lacks {', '.join(missing)}: this is not printed."
        for layer in layers
        if isinstance(layer, LetteringLayer) and (missing := outline(layer).missing)
    ]
    return SideFile(
        file,
        x=round((box[0] + box[2]) / 2 / area[0], _DECIMALS),
        y=round((box[1] + box[3]) / 2 / area[1], _DECIMALS),
        scale=round(file.width / area[0], _DECIMALS),
        angle=0,
        dpi=round(min(dpis, default=IDEAL_DPI)),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def draw_side(scene: Scene, side: Side, area: Size, width: int, pictures: Pictures) -> Image.Image:
    """A side of its largest area as RGBA, `width` pixels wide: for thumbnails, textures and the print check."""

    def prepared(layer: PictureLayer) -> Prepared:
        return prepare(layer, pictures(layer.source), area, width, None)[0]

    with SLOTS.slot():
        return draw(scene.side(side), area, width, prepared)


def scene_of_design(picture: Picture, area: Size) -> Scene:
    """The scene that a design without one is: its picture without margins, where every print begins."""
    with SLOTS.slot():
        box = ink_box(decode(picture)) or (0, 0, picture.width, picture.height)
    size = (box[2] - box[0], box[3] - box[1])
    whole = size == (picture.width, picture.height)
    crop = Crop(
        left=box[0] / picture.width,
        top=box[1] / picture.height,
        width=max(size[0] / picture.width, 0.01),
        height=max(size[1] / picture.height, 0.01),
    )
    place = placement(largest_print(size), area)
    layer = PictureLayer(
        id=DESIGN,
        kind="picture",
        source=DESIGN,
        crop=None if whole else crop,
        x=place["x"],
        y=place["y"],
        scale=place["scale"],
        angle=place["angle"],
    )
    return Scene(version=1, front=[layer], back=[])


def is_untouched(scene: Scene, area: Size, pictures: Pictures) -> bool:
    """Tell whether the front is that of the design before anyone adjusted it."""
    match scene.front:
        case [PictureLayer(source=source, color=None) as layer] if source == DESIGN:
            picture = pictures(DESIGN)
            if picture.format == SVG:
                return False
            (first,) = scene_of_design(picture, area).front
            assert isinstance(first, PictureLayer)
            return all(
                abs(one - other) < _ALIKE for one, other in zip(_numbers(layer), _numbers(first), strict=True)
            )
    return False


def _numbers(layer: PictureLayer) -> tuple[float, ...]:
    crop = layer.crop or WHOLE
    return (
        *(layer.x, layer.y, layer.scale, layer.angle),
        *(crop.left, crop.top, crop.width, crop.height),
    )


def _untouched(picture: Picture, area: Size, enlarge: Enlarge) -> SideFile:
    made = make_print_file(picture, lambda width, height: print_inches((width, height), area), enlarge)
    place = placement((made.picture.width, made.picture.height), area)
    return SideFile(made.picture, **place, dpi=made.dpi, warnings=made.warnings, untouched=True)
