"""Versions of scenes: what is made at 'Done' (sql/migrations/…_scenes.sql), once, by however many processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from _shared.clients.printify import Area
from _shared.core.data import Data
from _shared.core.errors import ShopError, not_found
from _shared.designs.back_views import BackViews
from _shared.designs.design_job_rpc import DesignJob, Steps
from _shared.designs.designs import Design, Designs
from _shared.designs.images import Picture
from _shared.designs.moderation import refused_word
from _shared.designs.placement import placement
from _shared.designs.print_file import Enlarger
from _shared.designs.print_products import PrintProducts
from _shared.scene.print_side import SideFile, is_untouched, make_side, scene_of_design
from _shared.scene.scene import SIDES, LetteringLayer, Scene, Side, parse_scene
from _shared.versions.pictures import ScenePictures
from _shared.versions.shown import ShownPictures

_ID_LENGTH = 36
_WITHDRAWN = (
    "Your design is private for now: we look at pictures that people bring along before everybody sees them."
)
Json = dict[str, Any]


@dataclass(frozen=True)
class Begun:
    """A version that is being made: its id, and its number in its design."""

    id: str
    number: int


@dataclass(frozen=True)
class Made:
    """Columns of design_versions, and sentences for the shopper."""

    columns: Json
    warnings: tuple[str, ...] = ()


class SceneVersions:
    """Works as the service, for the designs' owners. `products` and `enlarger` pay models as a job does."""

    def __init__(
        self,
        data: Data,
        designs: Designs,
        products: PrintProducts,
        enlarger: Enlarger,
        pictures: Callable[[Design], ScenePictures],
        shown: ShownPictures,
        back_views: BackViews,
    ) -> None:
        self._data = data
        self._designs = designs
        self._products = products
        self._enlarger = enlarger
        self._pictures = pictures
        self._shown = shown
        self._back_views = back_views

    def make(self, job: DesignJob, design: Design, steps: Steps) -> Json:
        """Makes the version of the job's scene; what the function answers."""
        scene = parse_scene(job.request.get("scene"))
        check_lettering(scene)
        pictures = self._pictures(design)
        review = pictures.check(scene)
        begun = self._begin(design, steps)
        made = self._made(design, scene, begun, pictures, steps)
        version = {
            **made.columns,
            "id": begun.id,
            "number": begun.number,
            "scene": job.request["scene"],
            "review": review,
        }
        saved = self._data.value("save_design_version", {"of_design": design.id, "version": version})
        if not isinstance(saved, dict):  # deleted or taken down while it was made: the vendors were paid
            raise not_found("Design", "design_not_found", counts=True)
        if "missing" in saved:  # in another tab
            raise not_found("A picture of this drawing", "artwork_not_found", counts=True)
        if version["has_back"]:
            self._back_views.learn(version["printify_product_id"])
        warnings = [*made.warnings, *([_WITHDRAWN] if saved["withdrawn"] else [])]
        return {
            "versionId": begun.id,
            "number": saved["number"],
            "printifyProductId": version["printify_product_id"],
            "warnings": warnings,
        }

    def make_file_again(self, name: str) -> None:
        """Makes a side's print file anew, `<version id>-<side>-2.png`; the printer has its own copy."""
        row = self._data.row("design_versions", "design_id, scene", {"id": name[:_ID_LENGTH]})
        design = self._designs.find(str(row["design_id"])) if row else None
        if row is None or design is None:  # deleted meanwhile
            return
        scene, pictures = parse_scene(row["scene"]), self._pictures(design)
        pictures.check(scene)
        side: Side = "back" if "-back" in name else "front"
        file = make_side(
            scene, side, _largest(self._products.areas(), side), pictures, self._enlarger.enlarge
        )
        if file is not None:
            self._products.store(name, file.picture.data)

    def _begin(self, design: Design, steps: Steps) -> Begun:
        if begun := steps.get("version"):
            return Begun(str(begun["id"]), int(begun["number"]))
        number = self._data.value("next_version_number", {"of_design": design.id})
        if not isinstance(number, int):
            raise ShopError(409, "design_taken_down", "This design has been taken down.")
        version = Begun(str(uuid4()), number)
        steps.save("version", {"id": version.id, "number": version.number})
        return version

    def _made(
        self, design: Design, scene: Scene, begun: Begun, pictures: ScenePictures, steps: Steps
    ) -> Made:
        areas = self._products.areas()
        front = _largest(areas, "front")
        first = pictures.first()
        is_first = first and not scene.back and is_untouched(scene, front, pictures)
        if first and is_first and (made := self._untouched(design, first, steps)):
            return made
        sides = {
            side: file
            for side in SIDES
            if (file := self._side_file(scene, side, areas, begun, pictures, steps))
        }
        if not sides:
            raise ShopError(
                400, "empty_picture", "There is nothing on the shirt yet, so there is nothing to print."
            )
        product = self._products.product(
            design, f"Version {begun.id}.", list(areas), placeholders(areas, sides), steps
        )
        steps.renew()  # what is stored now is shown: only by the process that has the job
        largest = {side: _largest(areas, side) for side in sides}
        columns = self._shown.store(design, scene, begun.number, largest, pictures)
        if first and not design.current_version:
            self._shown.store_first(design, first)
            columns["first_scene"] = scene_of_design(first, front).model_dump(mode="json", exclude_none=True)
        columns |= {
            "printify_product_id": product,
            "has_back": "back" in sides,
            "print_files": [f"{begun.id}-{side}.png" for side in sides],
        }
        return Made(
            columns, tuple(dict.fromkeys(text for file in sides.values() for text in file["warnings"]))
        )

    def _untouched(self, design: Design, first: Picture, steps: Steps) -> Made | None:
        """The design as it was before it was adjusted: with the product that it has, or gets in the same way."""
        file = f"{design.id}.png"
        warnings: tuple[str, ...] = ()
        if design.current_version:
            versions = self._data.rows(
                "design_versions", "printify_product_id, print_files", {"design_id": design.id}
            )
            products = [str(row["printify_product_id"]) for row in versions if row["print_files"] == [file]]
            if not products:
                return None
            product = products[0]
        else:
            made = self._products.create_for(design, None, list(design.selected_colors), steps)
            product, warnings = made.id, made.warnings
        picture, thumbnail = self._shown.store_first(design, first)
        return Made(
            {
                "printify_product_id": product,
                "has_back": False,
                "print_files": [file],
                "image_url": picture,
                "thumbnail_url": thumbnail,
            },
            warnings,
        )

    def _side_file(
        self,
        scene: Scene,
        side: Side,
        areas: Mapping[int, Mapping[str, Area]],
        begun: Begun,
        pictures: ScenePictures,
        steps: Steps,
    ) -> Json:
        """A side's upload and place; empty where nothing is on it. The printer gives the same bytes the same id."""
        if not scene.side(side):
            return {}
        if known := steps.get(f"{side} file"):
            return known
        made = make_side(scene, side, _largest(areas, side), pictures, self._enlarger.enlarge)
        if made is None:
            return {}
        upload = self._products.upload(f"{begun.id}-{side}.png", made.picture.data)
        file = {
            "upload": asdict(upload),
            "place": None if made.untouched else _place(made),
            "warnings": list(made.warnings),
        }
        steps.save(f"{side} file", file)
        return file


def check_lettering(scene: Scene) -> None:
    """422 where our list refuses words of a side: of one layer, or of what stands side by side or below."""
    for side in SIDES:
        layers = [layer for layer in scene.side(side) if isinstance(layer, LetteringLayer)]
        texts = [layer.text.replace("\n", " ") for layer in layers]
        across = [
            layer.text.replace("\n", " ")
            for layer in sorted(layers, key=lambda one: (round(one.y, 1), one.x))
        ]
        down = [
            layer.text.replace("\n", " ")
            for layer in sorted(layers, key=lambda one: (round(one.x, 1), one.y))
        ]
        joined = [glue.join(order) for order in (texts, across, down) for glue in (" ", "")]
        if word := next(filter(None, map(refused_word, [*texts, *joined])), ""):
            raise ShopError(
                422,
                "lettering_refused",
                "We can't print these words. Please change the lettering.",
                cause=f"our own list: {word}",
            )


def placeholders(areas: Mapping[int, Mapping[str, Area]], sides: Mapping[Side, Json]) -> list[Json]:
    """Printify's `print_areas`, one per size of areas: both sides, each with the same place on all of them.

    A front that nobody has touched lies where it did before: on each area by itself.
    """
    groups: dict[tuple[Area, ...], list[int]] = defaultdict(list)
    for variant, area in areas.items():
        groups[tuple(area[side] for side in sides)].append(variant)
    return [
        {
            "variant_ids": sorted(variants),
            "placeholders": [
                {"position": side, "images": [_image(sides[side], area)]}
                for side, area in zip(sides, sizes, strict=True)
            ],
        }
        for sizes, variants in sorted(groups.items())
    ]


def _largest(areas: Mapping[int, Mapping[str, Area]], side: Side) -> Area:
    """The area that a side is drawn on; 409 where some shirt that we sell is not printed there."""
    if any(side not in sides for sides in areas.values()):
        raise ShopError(409, "side_unavailable", f"Our printer does not print the {side} of this shirt.")
    return max(sides[side] for sides in areas.values())


def _image(file: Json, area: Area) -> Json:
    upload = file["upload"]
    place = file["place"] or placement((upload["width"], upload["height"]), area)
    return {"id": upload["id"], **place}


def _place(file: SideFile) -> dict[str, float]:
    return {"x": file.x, "y": file.y, "scale": file.scale, "angle": file.angle}
