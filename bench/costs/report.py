"""The tables of docs/scale.md's section Money."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bench.costs.money import Counts, Month, OrderCost, Step, month_cost, order_cost, picture_cost

# What the page calls once, ten, a hundred and a thousand times.
SHOPPERS = (10_000, 100_000, 1_000_000, 10_000_000)
_SERVICES = ("rest", "auth", "storage", "functions")
_STEPS: dict[Step, str] = {
    "visit": "a first visit: landing page, Discover",
    "gallery_page": "a further page of 24 cards",
    "design": "a design: drawn from words, saved, its product made, its mockup looked at",
    "order": "an order: page, address, payment, print order, mail",
}


def money_lines(prices: Mapping[str, Any], counts: Counts, shirt_price: float) -> Iterator[str]:
    """Everything between the marks."""
    yield from _counted(counts)
    yield ""
    yield from _order(order_cost(prices, shirt_price))
    yield ""
    yield from _months(prices, [month_cost(prices, counts, shoppers) for shoppers in SHOPPERS])
    yield ""
    yield from _prices(prices)


def _counted(counts: Counts) -> Iterator[str]:
    yield "| step | requests: data · auth · storage · functions | sent | rows · their bytes | stored | vendor calls |"
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for step, title in _STEPS.items():
        count = counts[step]
        requests = " · ".join(str(count.requests.get(service, 0)) for service in _SERVICES)
        vendors = ", ".join(
            f"{vendor} {calls}" for vendor, calls in sorted(count.vendor_calls.items()) if calls
        )
        yield (
            f"| {title} | {requests} | {_size(count.bytes_out)} | {count.rows} · {_size(count.row_bytes)} "
            f"| {_size(count.stored_bytes) if count.stored_bytes else '–'} | {vendors or '–'} |"
        )


def _order(order: OrderCost) -> Iterator[str]:
    yield f"| an order of {order.shirts} shirts within the US | $ |"
    yield "| --- | ---: |"
    rows = {
        "income": order.income,
        "printing": -order.printing,
        "shipping, which the shop pays": -order.shipping,
        "card": -order.card,
        "pictures, those of people who only look included": -order.pictures,
        "functions": -order.functions,
        "two mails": -order.mail,
    }
    for title, dollars in rows.items():
        yield f"| {title} | {_dollars(dollars, 4 if abs(dollars) < 0.01 else 2)} |"
    yield f"| **left** | **{_dollars(order.left)}** |"


def _months(prices: Mapping[str, Any], months: list[Month]) -> Iterator[str]:
    yield "| a month of | " + " | ".join(f"{month.shoppers:,} shoppers" for month in months) + " |"
    yield "| --- | " + " | ".join("---:" for _ in months) + " |"
    left = order_cost(prices, 0).pictures
    rows = {
        "orders": [f"{month.orders:,.0f}" for month in months],
        "requests a second at the peak": [f"{month.requests_second:,.1f}" for month in months],
        "sent to browsers": [_size(month.egress_gb * 1e9) for month in months],
        f"database after {prices['month']['months_stored']} months": [
            _size(month.database_gb * 1e9) for month in months
        ],
        f"Storage after {prices['month']['months_stored']} months": [
            _size(month.storage_gb * 1e9) for month in months
        ],
        "machine of the database": [month.compute for month in months],
        "Supabase": [_dollars(month.supabase, 0) for month in months],
        "functions (Cloud Run)": [_dollars(month.functions, 0) for month in months],
        "mails": [_dollars(month.mail, 0) for month in months],
        "pictures (Replicate)": [_dollars(month.pictures, 0) for month in months],
        "**in all**": [f"**{_dollars(month.total, 0)}**" for month in months],
        "of it without pictures, for each order": [
            _dollars((month.total - month.pictures) / month.orders) for month in months
        ],
        "pictures for each order": [_dollars(left) for _ in months],
    }
    for title, cells in rows.items():
        yield f"| {title} | {' | '.join(cells)} |"


def _prices(prices: Mapping[str, Any]) -> Iterator[str]:
    yield f"One picture costs {_dollars(picture_cost(prices), 3)} on average. Prices (`bench/costs/prices.toml`):"
    yield ""
    for name, values in prices.items():
        if "source" in values:
            doubt = "" if values["confirmed"] else "; not confirmed on the vendor's own page"
            figures = ", ".join(
                f"{key} {_plain(value)}"
                for key, value in values.items()
                if isinstance(value, int | float) and not isinstance(value, bool)
            )
            yield f"- {name}: {figures} ({values['source']}, read {values['read']}{doubt})"
    assumed = json.dumps(prices["month"])[1:-1].replace('"', "").replace(":", "")
    yield f"- assumed of a shopper's month: {assumed}"


def _plain(value: float) -> str:
    """0.000024, not 2.4e-05."""
    return f"{value:.10f}".rstrip("0").rstrip(".")


def _dollars(amount: float, digits: int = 2) -> str:
    return f"{'−' if amount < 0 else ''}{abs(amount):,.{digits}f}"


def _size(size: float) -> str:
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:,.1f} {unit}"
    return f"{size:.0f} B"
