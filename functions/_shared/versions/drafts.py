"""Drafts of scenes: begun with an empty shirt, and read once their owner is done."""

from __future__ import annotations

from typing import Any

from _shared.catalog.catalog import Catalog
from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import ShopError
from _shared.designs.designs import Design


class Drafts:
    """Works as the service, for the designs' owners."""

    def __init__(self, data: Data, catalog: Catalog) -> None:
        self._data = data
        self._catalog = catalog

    def begin(self, caller: Caller, colors: list[str]) -> str:
        """The id of a new design of the caller's, with an empty scene."""
        if not self._catalog.sells_colors(colors):
            raise ShopError(
                409, "variant_unavailable", "This shirt colour is not sold any more. Please choose another."
            )
        begun = self._data.value("begin_scene_design", {"of_user": caller.id, "colors": colors})
        if begun is None:
            raise ShopError(
                429,
                "too_many_drafts",
                "You have twenty designs that are begun and not done. Please finish or delete some of them.",
            )
        return str(begun)

    def scene(self, design: Design, revision: int) -> dict[str, Any]:
        """The draft as it was saved; 409 where the caller has not seen the last of it."""
        draft = self._row(design)
        if draft is None or draft["revision"] != revision:
            raise ShopError(
                409, "scene_conflict", "This drawing was changed elsewhere. Please reload the page."
            )
        scene: dict[str, Any] = draft["scene"]
        return scene

    def latest(self, design: Design) -> dict[str, Any] | None:
        """The draft as it was last saved; None where nothing was drawn yet."""
        draft = self._row(design)
        return draft["scene"] if draft else None

    def _row(self, design: Design) -> Row | None:
        return self._data.row("design_drafts", "scene, revision", {"design_id": design.id})
