"""Telephone numbers and e-mail addresses at checkout, as people write them, up to the printer's request."""

from __future__ import annotations

import json

import httpx
from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import BEVERLY_HILLS, fill_address, fill_card, printed_orders, query
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Users

REFUSED = [("+1", "555-0100"), ("+49", "030"), ("+44", "020 7946 00181")]
# chosen code, as written, in the order
TAKEN = [
    ("+1", "\u200e+1 (212) 555\u20110100", "+12125550100"),
    ("+44", "+44 (0)20 7946 0018", "+442079460018"),
    ("+49", "0049 30 23125 123", "+493023125123"),
    ("+20", "\u0660\u0661\u0660\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667", "+201001234567"),
]


def test_number_is_judged_at_its_field_and_is_one_number_everywhere(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("caller")
    visit.expected.append("402 (Payment Required)")
    design = give_design(stack, person, "A lighthouse")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    page.get_by_role("button", name="Increase M quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    phone, pay = page.get_by_label("Phone", exact=True), page.get_by_role("button", name="Pay $19.90")
    fill_card(page, "4000 0000 0000 0002")

    def dial(code: str, written: str) -> None:
        page.get_by_label("Phone code").select_option(code)
        phone.fill(written)
        pay.click()

    for code, written in REFUSED:
        dial(code, written)
        expect(phone).to_have_attribute("aria-invalid", "true")
        expect(phone).to_have_accessible_description("This doesn't look like a phone number.")
    assert query(stack, "select id from orders where user_id = %s", person.id) == []

    for code, written, number in TAKEN:
        with page.expect_response("**/payment_intents/*/confirm*"):
            dial(code, written)
        expect(pay).to_be_enabled()
        (order,) = query(
            stack,
            "select shipping_address from orders where user_id = %s order by created_at desc limit 1",
            person.id,
        )
        assert json.loads(order["shipping_address"])["phone"] == number

    page.get_by_label("Email").fill("vera@b\u00fccher.example")
    page.get_by_label("Phone code").select_option("+1")
    phone.fill("(212) 555-0199 ext. 42")
    expect(phone).to_have_accessible_description(
        "Extension 42 stays with your order. The printer gets +12125550199 without it."
    )
    fill_card(page, "4242 4242 4242 4242")
    with (
        page.expect_request("**/v1/payment_methods") as made,
        page.expect_request("**/payment_intents/*/confirm*") as confirmed,
    ):
        pay.click()
    expect(page.get_by_text("Payment Successful!")).to_be_visible()
    (order,) = query(
        stack,
        "select id::text, shipping_address from orders where user_id = %s and paid_at is not null",
        person.id,
    )
    stored = json.loads(order["shipping_address"])
    assert (stored["phone"], stored["email"]) == ("+12125550199 ext. 42", "vera@b\u00fccher.example")
    billing, shipping = (httpx.QueryParams(request.value.post_data or "") for request in (made, confirmed))
    assert shipping["shipping[phone]"] == billing["billing_details[phone]"] == "+12125550199"
    assert billing["billing_details[email]"] == "vera@xn--bcher-kva.example"
    mail = wait_for_mail(stack, "vera@xn--bcher-kva.example", "is confirmed", 30)
    assert "write to support@teesmith.example." in mail["Text"]
    (printed,) = printed_orders(stack, order["id"])
    assert printed["address_to"]["phone"] == "+12125550199"
    assert printed["address_to"]["email"] == "vera@xn--bcher-kva.example"
