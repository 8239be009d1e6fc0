"""What things cost. Integer cents, US dollars; the specification's section 9."""

from __future__ import annotations

from dataclasses import dataclass

SHIRT_CENTS = 1990
CURRENCY = "usd"
MOST_PER_SIZE = 10
_SHIPPING_ABROAD_CENTS = 590
_HOME = "US"


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
        shipping_cents=0 if country == _HOME else _SHIPPING_ABROAD_CENTS,
    )


def delivery_estimate(country: str) -> str:
    """The estimate that the confirmation gives."""
    return "3-7 business days" if country == _HOME else "10-30 business days"


def dollars(cents: int) -> str:
    """1990 → `$19.90`."""
    return f"${cents // 100}.{cents % 100:02d}"
