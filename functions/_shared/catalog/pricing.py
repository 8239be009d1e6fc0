"""What things cost. Integer cents, US dollars; the specification's section 9.

The figures stand in pricing.json, which the web client reads too; SQL repeats them (public.get_pricing), and a test
holds the three together.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _shared.core.owner_settings import owner_settings

_FIGURES: dict[str, Any] = json.loads(Path(__file__).with_name("pricing.json").read_text(encoding="utf-8"))

SHIRT_CENTS = int(_FIGURES["shirt_cents"])
CURRENCY = str(_FIGURES["currency"])
MOST_PER_SIZE = int(_FIGURES["most_per_size"])
_HOME_SHIPPING_CENTS = int(_FIGURES["home_shipping_cents"])
_SHIPPING_ABROAD_CENTS = int(_FIGURES["abroad_shipping_cents"])
_HOME = str(_FIGURES["home_country"])


@dataclass(frozen=True)
class Price:
    """A cart's price."""

    subtotal_cents: int
    shipping_cents: int

    @property
    def total_cents(self) -> int:
        return self.subtotal_cents + self.shipping_cents


def price_of(quantity: int, country: str) -> Price:
    """`quantity` shirts to `country` (ISO 3166 alpha-2): shipping is free in the US and flat elsewhere."""
    return Price(
        subtotal_cents=SHIRT_CENTS * quantity,
        shipping_cents=_HOME_SHIPPING_CENTS if country == _HOME else _SHIPPING_ABROAD_CENTS,
    )


def delivery_estimate(country: str) -> str:
    """The estimate that the confirmation gives."""
    times = owner_settings().delivery
    return times.home if country == _HOME else times.abroad


def dollars(cents: int) -> str:
    """1990 → `$19.90`."""
    return f"${cents // 100}.{cents % 100:02d}"
