"""Prices. Integer cents, US dollars; the specification's section 9.

The figures stand in shop.toml, which the web client reads too; the database holds them (public.get_pricing), and
`make production-check` compares.
"""

from __future__ import annotations

from dataclasses import dataclass

from _shared.core.owner_settings import owner_settings

CURRENCY = "usd"
SHIRT_CENTS = owner_settings().prices.shirt_cents
MOST_PER_SIZE = owner_settings().prices.most_per_size


@dataclass(frozen=True)
class Price:
    """A cart's price."""

    subtotal_cents: int
    shipping_cents: int

    @property
    def total_cents(self) -> int:
        return self.subtotal_cents + self.shipping_cents


def shirt_cents(*, has_back: bool) -> int:
    """What one shirt costs: printed on the front, or on the back as well."""
    return SHIRT_CENTS + (owner_settings().prices.second_side_cents if has_back else 0)


def price_of(quantity: int, country: str, *, has_back: bool = False) -> Price:
    """`quantity` shirts to `country` (ISO 3166 alpha-2): shipping is free to some countries and flat to others."""
    prices = owner_settings().prices
    return Price(
        subtotal_cents=shirt_cents(has_back=has_back) * quantity,
        shipping_cents=0 if country in prices.free_shipping_countries else prices.shipping_cents,
    )


def delivery_estimate(country: str) -> str:
    """The estimate that the confirmation gives."""
    times = owner_settings().delivery
    return times.home if country == times.home_country else times.abroad


def dollars(cents: int) -> str:
    """1990 → `$19.90`."""
    return f"${cents // 100}.{cents % 100:02d}"
