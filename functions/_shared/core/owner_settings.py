"""The owner's decisions: shop.toml, which web pages read too; `_shared` has a link to the root's."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).resolve().parent.parent / "shop.toml"


@dataclass(frozen=True)
class Prices:
    """US cents; countries as ISO 3166 alpha-2. `most_per_size` is shirts of one colour and size in an order."""

    shirt_cents: int
    second_side_cents: int
    shipping_cents: int
    free_shipping_countries: tuple[str, ...]
    most_per_size: int


@dataclass(frozen=True)
class Delivery:
    """Estimates, as customers read them."""

    home_country: str
    home: str
    abroad: str


@dataclass(frozen=True)
class Policies:
    """`refund_time`: how long a refund takes to reach the card, as customers read it."""

    refund_time: str


@dataclass(frozen=True)
class StorageTimes:
    """The ages at which the print file of a design that nobody ordered, and artwork that nothing uses, are removed."""

    unordered_print_file_days: int
    unused_artwork_days: int


@dataclass(frozen=True)
class OwnerSettings:
    """The file's part that functions and mails use. `support_email` is where a person answers.

    `ink_profile` names an ICC file in functions/_shared, or nothing.
    """

    support_email: str
    prices: Prices
    delivery: Delivery
    policies: Policies
    storage: StorageTimes
    ink_profile: str = ""


def read_owner_settings(file: Path) -> OwnerSettings:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    prices, delivery, policies = tables["prices"], tables["delivery"], tables["policies"]
    storage = tables["storage"]
    return OwnerSettings(
        str(tables["shop"]["support_email"]),
        Prices(
            shirt_cents=int(prices["shirt_cents"]),
            second_side_cents=int(prices.get("second_side_cents", 0)),
            shipping_cents=int(prices["shipping_cents"]),
            free_shipping_countries=tuple(str(country) for country in prices["free_shipping_countries"]),
            most_per_size=int(prices["most_per_size"]),
        ),
        Delivery(
            home_country=str(delivery["home_country"]),
            home=str(delivery["home"]),
            abroad=str(delivery["abroad"]),
        ),
        Policies(refund_time=str(policies["refund_time"])),
        StorageTimes(
            unordered_print_file_days=int(storage["unordered_print_file_days"]),
            unused_artwork_days=int(storage.get("unused_artwork_days", 90)),
        ),
        ink_profile=Path(str(tables.get("print", {}).get("ink_profile", ""))).name,
    )


@cache
def owner_settings() -> OwnerSettings:
    """Those of the file beside the functions, read once."""
    return read_owner_settings(_FILE)
