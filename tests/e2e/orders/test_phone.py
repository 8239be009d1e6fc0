"""The core journey on a phone: 390 px wide, touched, through the drawer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design, give_order
from tests.e2e.conftest import Visit
from tests.e2e.steps import Address, fill_address, fill_card, query, save_and_preview
from tests.support.stacks import Stack
from tests.support.users import Users

PHONE = pytest.mark.parametrize("visit", [{"width": 390, "height": 844}], indirect=True, ids=["390px"])
BEVERLY_HILLS = Address("United States", "90210", "9465 Wilshire Blvd", "3105550100")


def fits(page: Page) -> bool:
    """Tell whether the page is no wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@PHONE
def test_shirt_is_designed_and_ordered_on_a_phone(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("phone")
    enter(page, stack, person)
    page.goto("/discover")
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("link", name="Dashboard").click()
    expect(page.get_by_role("dialog")).not_to_be_visible()
    page.get_by_role("link", name="Create New Design").click()
    page.get_by_role("link", name="Create Your Own").click()
    page.get_by_label("Your idea").fill("A cactus with a hat")
    page.get_by_role("button", name="White", exact=True).click()
    assert fits(page)
    page.get_by_role("button", name="Next: Generate Image").click()
    expect(page.get_by_text("Your Design is Ready!")).to_be_visible()
    save_and_preview(page, "Save and Create Product")
    page.get_by_role("button", name="Female Model").click()
    assert fits(page)
    page.get_by_role("link", name="Order Now").click()
    page.get_by_role("button", name="Increase S quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    fill_card(page, "4242 4242 4242 4242")
    assert fits(page)
    page.get_by_role("button", name="Pay $19.90").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="Back to Dashboard").click()
    expect(page.get_by_role("link", name="A cactus with a hat")).to_be_visible()
    (order,) = query(stack, "select status, total from orders where user_id = %s", person.id)
    assert (order["status"], str(order["total"])) == ("paid", "19.90")


@PHONE
def test_pages_are_not_wider_than_the_phone(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    person = users.new("narrow", admin=True)
    design = give_design(stack, person, "An extraordinarilylongnamewithoutanyspaceinittobreakat " * 3)
    order = give_order(stack, person, "processing")
    enter(page, stack, person)
    for path in (
        "/discover",
        f"/design/{design}",
        "/dashboard",
        "/profile",
        "/design",
        "/design/from-picture",
        f"/mockup?design={design}",
        f"/order?design={design}",
        f"/order-details/{order}",
        f"/order-success/{order}",
        "/admin",
        "/admin?tab=webhook",
        "/admin?tab=orders",
        "/admin?tab=designs",
    ):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert fits(page), path


@PHONE
def test_fields_are_large_enough_not_to_be_zoomed_into_and_say_what_fills_them(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("autofill", admin=True)
    design = give_design(stack, person, "A stamp")
    page.goto("/auth")
    page.get_by_role("button", name="Continue with email").click()
    assert small_fields(page) == []
    assert filled_by(page) == {"email": "email", "password": "current-password"}
    page.goto("/signup")
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    assert small_fields(page) == []
    assert filled_by(page)["password"] == "new-password"
    enter(page, stack, person)
    for path in (
        "/discover",
        "/profile",
        "/design/ai-generator",
        "/design/from-picture",
        "/admin",
        "/admin?tab=orders",
        f"/order?design={design}",
    ):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert small_fields(page) == [], path
    expect(page.locator("select[name=region]")).to_be_visible()
    assert filled_by(page) == {
        "first_name": "given-name",
        "last_name": "family-name",
        "email": "email",
        "country": "country",
        "address1": "address-line1",
        "address2": "address-line2",
        "zip": "postal-code",
        "city": "address-level2",
        "region": "address-level1",
        "phone_country_code": "tel-country-code",
        "phone": "tel-national",
    }


def small_fields(page: Page) -> list[str]:
    """Fields of letters under 16 px: iOS zooms into them."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('input, select, textarea')]
          .filter(field => !['file', 'checkbox', 'radio'].includes(field.type) && field.checkVisibility())
          .filter(field => parseFloat(getComputedStyle(field).fontSize) < 16)
          .map(field => field.name || field.id || field.outerHTML)"""
    )
    return found


def filled_by(page: Page) -> dict[str, str]:
    """Return what each named field tells a browser or a password manager."""
    fields: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('input[name], select[name]')]
          .map(field => [field.name, field.autocomplete]))"""
    )
    return fields


@PHONE
def test_drawer_has_the_links_and_a_close_button(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    enter(page, stack, users.new("drawer"))
    page.goto("/dashboard")
    page.get_by_role("button", name="Open the menu").click()
    menu = page.get_by_role("dialog", name="Menu")
    links = menu.get_by_role("navigation").get_by_role("link")
    expect(links).to_have_text(["Discover", "Dashboard", "Profile"])
    menu.get_by_role("button", name="Log Out").click()
    expect(page).to_have_url(re.compile(r"/$"))
