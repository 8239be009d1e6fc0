"""Products: https://developers.printify.com/#products, as measured.

A product shows its blueprint's whole variant matrix, with the unasked ones disabled, and every placeholder
of each print area, empty where nothing was placed.
"""

from __future__ import annotations

import secrets
from typing import Any

from emulators.printify import catalog
from emulators.printify.errors import PrintifyError
from emulators.printify.paging import Page, moment
from emulators.printify.uploads import Uploads
from emulators.printify.webhooks import Webhooks
from emulators.store import Document, Store

_POSITIONS = ("front", "back")


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
        enabled = self._asked(body["variants"])
        now = moment()
        product = {
            "id": secrets.token_hex(12),
            "title": str(body["title"]),
            "description": str(body.get("description") or ""),
            "tags": [
                *map(str, body.get("tags") or []),
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
        product = self._store.get("printify.product", id)
        if product is None:
            raise PrintifyError.missing()
        return product

    def update(self, id: str, body: dict[str, Any]) -> Document:
        """Variants merge by id; the blueprint and the provider cannot change, and asking is ignored."""
        product = self.get(id)
        for name in ("title", "description", "tags", "visible"):
            if name in body:
                product[name] = body[name]
        if "variants" in body:
            current = {row["id"]: row for row in product["variants"] if row["is_enabled"]}
            product["variants"] = _matrix({**current, **self._asked(body["variants"])})
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
        return page.answer(rows, self._store.count("printify.product"))

    def front_image(self, product: Document, variant: int) -> dict[str, Any] | None:
        """The first picture placed on the front of `variant`, with its place."""
        for area in product["print_areas"]:
            if variant in area["variant_ids"]:
                for placeholder in area["placeholders"]:
                    if placeholder["position"] == "front" and placeholder["images"]:
                        image: dict[str, Any] = placeholder["images"][0]
                        return image
        return None

    def _asked(self, rows: object) -> dict[int, dict[str, Any]]:
        if not isinstance(rows, list):
            raise PrintifyError.invalid("variants", "The variants must be an array.")
        asked: dict[int, dict[str, Any]] = {}
        for place, row in enumerate(rows):
            if not isinstance(row, dict) or row.get("id") not in catalog.variants():
                raise PrintifyError.invalid(
                    f"variants.{place}.id", f"The selected variants.{place}.id is invalid."
                )
            if not isinstance(row.get("price"), int):
                field = f"variants.{place}.price"
                raise PrintifyError.invalid(field, f"The {field} field is required.")
            asked[row["id"]] = row
        return asked

    def _areas(self, areas: object, enabled: set[int], code: int = 8150) -> list[dict[str, Any]]:
        if not isinstance(areas, list) or not all(isinstance(area, dict) for area in areas):
            raise PrintifyError.invalid("print_areas", "The print areas must be an array.")
        shown = [
            {"variant_ids": area.get("variant_ids") or [], "placeholders": self._placeholders(area, place)}
            for place, area in enumerate(areas)
        ]
        covered = {id for area in shown for id in area["variant_ids"]}
        if not enabled <= covered:
            raise PrintifyError.invalid("print_areas", "All variants must have a print area.", code)
        return shown

    def _placeholders(self, area: dict[str, Any], place: int) -> list[dict[str, Any]]:
        given = {item.get("position"): item.get("images") or [] for item in area.get("placeholders") or []}
        for position in given:
            if position not in _POSITIONS:
                raise PrintifyError.invalid(
                    f"print_areas.{place}.placeholders", f"The position {position} does not exist."
                )
        return [
            {
                "position": position,
                "images": [self._image(image, f"print_areas.{place}") for image in given.get(position, [])],
            }
            for position in _POSITIONS
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
            "x": float(image.get("x", 0.5)),
            "y": float(image.get("y", 0.5)),
            "scale": float(image.get("scale", 1)),
            "angle": float(image.get("angle", 0)),
            "src": upload["preview_url"],
        }

    def _images(self, product: Document) -> list[dict[str, Any]]:
        """One picture for each view and enabled colour."""
        base = f"{self._base_url}/mockup/{product['id']}"
        colours: dict[str, list[int]] = {}
        for row in product["variants"]:
            if row["is_enabled"]:
                colours.setdefault(catalog.variants()[row["id"]].colour, []).append(row["id"])
        return [
            {
                "src": f"{base}/{ids[0]}/{view}/mockup.jpg?camera_label={name}",
                "variant_ids": ids,
                "position": "front",
                "is_default": place == 0 and name == "front",
                "is_selected_for_publishing": True,
            }
            for place, ids in enumerate(colours.values())
            for view, (name, _) in catalog.VIEWS.items()
        ]


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
