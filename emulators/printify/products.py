"""Products: https://developers.printify.com/#products, as measured.

A product shows its blueprint's whole variant matrix, with those that were not requested disabled, and every placeholder
of each print area, empty where nothing was placed.
"""

from __future__ import annotations

from typing import Any

from emulators.core.store import Document, Store
from emulators.core.system import system
from emulators.printify import catalog
from emulators.printify.errors import PrintifyError
from emulators.printify.paging import Page, moment
from emulators.printify.uploads import Uploads
from emulators.printify.webhooks import Webhooks


class Products:
    def __init__(self, store: Store, uploads: Uploads, webhooks: Webhooks, base_url: str) -> None:
        self._store = store
        self._uploads = uploads
        self._webhooks = webhooks
        self._base_url = base_url

    def create(self, shop: int, body: dict[str, Any]) -> Document:
        for name in ("title", "blueprint_id", "print_provider_id", "variants", "print_areas"):
            if body.get(name) in (None, "", []):
                raise PrintifyError.invalid(name, f"The {name.replace('_', ' ')} field is required.")
        if body["blueprint_id"] != catalog.BLUEPRINT:
            raise PrintifyError.invalid("blueprint_id", "The selected blueprint id is invalid.")
        if body["print_provider_id"] != catalog.PROVIDER:
            raise PrintifyError.invalid("print_provider_id", "The selected print provider id is invalid.")
        enabled = self._requested(body["variants"])
        now = moment()
        product = {
            "id": system.token_hex(12),
            "title": str(body["title"]),
            "description": str(body.get("description") or ""),
            "tags": [
                *map(str, _list(body.get("tags"), "tags")),
                "Crew neck",
                "DTG",
                "Men's Clothing",
                "T-shirts",
                "Unisex",
            ],
            "options": [
                {"name": "Colors", "type": "color", "values": catalog.colour_options()},
                {"name": "Sizes", "type": "size", "values": catalog.size_options()},
            ],
            "variants": _matrix(enabled),
            "images": [],
            "created_at": now,
            "updated_at": now,
            "visible": bool(body.get("visible", True)),
            "is_locked": False,
            "is_printify_express_eligible": False,
            "is_economy_shipping_eligible": False,
            "blueprint_id": catalog.BLUEPRINT,
            "user_id": 1,
            "shop_id": shop,
            "print_provider_id": catalog.PROVIDER,
            "print_areas": self._areas(body["print_areas"], set(enabled)),
            "print_details": [],
            "sales_channel_properties": [],
        }
        product["images"] = self._images(product)
        self._store.put("printify.product", product)
        self._webhooks.emit(
            "product:created", str(product["id"]), "product", {"shop_id": shop, "action": None}
        )
        return product

    def get(self, id: str) -> Document:
        return self._store.require("printify.product", id, PrintifyError.missing)

    def update(self, id: str, body: dict[str, Any]) -> Document:
        """Variants merge by id; the blueprint and the provider cannot change, and are ignored."""
        product = self.get(id)
        for name, kind in (("title", str), ("description", str), ("tags", list), ("visible", bool)):
            if name in body:
                if not isinstance(body[name], kind):
                    raise PrintifyError.invalid(name, f"The {name} format is invalid.")
                product[name] = body[name]
        if "variants" in body:
            current = {row["id"]: row for row in product["variants"] if row["is_enabled"]}
            product["variants"] = _matrix({**current, **self._requested(body["variants"])})
        enabled = {row["id"] for row in product["variants"] if row["is_enabled"]}
        if "print_areas" in body:
            product["print_areas"] = self._areas(body["print_areas"], enabled, code=8251)
        product["images"] = self._images(product)
        product["updated_at"] = moment()
        self._store.put("printify.product", product)
        self._webhooks.emit("product:updated", id, "product", {"shop_id": product["shop_id"], "action": None})
        return product

    def delete(self, id: str) -> None:
        product = self.get(id)
        self._store.delete("printify.product", id)
        self._webhooks.emit("product:deleted", id, "product", {"shop_id": product["shop_id"], "action": None})

    def publish(self, id: str) -> None:
        self.get(id)
        raise PrintifyError.refused(
            400, 8254, "Product publishing failed.", "Shop has no sales channel connected."
        )

    def page(self, page: Page) -> dict[str, Any]:
        rows = self._store.list("printify.product", limit=page.limit, offset=page.offset)
        return page.body(rows, self._store.count("printify.product"))

    def placed_image(self, product: Document, variant: int, position: str) -> dict[str, Any] | None:
        """The first picture placed on that side of `variant`, with its place."""
        for area in product["print_areas"]:
            if variant in area["variant_ids"]:
                for placeholder in area["placeholders"]:
                    if placeholder["position"] == position and placeholder["images"]:
                        image: dict[str, Any] = placeholder["images"][0]
                        return image
        return None

    def _requested(self, rows: object) -> dict[int, dict[str, Any]]:
        if not isinstance(rows, list):
            raise PrintifyError.invalid("variants", "The variants must be an array.")
        requested: dict[int, dict[str, Any]] = {}
        for place, row in enumerate(rows):
            if not isinstance(row, dict) or not _is_variant(row.get("id")):
                raise PrintifyError.invalid(
                    f"variants.{place}.id", f"The selected variants.{place}.id is invalid."
                )
            if not isinstance(row.get("price"), int):
                field = f"variants.{place}.price"
                raise PrintifyError.invalid(field, f"The {field} field is required.")
            requested[row["id"]] = row
        return requested

    def _areas(self, areas: object, enabled: set[int], code: int = 8150) -> list[dict[str, Any]]:
        if not isinstance(areas, list) or not all(isinstance(area, dict) for area in areas):
            raise PrintifyError.invalid("print_areas", "The print areas must be an array.")
        shown: list[dict[str, Any]] = [
            {
                "variant_ids": _variant_ids(area, f"print_areas.{place}"),
                "placeholders": self._placeholders(area, place),
            }
            for place, area in enumerate(areas)
        ]
        covered = {id for area in shown for id in area["variant_ids"]}
        if not enabled <= covered:
            raise PrintifyError.invalid("print_areas", "All variants must have a print area.", code)
        return shown

    def _placeholders(self, area: dict[str, Any], place: int) -> list[dict[str, Any]]:
        field = f"print_areas.{place}.placeholders"
        images = {
            str(item.get("position")): _objects(item.get("images"), f"{field}.images")
            for item in _objects(area.get("placeholders"), field)
        }
        for position in images:
            if position not in catalog.POSITIONS:
                raise PrintifyError.invalid(field, f"The position {position} does not exist.")
        return [
            {
                "position": position,
                "images": [self._image(image, f"print_areas.{place}") for image in images.get(position, [])],
            }
            for position in catalog.POSITIONS
        ]

    def _image(self, image: dict[str, Any], field: str) -> dict[str, Any]:
        upload = self._store.get("printify.upload", str(image.get("id")))
        if upload is None:
            raise PrintifyError.invalid(f"{field}.images", "The selected image id is invalid.")
        return {
            "id": upload["id"],
            "name": upload["file_name"],
            "type": upload["mime_type"],
            "height": upload["height"],
            "width": upload["width"],
            "x": _number(image, "x", 0.5, field),
            "y": _number(image, "y", 0.5, field),
            "scale": _number(image, "scale", 1, field),
            "angle": _number(image, "angle", 0, field),
            "src": upload["preview_url"],
        }

    def _images(self, product: Document) -> list[dict[str, Any]]:
        """One picture for each view and enabled colour, also of sides where nothing is printed."""
        base = f"{self._base_url}/mockup/{product['id']}"
        colours: dict[str, list[int]] = {}
        for row in product["variants"]:
            if row["is_enabled"]:
                colours.setdefault(catalog.variants()[row["id"]].colour, []).append(row["id"])
        return [
            {
                "src": f"{base}/{ids[0]}/{view}/mockup.jpg?camera_label={name}",
                "variant_ids": ids,
                "position": position,
                "is_default": place == 0 and name == "front",
                "is_selected_for_publishing": True,
            }
            for place, ids in enumerate(colours.values())
            for view, (name, position) in catalog.VIEWS.items()
        ]


def _is_variant(id: object) -> bool:
    return isinstance(id, int) and not isinstance(id, bool) and id in catalog.variants()


def _variant_ids(area: dict[str, Any], field: str) -> list[int]:
    ids = _list(area.get("variant_ids"), f"{field}.variant_ids")
    if not all(isinstance(id, int) for id in ids):
        raise PrintifyError.invalid(f"{field}.variant_ids", "The variant ids must be integers.")
    return ids


def _list(value: object, field: str) -> list[Any]:
    """A list that may be left out."""
    if value is not None and not isinstance(value, list):
        raise PrintifyError.invalid(field, f"The {field} must be an array.")
    return value or []


def _objects(value: object, field: str) -> list[dict[str, Any]]:
    """A list of objects that may be left out."""
    items = _list(value, field)
    if not all(isinstance(item, dict) for item in items):
        raise PrintifyError.invalid(field, f"The {field} must be an array of objects.")
    return items


def _number(image: dict[str, Any], name: str, default: float, field: str) -> float:
    value = image.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PrintifyError.invalid(f"{field}.images.{name}", f"The {name} must be a number.")
    return float(value)


def _matrix(enabled: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    first = next(iter(enabled), None)
    return [
        {
            "id": variant.id,
            "sku": str(enabled.get(variant.id, {}).get("sku") or 10_000_000_000 + variant.id),
            "cost": variant.cost,
            "price": enabled.get(variant.id, {}).get("price", variant.cost * 2),
            "title": variant.title,
            "grams": variant.grams,
            "is_enabled": bool(enabled.get(variant.id, {}).get("is_enabled", variant.id in enabled)),
            "is_default": variant.id == first,
            "is_available": True,
            "is_printify_express_eligible": False,
            "options": [variant.colour_option, variant.size_option],
        }
        for variant in catalog.variants().values()
    ]
