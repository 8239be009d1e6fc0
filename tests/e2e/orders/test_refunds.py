"""Refunds in a real browser: the shopper cancels, the admin refunds, and the payment provider has the refund."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.shop.integration.functions.conftest import Shopper
from tests.support.mailbox import wait_for_mail
from tests.support.shops import RunningShop
from tests.support.stacks import Stack
from tests.support.users import Person, Users

# The request sends the mail, or the sweep does within its interval if another worker has claimed it.
_SWEEP = 45.0


def give_paid_order(stack: Stack, person: Person) -> str:
    """An order of three shirts that the payment provider has charged; its id."""
    shop = RunningShop(stack)
    (design,) = query(
        stack,
        "select id::text, printify_product_id from designs where id = %s",
        give_design(stack, person, "A fox on a bicycle"),
    )
    rows = query(stack, "select id::text, name, printify_variant_id from product_variants")
    variants = {row["name"]: row for row in rows}
    return shop.pay(Shopper(person, design["id"], design["printify_product_id"], variants), "1 Main St")


def refunded_cents(stack: Stack, order: str) -> list[int]:
    """The cents that the payment provider has refunded for an order."""
    (row,) = query(stack, "select payment_intent_id from orders where id = %s", order)
    response = httpx.get(
        f"{stack.emulators_url}/stripe/v1/refunds",
        params={"payment_intent": row["payment_intent_id"]},
        headers={"authorization": "Bearer sk_test_emulator"},
    )
    response.raise_for_status()
    return [refund["amount"] for refund in response.json()["data"]]


def test_shopper_cancels_and_is_refunded(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("canceller")
    order = give_paid_order(stack, person)
    enter(page, stack, person)
    page.goto(f"/order-details/{order}")
    page.get_by_role("button", name="Cancel order").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Yes, cancel it").click()
    expect(page.get_by_text("Cancelled", exact=True).first).to_be_visible()
    # The status is shown as soon as its row has changed; the refund is made between that and the function's response.
    expect(page.get_by_text("Order cancelled", exact=True)).to_be_visible()
    assert refunded_cents(stack, order) == [5970]
    assert "59.70" in wait_for_mail(stack, person.email, "cancelled", seconds=_SWEEP)["Text"]


def test_admin_refunds_an_order(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("buyer")
    order = give_paid_order(stack, person)
    enter(page, stack, users.new("treasurer", admin=True))
    page.goto("/admin?tab=orders")
    row = page.get_by_role("listitem").filter(has_text=f"#{order[-6:].upper()}")
    row.get_by_role("button", name=re.compile("^Refund")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("The print came out upside down; photo received")
    dialog.get_by_role("button", name="Refund").click()
    expect(page.get_by_text("Order refunded").first).to_be_visible()
    assert refunded_cents(stack, order) == [5970]
    (event,) = query(
        stack,
        "select details from order_events where order_id = %s and details::text like %s",
        order,
        "%upside down%",
    )
    assert event
    assert "59.70" in wait_for_mail(stack, person.email, "cancelled", seconds=_SWEEP)["Text"]
