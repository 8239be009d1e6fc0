"""An order's status for the bearer of its signed address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from uuid import uuid4

from _shared.core.data import Data
from _shared.core.errors import not_found
from _shared.core.failure_limit import FailureLimit
from _shared.core.logs import add_to_context
from _shared.orders.order_links import OrderLink, OrderLinks, account_number_of, number_of
from _shared.shipping.countries import country_name

# Since the order's last change. Long after a parcel every question has been settled, and old mailboxes leak.
VALID_DAYS = 365


class Tracking:
    """Reads what sql/migrations/…_order_tracking.sql lets a stranger see."""

    def __init__(self, data: Data, links: OrderLinks, limit: FailureLimit) -> None:
        self._data = data
        self._links = links
        self._limit = limit

    def status(self, token: str, address: str) -> dict[str, object]:
        """The order's status. One 404 for every token that opens nothing, 429 after too many from an address."""
        link = self._links.verify(token)
        if link is None:
            self._limit.check(address)
        # A forged token is looked up too, as an order that does not exist: no response is faster than another.
        row = self._row(link or OrderLink(str(uuid4()), 1))
        if row is None:
            self._limit.record(address)
            raise not_found("Order", "order_not_found")
        add_to_context(order=row["order_id"])
        return _tracked_order(row)

    def _row(self, link: OrderLink) -> Mapping[str, Any] | None:
        row = self._data.value(
            "get_tracked_order",
            {"of_order": link.order_id, "version": link.version, "valid_days": VALID_DAYS},
        )
        return cast("Mapping[str, Any] | None", row)


def _tracked_order(row: Mapping[str, Any]) -> dict[str, object]:
    order_id = str(row["order_id"])
    return {
        "order_id": order_id,
        "number": number_of(order_id),
        "account_number": account_number_of(order_id),
        "status": row["status"],
        "steps": row["steps"],
        "has_problem": row["has_problem"],
        "items": [item | {"image_url": _web_address(item["image_url"])} for item in row["items"] or []],
        "shipping_cents": row["shipping_cents"],
        "total_cents": row["total_cents"],
        "refunded_cents": row["refunded_cents"],
        "refunded_at": row["refunded_at"],
        "lost_cents": row["lost_cents"],
        "is_held": row["is_held"],
        "tracking": {
            "carrier": row["carrier"],
            "number": row["tracking_number"],
            "url": _web_address(row["tracking_url"]),
        },
        "first_name": row["first_name"],
        "city": row["city"],
        "country": country_name(str(row["country"])),
    }


def _web_address(value: object) -> str | None:
    """Only what a browser may open as a page or a picture."""
    return value if isinstance(value, str) and value.startswith(("https://", "http://")) else None
