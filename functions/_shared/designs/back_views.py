"""Which of the printer's cameras shows a shirt's back: learned from the pictures of products that are printed there."""

from __future__ import annotations

from typing import Protocol

from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble

_TABLE = "product_variants"


class Printer(Protocol):
    """`clients.printify.Printify`."""

    def back_view(self, product_id: str) -> int | None: ...


class BackViews:
    """Cameras belong to the model of shirt, so what one product tells holds for every variant."""

    def __init__(self, data: Data, printer: Printer) -> None:
        self._data = data
        self._printer = printer

    def learn(self, product_id: str) -> None:
        """Stores what the product's pictures say. A failure is logged: the next product tells it."""
        try:
            view = self._printer.back_view(product_id)
            if view is None:
                return
            known = {row["back_view"] for row in self._data.rows(_TABLE, "back_view", {})}
            for other in known - {view}:
                self._data.update(_TABLE, {"back_view": view}, {"back_view": other})
        except ShopError as problem:
            log_trouble("the back's camera was not learned", problem.cause or problem, code=problem.code)
