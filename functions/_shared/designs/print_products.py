"""Print products: the print file of a design, and its product at the printer. (Print orders: `orders.fulfilment`.)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from _shared.catalog.catalog import Catalog
from _shared.catalog.pricing import SHIRT_CENTS
from _shared.clients.printify import Area, Upload
from _shared.core.errors import ShopError, not_found
from _shared.designs.designs import Design, Designs
from _shared.designs.images import Picture, decode_picture, open_picture
from _shared.designs.placement import print_areas, print_inches
from _shared.designs.print_file import Enlarger, make_print_file
from _shared.designs.stored_pictures import BUCKET as DESIGNS_BUCKET

_TITLE_LENGTH = 100
_BUCKET = "print-files"
# the printer advises an address for larger files, and fetches it at once
_LARGEST_INLINE = 5_000_000
_FETCH_SECONDS = 3600


class Printer(Protocol):
    """`clients.printify.Printify`."""

    def front_areas(self) -> dict[int, Area]: ...
    def upload(self, file_name: str, *, contents: str = "", url: str = "") -> Upload: ...
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

    def create_for(self, design: Design, image: str, colors: list[str]) -> PrintProduct:
        """The design's print product, created on the first call.

        The stored picture is what gets printed (`image` only where none is stored), on every variant that we
        sell and the printer has, so that any colour can be shown and ordered later.
        """
        if design.printify_product_id:
            return PrintProduct(design.printify_product_id)
        if not self._catalog.sells_colors(colors):
            raise ShopError(
                409, "variant_unavailable", "This shirt colour is not sold any more. Please choose another."
            )
        picture = self._picture(design, image)
        offered = self._printer.front_areas()
        sold = [v.printify_variant_id for v in self._catalog.all() if v.printify_variant_id in offered]
        if not sold:
            raise ShopError(
                502, "printer_refused", "Our printer has none of our shirts.", cause="no variant in common"
            )
        areas = {variant: offered[variant] for variant in sold}
        largest = max(areas.values(), key=lambda area: (area.width, area.height))
        ready = make_print_file(
            picture, lambda width, height: print_inches((width, height), largest), self._enlarger.enlarge
        )
        upload = self._upload_print_file(design, ready.picture)
        product_id = self._printer.create_product(
            title=design.name[:_TITLE_LENGTH],
            description="A one-of-a-kind design, printed on demand.",
            variants=[{"id": variant, "price": SHIRT_CENTS, "is_enabled": True} for variant in sold],
            print_areas=print_areas(areas, upload.id, (upload.width, upload.height)),
        )
        stored_id = self._designs.save_print_product(design, product_id)
        if stored_id != product_id:  # two concurrent calls: the printer creates two, the database stores one
            self._printer.delete_product(product_id)
        return PrintProduct(stored_id, ready.dpi, ready.warnings)

    def _picture(self, design: Design, image: str) -> Picture:
        if not design.image_url:
            return decode_picture(design.image_data or image)
        data = self._store.get(DESIGNS_BUCKET, design.image_url)
        if data is None:  # deleted meanwhile
            raise not_found("Design", "design_not_found")
        return open_picture(data)

    def _upload_print_file(self, design: Design, picture: Picture) -> Upload:
        """Stores the print file, for reprints and disputes, and uploads it to the printer."""
        name = f"{design.id}.png"
        self._store.put(_BUCKET, name, picture.data, "image/png")
        if len(picture.data) <= _LARGEST_INLINE:
            return self._printer.upload(f"design-{name}", contents=picture.base64)
        address = self._store.address(_BUCKET, name, _FETCH_SECONDS)
        return self._printer.upload(f"design-{name}", url=address)
