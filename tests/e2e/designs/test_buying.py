"""From looking to buying: a shared design is ordered in the chosen color, with a sign-in on the way and one copy."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import give_design
from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.support.stacks import Stack
from tests.support.users import PASSWORD, Users


def test_visitor_signs_in_on_the_way_and_orders_in_the_chosen_color(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, owner, buyer = visit.page, users.new("maker-of-shirts"), users.new("buyer-of-shirts")
    design = give_design(stack, owner, "A gecko for sale")
    publish = "insert into public_designs (design_id, user_id) values (%s, %s) returning id"
    query(stack, publish, design, owner.id)

    page.goto("/discover?search=gecko")
    page.get_by_role("button", name="A gecko for sale", exact=True).click()
    sheet = page.get_by_role("dialog", name="A gecko for sale")
    expect(sheet.get_by_text("$19.90")).to_be_visible()
    expect(sheet.get_by_role("region", name="Delivery")).to_contain_text("Free, 3-7 business days")
    sheet.get_by_role("button", name="Navy").click()
    expect(sheet.get_by_role("img", name="A gecko for sale on a Navy t-shirt")).to_be_visible()
    sheet.get_by_role("button", name="Order this shirt").click()
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(buyer.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_text("Selected Color: Navy")).to_be_visible()
    expect(page.get_by_role("heading", name="Place Your Order")).to_be_visible()
    first = page.url

    page.goto(f"/design/{design}")
    page.get_by_role("button", name="Navy").click()
    page.get_by_role("button", name="Order this shirt").click()
    expect(page).to_have_url(re.compile(r"/order\?"))
    expect(page.get_by_text("Selected Color: Navy")).to_be_visible()
    assert page.url == first
    assert len(query(stack, "select 1 from designs where user_id = %s", buyer.id)) == 1


def test_way_back_to_discover_finds_the_place_and_the_pages_loaded(visit: Visit) -> None:
    page = visit.page
    page.goto("/discover?sort=likes")
    page.get_by_role("button", name="Load More Designs").click()
    cards = page.get_by_role("main").get_by_role("listitem")
    expect(cards.nth(47)).to_be_attached()
    cards.nth(40).scroll_into_view_if_needed()
    card = cards.nth(40).get_by_role("heading")
    name, place = card.inner_text(), card.bounding_box()
    cards.nth(40).get_by_role("heading").get_by_role("button").click()
    sheet = page.get_by_role("dialog")
    creator = sheet.locator("dd").first.inner_text()
    sheet.get_by_role("link", name=creator).click()
    expect(page.get_by_role("heading", name=creator)).to_be_visible()
    page.go_back()
    expect(cards.nth(40).get_by_role("heading")).to_have_text(name)
    expect(page.get_by_role("button", name="Most liked")).to_have_attribute("aria-pressed", "true")
    assert cards.nth(40).get_by_role("heading").bounding_box() == place
