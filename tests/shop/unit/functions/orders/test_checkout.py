"""The cart: computed from the database; a browser's claim that differs is refused."""

from dataclasses import replace
from typing import Any

import pytest
from _shared.catalog.pricing import Price
from _shared.core.errors import ShopError
from _shared.orders.checkout import PaymentRequest, plan_cart
from pydantic import ValidationError

from tests.shop.unit.functions.samples import ADDRESS, BLACK_M, DESIGN, VARIANTS, body


def plan(**changes: Any) -> Any:
    return plan_cart(PaymentRequest.model_validate(body(**changes)), DESIGN, VARIANTS, "http://mockups")


def error_of(**changes: Any) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        plan(**changes)
    return caught.value.status, caught.value.code


def test_cart_is_computed_from_the_database() -> None:
    cart = plan()
    assert cart.price == Price(5970, 0)
    assert cart.buyer_id == "buyer"
    first = cart.items[0]
    assert (first.product_name, first.product_color, first.product_size) == ("Surfing cat", "Black", "M")
    assert (first.quantity, first.unit_price_cents, first.printify_variant_id) == (1, 1990, 12125)
    assert first.product_image_url == "http://mockups/mockup/product-1/12125/102048/mockup.jpg?s=800"


@pytest.mark.parametrize("amount", [1, 5969, 5971, 597000])
def test_cart_with_another_amount_is_refused(amount: int) -> None:
    assert error_of(amount=amount) == (409, "amount_mismatch")


def test_cart_abroad_includes_shipping() -> None:
    abroad = ADDRESS | {"country": "ca", "region": "ON", "zip": "M5H 1A1"}
    assert error_of(shipping_address=abroad) == (409, "amount_mismatch")
    assert plan(amount=6560, shipping_address=abroad).price == Price(5970, 590)


def test_claimed_variant_or_product_that_differs_is_refused() -> None:
    line = {"id": BLACK_M, "quantity": 3}
    assert error_of(order_items=[line | {"printify_variant_id": 1}]) == (409, "item_mismatch")
    assert error_of(order_items=[line | {"product_id": "another"}]) == (409, "item_mismatch")


def test_cart_with_an_unknown_variant_is_refused() -> None:
    line = {"id": "00000000-0000-4000-8000-0000000000ff", "quantity": 3}
    assert error_of(order_items=[line]) == (409, "variant_unavailable")


def test_cart_with_a_size_twice_is_refused() -> None:
    assert error_of(order_items=[{"id": BLACK_M, "quantity": 1}, {"id": BLACK_M, "quantity": 2}]) == (
        400,
        "invalid_request",
    )


def test_design_without_a_product_cannot_be_ordered() -> None:
    with pytest.raises(ShopError, match="Design does not have a product associated"):
        plan_cart(
            PaymentRequest.model_validate(body()), replace(DESIGN, printify_product_id=""), VARIANTS, ""
        )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": "5970"}, "amount"),
        ({"amount": 59.7}, "amount"),
        ({"amount": True}, "amount"),
        ({"currency": "eur"}, "currency"),
        ({"order_items": []}, "order_items"),
        ({"order_items": [{"id": BLACK_M, "quantity": 11}]}, "order_items.0.quantity"),
        ({"order_items": [{"id": BLACK_M, "quantity": 0}]}, "order_items.0.quantity"),
        ({"order_items": [{"id": BLACK_M, "quantity": -1}]}, "order_items.0.quantity"),
        ({"design_info": {"id": "nonsense"}}, "design_info.id"),
        ({"shipping_address": ADDRESS | {"email": "nobody"}}, "shipping_address.email"),
        ({"shipping_address": ADDRESS | {"city": "  "}}, "shipping_address.city"),
        ({"shipping_address": ADDRESS | {"country": "USA"}}, "shipping_address.country"),
        ({"shipping_address": ADDRESS | {"zip": "ABC"}}, "shipping_address.zip"),
        ({"shipping_address": ADDRESS | {"zip": "10118"}}, "shipping_address.zip"),
        ({"shipping_address": ADDRESS | {"region": "XX"}}, "shipping_address.region"),
        ({"shipping_address": ADDRESS | {"country": "ZZ"}}, "shipping_address.country"),
        ({"shipping_address": ADDRESS | {"first_name": "An\x07n"}}, "shipping_address.first_name"),
    ],
)
def test_malformed_checkout_body_names_its_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        PaymentRequest.model_validate(body(**change))
    assert ".".join(map(str, caught.value.errors()[0]["loc"])) == field


def test_cart_key_depends_on_the_contents_alone() -> None:
    lines = body()["order_items"]
    again, reordered = plan(), plan(order_items=lines[::-1])
    assert plan().key == again.key == reordered.key
    assert plan(shipping_address=ADDRESS | {"address1": "2 Main St"}).key != again.key
    assert plan(amount=3980, order_items=lines[1:]).key != again.key
