"""shop.toml as the commands read it: what the owner decides."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from deploy.environment import ROOT
from deploy.errors import CommandError

SHOP_SETTINGS = ROOT / "shop.toml"
_NO_DEFAULT = object()
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")


@dataclass(frozen=True)
class CatalogChoice:
    """The part of the printer's shirt that is sold. `colours`: the printer's name → the colour shown, '#RRGGBB'."""

    sizes: tuple[str, ...]
    colours: dict[str, str]


# As the file comes: what production-check names while it is unchanged.
AS_IT_CAME: dict[str, object] = {
    "shop.company": "Teesmith",
    "shop.address": "",
    "shop.support_email": "support@teesmith.example",
    "shop.minimum_age": 13,
    "policies.updated": "November 1, 2026",
    "policies.claim_days": 30,
    "policies.refund_time": "5-7 business days",
    "policies.data_request_days": 30,
    "policies.order_retention": "seven years",
    "prices.shirt_cents": 1990,
    "prices.regular_shirt_cents": 2690,
    "prices.second_side_cents": 0,
    "prices.shipping_cents": 590,
    "prices.free_shipping_countries": ["US"],
    "prices.most_per_size": 10,
    "delivery.home_country": "US",
    "delivery.home": "3-7 business days",
    "delivery.abroad": "10-30 business days",
    "storage.unordered_print_file_days": 90,
    "storage.unused_artwork_days": 90,
    "print.ink_profile": "",
    "promo.ends_at": "2025-08-01T00:00:00",
    "shirt.name": "Unisex Heavy Cotton Tee (Gildan 5000)",
    "shirt.material": "100% cotton; Sport Grey is 90% cotton and 10% polyester",
    "shirt.weight": "Medium, 5.3 oz/yd² (180 g/m²)",
    "shirt.fit": "Classic and straight, without side seams, with a ribbed collar",
    "shirt.care": "Machine wash cold, inside out. Tumble dry low. Don't iron the print, don't dry-clean.",
    "shirt.models": "The man wears an M, the woman an S.",
}


def unchanged_settings(path: Path = SHOP_SETTINGS) -> list[str]:
    """The settings that the owner has left as they came, in the file's order."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        f"{table}.{name}"
        for table, values in tables.items()
        for name, value in values.items()
        if AS_IT_CAME.get(f"{table}.{name}", _NO_DEFAULT) == value
    ]


def read_catalog(path: Path = SHOP_SETTINGS) -> CatalogChoice:
    content = tomllib.loads(path.read_text(encoding="utf-8")).get("catalog")
    if content is None:
        raise CommandError(
            f"{path.name}: the table [catalog] is missing. It was called [catalogue] before 0.3.0."
        )
    colours = {str(name): str(value) for name, value in content["colours"].items()}
    wrong = [name for name, value in colours.items() if not _HEX.fullmatch(value)]
    if wrong:
        raise CommandError(f"{path.name}: a colour is written '#RRGGBB'; these are not: {', '.join(wrong)}")
    return CatalogChoice(tuple(str(size) for size in content["sizes"]), colours)
