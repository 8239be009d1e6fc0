"""Print products: the print file of a design, and its product at the printer. (Print orders: `orders.fulfilment`.)"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from _shared.catalog.catalog import Catalog
from _shared.catalog.pricing import SHIRT_CENTS
from _shared.clients.printify import Area, Upload
from _shared.core.errors import ShopError, not_found
from _shared.designs.designs import Design, Designs
from _shared.designs.images import Picture, decode_picture, open_picture
from _shared.designs.placement import print_areas, print_inches
from _shared.designs.print_file import Enlarger, PrintFile, make_print_file
from _shared.designs.stored_pictures import BUCKET as DESIGNS_BUCKET

_TITLE_LENGTH = 100
_BUCKET = "print-files"
# the printer advises an address for larger files, and fetches it at once
_LARGEST_INLINE = 5_000_000
_FETCH_SECONDS = 3600


class Printer(Protocol):
    """`clients.printify.Printify`."""

    def areas(self) -> dict[int, dict[str, Area]]: ...
    def upload(self, file_name: str, *, contents: str = "", url: str = "") -> Upload: ...
    def find_product(self, description: str) -> str | None: ...
    def create_product(
        self,
        *,
        title: str,
        description: str,
        variants: list[dict[str, Any]],
        print_areas: list[dict[str, Any]],
    ) -> str: ...
    def delete_product(self, product_id: str) -> None: ...


class Store(Protocol):
    """`clients.storage.Storage`."""

    def get(self, bucket: str, name: str) -> bytes | None: ...
    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None: ...
    def address(self, bucket: str, name: str, seconds: int) -> str: ...


class Steps(Protocol):
    """`design_job_rpc.Steps`."""

    def get(self, step: str) -> dict[str, Any] | None: ...
    def save(self, step: str, value: dict[str, Any]) -> None: ...


class MemorySteps:
    """Of a call without a job: nothing outlives it."""

    def get(self, _step: str) -> dict[str, Any] | None:
        return None

    def save(self, step: str, value: dict[str, Any]) -> None:
        """Nothing is stored."""


@dataclass(frozen=True)
class PrintProduct:
    """`warnings` are sentences for the shopper; `dpi` is 0 for a product that existed before."""

    id: str
    dpi: int = 0
    warnings: tuple[str, ...] = ()


class PrintProducts:
    """Creates the print product of a design, once."""

    def __init__(
        self, printer: Printer, catalog: Catalog, designs: Designs, enlarger: Enlarger, store: Store
    ) -> None:
        self._printer = printer
        self._catalog = catalog
        self._designs = designs
        self._enlarger = enlarger
        self._store = store

    def create_for(
        self, design: Design, image: Picture | None, colors: list[str], steps: Steps | None = None
    ) -> PrintProduct:
        """The design's print product, created on the first call.

        The stored picture is what gets printed (`image` only where none is stored), on every variant that we
        sell and the printer has, so that any colour can be shown and ordered later. `steps` are a job's.
        """
        steps = steps or MemorySteps()
        if design.printify_product_id:
            return PrintProduct(design.printify_product_id)
        if not self._catalog.sells_colors(colors):
            raise ShopError(
                409, "variant_unavailable", "This shirt colour is not sold any more. Please choose another."
            )
        areas = {variant: sides["front"] for variant, sides in self.areas().items()}
        file = steps.get("print file") or self._print_file(design, image, areas, steps)
        upload = Upload(**file["upload"])
        places = print_areas(areas, upload.id, (upload.width, upload.height))
        product_id = self.product(design, f"Design {design.id}.", list(areas), places, steps)
        stored_id = self._designs.save_print_product(design, product_id)
        if stored_id != product_id:  # two concurrent calls: the printer creates two, the database stores one
            self._printer.delete_product(product_id)
        if not stored_id:  # deleted while it was made: the vendors were paid
            raise not_found("Design", "design_not_found", counts=True)
        return PrintProduct(stored_id, file["dpi"], tuple(file["warnings"]))

    def make_file_again(self, design: Design, name: str) -> None:
        """Makes the print file of a design that has its product. The printer has its own copy: it is only stored."""
        areas = {variant: sides["front"] for variant, sides in self.areas().items()}
        self.store(name, self._ready(design, None, areas).picture.data)

    def areas(self) -> dict[int, dict[str, Area]]:
        """The sides of each variant that we sell and the printer has, the front always."""
        offered = self._printer.areas()
        sold = [v.printify_variant_id for v in self._catalog.all() if v.printify_variant_id in offered]
        if not sold:
            raise ShopError(
                502, "printer_refused", "Our printer has none of our shirts.", cause="no variant in common"
            )
        return {variant: offered[variant] for variant in sold}

    def _ready(self, design: Design, image: Picture | None, areas: Mapping[int, Area]) -> PrintFile:
        largest = max(areas.values(), key=lambda area: (area.width, area.height))
        return make_print_file(
            self._picture(design, image),
            lambda width, height: print_inches((width, height), largest),
            self._enlarger.enlarge,
        )

    def _print_file(
        self, design: Design, image: Picture | None, areas: Mapping[int, Area], steps: Steps
    ) -> dict[str, Any]:
        """Makes, stores and uploads it. The printer gives the same bytes the same id, so this may be repeated."""
        ready = self._ready(design, image, areas)
        upload = self.upload(f"{design.id}.png", ready.picture.data)
        file = {"upload": asdict(upload), "dpi": ready.dpi, "warnings": list(ready.warnings)}
        steps.save("print file", file)
        return file

    def product(
        self, design: Design, mark: str, variants: list[int], places: list[dict[str, Any]], steps: Steps
    ) -> str:
        """The product at the printer; one that was begun before a crash is found by its `mark`, which no other has."""
        begun = steps.get("product")
        description = f"A one-of-a-kind design, printed on demand. {mark}"
        if begun is not None and (product_id := self._printer.find_product(description)):
            return product_id
        steps.save("product", {})
        try:
            return self._printer.create_product(
                title=design.name[:_TITLE_LENGTH],
                description=description,
                variants=[{"id": variant, "price": SHIRT_CENTS, "is_enabled": True} for variant in variants],
                print_areas=places,
            )
        except ShopError:
            # The response may have been lost on its way, after the product was made.
            if product_id := self._printer.find_product(description):
                return product_id
            raise

    def _picture(self, design: Design, image: Picture | None) -> Picture:
        if not design.image_url:
            return image or decode_picture(design.image_data)
        data = self._store.get(DESIGNS_BUCKET, design.first_picture)
        if data is None:  # deleted meanwhile
            raise not_found("Design", "design_not_found")
        return open_picture(data)

    def store(self, name: str, png: bytes) -> None:
        """Stores a print file, for reprints and disputes."""
        self._store.put(_BUCKET, name, png, "image/png")

    def upload(self, name: str, png: bytes) -> Upload:
        """Stores a print file and uploads it to the printer."""
        self.store(name, png)
        if len(png) <= _LARGEST_INLINE:
            return self._printer.upload(f"design-{name}", contents=base64.b64encode(png).decode("ascii"))
        address = self._store.address(_BUCKET, name, _FETCH_SECONDS)
        return self._printer.upload(f"design-{name}", url=address)
