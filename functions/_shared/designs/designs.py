"""Designs: owners and print products."""

from __future__ import annotations

from dataclasses import dataclass

from _shared.core.callers import Caller
from _shared.core.data import Data, Row
from _shared.core.errors import not_found

_COLUMNS = "id, user_id, name, image_data, image_url, printify_product_id, selected_colors, current_version, has_back"


@dataclass(frozen=True)
class Design:
    """`printify_product_id` is empty until the print product exists.

    `image_url` names the picture in the bucket `designs`; where it is empty, `image_data` is the picture, as base64.
    """

    id: str
    user_id: str
    name: str
    image_data: str
    printify_product_id: str
    image_url: str = ""
    selected_colors: tuple[str, ...] = ()
    current_version: str = ""
    has_back: bool = False

    @property
    def first_picture(self) -> str:
        """The name of its own picture, which `image_url` no longer is once the design was adjusted."""
        return f"{self.user_id}/{self.id}/picture.png"

    @property
    def is_drawn(self) -> bool:
        """Tell whether it has a picture, or the product that was made of one."""
        return bool(self.image_url or self.image_data or self.printify_product_id)


class Designs:
    """Reads and writes `designs` as the service, for their owner."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def owned(self, caller: Caller, design_id: str) -> Design:
        """The caller's own design; 404 for another person's."""
        row = self._data.row("designs", _COLUMNS, {"id": design_id})
        if row is None or row["user_id"] != caller.id:
            raise not_found("Design", "design_not_found")
        return _design(row)

    def find(self, design_id: str) -> Design | None:
        """Anybody's design, for the service; None where it was deleted."""
        row = self._data.row("designs", _COLUMNS, {"id": design_id})
        return _design(row) if row else None

    def save_print_product(self, design: Design, product_id: str) -> str:
        """Stores the print product unless the design has one by now; the id that the design ends up with.

        Empty where the design was deleted meanwhile.
        """
        if self._data.update(
            "designs", {"printify_product_id": product_id}, {"id": design.id, "printify_product_id": None}
        ):
            return product_id
        row = self._data.row("designs", "printify_product_id", {"id": design.id})
        return str(row["printify_product_id"]) if row else ""


def _design(row: Row) -> Design:
    return Design(
        id=str(row["id"]),
        user_id=str(row["user_id"]),
        name=str(row["name"]),
        image_data=str(row["image_data"] or ""),
        image_url=str(row["image_url"] or ""),
        printify_product_id=str(row["printify_product_id"] or ""),
        selected_colors=tuple(str(color) for color in row["selected_colors"]),
        current_version=str(row["current_version"] or ""),
        has_back=bool(row["has_back"]),
    )
