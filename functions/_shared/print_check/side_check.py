"""The check of a side of a scene: what is wrong, on which layer, and what one click does about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PIL import Image

from _shared.designs.images import SLOTS, decode
from _shared.designs.placement import IDEAL_DPI, Size, hardened
from _shared.print_check.check import check, check_ground, check_resolution
from _shared.print_check.colours import Rgb
from _shared.print_check.findings import Box, Finding, Mend, Place
from _shared.print_check.ink import CHECK_DPI
from _shared.scene.geometry import Box as LayerBox
from _shared.scene.geometry import corners, crop_ratio, layer_box
from _shared.scene.lettering import outline
from _shared.scene.print_side import Pictures, draw_side
from _shared.scene.resvg import SVG
from _shared.scene.scene import Layer, LetteringLayer, PictureLayer, Scene, Side

# of the side and as much around it, drawn to see what hangs over
_WIDE = 900
_GROUND_SIDE = 600
_OVERHANG = 2
# enlarged by the model once before it is printed, it may be enlarged again for print
_ENLARGED = 4


def check_side(
    scene: Scene,
    side: Side,
    area: Size,
    pictures: Pictures,
    cloth: Rgb,
    printed: Callable[[Image.Image], Image.Image] | None = None,
) -> list[Finding]:
    """The findings of a side on its largest area, in ink on `cloth`; `printed` says how its colours look in ink."""
    layers = scene.side(side)
    if not layers:
        return []
    drawn = draw_side(scene, side, area, round(area[0] * CHECK_DPI / IDEAL_DPI), pictures)
    with SLOTS.slot():
        found = check(printed(drawn) if printed else drawn, cloth, dpi=CHECK_DPI)
    boxes = {layer.id: layer_box(layer, layer_ratio(layer, pictures), area) for layer in layers}
    return [
        *(_on_its_layer(finding, layers, boxes, area, pictures) for finding in found),
        *_picture_findings(layers, boxes, area, pictures),
        *_overhang(scene, side, area, boxes, pictures),
    ]


def layer_ratio(layer: Layer, pictures: Pictures) -> float:
    """Its height by its width."""
    if isinstance(layer, PictureLayer):
        picture = pictures(layer.source)
        return crop_ratio(layer.crop, picture.height / picture.width)
    return outline(layer).ratio if isinstance(layer, LetteringLayer) else layer.ratio


def printed_dpi(layer: PictureLayer, area: Size, pictures: Pictures) -> float:
    """The picture's own pixels an inch where it is printed, before it is enlarged."""
    share = layer.crop.width if layer.crop else 1
    return pictures(layer.source).width * share * IDEAL_DPI / (layer.scale * area[0])


def _on_its_layer(
    finding: Finding, layers: list[Layer], boxes: dict[str, LayerBox], area: Size, pictures: Pictures
) -> Finding:
    """Of the topmost layer in the finding's middle; where that is no picture of pixels, only a hand mends it."""
    x, y = (
        (finding.box[0] + finding.box[2]) / 2 * area[0],
        (finding.box[1] + finding.box[3]) / 2 * area[1],
    )
    under = [layer for layer in layers if _holds(boxes[layer.id], x, y)] or (
        layers if len(layers) == 1 else []
    )
    if not under:
        return replace(finding, mend=None)
    layer = under[-1]
    return finding.on(layer.id, finding.mend if _has_pixels(layer, pictures) else None)


def _picture_findings(
    layers: list[Layer], boxes: dict[str, LayerBox], area: Size, pictures: Pictures
) -> Iterator[Finding]:
    for layer in layers:
        if not isinstance(layer, PictureLayer) or not _has_pixels(layer, pictures):
            continue
        box = _shares(boxes[layer.id], area)
        dpi = printed_dpi(layer, area, pictures)
        for finding in check_resolution(dpi, box, Place(layer.x, layer.y, layer.scale)):
            mend: Mend = "shrink" if check_resolution(dpi * _ENLARGED) else "enlarge"
            yield finding.on(layer.id, mend)
        with SLOTS.slot():
            sentence = check_ground(decode(pictures(layer.source), _GROUND_SIDE).convert("RGBA"))
        if sentence and layer.crop is None:
            yield Finding("box_around_photo", "warn", sentence, box, "cut_out", layer.id)


def _overhang(
    scene: Scene, side: Side, area: Size, boxes: dict[str, LayerBox], pictures: Pictures
) -> Iterator[Finding]:
    """What the edge of the print area cuts off: by the ink itself, for a box may be empty at its rim."""
    for layer in scene.side(side):
        left, upper, right, lower = _shares(boxes[layer.id], area, clipped=False)
        if min(left, upper) >= 0 and max(right, lower) <= 1:
            continue
        aside = layer.model_copy(
            update={"x": (layer.x + 1) / 3, "y": (layer.y + 1) / 3, "scale": layer.scale / 3}
        )
        alone = scene.model_copy(update={side: [aside]})
        alpha = hardened(draw_side(alone, side, area, _WIDE, pictures).getchannel("A"))
        box, third, high = alpha.getbbox(), alpha.width // 3, alpha.height // 3
        if box is None or (
            min(box[0] - third, box[1] - high) >= -_OVERHANG
            and max(box[2] - 2 * third, box[3] - 2 * high) <= _OVERHANG
        ):
            continue
        factor = min(1 / (right - left), 1 / (lower - upper), 1)
        wide, tall = (right - left) * factor, (lower - upper) * factor
        place = Place(
            round(min(max(layer.x, wide / 2), 1 - wide / 2), 4),
            round(min(max(layer.y, tall / 2), 1 - tall / 2), 4),
            round(layer.scale * factor, 4),
        )
        sentence = "A part of this lies outside the print area: it is cut off."
        shares = _shares(boxes[layer.id], area)
        yield Finding("outside_area", "warn", sentence, shares, "shrink", layer.id, place)


def _has_pixels(layer: Layer, pictures: Pictures) -> bool:
    return isinstance(layer, PictureLayer) and pictures(layer.source).format != SVG


def _holds(box: LayerBox, x: float, y: float) -> bool:
    around = corners(box)
    turns = [
        (after[0] - before[0]) * (y - before[1]) - (after[1] - before[1]) * (x - before[0])
        for before, after in zip(around, (*around[1:], around[0]), strict=True)
    ]
    return all(turn >= 0 for turn in turns)


def _shares(box: LayerBox, area: Size, *, clipped: bool = True) -> Box:
    around = corners(box)
    left, right = min(x for x, _ in around) / area[0], max(x for x, _ in around) / area[0]
    upper, lower = min(y for _, y in around) / area[1], max(y for _, y in around) / area[1]
    if not clipped:
        return left, upper, right, lower
    return _within(left), _within(upper), _within(right), _within(lower)


def _within(edge: float) -> float:
    return min(max(edge, 0.0), 1.0)
