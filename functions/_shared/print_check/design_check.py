"""The check of a design as its owner has drawn it so far, and the mending of a picture in it."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from _shared.catalog.catalog import Catalog
from _shared.clients.printify import Area
from _shared.core.callers import Caller
from _shared.core.errors import ShopError, not_found
from _shared.designs.designs import Design
from _shared.designs.images import SLOTS, decode
from _shared.designs.placement import Size
from _shared.designs.print_file import Enlarger, enlarged
from _shared.print_check.findings import Finding, Mend
from _shared.print_check.ink_profile import InkProfile
from _shared.print_check.mends import check_has_ground, mend
from _shared.print_check.side_check import check_side, printed_dpi
from _shared.scene.print_side import draw_side, scene_of_design
from _shared.scene.resvg import SVG
from _shared.scene.scene import DESIGN, SIDES, PictureLayer, Scene, Side, parse_scene
from _shared.versions.artwork import Artworks, Origin
from _shared.versions.drafts import Drafts
from _shared.versions.pictures import ScenePictures

_ENLARGED = 4
_PROOF_WIDTH = 600
# of what a model makes larger: as many as artwork may have
_MOST_PIXELS = 25_000_000


class Products(Protocol):
    """`designs.print_products.PrintProducts`."""

    def areas(self) -> Mapping[int, Mapping[str, Area]]: ...


@dataclass(frozen=True)
class Drawing:
    """A scene, its pictures, and each side's largest area."""

    scene: Scene
    pictures: ScenePictures
    areas: Mapping[Side, Size]


@dataclass(frozen=True)
class Checked:
    """`proofs` are the sides as they look in the printer's ink, where its profile is known."""

    findings: list[tuple[Side, Finding]]
    proofs: dict[Side, Image.Image]


class DesignCheck:
    """Works as the service, for the designs' owners."""

    def __init__(
        self,
        catalog: Catalog,
        drafts: Drafts,
        artworks: Artworks,
        products: Products,
        enlarger: Enlarger,
        pictures: Callable[[Design], ScenePictures],
        ink: Callable[[], InkProfile | None],
    ) -> None:
        self._catalog = catalog
        self._drafts = drafts
        self._artworks = artworks
        self._products = products
        self._enlarger = enlarger
        self._pictures = pictures
        self._ink = ink

    def check(self, design: Design, color: str) -> Checked:
        """What is wrong with the saved draft, or with the design where there is none, on a variant's cloth."""
        ink = self._ink()
        cloth = self._catalog.cloth(color)
        draft = self._drafts.latest(design)
        drawing = self._drawing(design, parse_scene(draft) if draft else None)
        scene, areas, pictures = drawing.scene, drawing.areas, drawing.pictures
        findings = [
            (side, finding)
            for side in SIDES
            for finding in check_side(scene, side, areas[side], pictures, cloth, ink.printed if ink else None)
        ]
        if not ink:
            return Checked(findings, {})
        drawn = {
            side: draw_side(scene, side, areas[side], _PROOF_WIDTH, pictures)
            for side in SIDES
            if scene.side(side)
        }
        return Checked(findings, {side: ink.printed(picture) for side, picture in drawn.items()})

    def mend(self, caller: Caller, design: Design, revision: int, layer_id: str, kind: Mend) -> str:
        """Makes a mended picture of a layer's: the id of the new artwork. 400 where it cannot be mended."""
        drawing = self._drawing(design, parse_scene(self._drafts.scene(design, revision)))
        side, layer = _picture_layer(drawing.scene, layer_id)
        picture = drawing.pictures(layer.source)
        if picture.format == SVG:
            raise ShopError(
                400, "cannot_mend", "This picture is made of shapes, which are sharp at any size."
            )
        source = f"design:{design.id}" if layer.source == DESIGN else layer.source
        origin = Origin(kind, source)
        review = drawing.pictures.review_of(layer.source)
        if kind == "cut_out":
            if known := self._artworks.find_mended(caller, origin, review):
                return known
            check_has_ground(picture)
        self._artworks.require_room(caller)
        dpi = printed_dpi(layer, drawing.areas[side], drawing.pictures)
        if kind == "enlarge":
            made = self._enlarged(decode(picture).convert("RGBA"))
        else:
            with SLOTS.slot():
                made = mend(decode(picture).convert("RGBA"), kind, dpi)
        out = io.BytesIO()
        made.save(out, "PNG", compress_level=6)
        return self._artworks.add_mended(caller, out.getvalue(), made.size, review, origin).id

    def _enlarged(self, picture: Image.Image) -> Image.Image:
        size = (picture.width * _ENLARGED, picture.height * _ENLARGED)
        if size[0] * size[1] > _MOST_PIXELS:
            raise ShopError(
                400, "cannot_mend", "This picture is as large as we can make it. Please print it smaller."
            )
        with SLOTS.slot():
            return enlarged(picture, _ENLARGED, self._enlarger.enlarge)

    def _drawing(self, design: Design, scene: Scene | None) -> Drawing:
        sold = self._products.areas().values()
        areas: dict[Side, Size] = {
            side: max((area[side] for area in sold if side in area), key=lambda area: area[0] * area[1])
            for side in SIDES
        }
        pictures = self._pictures(design)
        if scene is None:
            first = pictures.first()
            if first is None:
                raise not_found("A picture of this design", "artwork_not_found")
            scene = scene_of_design(first, areas["front"])
        pictures.check(scene)
        return Drawing(scene, pictures, areas)


def _picture_layer(scene: Scene, layer_id: str) -> tuple[Side, PictureLayer]:
    for side in SIDES:
        for layer in scene.side(side):
            if layer.id == layer_id and isinstance(layer, PictureLayer):
                return side, layer
    raise ShopError(400, "cannot_mend", "This layer is no picture: please change it by hand.")
