"""Printify's REST API v1: uploads, catalog, products, orders. Every call needs a User-Agent."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import httpx

from _shared.core.errors import ShopError, unavailable

_DUPLICATE_ORDER = 8503
# of fifty products each, which is the most that a page has
_MOST_PAGES = 6
# https://…/mockup/{product}/{variant}/{camera}/….jpg
_CAMERA = re.compile(r"/mockup/[^/]+/[^/]+/(?P<id>[0-9]{1,9})/")
# an order takes Printify about five seconds, a product with all its variants longer
_TIMEOUT = httpx.Timeout(45.0, connect=5.0)


class Area(NamedTuple):
    """The printable part of one variant's side, in pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class Upload:
    """A picture at the printer. The same bytes always get the same id."""

    id: str
    width: int
    height: int


@dataclass(frozen=True)
class Placed:
    """A picture of so many pixels on one side of these variants; `scale` is its width as a share of the area's."""

    variant_ids: frozenset[int]
    side: str
    width: int
    height: int
    scale: float


@dataclass(frozen=True)
class PrintOrder:
    """An order as the printer sees it. Tracking is that of the first parcel, and empty before there is one."""

    id: str
    external_id: str
    status: str
    is_shipped: bool
    is_delivered: bool
    carrier: str
    number: str
    url: str


class Printify:
    """One shop's calls."""

    def __init__(
        self,
        base: str,
        token: str,
        shop_id: str,
        *,
        blueprint_id: int,
        print_provider_id: int,
        webhook_secret: str = "",
        previous_webhook_secret: str = "",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        # events that were signed before the secret was replaced are sent again until they are taken
        self._webhook_secrets = [secret for secret in (webhook_secret, previous_webhook_secret) if secret]
        self._http = httpx.Client(
            base_url=f"{base}/v1",
            headers={"authorization": f"Bearer {token}", "user-agent": "Teesmith/1.0"},
            timeout=_TIMEOUT,
            transport=transport,
        )
        self._shop = f"/shops/{shop_id}"
        self._blueprint = blueprint_id
        self._provider = print_provider_id

    def areas(self) -> dict[int, dict[str, Area]]:
        """Variant id → side → area, for every variant that the provider prints on the front; they differ by size."""
        path = f"/catalog/blueprints/{self._blueprint}/print_providers/{self._provider}/variants.json"
        areas: dict[int, dict[str, Area]] = {}
        # out-of-stock variants too: a product must not lack a colour for good because it was short for a day
        for variant in self._call("GET", path, params={"show-out-of-stock": 1})["variants"]:
            sides = {
                str(place["position"]): Area(int(place["width"]), int(place["height"]))
                for place in variant["placeholders"]
            }
            if "front" in sides:
                areas[int(variant["id"])] = sides
        return areas

    def upload(self, file_name: str, *, contents: str = "", url: str = "") -> Upload:
        """A picture as base64, or the address that it is to be fetched from."""
        source = {"url": url} if url else {"contents": contents}
        upload = self._call("POST", "/uploads/images.json", json={"file_name": file_name, **source})
        return Upload(id=str(upload["id"]), width=int(upload["width"]), height=int(upload["height"]))

    def create_product(
        self,
        *,
        title: str,
        description: str,
        variants: list[dict[str, Any]],
        print_areas: list[dict[str, Any]],
    ) -> str:
        body = {
            "title": title,
            "description": description,
            "blueprint_id": self._blueprint,
            "print_provider_id": self._provider,
            "variants": variants,
            "print_areas": print_areas,
        }
        return str(self._call("POST", f"{self._shop}/products.json", json=body)["id"])

    def find_product(self, description: str) -> str | None:
        """The newest product with this description, among the last few hundred; None where there is none."""
        for page in range(1, _MOST_PAGES + 1):
            listed = self._call("GET", f"{self._shop}/products.json", params={"limit": 50, "page": page})
            for product in listed["data"]:
                if product["description"] == description:
                    return str(product["id"])
            if page >= int(listed["last_page"]):
                return None
        return None

    def back_view(self, product_id: str) -> int | None:
        """The camera that shows a product from behind, by the addresses of its pictures; None while it has none."""
        product = self._call("GET", f"{self._shop}/products/{product_id}.json")
        for image in product["images"]:
            camera = _CAMERA.search(image["src"])
            if image["position"] == "back" and camera:
                return int(camera["id"])
        return None

    def placed(self, product_id: str) -> list[Placed]:
        """What a product has printed on it, and where; nothing where the printer has no such product any more."""
        response = self._send("GET", f"{self._shop}/products/{product_id}.json")
        if response.status_code == 404:
            return []
        return [
            Placed(
                frozenset(map(int, area["variant_ids"])),
                str(side["position"]),
                int(image["width"]),
                int(image["height"]),
                float(image["scale"]),
            )
            for area in _body(response)["print_areas"]
            for side in area["placeholders"]
            for image in side["images"]
        ]

    def delete_product(self, product_id: str) -> None:
        self._call("DELETE", f"{self._shop}/products/{product_id}.json")

    def create_order(
        self, *, external_id: str, label: str, line_items: list[dict[str, Any]], address_to: dict[str, str]
    ) -> str:
        """The print order's id. `external_id` makes it exist once: a second attempt gets the first's id."""
        body = {
            "external_id": external_id,
            "label": label,
            "line_items": line_items,
            "shipping_method": 1,
            "send_shipping_notification": False,
            "address_to": address_to,
        }
        response = self._send("POST", f"{self._shop}/orders.json", json=body)
        if response.status_code == 409:
            return _existing_order(response)
        return str(_body(response)["id"])

    def order(self, print_order_id: str) -> PrintOrder | None:
        """None when the printer has no such order."""
        response = self._send("GET", f"{self._shop}/orders/{print_order_id}.json")
        if response.status_code == 404:
            return None
        return _print_order(_body(response))

    def send_to_production(self, print_order_id: str) -> bool:
        """Releases an order that is on hold; False when its status does not allow that (any more)."""
        return self._move(print_order_id, "send_to_production")

    def cancel_order(self, print_order_id: str) -> bool:
        """Ends an order that is on hold; False when its status does not allow that (any more)."""
        return self._move(print_order_id, "cancel")

    def _move(self, print_order_id: str, verb: str) -> bool:
        response = self._send("POST", f"{self._shop}/orders/{print_order_id}/{verb}.json")
        if response.status_code == 400:
            return False
        _body(response)
        return True

    def check_signature(self, body: bytes, header: str) -> None:
        """400 unless Printify signed these very bytes. It signs no time: repeats are recognised by their id."""
        signatures = [
            hmac.new(secret.encode(), body, hashlib.sha256).hexdigest() for secret in self._webhook_secrets
        ]
        sent = header.encode("utf-8", "replace")
        # each is compared: how long it takes says nothing
        if not sum(hmac.compare_digest(f"sha256={one}".encode(), sent) for one in signatures):
            raise ShopError(400, "invalid_signature", "This is not signed by Printify.")

    def _call(self, method: str, path: str, **sent: Any) -> Any:
        return _body(self._send(method, path, **sent))

    def _send(self, method: str, path: str, **sent: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **sent)
        except httpx.HTTPError as error:
            raise unavailable(
                "printer_unavailable", "Our printer did not answer. Please try again.", error
            ) from error


def _print_order(order: Any) -> PrintOrder:
    parcels = order.get("shipments") or []
    # of a part that is shipped the first parcel may have arrived before the next has left
    have_all_arrived = bool(parcels) and all(parcel.get("delivered_at") for parcel in parcels)
    first = parcels[0] if parcels else {}
    return PrintOrder(
        id=str(order["id"]),
        external_id=str((order.get("metadata") or {}).get("shop_order_id") or ""),
        status=str(order["status"]),
        is_shipped=bool(parcels),
        is_delivered=have_all_arrived and order["status"] == "fulfilled",
        carrier=str(first.get("carrier") or ""),
        number=str(first.get("number") or ""),
        url=str(first.get("url") or ""),
    )


def _existing_order(response: httpx.Response) -> str:
    content = (
        response.json() if response.headers.get("content-type", "").startswith("application/json") else {}
    )
    order = content.get("order") if content.get("code") == _DUPLICATE_ORDER else None
    if not isinstance(order, dict) or not order.get("id"):
        raise _refused(response)
    return str(order["id"])


def _body(response: httpx.Response) -> Any:
    if response.status_code >= 400:
        raise _refused(response)
    try:
        return response.json()
    except ValueError as error:
        raise unavailable("printer_unavailable", "Our printer's answer made no sense.", error) from error


def _refused(response: httpx.Response) -> ShopError:
    cause = f"Printify {response.status_code}: {response.text}"
    if response.status_code == 429 or response.status_code >= 500:
        return unavailable("printer_unavailable", "Our printer is busy. Please try again in a minute.", cause)
    return unavailable("printer_refused", "Our printer could not take this. We will look into it.", cause)
