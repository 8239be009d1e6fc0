"""Orders: https://developers.printify.com/#orders, as measured."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from emulators.core.store import Document, Store, public
from emulators.core.system import system
from emulators.printify import catalog, timeline
from emulators.printify.errors import PrintifyError
from emulators.printify.paging import Page, moment
from emulators.printify.products import Products
from emulators.printify.webhooks import Webhooks

_KIND = "printify.order"
_ADDRESS = ("first_name", "last_name", "country", "address1", "city", "zip")
_OPTIONAL = ("region", "address2", "email", "phone", "company")
_LARGEST_QUANTITY = 10_000
_CANCELABLE = ("on-hold", "payment-not-received")
# Where the printer ships: all but its list of exceptions (help.printify.com, "shipping").
_ISO_3166 = (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT "
    "BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH "
    "ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT "
    "HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS "
    "LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI "
    "NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG "
    "SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG "
    "UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW "
)
_EXCEPTIONS = ("AF", "BY", "CU", "EC", "IR", "KP", "MM", "RU", "SD", "SY", "UA", "VE")

DESTINATIONS = frozenset(_ISO_3166.split()) - frozenset(_EXCEPTIONS)


class Orders:
    """Orders move with time, whether or not they are read: `run` wakes for each change."""

    def __init__(self, store: Store, products: Products, webhooks: Webhooks, speed: float) -> None:
        self._store = store
        self._products = products
        self._webhooks = webhooks
        self._speed = speed
        self._wake = asyncio.Event()
        store.on_replaced.append(self._wake.set)

    def create(self, shop: int, body: dict[str, Any]) -> Document:
        external = body.get("external_id")
        if isinstance(external, list | dict):
            raise PrintifyError.invalid("external_id", "The external id must be a string.")
        if external is not None:
            existing = self._store.find(_KIND, "_external_id", str(external))
            if existing is not None:
                raise PrintifyError.refused(
                    409, 8503, "Order already exists.", f"Order with external id {external} already exists.",
                    order={"id": existing["id"]},
                )  # fmt: skip
        address = self._address(body)
        items = [self._item(item, place, address) for place, item in enumerate(self._lines(body))]
        pieces = sum(item["quantity"] for item in items)
        shipping = catalog.shipping_cost(str(address["country"]), pieces)
        items[0]["shipping_cost"] = shipping
        now = system.time()
        order: Document = {
            "id": system.token_hex(12),
            "address_to": address,
            "line_items": items,
            "metadata": {
                "order_type": "api",
                "shop_order_id": external,
                "shop_order_label": body.get("label"),
                "shop_fulfilled_at": None,
            },
            "total_price": sum(item["cost"] * item["quantity"] for item in items),
            "total_shipping": shipping,
            "total_tax": 0,
            "status": "pending",
            "shipping_method": body.get("shipping_method", 1),
            "is_printify_express": bool(body.get("is_printify_express", False)),
            "is_economy_shipping": bool(body.get("is_economy_shipping", False)),
            "shipments": [],
            "created_at": moment(now),
            "sent_to_production_at": None,
            "fulfilled_at": None,
            "printify_connect": {"url": "", "id": ""},
            "_shop": shop,
            "_since": now,
            "_external_id": None if external is None else str(external),
        }
        with self._store.transaction():
            self._store.put(_KIND, order)
            self._webhooks.emit("order:created", order["id"], "order", {"shop_id": shop, "status": "pending"})
        self._wake.set()
        return public(order)

    def get(self, id: str) -> Document:
        return public(self._current(id))

    def page(self, page: Page, status: str | None) -> dict[str, Any]:
        rows = [self._moved(order) for order in self._store.list(_KIND)]
        rows = [order for order in rows if status is None or order["status"] == status]
        shown = [public(order) for order in rows[page.offset : page.offset + page.limit]]
        return page.body(shown, len(rows))

    def send_to_production(self, id: str) -> Document:
        order = self._current(id)
        if order["status"] != "on-hold":
            raise PrintifyError.refused(
                400, 8502, "Operation failed.",
                f"Order can not be sent to production in its current status: {order['status']}",
            )  # fmt: skip
        return self._enter(order, "sending-to-production")

    def cancel(self, id: str) -> Document:
        order = self._current(id)
        if order["status"] not in _CANCELABLE:
            raise PrintifyError.refused(
                400,
                8502,
                "Operation failed.",
                f"Order can not be canceled in its current status: {order['status']}",
            )
        return self._enter(order, "canceled")

    def shipping(self, body: dict[str, Any]) -> dict[str, int]:
        address = body.get("address_to")
        if not isinstance(address, dict) or not address.get("country"):
            raise PrintifyError.invalid("address_to.country", "The address to.country field is required.")
        pieces = sum(_quantity(item, f"line_items.{place}") for place, item in enumerate(self._lines(body)))
        standard = catalog.shipping_cost(str(address["country"]), pieces)
        return {
            "standard": standard, "express": standard * 3, "priority": standard * 3,
            "printify_express": 799, "economy": round(standard * 0.84),
        }  # fmt: skip

    async def run(self) -> None:
        """Moves orders when their time comes, for as long as the process lives."""
        while True:
            self._wake.clear()
            orders = [self._moved(order) for order in self._store.list(_KIND)]
            due = [timeline.next_change(order, self._speed) for order in orders]
            soonest = min((at for at in due if at is not None), default=None)
            # Not by `wait_for`: before Python 3.12 it swallows a cancellation that comes with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if soonest is None else max(soonest - system.time(), 0.01)):
                    await self._wake.wait()

    def _current(self, id: str) -> Document:
        return self._moved(self._store.require(_KIND, id, PrintifyError.missing))

    def _moved(self, order: Document) -> Document:
        changes = timeline.advance(order, system.time(), self._speed)
        if changes:
            with self._store.transaction():
                self._store.put(_KIND, order)
                self._emit(order, changes)
        return order

    def _enter(self, order: Document, status: str) -> Document:
        changes = timeline.enter(order, status, system.time())
        with self._store.transaction():
            self._store.put(_KIND, order)
            self._emit(order, changes)
        self._wake.set()
        return public(order)

    def _emit(self, order: Document, changes: list[timeline.Change]) -> None:
        for change in changes:
            self._webhooks.emit(change.topic, order["id"], "order", change.data)

    def _lines(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        lines = body.get("line_items")
        if not isinstance(lines, list) or not lines or not all(isinstance(line, dict) for line in lines):
            raise PrintifyError.invalid("line_items", "The line items field is required.")
        return lines

    def _address(self, body: dict[str, Any]) -> dict[str, Any]:
        address = body.get("address_to")
        if not isinstance(address, dict):
            raise PrintifyError.invalid("address_to", "The address to field is required.")
        for name in _ADDRESS:
            if not address.get(name):
                raise PrintifyError.invalid(f"address_to.{name}", f"The address to.{name} field is required.")
        for name in (*_ADDRESS, *_OPTIONAL):
            if not isinstance(address.get(name) or "", str):
                raise PrintifyError.invalid(f"address_to.{name}", f"The address to.{name} must be a string.")
        if address["country"] not in DESTINATIONS:
            raise PrintifyError.invalid("address_to.country", "The selected address to.country is invalid.")
        if address["country"] in ("US", "CA", "AU") and not address.get("region"):
            raise PrintifyError.invalid("address_to.region", "The address to.region field is required.")
        return {
            **{name: address[name] for name in _ADDRESS},
            **{name: address.get(name) or "" for name in _OPTIONAL},
        }

    def _item(self, line: dict[str, Any], place: int, address: dict[str, Any]) -> dict[str, Any]:
        field = f"line_items.{place}"
        product = self._store.get("printify.product", str(line.get("product_id")))
        if product is None:
            raise PrintifyError.invalid(f"{field}.product_id", "The selected product id is invalid.")
        row = next((row for row in product["variants"] if row["id"] == line.get("variant_id")), None)
        if row is None:
            raise PrintifyError.invalid(f"{field}.variant_id", "The selected variant id is invalid.")
        if not row["is_enabled"]:
            raise PrintifyError.invalid(f"{field}.variant_id", "The variant is not enabled in the product.")
        return {
            "product_id": product["id"],
            "quantity": _quantity(line, field),
            "variant_id": row["id"],
            "print_provider_id": catalog.PROVIDER,
            "cost": row["cost"],
            "shipping_cost": 0,
            "status": "pending",
            "metadata": {
                "title": product["title"],
                "price": row["price"],
                "variant_label": row["title"],
                "sku": row["sku"],
                "country": address["country"],
            },
            "sent_to_production_at": None,
            "fulfilled_at": None,
        }


def _quantity(line: dict[str, Any], field: str) -> int:
    quantity = line.get("quantity")
    if isinstance(quantity, bool) or not isinstance(quantity, int) or quantity < 1:
        raise PrintifyError.invalid(f"{field}.quantity", "The quantity must be at least 1.")
    if quantity > _LARGEST_QUANTITY:
        raise PrintifyError.invalid(f"{field}.quantity", f"The quantity must be at most {_LARGEST_QUANTITY}.")
    return quantity
