"""The admin panel's orders that need a person: read, retried and resolved, by keyboard, on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.accounts.users_in_browser import enter, give_order
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import query
from tests.support.stacks import Stack
from tests.support.users import Person, Users

PHONE = ViewportSize(width=390, height=844)
WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def flagged(stack: Stack, owner: Person, reason: str, details: str) -> str:
    """An order whose cancellation was given up, and a flag."""
    order = give_order(stack, owner, "processing", printify_order_id=f"print-{owner.id}-{reason}")
    query(
        stack,
        "insert into order_jobs (order_id, kind, attempts, last_error, gave_up_at) "
        "values (%s, 'cancel', 14, 'printer_unavailable', now()) returning kind",
        order,
    )
    query(stack, "select flag_order(%s, %s, %s)", order, reason, details)
    return order


def open_orders(page: Page, stack: Stack, admin: Person) -> None:
    enter(page, stack, admin)
    page.goto("/admin?tab=orders")


def trail(stack: Stack, order: str, kind: str) -> list[dict[str, object]]:
    return query(
        stack, "select actor::text, details from order_events where order_id = %s and kind = %s", order, kind
    )


@pytest.mark.parametrize("visit", [PHONE], indirect=True, ids=["phone"])
def test_admin_reads_and_retries_an_order_by_keyboard(visit: Visit, stack: Stack, users: Users) -> None:
    page, admin = visit.page, users.new("medic", admin=True)
    order = flagged(stack, admin, "cancel_failed", "said: <b>exe\u202egnp")
    number = f"#{order[-6:].upper()}"
    open_orders(page, stack, admin)
    section = page.get_by_role("region", name="Need a person")
    row = section.get_by_role("listitem").filter(has_text=number).first
    expect(row.get_by_text("Its cancellation could not be finished").first).to_be_visible()
    expect(page.get_by_role("tab", name="Orders")).to_contain_text("need a person")
    row.get_by_role("button", name=f"Open {number}").focus()
    page.keyboard.press("Enter")
    record = page.get_by_role("region", name=f"Order {number}")
    expect(record.get_by_text("said: <b>exe[U+202E]gnp", exact=True)).to_be_visible()
    expect(record.get_by_text("printer_unavailable")).to_be_visible()
    expect(record.get_by_text("Order placed: $39.80")).to_be_visible()
    expect(record.get_by_role("link", name="Orders at Printify")).to_have_attribute(
        "href", "https://printify.com/app/orders"
    )
    for width in (1440, 390):
        resize(page, width)
        assert page.evaluate(WIDER) is False, width
        assert problems_shown(page) == [], width
    page.keyboard.press("Tab")
    expect(record.get_by_role("button", name="Retry")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"What failed for order {number} is due again").first).to_be_visible()
    expect(row).not_to_be_visible()
    expect(section.get_by_role("heading", name="Need a person")).to_be_focused()
    assert trail(stack, order, "taken_up_again") == [{"actor": admin.id, "details": {}}]


def test_admin_resolves_with_a_note(visit: Visit, stack: Stack, users: Users) -> None:
    page, admin = visit.page, users.new("judge", admin=True)
    order = flagged(stack, admin, "disputed", "dp_1")
    number = f"#{order[-6:].upper()}"
    open_orders(page, stack, admin)
    row = (
        page.get_by_role("region", name="Need a person").get_by_role("listitem").filter(has_text=number).first
    )
    row.get_by_role("button", name=f"Open {number}").click()
    page.get_by_role("region", name=f"Order {number}").get_by_role("button", name="Mark as resolved").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Note").fill("The bank has our papers")
    assert problems_shown(page) == []
    dialog.get_by_role("button", name="Mark as resolved").click()
    # first: what lies behind an open dialog has no role, so the row would count as gone
    expect(dialog).not_to_be_visible()
    expect(row).not_to_be_visible()
    assert trail(stack, order, "flags_resolved") == [
        {"actor": admin.id, "details": {"reasons": ["disputed"], "note": "The bank has our papers"}}
    ]


def test_refusal_is_shown_and_the_order_stays_listed(visit: Visit, stack: Stack, users: Users) -> None:
    page, admin = visit.page, users.new("late", admin=True)
    visit.expected.append("status of 409")
    order = give_order(stack, admin, "paid")
    query(stack, "select flag_order(%s, 'disputed', '')", order)
    number = f"#{order[-6:].upper()}"
    open_orders(page, stack, admin)
    section = page.get_by_role("region", name="Need a person")
    section.get_by_role("button", name=f"Open {number}").click()
    record = page.get_by_role("region", name=f"Order {number}")
    expect(record.get_by_role("button", name="Cancel order")).to_be_visible()
    query(stack, "update orders set status = 'processing' where id = %s returning id", order)
    record.get_by_role("button", name="Cancel order").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Yes, cancel it").click()
    expect(page.get_by_text("Your shirts are in production already").first).to_be_visible()
    expect(record.get_by_role("button", name="Cancel order")).not_to_be_visible()
    expect(record.get_by_text("Status: paid → processing")).to_be_visible()
