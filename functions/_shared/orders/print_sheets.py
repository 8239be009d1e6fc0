"""What an order has printed, side by side: the files, and their sizes on the shirts that were bought.

The sizes are the printer's own: what was placed on the product, on the area of each size of shirt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from _shared.clients.printify import Area, Placed
from _shared.core.data import Data
from _shared.orders.orders import Item, Order

_BUCKET = "print-files"
_SECONDS = 600
_PER_CENTIMETRE = 300 / 2.54
"""Pixels of a print area (Printify's are at 300 an inch)."""


class Printer(Protocol):
    """`clients.printify.Printify`."""

    def areas(self) -> dict[int, dict[str, Area]]: ...
    def placed(self, product_id: str) -> list[Placed]: ...


class Store(Protocol):
    """`clients.storage.Storage`."""

    def address(self, bucket: str, name: str, seconds: int) -> str: ...


@dataclass(frozen=True)
class Size:
    """How large a print is on one size of shirt, in centimetres."""

    shirt: str
    width_cm: float
    height_cm: float


@dataclass(frozen=True)
class PrintSheet:
    """One side of one product; `address` is where its file can be read for ten minutes, None while there is no file."""

    name: str
    side: str
    address: str | None
    sizes: tuple[Size, ...]


class PrintSheets:
    """Works as the service, for admins."""

    def __init__(self, data: Data, printer: Printer, store: Store) -> None:
        self._data = data
        self._printer = printer
        self._store = store

    def of(self, order: Order) -> list[PrintSheet]:
        """The sheets of each product of the order, front before back."""
        areas = self._printer.areas()
        products: dict[str, list[Item]] = {}
        for item in order.items:
            products.setdefault(item.printify_product_id, []).append(item)
        return [
            sheet for product, items in products.items() for sheet in self._of_product(product, items, areas)
        ]

    def _of_product(
        self, product: str, items: list[Item], areas: Mapping[int, Mapping[str, Area]]
    ) -> list[PrintSheet]:
        placed = self._printer.placed(product)
        files: dict[str, str] = {}
        for row in self._data.call("find_print_files", {"product": product}):
            files.setdefault(str(row["side"]), str(row["name"]))
        return [
            PrintSheet(
                items[0].name,
                side,
                self._store.address(_BUCKET, files[side], _SECONDS) if side in files else None,
                tuple(_sizes(side, items, placed, areas)),
            )
            for side in ("front", "back")
            if side in files or any(one.side == side for one in placed)
        ]


def _sizes(
    side: str, items: list[Item], placed: list[Placed], areas: Mapping[int, Mapping[str, Area]]
) -> list[Size]:
    sizes: dict[str, Size] = {}
    for item in items:
        area = areas.get(item.printify_variant_id, {}).get(side)
        for one in placed:
            if area and one.side == side and item.printify_variant_id in one.variant_ids:
                width = one.scale * area.width / _PER_CENTIMETRE
                sizes[item.size] = Size(item.size, round(width, 1), round(width * one.height / one.width, 1))
    return list(sizes.values())
