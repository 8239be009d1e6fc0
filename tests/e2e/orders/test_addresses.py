"""Addresses of the world in the checkout's form, up to the printer. All the others: tests/data/addresses.tsv."""

from __future__ import annotations

import json

import pytest
from _shared.shipping.addresses import ShippingAddress
from playwright.sync_api import Locator, Page, expect

from tests.e2e.accounts.users_in_browser import ADDRESS, enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import fill_card, orders_of, printed_orders, query
from tests.support.stacks import Stack
from tests.support.users import Person, Users

Fields = dict[str, str]
PLACING = "**/functions/v1/create-payment-intent"


@pytest.fixture
def shopper(users: Users) -> Person:
    return users.new("traveller")


def open_order(page: Page, stack: Stack, person: Person) -> None:
    """The order page of a design of this person, with one shirt in it."""
    design = give_design(stack, person, "A fox")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    page.get_by_role("button", name="Increase M quantity").click()
    # the rules of the country are there
    expect(page.locator("select[name=region]")).to_be_visible()


def fill(page: Page, country: str, fields: Fields) -> None:
    page.get_by_label("First name").fill("Vera")
    page.get_by_label("Last name").fill("Visitor")
    page.get_by_label("Country").select_option(country)
    for name, text in fields.items():
        if name == "region":
            # a list, once the country's rules are there
            page.locator("select[name=region]").select_option(label=text)
        else:
            page.locator(f"[name={name}]").fill(text)
    page.get_by_label("Phone", exact=True).fill("2125550100")
    page.get_by_label("Phone code").select_option("+1")


def pay(page: Page) -> None:
    page.evaluate("document.querySelector('main form').requestSubmit()")


def fault_of(page: Page, name: str) -> Locator:
    """The error at a field, once it has one."""
    field = page.locator(f"[name={name}]")
    expect(field).to_have_attribute("aria-invalid", "true")
    described = (field.get_attribute("aria-describedby") or "").split()[-1]
    return page.locator(f"[id='{described}']")


# country, labels, what is typed, what the printer gets
ABROAD: list[tuple[str, tuple[str, ...], Fields, Fields]] = [
    (
        "GB",
        ("Postcode", "Town or city", "Region (optional)"),
        {"address1": "Buckingham Palace", "zip": "sw1a1aa", "city": "London"},
        {"country": "GB", "region": "", "zip": "SW1A 1AA"},
    ),
    (
        "HK",
        ("Postal code (optional)", "District", "Area (optional)"),
        {"address1": "405 Nathan Rd", "city": "Yau Ma Tei", "region": "Kowloon"},
        {"country": "HK", "region": "Kowloon", "zip": "00000"},
    ),
    (
        "PR",
        ("ZIP code", "City", "Region (optional)"),
        {"address1": "100 Calle San Francisco", "zip": "009011234", "city": "San Juan"},
        {"country": "PR", "region": "PR", "zip": "00901-1234"},
    ),
    (
        "CA",
        ("Postal code", "City", "Province"),
        {"address1": "2701 Riverside Dr", "zip": "k1a0b1", "city": "Ottawa", "region": "Ontario"},
        {"country": "CA", "region": "ON", "zip": "K1A 0B1"},
    ),
    (
        "DE",
        ("Postal code", "City", "Region (optional)"),
        {"address1": "Platz der Republik 1", "zip": "D-11011", "city": "Berlin"},
        {"country": "DE", "region": "", "zip": "11011"},
    ),
    (
        "JP",
        ("Postal code", "City", "Prefecture (optional)"),
        {"address1": "Chiyoda 1-1", "zip": "〒１００−０００１", "city": "Chiyoda-ku", "region": "Tokyo"},
        {"country": "JP", "region": "Tokyo", "zip": "100-0001"},
    ),
]


def test_address_abroad_reaches_the_printer_in_its_form(visit: Visit, stack: Stack, shopper: Person) -> None:
    """The last one up to the printer; of the others, what the shop makes for it of the form's request."""
    page = visit.page
    open_order(page, stack, shopper)
    *others, (last, _labels, last_fields, last_printed) = ABROAD
    fill_card(page, "4242 4242 4242 4242")
    page.route(PLACING, lambda route: route.abort())
    visit.expected.append("ERR_FAILED")
    for country, labels, fields, printed in others:
        fill_abroad(page, country, labels, fields)
        with page.expect_request(PLACING) as placing:
            page.get_by_role("button", name="Pay $25.80").click()
        body = json.loads(placing.value.post_data or "")
        sent = ShippingAddress.model_validate(body["shipping_address"])
        expected = printed | {name: fields[name] for name in ("address1", "city")}
        assert {name: sent.to_printify()[name] for name in expected} == expected
        expect(page.get_by_role("button", name="Pay $25.80")).to_be_enabled()
    page.unroute(PLACING)

    fill_abroad(page, last, _labels, last_fields)
    page.get_by_role("button", name="Pay $25.80").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    (order,) = orders_of(stack, shopper.email)
    (parcel,) = printed_orders(stack, str(order["id"]))
    expected = last_printed | {name: last_fields[name] for name in ("address1", "city")}
    assert {name: parcel["address_to"][name] for name in expected} == expected


def fill_abroad(page: Page, country: str, labels: tuple[str, ...], fields: Fields) -> None:
    page.get_by_label("Country").select_option(country)
    for label in labels:
        expect(page.get_by_label(label, exact=True)).to_be_visible()
    fill(page, country, fields)


# country, what is typed, the field that is refused, and why
REFUSED: list[tuple[str, Fields, str, str]] = [
    (
        "CA",
        {"address1": "9641 Sunset Blvd", "zip": "90210", "city": "Beverly Hills", "region": "Ontario"},
        "zip",
        "Postal codes here look like H3Z 2Y7.",
    ),
    (
        "CA",
        {"address1": "290 Bremner Blvd", "zip": "H2Y 1C6", "city": "Toronto", "region": "Ontario"},
        "zip",
        "This postal code is not in Ontario.",
    ),
    (
        "AU",
        {"address1": "264 George St", "zip": "2000", "city": "Sydney"},
        "region",
        "Please fill in your state.",
    ),
    (
        "US",
        {"address1": "100 Calle San Francisco", "city": "San Juan", "zip": "00901"},
        "zip",
        "This ZIP code is in Puerto Rico. Please choose it as your country.",
    ),
    (
        "JP",
        {"address1": "千代田1-1", "zip": "100-0001", "city": "Chiyoda-ku"},
        "address1",
        "The printer can't print “千”. Please use Latin letters.",
    ),
]


def test_address_that_cannot_arrive_is_refused_at_its_field_before_paying(
    visit: Visit, stack: Stack, shopper: Person
) -> None:
    page = visit.page
    open_order(page, stack, shopper)
    for country, fields, where, message in REFUSED:
        fill(page, country, fields)
        pay(page)
        expect(fault_of(page, where), country).to_have_text(message)
    assert orders_of(stack, shopper.email) == []


def test_plain_form_is_offered_and_taken_only_when_pressed(
    visit: Visit, stack: Stack, shopper: Person
) -> None:
    page = visit.page
    open_order(page, stack, shopper)
    page.get_by_label("City").fill("Αθήνα")
    page.get_by_label("Address", exact=True).fill("千代田1-1")
    page.get_by_label("City").focus()
    expect(page.get_by_role("button", name="Use “Athina”")).to_be_visible()
    assert page.get_by_role("button", name="Use “").count() == 1
    assert page.get_by_label("City").input_value() == "Αθήνα"
    page.get_by_role("button", name="Use “Athina”").click()
    expect(page.get_by_label("City")).to_have_value("Athina")
    expect(page.get_by_label("City")).to_be_focused()
    expect(page.get_by_label("City")).not_to_have_attribute("aria-invalid", "true")


def test_error_goes_when_its_field_is_mended(visit: Visit, stack: Stack, shopper: Person) -> None:
    page = visit.page
    open_order(page, stack, shopper)
    fill(page, "CA", {"zip": "K1A 0B1", "city": "Ottawa", "region": "Quebec"})
    pay(page)
    expect(fault_of(page, "address1")).to_have_text("Please fill in address")
    page.get_by_label("Address", exact=True).press_sequentially("2")
    expect(page.get_by_label("Address", exact=True)).not_to_have_attribute("aria-invalid", "true")
    # K1A lies in Ontario and in Quebec
    page.get_by_label("Province").select_option(label="Alberta")
    pay(page)
    expect(fault_of(page, "zip")).to_have_text("This postal code is not in Alberta.")
    page.get_by_label("Province").select_option(label="Ontario")
    expect(page.get_by_label("Postal code")).not_to_have_attribute("aria-invalid", "true")


def test_change_of_country_empties_its_places_alone_and_a_change_back_restores_them(
    visit: Visit, stack: Stack, shopper: Person
) -> None:
    page = visit.page
    open_order(page, stack, shopper)
    fill(
        page, "CA", {"address1": "2701 Riverside Dr", "zip": "K1A 0B1", "city": "Ottawa", "region": "Ontario"}
    )
    page.get_by_label("Country").select_option("DE")
    expect(page.get_by_text("Please fill in city, region and postal code anew.").first).to_be_visible()
    for name in ("zip", "city", "region"):
        expect(page.locator(f"[name={name}]")).to_have_value("")
    expect(page.get_by_label("Address", exact=True)).to_have_value("2701 Riverside Dr")
    expect(page.get_by_label("First name")).to_have_value("Vera")
    page.get_by_label("Country").select_option("CA")
    expect(page.get_by_label("Province")).to_have_value("ON")
    expect(page.get_by_label("Postal code")).to_have_value("K1A 0B1")
    expect(page.get_by_label("City")).to_have_value("Ottawa")


def test_saved_address_in_a_territory_of_the_us_becomes_one_of_its_country(
    visit: Visit, stack: Stack, shopper: Person
) -> None:
    page = visit.page
    saved = ADDRESS | {"region": "Puerto Rico", "city": "San Juan", "zip": "00901", "user_id": shopper.id}
    columns, places = ", ".join(saved), ", ".join(["%s"] * len(saved))
    query(stack, f"insert into user_addresses ({columns}) values ({places}) returning id", *saved.values())
    design = give_design(stack, shopper, "A fox")
    enter(page, stack, shopper)
    page.goto(f"/order?design={design}")
    expect(page.get_by_label("Country")).to_have_value("PR")
    expect(page.get_by_label("ZIP code")).to_have_value("00901")
    page.get_by_role("button", name="Increase M quantity").click()
    expect(page.get_by_label("Price")).to_contain_text("$5.90")
