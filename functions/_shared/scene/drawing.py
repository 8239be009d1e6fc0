"""A side in pixels: resvg draws paths from the SVG that the browser shows, Pillow lays pictures where that has them.

resvg could lay pictures too, but packs what it has drawn as PNG, which takes 14 s for a photograph in print size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from PIL import Image

from _shared.designs.placement import Size
from _shared.scene.geometry import Point, corners, layer_box
from _shared.scene.layer_svg import Drawn, document, drawn_ratio, layer_svg
from _shared.scene.lettering import EM, Lettering, outline
from _shared.scene.pictures import Prepared, around, lay
from _shared.scene.resvg import rendered
from _shared.scene.scene import Layer, LetteringLayer, PictureLayer

Prepare = Callable[[PictureLayer], Prepared]


def draw(layers: Sequence[Layer], area: Size, width: int, prepare: Prepare) -> Image.Image:
    """The side as RGBA, `width` pixels wide, transparent where nothing is drawn."""
    canvas = Image.new("RGBA", (width, round(width * area[1] / area[0])))
    for _, run in groupby(layers, key=lambda layer: isinstance(layer, PictureLayer)):
        paths: list[tuple[Layer, Drawn]] = []
        for layer in run:
            if isinstance(layer, PictureLayer):
                lay(canvas, prepare(layer), area)
            else:
                paths.append((layer, outline(layer) if isinstance(layer, LetteringLayer) else None))
        _draw_paths(canvas, paths, area)
    return canvas


def _draw_paths(canvas: Image.Image, layers: Sequence[tuple[Layer, Drawn]], area: Size) -> None:
    """Only the part of the canvas where they lie: packing it takes longer than drawing."""
    if not layers:
        return
    share = canvas.width / area[0]
    spread = [_spread(layer, drawn, area) for layer, drawn in layers]
    left, top, right, bottom = around(
        canvas, [(x * share, y * share) for points in spread for x, y in points]
    )
    if left >= right or top >= bottom:
        return
    view = " ".join(str(value / share) for value in (left, top, right - left, bottom - top))
    inner = "".join(layer_svg(layer, drawn, area) for layer, drawn in layers)
    drawn = rendered(document(inner, (right - left, bottom - top), view), right - left)
    canvas.alpha_composite(drawn, (left, top))


def _spread(layer: Layer, drawn: Drawn, area: Size) -> tuple[Point, Point]:
    """Two corners of the rectangle around a layer's box, outline and shadow."""
    box = layer_box(layer, drawn_ratio(layer, drawn), area)
    beyond = 0.0
    if isinstance(layer, LetteringLayer) and isinstance(drawn, Lettering):
        ems = layer.outline.width if layer.outline else 0
        ems += max(abs(layer.shadow.x), abs(layer.shadow.y)) if layer.shadow else 0
        # 1.5: the shadow is turned with the layer
        beyond = 1.5 * ems * EM * box.width / drawn.width
    points = corners(box)
    across, down = [x for x, _ in points], [y for _, y in points]
    return (min(across) - beyond, min(down) - beyond), (max(across) + beyond, max(down) + beyond)
