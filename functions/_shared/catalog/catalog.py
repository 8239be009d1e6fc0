"""The shirts we sell: colours, sizes and the printer's ids, from the database."""

from __future__ import annotations

from dataclasses import dataclass

from _shared.core.data import Data, Row
from _shared.core.errors import not_found

_TABLE = "product_variants"
_COLUMNS = "id, name, printify_variant_id"
_AVAILABLE = {"is_available": True}


@dataclass(frozen=True)
class Variant:
    """One colour in one size."""

    id: str
    name: str
    printify_variant_id: int

    @property
    def color(self) -> str:
        return color_of(self.name)

    @property
    def size(self) -> str:
        return self.name.rpartition(" - ")[2]


def color_of(name: str) -> str:
    """The colour in a variant's name: `Black - XL` is Black."""
    return name.rpartition(" - ")[0] or name


class Catalog:
    """Reads `product_variants`. What the printer no longer offers is in the table, but not for sale."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def all(self) -> list[Variant]:
        """Everything that is for sale."""
        return [_variant(row) for row in self._data.rows(_TABLE, _COLUMNS, _AVAILABLE)]

    def by_ids(self, ids: list[str]) -> dict[str, Variant]:
        """Those of `ids` that are for sale."""
        rows = self._data.select_in(_TABLE, f"{_COLUMNS}, is_available", "id", ids)
        return {variant.id: variant for variant in map(_variant, (r for r in rows if r["is_available"]))}

    def sells_colors(self, ids: list[str]) -> bool:
        """Tell whether each id stands for a colour that is for sale, itself in that size or not."""
        named = {variant.id: variant.color for variant in self._named(ids)}
        return set(ids) == set(named) and set(named.values()) <= {variant.color for variant in self.all()}

    def cloth(self, variant_id: str) -> tuple[int, int, int]:
        """The colour of a variant's cloth, sold or not; 404 where there is no such variant."""
        row = self._data.row(_TABLE, "color_hex", {"id": variant_id})
        if row is None:
            raise not_found("Shirt colour", "variant_not_found")
        digits = str(row["color_hex"])
        return int(digits[1:3], 16), int(digits[3:5], 16), int(digits[5:7], 16)

    def _named(self, ids: list[str]) -> list[Variant]:
        return [_variant(row) for row in self._data.select_in(_TABLE, _COLUMNS, "id", ids)]


def _variant(row: Row) -> Variant:
    return Variant(str(row["id"]), str(row["name"]), int(row["printify_variant_id"]))
