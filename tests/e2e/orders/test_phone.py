"""A phone, 390 px wide: its keyboard fills the fields, and its drawer has the links."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import SMALL_FIELDS
from tests.support.stacks import Stack
from tests.support.users import Users

PHONE = pytest.mark.parametrize("visit", [{"width": 390, "height": 844}], indirect=True, ids=["390px"])


@PHONE
def test_fields_say_what_fills_them_and_are_not_zoomed_into(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("autofill")
    page.goto("/auth")
    page.get_by_role("button", name="Continue with email").click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    assert page.evaluate(SMALL_FIELDS) == []
    assert filled_by(page) == {"email": "email", "password": "current-password"}
    page.goto("/signup")
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    assert filled_by(page)["password"] == "new-password"
    design = give_design(stack, person, "A stamp")
    enter(page, stack, person)
    page.goto(f"/order?design={design}")
    expect(page.locator("select[name=region]")).to_be_visible()
    assert page.evaluate(SMALL_FIELDS) == []
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
