"""A layer as SVG: the same text, to the character, as web/src/shop/scene/layer-svg.ts makes in the browser.

Paths and pictures alone, no text and no filters: renderers differ in those. A layer lies in pixels of the area.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

from _shared.designs.placement import Size
from _shared.scene.geometry import Box, crop_ratio, layer_box
from _shared.scene.lettering import EM, Lettering
from _shared.scene.numbers import fixed
from _shared.scene.scene import Layer, LetteringLayer, PictureLayer, ShapeLayer

_SHAPES = {
    entry["id"]: entry
    for entry in json.loads(Path(__file__).with_name("shapes.json").read_text(encoding="utf-8"))
}
# a shape's coordinates
_UNITS = 1000


@dataclass(frozen=True)
class Href:
    """Where a picture is, and its height by its width."""

    href: str
    ratio: float


Drawn = Href | Lettering | None
"""What a layer is drawn with: its picture, its outlines, or nothing more."""


def drawn_ratio(layer: Layer, drawn: Drawn) -> float:
    """The height of the layer's box by its width."""
    match layer, drawn:
        case PictureLayer(), Href():
            return crop_ratio(layer.crop, drawn.ratio)
        case LetteringLayer(), Lettering():
            return drawn.ratio
        case ShapeLayer(), _:
            return layer.ratio
    raise TypeError("a layer of another kind than what it is drawn with")


def layer_svg(layer: Layer, drawn: Drawn, area: Size) -> str:
    """The layer as one element, placed on the area; nothing where there is nothing to draw."""
    box = layer_box(layer, drawn_ratio(layer, drawn), area)
    inner = ""
    match layer, drawn:
        case PictureLayer(), Href():
            inner = _picture(layer, drawn, box)
        case LetteringLayer(), Lettering(path=path) if path:
            inner = _lettering(layer, drawn, box)
        case ShapeLayer(), _:
            inner = _shape(layer, box)
    if not inner:
        return ""
    return f'<g transform="translate({fixed(box.x)} {fixed(box.y)}) rotate({fixed(box.angle)})">{inner}</g>'


def document(inner: str, size: Size, view: str) -> str:
    """Elements as a document of a size, on which the part `view` of the area is stretched."""
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{view}" '
        f'preserveAspectRatio="none">{inner}</svg>'
    )


def _frame(left: float, top: float, width: float, height: float) -> str:
    return f'x="{fixed(left)}" y="{fixed(top)}" width="{fixed(width)}" height="{fixed(height)}"'


def _picture(layer: PictureLayer, drawn: Href, box: Box) -> str:
    frame = _frame(-box.width / 2, -box.height / 2, box.width, box.height)
    image = f'preserveAspectRatio="none" href="{escape(drawn.href)}"/>'
    if layer.crop:
        width, height = box.width / layer.crop.width, box.height / layer.crop.height
        place = _frame(-layer.crop.left * width, -layer.crop.top * height, width, height)
        view = f"0 0 {fixed(box.width)} {fixed(box.height)}"
        shown = f'<svg {frame} viewBox="{view}" preserveAspectRatio="none"><image {place} {image}</svg>'
    else:
        shown = f"<image {frame} {image}"
    if not layer.color:
        return shown
    mask = f"ink-{layer.id}"
    return (
        f'<mask id="{mask}" mask-type="alpha">{shown}</mask>'
        f'<rect {frame} fill="{layer.color}" mask="url(#{mask})"/>'
    )


def _lettering(layer: LetteringLayer, drawn: Lettering, box: Box) -> str:
    letters = f'd="{drawn.path}"'
    line = layer.outline.width * 2 * EM if layer.outline else 0.0
    stroke = f'stroke-width="{fixed(line)}" stroke-linejoin="round"'
    parts = []
    if layer.shadow:
        color = layer.shadow.color
        moved = f"translate({fixed(layer.shadow.x * EM)} {fixed(layer.shadow.y * EM)})"
        around = f' stroke="{color}" {stroke}' if line else ""
        parts.append(f'<path transform="{moved}" fill="{color}"{around} {letters}/>')
    if layer.outline and line:
        color = layer.outline.color
        parts.append(f'<path fill="{color}" stroke="{color}" {stroke} {letters}/>')
    parts.append(f'<path fill="{layer.color}" {letters}/>')
    scale = fixed(box.width / drawn.width, 6)
    back = f"translate({fixed(-drawn.width / 2)} {fixed(-drawn.height / 2)})"
    return f'<g transform="scale({scale}) {back}">{"".join(parts)}</g>'


def _shape(layer: ShapeLayer, box: Box) -> str:
    shape = _SHAPES[layer.shape]
    left, top = -box.width / 2, -box.height / 2
    if "rounded" in shape:
        radius = fixed(shape["rounded"] * min(box.width, box.height))
        return f'<rect {_frame(left, top, box.width, box.height)} rx="{radius}" fill="{layer.color}"/>'
    scale = f"scale({fixed(box.width / _UNITS, 6)} {fixed(box.height / _UNITS, 6)})"
    moved = f"translate({fixed(left)} {fixed(top)})"
    return f'<path transform="{moved} {scale}" fill="{layer.color}" d="{shape["path"]}"/>'
