"""An order whose payment was not finished: from its page, from the dashboard, in two tabs, and after its day."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import problems_shown
from tests.e2e.steps import BEVERLY_HILLS, fill_address, fill_card, printed_orders, query
from tests.support.stacks import Stack
from tests.support.users import Person, Users

GOOD, DECLINED, CHECKED = "4242 4242 4242 4242", "4000 0000 0000 0002", "4000 0025 0000 3155"


def leave_the_banks_check(page: Page, stack: Stack, person: Person) -> str:
    """Orders a shirt and walks away from the bank's question; the order's id. Ends on the dashboard."""
    design = give_design(stack, person, "A lighthouse")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    page.get_by_role("button", name="Increase M quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, CHECKED)
    page.get_by_role("button", name="Pay $19.90").click()
    expect(bank(page, "Fail authentication")).to_be_visible()
    page.goto("/dashboard")
    (order,) = query(stack, "select id::text, status from orders where user_id = %s", person.id)
    assert order["status"] == "pending"
    return str(order["id"])


def bank(page: Page, answer: str) -> Locator:
    return page.frame_locator("iframe[src*='/challenge/']").get_by_role("button", name=answer)


def pay(page: Page, card: str) -> None:
    fill_card(page, card)
    page.get_by_role("button", name="Pay $19.90").click()


def test_left_bank_check_is_finished_from_the_dashboard(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("returner")
    visit.expected.append("402 (Payment Required)")
    order = leave_the_banks_check(page, stack, person)
    page.get_by_role("link", name="Finish payment").click()
    expect(page.get_by_role("heading", name="Finish your payment")).to_be_visible()
    expect(page.get_by_text("This order is not paid yet")).to_be_visible()
    expect(page.get_by_text("A lighthouse")).to_be_visible()
    expect(page.get_by_text("We have your sizes and your address.")).not_to_be_visible()

    pay(page, DECLINED)
    expect(page.get_by_role("alert").filter(has_text="declined")).to_be_visible()
    pay(page, CHECKED)
    bank(page, "Fail authentication").click()
    expect(page.get_by_role("alert").filter(has_text="authenticate")).to_be_visible()
    # the page is loaded anew while the bank asks, and the form is there again
    pay(page, CHECKED)
    expect(bank(page, "Complete authentication")).to_be_visible()
    page.reload()
    fill_card(page, CHECKED)
    page.get_by_role("button", name="Pay $19.90").dblclick()
    bank(page, "Complete authentication").click()
    expect(page.get_by_text("Payment Successful!")).to_be_visible()
    expect(page.get_by_role("list", name="Order progress").get_by_text("Payment received")).to_be_visible()
    expect(page.get_by_role("heading", name="Finish your payment")).not_to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    rows = query(stack, "select id::text, status from orders where user_id = %s", person.id)
    assert rows == [{"id": order, "status": "paid"}]
    assert len(printed_orders(stack, order)) == 1
    page.goto("/dashboard")
    expect(page.get_by_role("link", name=f"#{order[-6:].upper()}")).to_be_visible()
    expect(page.get_by_role("link", name="Finish payment")).not_to_be_visible()


def test_order_that_another_tab_paid_is_paid_in_this_one(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("doubler")
    order = leave_the_banks_check(page, stack, person)
    other = visit.context.new_page()
    for tab in (page, other):
        tab.goto(f"/order-details/{order}")
        tab.get_by_role("button", name="Finish payment").click()
        fill_card(tab, GOOD)
    other.get_by_role("button", name="Pay $19.90").click()
    expect(other.get_by_text("Payment Successful!")).to_be_visible()
    expect(page.get_by_role("heading", name="Finish your payment")).not_to_be_visible()
    expect(page.get_by_role("list", name="Order progress").get_by_text("Payment received")).to_be_visible()
    assert len(printed_orders(stack, order)) == 1


def test_order_whose_day_is_over_was_not_charged_and_is_ordered_again(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("sleeper")
    order = give_order(stack, person, "cancelled", paid_at=None)
    design = give_design(stack, person, "A lighthouse")
    query(stack, "update order_items set design_id = %s where order_id = %s returning 1", design, order)
    enter(page, stack, person)
    page.goto(f"/order-details/{order}")
    expect(
        page.get_by_text("This order was cancelled before it was paid. Nothing was charged.")
    ).to_be_visible()
    page.get_by_role("link", name="Order again").click()
    expect(page.get_by_role("heading", name="Place Your Order")).to_be_visible()


def test_unpaid_order_is_paid_by_keyboard_and_axe_finds_nothing(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("typist")
    order = give_order(stack, person, "pending")
    enter(page, stack, person)
    page.goto(f"/order-details/{order}")
    button = page.get_by_role("button", name="Finish payment")
    expect(button).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    card = page.frame_locator("iframe[title='Secure card payment input frame']").locator("[name=cardnumber]")
    expect(card).to_be_visible()
    assert problems_shown(page) == []
    expect(page.get_by_role("heading", name="Finish your payment")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("4242424242424242123412312345")
    expect(page.get_by_role("button", name="Pay $39.80")).to_be_enabled()
