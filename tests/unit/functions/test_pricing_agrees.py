"""One price list: functions/_shared/catalog/pricing.json; what SQL and the web client know must be the same."""

import json
import re
from pathlib import Path
from typing import Any

from _shared.catalog import pricing

ROOT = Path(__file__).resolve().parents[3]
FIGURES: dict[str, Any] = json.loads(
    (ROOT / "functions" / "_shared" / "catalog" / "pricing.json").read_text()
)


def test_price_list_is_the_specified_one() -> None:
    assert FIGURES == {
        "currency": "usd",
        "regular_shirt_cents": 2690,
        "shirt_cents": 1990,
        "home_country": "US",
        "home_shipping_cents": 0,
        "abroad_shipping_cents": 590,
        "most_per_size": 10,
    }
    assert (pricing.SHIRT_CENTS, pricing.CURRENCY, pricing.MOST_PER_SIZE) == (1990, "usd", 10)


def test_newest_migration_has_the_same_prices() -> None:
    texts = [path.read_text() for path in sorted((ROOT / "sql" / "migrations").glob("*.sql"))]
    lists = [
        found
        for text in texts
        for found in re.findall(r"public\.get_pricing\(\).*?'(\{.*?\})'::jsonb", text, re.S)
    ]
    assert json.loads(lists[-1]) == FIGURES


def test_web_client_has_the_same_prices() -> None:
    source = (ROOT / "web" / "src" / "shop" / "pricing.ts").read_text()
    if "pricing.json" in source:  # it reads the list itself
        return
    written = dict(re.findall(r"const (\w+_CENTS) = (\d+);", source))
    assert written == {
        "PROMO_PRICE_CENTS": str(FIGURES["shirt_cents"]),
        "REGULAR_PRICE_CENTS": str(FIGURES["regular_shirt_cents"]),
        "INTERNATIONAL_SHIPPING_CENTS": str(FIGURES["abroad_shipping_cents"]),
    }
