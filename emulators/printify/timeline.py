"""An order's course by itself: pure functions of the order and the time.

The print shop's own pace (20 s until an order can be released, an hour until the parcel is delivered) is
divided by `speed`.
"""

from __future__ import annotations

from dataclasses import dataclass

from emulators.core.store import Document
from emulators.printify.paging import moment

# status → (following status, seconds until then). `on-hold` waits to be released.
_STEPS: dict[str, tuple[str, float]] = {
    "pending": ("cost-calculation", 5),
    "cost-calculation": ("on-hold", 15),
    "sending-to-production": ("in-production", 60),
    "in-production": ("fulfilled", 1200),
}
_DELIVERY = 2400.0


@dataclass(frozen=True)
class Change:
    """Something that happened to an order, for the webhooks."""

    topic: str
    data: dict[str, object]


def next_change(order: Document, speed: float) -> float | None:
    """Return when the order moves next by itself, in seconds since 1970; None when it waits or is done."""
    step = _STEPS.get(order["status"])
    since = float(order["_since"])
    if step is not None:
        return since + step[1] / speed
    if (
        order["status"] == "fulfilled"
        and order["shipments"]
        and order["shipments"][0]["delivered_at"] is None
    ):
        return since + _DELIVERY / speed
    return None


def advance(order: Document, now: float, speed: float) -> list[Change]:
    """Moves `order` up to `now`, in place, and returns what happened."""
    changes: list[Change] = []
    due = next_change(order, speed)
    while due is not None and due <= now:
        step = _STEPS.get(order["status"])
        if step is None:
            changes.append(_deliver(order, due))
        else:
            changes += enter(order, step[0], due)
        due = next_change(order, speed)
    return changes


def enter(order: Document, status: str, at: float) -> list[Change]:
    """Puts the order and its items into `status` at `at`."""
    order["status"] = status
    order["_since"] = at
    for item in order["line_items"]:
        item["status"] = status
    changes = [Change("order:updated", {"shop_id": order["_shop"], "status": status})]
    if status == "sending-to-production":
        order["sent_to_production_at"] = moment(at)
        for item in order["line_items"]:
            item["sent_to_production_at"] = moment(at)
        changes.append(Change("order:sent-to-production", {"shop_id": order["_shop"]}))
    if status == "fulfilled":
        changes.append(_ship(order, at))
    return changes


def _ship(order: Document, at: float) -> Change:
    number = "9400" + "".join(str(int(digit, 16) % 10) for digit in order["id"][:18])
    carrier = "USPS"
    url = f"https://tools.usps.com/go/TrackConfirmAction?tLabels={number}"
    order["fulfilled_at"] = moment(at)
    order["metadata"]["shop_fulfilled_at"] = moment(at)
    for item in order["line_items"]:
        item["fulfilled_at"] = moment(at)
    order["shipments"] = [
        {"carrier": carrier, "number": number, "url": url, "shipped_at": moment(at), "delivered_at": None}
    ]
    return Change(
        "order:shipment:created",
        {
            "shop_id": order["_shop"],
            "shipped_at": moment(at),
            "carrier": {"code": carrier, "tracking_number": number, "tracking_url": url},
            "skus": [item["metadata"]["sku"] for item in order["line_items"]],
        },
    )


def _deliver(order: Document, at: float) -> Change:
    shipment = order["shipments"][0]
    shipment["delivered_at"] = moment(at)
    return Change(
        "order:shipment:delivered",
        {
            "shop_id": order["_shop"],
            "delivered_at": moment(at),
            "carrier": {"code": shipment["carrier"], "tracking_number": shipment["number"]},
            "skus": [item["metadata"]["sku"] for item in order["line_items"]],
        },
    )
