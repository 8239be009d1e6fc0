"""Small pieces of the vendors' protocols: form encoding, card checks, an order's timeline, model inputs."""

from __future__ import annotations

from typing import Any

import pytest

from emulators.printify import timeline
from emulators.printify.mockups import nearest_size
from emulators.replicate.errors import ProblemError
from emulators.replicate.models import MODELS
from emulators.stripe.cards import brand_of, check_card, passes_luhn
from emulators.stripe.errors import StripeError
from emulators.stripe.forms import merge_metadata, parse_form


def test_nested_forms_become_dictionaries_and_lists() -> None:
    text = "shipping[address][city]=Ely&expand[]=a&expand[]=b&types[0]=card&amount=1990&empty="
    assert parse_form(text) == {
        "shipping": {"address": {"city": "Ely"}},
        "expand": ["a", "b"],
        "types": ["card"],
        "amount": "1990",
        "empty": "",
    }


def test_metadata_is_merged_and_empty_strings_delete() -> None:
    current = {"a": "1", "b": "2"}
    assert merge_metadata(current, parse_form("metadata[b]=&metadata[c]=3")) == {"a": "1", "c": "3"}
    assert merge_metadata(current, parse_form("metadata=")) == {}
    assert merge_metadata(current, {}) == current


@pytest.mark.parametrize(
    ("number", "good"), [("4242424242424242", True), ("4242424242424241", False), ("378282246310005", True)]
)
def test_card_checksum_follows_luhn(number: str, good: bool) -> None:
    assert passes_luhn(number) is good


@pytest.mark.parametrize(
    ("card", "code"),
    [
        ({"number": "4242424242424241", "exp_month": "1", "exp_year": "34"}, "incorrect_number"),
        ({"number": "4242424242424242", "exp_month": "13", "exp_year": "34"}, "invalid_expiry_month"),
        ({"number": "4242424242424242", "exp_month": "1", "exp_year": "20"}, "invalid_expiry_year"),
        ({"number": "4242424242424242", "exp_month": "1", "exp_year": "34", "cvc": "1"}, "invalid_cvc"),
    ],
)
def test_malformed_cards_are_rejected(card: dict[str, str], code: str) -> None:
    with pytest.raises(StripeError) as caught:
        check_card(card)
    assert (caught.value.status, caught.value.error["code"]) == (402, code)


@pytest.mark.parametrize(
    ("number", "brand"), [("4242", "visa"), ("5555", "mastercard"), ("34", "amex"), ("9", "unknown")]
)
def test_card_brand_follows_from_the_first_digits(number: str, brand: str) -> None:
    assert brand_of(number) == brand


def new_order() -> dict[str, Any]:
    item = {
        "status": "pending",
        "metadata": {"sku": "1"},
        "sent_to_production_at": None,
        "fulfilled_at": None,
    }
    return {
        "id": "5a96f649b2439217d070f507",
        "status": "pending",
        "line_items": [item],
        "metadata": {"shop_fulfilled_at": None},
        "shipments": [],
        "_since": 1000.0,
        "_shop": 1,
    }


def test_order_waits_on_hold_until_it_is_released() -> None:
    order = new_order()
    assert timeline.advance(order, 1004, 1) == []
    timeline.advance(order, 1005, 1)
    assert order["status"] == "cost-calculation"
    timeline.advance(order, 999_999, 1)
    assert order["status"] == "on-hold"
    assert timeline.next_change(order, 1) is None


def test_released_order_is_produced_shipped_and_delivered_in_time() -> None:
    order = new_order()
    timeline.advance(order, 1020, 1)
    timeline.enter(order, "sending-to-production", 1020)
    changes = timeline.advance(order, 99_999, 1)
    assert [change.topic for change in changes] == [
        "order:updated", "order:updated", "order:shipment:created", "order:shipment:delivered",
    ]  # fmt: skip
    assert order["status"] == "fulfilled"
    assert order["shipments"][0]["delivered_at"] is not None
    assert timeline.next_change(order, 1) is None


def test_speed_shortens_every_wait() -> None:
    assert timeline.next_change(new_order(), 10) == 1000.5


@pytest.mark.parametrize(
    ("requested", "drawn"),
    [("100", 200), ("800", 800), ("801", 1200), ("9999", 2048), (None, 1200), ("x", 1200)],
)
def test_mockups_have_a_few_sizes(requested: str | None, drawn: int) -> None:
    assert nearest_size(requested) == drawn


def test_inputs_get_their_defaults_and_wrong_ones_are_named() -> None:
    model = MODELS["openai/gpt-image-1.5"]
    assert model.check({"prompt": "x"})["aspect_ratio"] == "1:1"
    with pytest.raises(ProblemError) as caught:
        model.check({"prompt": 5, "aspect_ratio": "9:1", "number_of_images": 99, "input_images": "x"})
    kinds = {field["field"]: field["type"] for field in caught.value.body["invalid_fields"]}
    assert kinds == {
        "input.prompt": "invalid_type",
        "input.aspect_ratio": "enum",
        "input.number_of_images": "number_lte",
        "input.input_images": "invalid_type",
    }
