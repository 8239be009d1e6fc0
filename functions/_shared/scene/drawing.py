"""A side drawn by resvg from the SVG that the browser shows.

Pictures go to resvg in the size that they are drawn in: renderers differ in how they make large pictures small.
A canvas of 23 megapixels takes 92 MB, and so does each picture of its size; so layers are drawn in groups whose
pictures have no more pixels than one canvas, one group on top of the other.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from _shared.designs.images import Picture
from _shared.designs.placement import Size
from _shared.designs.print_file import png
from _shared.scene.layer_svg import Drawn, Href, side_svg
from _shared.scene.lettering import outline
from _shared.scene.scene import Layer, LetteringLayer, PictureLayer

SVG = "SVG"
"""The `format` of a `Picture` that is a sanitised SVG document; its width and height are the document's."""
_GROUP_PIXELS = 24_000_000


@dataclass(frozen=True)
class Prepared:
    """A picture layer with a crop of `image` that shows the same as its own of the whole picture.

    `ratio` is the height by the width that `image` would have without its pixels' rounding.
    """

    layer: PictureLayer
    image: Image.Image
    ratio: float


Prepare = Callable[[PictureLayer], Prepared]


def draw(layers: Sequence[Layer], area: Size, width: int, prepare: Prepare) -> Image.Image:
    """The side as RGBA, `width` pixels wide, transparent where nothing is drawn."""
    canvas: Image.Image | None = None
    with tempfile.TemporaryDirectory() as folder:
        for group, hrefs in _groups(layers, Path(folder), prepare):
            drawn = _rendered(side_svg(group, _drawn_of(hrefs), area), width, folder)
            canvas = Image.alpha_composite(canvas, drawn) if canvas else drawn
    return canvas or Image.new("RGBA", (width, round(width * area[1] / area[0])))


def draw_svg(picture: Picture, width: int) -> Image.Image:
    """A sanitised SVG document as RGBA, `width` pixels wide."""
    return _rendered(picture.data.decode("utf-8"), width, None)


def _groups(
    layers: Sequence[Layer], folder: Path, prepare: Prepare
) -> Iterator[tuple[list[Layer], dict[str, Href]]]:
    """Layers to be drawn together, and by layer id the files of their pictures."""
    group: list[Layer] = []
    hrefs: dict[str, Href] = {}
    pixels = 0
    for given in layers:
        layer = given
        if isinstance(layer, PictureLayer):
            prepared = prepare(layer)
            layer, size = prepared.layer, prepared.image.width * prepared.image.height
            if hrefs and pixels + size > _GROUP_PIXELS:
                yield group, hrefs
                group, hrefs, pixels = [], {}, 0
            pixels += size
            file = folder / f"{layer.id}.png"
            file.write_bytes(png(prepared.image))
            hrefs[layer.id] = Href(file.name, prepared.ratio)
        group.append(layer)
    if group:
        yield group, hrefs


def _drawn_of(hrefs: dict[str, Href]) -> Callable[[Layer], Drawn]:
    def drawn(layer: Layer) -> Drawn:
        match layer:
            case PictureLayer():
                return hrefs[layer.id]
            case LetteringLayer():
                return outline(layer)
        return None

    return drawn


def _rendered(svg: str, width: int, folder: str | None) -> Image.Image:
    # Here: functions that draw no scene do without it.
    import resvg_py

    data: Any = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, resources_dir=folder
    )
    return Image.open(io.BytesIO(bytes(data)), formats=("PNG",)).convert("RGBA")
