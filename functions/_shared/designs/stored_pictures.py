"""The pictures of designs in Storage: read for print, copied with an imported design, shown and removed by the sweep.

A row names its picture (`image_url`) and thumbnail (`thumbnail_url`) in the private bucket `designs`; rows from before
hold them as base64. The bucket `design-thumbnails` shows copies of the thumbnails of public designs.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from typing import Protocol

from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError, not_found
from _shared.core.logs import log_trouble
from _shared.core.visible_text import clean_text

BUCKET = "designs"
_HELD = ("image_data", "thumbnail_data", "printify_product_id", "selected_colors", "style", "has_back")
_VERSION = "scene, flat_scene, review, image_url, thumbnail_url, back_url"
_NAMED = {"image_url": "picture.png", "thumbnail_url": "thumbnail.jpg"}
_BUDGET_SECONDS = 15.0
_LEASE_SECONDS = 120
_AT_ONCE = 100


class Store(Protocol):
    """`clients.storage.Storage`."""

    def get(self, bucket: str, name: str) -> bytes | None: ...
    def copy(self, bucket: str, name: str, target_bucket: str, target: str) -> bool: ...
    def remove(self, bucket: str, names: list[str]) -> None: ...


class StoredPictures:
    """Works as the service; `clock` counts seconds."""

    def __init__(self, data: Data, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._data = data
        self._store = store
        self._clock = clock

    def find_copy(self, caller: Caller, design_id: str) -> str:
        """The id of what the caller can order of a design already: the design or a copy of it. Empty for none."""
        found = self._data.value("find_design_copy", {"of_design": design_id, "reader": caller.id})
        return str(found or "")

    def copy_design(self, caller: Caller, design_id: str, link_key: str | None = None) -> str:
        """The id of the caller's copy of a design with a known id: a public one, or one shared by link.

        A link that its owner has ended needs the key of the new one. The copy shares the original's print product:
        same picture, same shirts, and ready to order at once. The repetitions of one call make one copy.
        """
        chosen = {"id": str(caller.call_id)} if caller.call_id else {}
        if chosen and self._data.row("designs", "id", {**chosen, "user_id": caller.id}):
            return chosen["id"]
        found = self._data.call(
            "get_design_to_copy", {"of_design": design_id, "reader": caller.id, "link_key": link_key}
        )
        if not found:
            raise not_found("Design", "design_not_found")
        original = found[0]
        # a name that is older than the check of names
        name = clean_text(str(original["name"])) or "Untitled Design"
        values = (
            {column: original[column] for column in _HELD} | {"user_id": caller.id, "name": name} | chosen
        )
        if original["current_version"]:
            values |= self._copy_version(caller, original, chosen)
        elif original["image_url"]:
            values |= self._copy_objects(caller, original, chosen)
        copy = self._data.value("save_design_copy", {"of_design": design_id, "copy": values})
        if copy is None:  # deleted or taken down meanwhile; the objects are an upload that was never saved
            raise not_found("Design", "design_not_found")
        return str(copy)

    def _copy_version(self, caller: Caller, original: Row, chosen: Row) -> Row:
        """The copy of an adjusted design. Its own owner gets all layers; a stranger each side as one picture, for
        what a layer hides or a crop left out is the owner's alone."""
        version = self._data.row("design_versions", _VERSION, {"id": original["current_version"]})
        if version is None:
            raise not_found("Design", "design_not_found")
        upload = self._begin_upload(caller, chosen)
        folder = f"{caller.id}/{upload}"
        shown = {str(version["image_url"]): "v1.png", str(version["thumbnail_url"]): "v1.jpg"}
        if version["back_url"]:
            shown[str(version["back_url"])] = "v1-back.png"
        for source, file in shown.items():
            self._copy_object(source, f"{folder}/{file}")
        copied: Row = {
            "id": upload,
            "image_url": f"{folder}/v1.png",
            "thumbnail_url": f"{folder}/v1.jpg",
            "image_data": None,
            "thumbnail_data": None,
        }
        row = {"review": version["review"], "flat_scene": version["flat_scene"]}
        row["back_url"] = f"{folder}/v1-back.png" if version["back_url"] else None
        first = f"{original['user_id']}/{original['id']}/picture.png"
        if original["user_id"] == caller.id:
            # not of a design that began with an empty shirt
            self._store.copy(BUCKET, first, BUCKET, f"{folder}/picture.png")
            return copied | {"version": row | {"scene": version["scene"]}}
        scene = version["flat_scene"] or version["scene"]
        self._copy_object(str(version["image_url"]), f"{folder}/picture.png")
        if version["back_url"]:
            scene = scene | {"back": [self._bring_back(caller, version, layer) for layer in scene["back"]]}
        return copied | {"version": row | {"scene": scene, "flat_scene": scene}}

    def _bring_back(self, caller: Caller, version: Row, layer: Row) -> Row:
        """A flat back as the copier's own artwork."""
        picture = self._store.get(BUCKET, str(version["back_url"]))
        if picture is None:
            raise not_found("Design", "design_not_found")
        # the header of a PNG of our own: the function that imports needs no library of pictures
        width, height = struct.unpack(">II", picture[16:24])
        values = {"user_id": caller.id, "name": "Back", "media_type": "image/png", "bytes": len(picture)}
        values |= {"width": width, "height": height, "review": version["review"]}
        artwork = self._data.insert("design_artwork", values)
        if not self._store.copy(BUCKET, str(version["back_url"]), "artwork", f"{caller.id}/{artwork}.png"):
            raise not_found("Design", "design_not_found")
        return {**layer, "source": artwork}

    def _copy_object(self, source: str, target: str) -> None:
        if not self._store.copy(BUCKET, source, BUCKET, target):
            raise not_found("Design", "design_not_found")  # deleted meanwhile

    def _begin_upload(self, caller: Caller, chosen: Row) -> str:
        begun = self._data.row("design_uploads", "id", chosen) if chosen else None
        return (
            str(begun["id"])
            if begun
            else self._data.insert("design_uploads", {"user_id": caller.id} | chosen)
        )

    def _copy_objects(self, caller: Caller, original: Row, chosen: Row) -> Row:
        """Objects first, then the row: a crash in between leaves an upload that was never saved, which is swept."""
        upload = self._begin_upload(caller, chosen)
        copied: Row = {"id": upload}
        for column, file in _NAMED.items():
            if original[column]:
                copied[column] = f"{caller.id}/{upload}/{file}"
                self._copy_object(str(original[column]), copied[column])
        return copied

    def tidy(self) -> dict[str, int]:
        """Does what is due: removes objects that belong to no row any more, shows thumbnails. Figures."""
        figures = {"objects": 0, "failed_objects": 0}
        end = self._clock() + _BUDGET_SECONDS
        while self._clock() < end:
            tasks = self._data.call("claim_object_tasks", {"lease_seconds": _LEASE_SECONDS, "most": _AT_ONCE})
            if not tasks:
                break
            for bucket in sorted({str(task["bucket"]) for task in tasks if task["kind"] == "remove"}):
                removals = [task for task in tasks if (task["kind"], task["bucket"]) == ("remove", bucket)]
                self._do(removals, self._removal(bucket, removals), figures)
            for task in tasks:
                if task["kind"] == "publish":
                    self._do([task], self._publication(task), figures)
        return figures

    def _removal(self, bucket: str, tasks: list[Row]) -> Callable[[], object]:
        return lambda: self._store.remove(bucket, sorted({str(task["name"]) for task in tasks}))

    def _publication(self, task: Row) -> Callable[[], object]:
        # False, where the design was deleted meanwhile, is an end as well
        return lambda: self._store.copy(BUCKET, str(task["source"]), str(task["bucket"]), str(task["name"]))

    def _do(self, tasks: list[Row], work: Callable[[], object], figures: dict[str, int]) -> None:
        ids = [task["id"] for task in tasks]
        try:
            work()
            self._data.value("finish_object_tasks", {"tasks": ids})
            figures["objects"] += len(ids)
        except ShopError as problem:
            log_trouble(
                f"{tasks[0]['kind']} {len(ids)} objects of {tasks[0]['bucket']}", problem.cause or problem
            )
            self._data.value(
                "fail_object_tasks", {"tasks": ids, "problem": f"{problem.code}: {problem.cause or problem}"}
            )
            figures["failed_objects"] += len(ids)
