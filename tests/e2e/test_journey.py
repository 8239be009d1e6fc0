"""The core journey in a real browser: from a visitor's idea, or photo, to a shirt that is being printed."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.steps import (
    BEVERLY_HILLS,
    Address,
    design_from_text,
    dollars,
    fill_address,
    fill_card,
    orders_of,
    printed_orders,
    query,
    save_and_preview,
    sign_up,
)
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import ROOT, Stack

TORONTO = Address("Canada", "M5V 2T6", "290 Bremner Blvd", "4165550100", "Toronto", "ON")


def test_new_visitor_orders_two_sizes_of_an_idea(visit: Visit, stack: Stack) -> None:
    page = visit.page
    email = sign_up(page, stack)
    expect(page.get_by_role("heading", name="Welcome!")).to_be_visible()
    expect(page.get_by_text("You haven't created any designs yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Make your first design")).to_be_visible()
    design = design_from_text(page)

    page.get_by_role("link", name="Order Now").click()
    expect(page.get_by_role("heading", name="Place Your Order")).to_be_visible()
    expect(page.get_by_text("Selected Color: Navy")).to_be_visible()
    page.get_by_role("button", name="Increase M quantity").click()
    page.get_by_role("button", name="Increase XL quantity").click()
    page.get_by_role("button", name="Increase XL quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    expect(page.get_by_label("State")).to_have_value("CA")
    expect(page.get_by_text("City and state updated for ZIP code 90210").first).to_be_visible()
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $59.70").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    expect(page.get_by_text("Confirmation Email Sent!")).to_be_visible()
    expect(page.get_by_text("$59.70").first).to_be_visible()

    (order,) = orders_of(stack, email)
    assert order["status"] == "paid"
    assert order["total"] == dollars("59.70")
    assert [(item["product_size"], item["quantity"], item["unit_price"]) for item in order["items"]] == [
        ("M", 1, dollars("19.90")),
        ("XL", 2, dollars("19.90")),
    ]
    assert {item["product_color"] for item in order["items"]} == {"Navy"}
    address = json.loads(order["shipping_address"])
    assert (address["city"], address["region"], address["zip"]) == ("Beverly Hills", "CA", "90210")

    (printed,) = printed_orders(stack, str(order["id"]))
    assert printed["id"] == order["printify_order_id"]
    (row,) = query(stack, "select printify_product_id from designs where id = %s", design)
    assert {line["product_id"] for line in printed["line_items"]} == {row["printify_product_id"]}
    # Gildan 5000 in navy: M is 11987, XL 11989 in the printer's catalog.
    assert {line["variant_id"]: line["quantity"] for line in printed["line_items"]} == {11987: 1, 11989: 2}
    assert printed["address_to"]["zip"] == "90210"

    mail = wait_for_mail(stack, email, "order")
    assert "59.70" in mail["Text"]
    saved = query(
        stack, "select city, is_default from user_addresses where user_id = %s", str(order["user_id"])
    )
    assert saved == [{"city": "Beverly Hills", "is_default": False}]

    page.get_by_role("link", name="Back to Dashboard").click()
    page.get_by_text(f"#{str(order['id'])[-6:].upper()}").click()
    expect(page).to_have_url(re.compile(f"/order-details/{order['id']}$"))
    expect(page.get_by_text(str(order["id"])[-8:].upper())).to_be_visible()
    expect(page.get_by_text("Paid", exact=True).first).to_be_visible()


def test_photo_becomes_a_shirt_to_canada(visit: Visit, stack: Stack) -> None:
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
    fill_address(page, TORONTO)
    expect(page.get_by_label("Phone code")).to_have_value("+1")
    expect(page.get_by_text("$5.90").first).to_be_visible()
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $25.80").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    expect(page.get_by_text("10-30 business days").first).to_be_visible()

    (order,) = orders_of(stack, email)
    assert (order["status"], order["total"]) == ("paid", dollars("25.80"))
    (printed,) = printed_orders(stack, str(order["id"]))
    assert (printed["address_to"]["country"], printed["address_to"]["city"]) == ("CA", "Toronto")
    (design,) = query(stack, "select name from designs where user_id = %s", str(order["user_id"]))
    assert design["name"] == "Picture Design - Pop art"
