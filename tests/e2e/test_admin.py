"""The admin panel: who may open it, and what its four tabs show and do."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.support.mailbox import wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import Users


def test_only_admins_see_the_panel_and_its_link(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    page.goto("/admin?tab=orders")
    expect(page).to_have_url(re.compile(r"/auth\?redirect=%2Fadmin%3Ftab%3Dorders$"))
    enter(page, stack, users.new("nobody"))
    page.goto("/admin")
    expect(page.get_by_role("heading", name="Access Denied")).to_be_visible()
    expect(page.get_by_text("You don't have permission to access the admin panel.")).to_be_visible()
    expect(page.get_by_role("link", name="Admin", exact=True)).not_to_be_visible()

    enter(page, stack, users.new("boss", admin=True))
    page.goto("/discover")
    page.get_by_role("link", name="Admin", exact=True).click()
    expect(page.get_by_role("tab", name="Users")).to_have_attribute("aria-selected", "true")


def test_users_are_found_sorted_and_given_roles(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    admin = users.new("chief", admin=True)
    buyer = users.new("zz-buyer")
    give_order(stack, buyer, "delivered")
    name = f"Zelda Buyer {buyer.id[:8]}"
    buyer.client.table("profiles").update({"name": name}).eq("id", buyer.id).execute()
    enter(page, stack, admin)
    page.goto("/admin")
    page.get_by_label("Search users").fill(name)
    row = page.get_by_role("listitem").filter(has_text=name)
    expect(row).to_be_visible()
    expect(row.get_by_text("$39.80")).to_be_visible()
    row.get_by_role("button", name="Make Admin").click()
    dialog = page.get_by_role("alertdialog", name=f"Make {name} an admin?")
    expect(dialog.get_by_text(buyer.email)).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    expect(row.get_by_role("button", name="Make Admin")).to_be_focused()
    row.get_by_role("button", name="Make Admin").click()
    dialog.get_by_role("button", name="Make Admin").click()
    expect(page.get_by_text("User role has been updated successfully.")).to_be_visible()
    expect(row.get_by_role("button", name="Remove Admin")).to_be_visible()
    assert query(stack, "select is_admin from private.profiles where id = %s", buyer.id) == [
        {"is_admin": True}
    ]
    page.get_by_label("Role").select_option("admin")
    expect(row).to_be_visible()
    page.get_by_label("Role").select_option("user")
    expect(page.get_by_text("No users found")).to_be_visible()
    page.get_by_label("Role").select_option("all")
    row.get_by_role("button", name="Remove Admin").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove Admin").click()
    expect(row.get_by_role("button", name="Make Admin")).to_be_visible()

    page.get_by_label("Search users").fill("")
    page.get_by_label("Sort by").select_option("created_at")
    first = page.get_by_role("listitem").filter(has=page.get_by_text("Joined")).first
    expect(first).to_contain_text(name)
    page.get_by_label("Sort by").select_option("created_at_asc")
    expect(first).not_to_contain_text(name)


def test_orders_and_designs_are_listed(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    admin = users.new("clerk", admin=True)
    order = give_order(stack, admin, "processing", printify_order_id=f"print-{admin.id}")
    give_design(stack, admin, f"Draft {admin.id}", ready=False)
    enter(page, stack, admin)
    page.goto("/admin?tab=orders")
    row = page.get_by_role("listitem").filter(has_text=f"#{order[-6:].upper()}")
    expect(row.get_by_text("Processing")).to_be_visible()
    expect(row.get_by_text("2 × Navy M")).to_be_visible()
    row.get_by_role("button", name=re.compile("^Refund")).click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Refund")).to_be_disabled()
    page.get_by_role("button", name="Keep the payment").click()

    page.get_by_role("tab", name="Designs").click()
    draft = page.get_by_role("listitem").filter(has_text=f"Draft {admin.id}")
    expect(draft.get_by_text("Draft", exact=True)).to_be_visible()


def test_webhooks_are_tested(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    visit.expected.append("status of 400")
    admin = users.new("tester", admin=True)
    order = give_order(stack, admin, "processing", printify_order_id=f"print-{admin.id}")
    enter(page, stack, admin)
    page.goto("/admin?tab=webhook")
    page.get_by_role("button", name="Test Order Webhook").click()
    expect(page.get_by_text("Order Webhook Test Successful")).to_be_visible()
    page.get_by_role("button", name="Test Shipped Webhook").click()
    expect(page.get_by_text("Shipped Webhook Test Successful")).to_be_visible()
    (row,) = query(stack, "select status, carrier, tracking_number from orders where id = %s", order)
    assert (row["status"], row["carrier"]) == ("shipped", "USPS")
    assert row["tracking_number"] in wait_for_mail(stack, "vera@example.com", "")["Text"]

    page.get_by_label("Test data (JSON)").fill("not json")
    page.get_by_label("Webhook URL").fill("http://10.0.0.1/hook")
    page.get_by_role("button", name="Test Webhook", exact=True).click()
    expect(page.get_by_text("The test data is not valid JSON.").first).to_be_visible()
    # A private address is refused by the server.
    page.get_by_label("Test data (JSON)").fill('{"event": "test"}')
    page.get_by_role("button", name="Test Webhook", exact=True).click()
    expect(page.get_by_text("Webhook Test Error").last).to_be_visible()
