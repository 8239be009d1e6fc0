"""The journey of a photo in a real browser, up to shirts that are being printed. That of an idea: test_costs.py."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.steps import (
    Address,
    dollars,
    fill_address,
    fill_card,
    orders_of,
    printed_orders,
    query,
    save_and_preview,
    sign_up,
)
from tests.support.stacks import ROOT, Stack

TORONTO = Address("Canada", "M5V 2T6", "290 Bremner Blvd", "4165550100", "Toronto", "ON")


def test_photo_becomes_shirts_of_two_sizes_to_canada(visit: Visit, stack: Stack) -> None:
    page = visit.page
    email = sign_up(page, stack)
    page.get_by_role("link", name="Create New Design").first.click()
    page.get_by_role("link", name=re.compile("Create from Picture")).click()
    photo = sorted((ROOT / "tests" / "support" / "photos").glob("*.jpg"))[0]
    page.locator("input[type=file]").set_input_files(photo)
    page.get_by_role("button", name="Pop art").click()
    page.get_by_role("button", name="White", exact=True).click()
    page.get_by_role("button", name="Create Design from Photo").click()
    expect(page.get_by_text("Transformation Complete!")).to_be_visible()
    save_and_preview(page, "Save & Create Product")

    page.get_by_role("link", name="Order Now").click()
    page.get_by_role("button", name="Increase S quantity").click()
    page.get_by_role("button", name="Increase XL quantity").click()
    page.get_by_role("button", name="Increase XL quantity").click()
    fill_address(page, TORONTO)
    expect(page.get_by_label("Phone code")).to_have_value("+1")
    expect(page.get_by_text("$5.90").first).to_be_visible()
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $65.60").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    expect(page.get_by_text("10-30 business days").first).to_be_visible()

    (order,) = orders_of(stack, email)
    assert [(item["product_size"], item["quantity"], item["unit_price"]) for item in order["items"]] == [
        ("S", 1, dollars("19.90")),
        ("XL", 2, dollars("19.90")),
    ]
    assert (order["status"], order["total"]) == ("paid", dollars("65.60"))
    (printed,) = printed_orders(stack, str(order["id"]))
    # Gildan 5000 in white: S is 12102, XL 12103 in the printer's catalog.
    assert {line["variant_id"]: line["quantity"] for line in printed["line_items"]} == {12102: 1, 12103: 2}
    assert (printed["address_to"]["country"], printed["address_to"]["city"]) == ("CA", "Toronto")
    (design,) = query(stack, "select name from designs where user_id = %s", str(order["user_id"]))
    assert design["name"] == "Picture Design - Pop art"
