"""The shirts we sell: colours, sizes and the printer's ids, from the database."""

from __future__ import annotations

from dataclasses import dataclass

from _shared.core.data import Data, Row

_COLUMNS = "id, name, printify_variant_id"


@dataclass(frozen=True)
class Variant:
    """One colour in one size."""

    id: str
    name: str
    printify_variant_id: int

    @property
    def color(self) -> str:
        return self.name.rpartition(" - ")[0] or self.name

    @property
    def size(self) -> str:
        return self.name.rpartition(" - ")[2]


class Catalog:
    """Reads `product_variants`."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def all(self) -> list[Variant]:
        return [_variant(row) for row in self._data.rows("product_variants", _COLUMNS, {})]

    def by_ids(self, ids: list[str]) -> dict[str, Variant]:
        rows = self._data.select_in("product_variants", _COLUMNS, "id", ids)
        return {variant.id: variant for variant in map(_variant, rows)}


def _variant(row: Row) -> Variant:
    return Variant(str(row["id"]), str(row["name"]), int(row["printify_variant_id"]))
