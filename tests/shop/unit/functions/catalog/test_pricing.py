"""Prices: the specification's section 9, in cents."""

from _shared.catalog.pricing import Price, delivery_estimate, dollars, price_of


def test_two_shirts_to_the_us_cost_two_promo_prices() -> None:
    assert price_of(2, "US") == Price(subtotal_cents=3980, shipping_cents=0)


def test_shipping_abroad_is_flat() -> None:
    assert price_of(1, "CA").total_cents == 1990 + 590
    assert price_of(10, "DE").total_cents == 19900 + 590


def test_delivery_is_quicker_at_home() -> None:
    assert delivery_estimate("US") == "3-7 business days"
    assert delivery_estimate("CA") == "10-30 business days"


def test_cents_read_as_dollars() -> None:
    assert [dollars(cents) for cents in (5, 590, 1990, 100000)] == ["$0.05", "$5.90", "$19.90", "$1000.00"]
