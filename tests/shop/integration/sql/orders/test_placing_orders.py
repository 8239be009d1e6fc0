"""Placing an order: current prices, the buyer's own designs, and the list of prices that both are held to."""

from __future__ import annotations

import json
from typing import Any

import pytest

Db = Any


def column(db: Db, sql: str) -> list[Any]:
    return [next(iter(row.values())) for row in db.run(sql)]


ITEM = (
    '[{"design_id": "%s", "product_variant_id": "%s", "quantity": %s, "unit_price_cents": %s, "product_name": "Cat", '
    '"product_size": "XL", "product_color": "Black", "printify_product_id": "%s", "printify_variant_id": %s}]'
)


@pytest.mark.parametrize(
    ("change", "subtotal", "shipping", "country"),
    [
        ({"price": 1}, 1, 590, "CA"),
        ({"price": 2690}, 2690, 590, "CA"),
        ({}, 1990, 0, "CA"),
        ({}, 1990, 590, "US"),
        ({"product": "another"}, 1990, 590, "CA"),
        ({"variant_number": 12126}, 1990, 590, "CA"),
        ({"whose": "stranger"}, 1990, 590, "CA"),
        ({"available": False}, 1990, 590, "CA"),
    ],
)
def test_order_needs_current_prices_and_the_buyers_own_designs(
    db: Db, change: dict[str, Any], subtotal: int, shipping: int, country: str
) -> None:
    design = db.design(change.get("whose", "owner"))
    db.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    (variant,) = column(db, "select id::text from public.product_variants where name = 'Black - XL'")
    available = change.get("available", True)
    db.run("update public.product_variants set is_available = %s where id = %s", available, variant)
    item = ITEM % (
        design, variant, 1, change.get("price", 1990), change.get("product", "product"),
        change.get("variant_number", 12127),
    )  # fmt: skip
    place = "select id from public.place_order(%s, 'k', %s, %s, %s, %s)"
    values = (db.ids["owner"], f'{{"country": "{country}"}}', subtotal, shipping, item)
    assert db.rejected("service", place, *values) == "23514"
    assert db.run("select 1 from public.orders where cart_key = 'k'") == []


def test_order_ships_free_to_every_country_of_the_price_list(db: Db) -> None:
    prices = {
        "shirt_cents": 1990, "regular_shirt_cents": 2690, "shipping_cents": 590,
        "free_shipping_countries": ["US", "MX"], "most_per_size": 10, "second_side_cents": 0,
    }  # fmt: skip
    db.as_("service", "select public.set_pricing(%s)", json.dumps(prices))
    assert column(db, "select public.get_pricing()") == [prices]
    design = db.design("owner")
    db.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    (variant,) = column(db, "select id::text from public.product_variants where name = 'Black - XL'")
    item = ITEM % (design, variant, 1, 1990, "product", 12127)
    place = "select shipping_cents from public.place_order(%s, 'free', '{\"country\": \"MX\"}', 1990, %s, %s)"
    assert db.rejected("service", place, db.ids["owner"], 590, item) == "23514"
    assert db.as_("service", place, db.ids["owner"], 0, item) == [{"shipping_cents": 0}]


@pytest.mark.parametrize(
    "change",
    [{"shirt_cents": None}, {"shirt_cents": 0}, {"regular_shirt_cents": 1}, {"shipping_cents": -1},
     {"free_shipping_countries": [None]}, {"most_per_size": 0}],
)  # fmt: skip
def test_price_list_refuses_what_is_no_price(db: Db, change: dict[str, Any]) -> None:
    (prices,) = column(db, "select public.get_pricing()")
    state = db.rejected("service", "select public.set_pricing(%s)", json.dumps({**prices, **change}))
    assert state in ("23502", "23514")
    assert column(db, "select public.get_pricing()") == [prices]
