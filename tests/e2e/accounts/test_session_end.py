"""A session that ends by itself: revoked, too old, or in another tab. The same person finds everything as it was."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import SESSION_KEY, enter, give_design
from tests.e2e.conftest import Visit
from tests.e2e.pages.mocked_page import PIXEL, MockedPage
from tests.e2e.steps import BEVERLY_HILLS, fill_address, fill_card, query
from tests.support.stacks import ROOT, Stack
from tests.support.users import PASSWORD, Person, Users

PHOTO = ROOT / "tests" / "support" / "photos" / "coffee.jpg"
DRAFTS = """async () => {
  const texts = Object.keys(localStorage).filter(key => key.startsWith('teesmith-draft:'));
  const database = await new Promise(resolve => {
    const request = indexedDB.open('teesmith-drafts', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('pictures');
    request.onsuccess = () => resolve(request.result);
  });
  const pictures = await new Promise(resolve => {
    const request = database.transaction('pictures').objectStore('pictures').getAllKeys();
    request.onsuccess = () => resolve(request.result);
  });
  database.close();
  return [...texts, ...pictures.map(String)];
}"""
EXPIRE = """key => {
  const session = JSON.parse(localStorage.getItem(key));
  localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
}"""


def revoke(stack: Stack, person: Person) -> None:
    """Ends every session of the person, as Auth does after a new password elsewhere."""
    query(stack, "delete from auth.sessions where user_id = %s returning 1", person.id)


def sign_in_again(page: Page, person: Person) -> None:
    expect(page.get_by_text("Please sign in again", exact=True)).to_be_visible()
    expect(page.get_by_text("You'll be redirected back to continue")).to_be_visible()
    assert not re.search("jwt|authorization header", page.locator("body").inner_text(), re.IGNORECASE)
    sign_in(page, person)


def sign_in(page: Page, person: Person) -> None:
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


def fill_order(page: Page, stack: Stack, person: Person) -> None:
    page.goto(f"/order?design={give_design(stack, person, 'A phoenix')}")
    page.get_by_role("button", name="Increase L quantity").click()
    fill_address(page, BEVERLY_HILLS)
    expect(page.get_by_label("City")).to_have_value("Beverly Hills")
    page.get_by_label("Save this address for future orders").click()


def expect_the_order(page: Page) -> None:
    expect(page.get_by_label("Address", exact=True)).to_have_value(BEVERLY_HILLS.street)
    expect(page.get_by_label("Phone", exact=True)).to_have_value(BEVERLY_HILLS.phone)
    expect(page.get_by_label("L quantity", exact=True)).to_have_text("1")
    expect(page.get_by_label("Save this address for future orders")).not_to_be_checked()


def fill_picture_form(page: Page) -> None:
    page.goto("/design/from-picture")
    page.locator("input[type=file]").set_input_files(PHOTO)
    expect(page.get_by_alt_text("The one you uploaded")).to_be_visible()
    page.get_by_role("button", name="Sketch").click()
    page.get_by_label("Instructions").fill("Leave out the table")
    page.get_by_label("Text on the shirt").fill("Morning")
    page.get_by_role("button", name="Navy").click()


def expect_the_picture_form(page: Page) -> None:
    expect(page.get_by_alt_text("The one you uploaded")).to_be_visible()
    expect(page.get_by_role("button", name="Sketch")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Instructions")).to_have_value("Leave out the table")
    expect(page.get_by_label("Text on the shirt")).to_have_value("Morning")
    expect(page.get_by_role("button", name="Navy")).to_have_attribute("aria-pressed", "true")


def test_revoked_session_loses_nothing_of_the_order(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("revoked")
    visit.expected.extend(["status of 401", "status of 400", "status of 403"])
    enter(page, stack, person)
    fill_order(page, stack, person)
    revoke(stack, person)
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $19.90").click()
    sign_in_again(page, person)
    expect_the_order(page)
    fill_card(page, "4242 4242 4242 4242")
    page.get_by_role("button", name="Pay $19.90").click()
    expect(page.get_by_role("heading", name="✨ Amazing! Your unique design is printing!")).to_be_visible()
    assert query(stack, "select count(*) as n from orders where user_id = %s", person.id) == [{"n": 1}]


def test_night_over_a_photo_loses_nothing_of_it(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("sleeper")
    visit.expected.extend(["status of 401", "status of 400"])
    enter(page, stack, person)
    fill_picture_form(page)
    # The computer slept meanwhile: the token is too old, and so is the session.
    revoke(stack, person)
    page.evaluate(EXPIRE, SESSION_KEY)
    page.get_by_role("button", name="Create Design from Photo").click()
    sign_in_again(page, person)
    expect_the_picture_form(page)
    # The request is the subject, not what is drawn of it.
    MockedPage(page).respond("POST /functions/v1/edit-design-image", {"image": PIXEL})
    with page.expect_request("**/functions/v1/edit-design-image") as requesting:
        page.get_by_role("button", name="Create Design from Photo").click()
    expect(page.get_by_role("heading", name="Transformation Complete!")).to_be_visible()
    sent = requesting.value.post_data_json or {}
    assert sent["image"].startswith("data:image/jpeg;base64,")
    said = [sent[name] for name in ("style", "instructions", "typography", "background_color_name")]
    assert said == ["Sketch", "Leave out the table", "Morning", "Navy"]


def test_tab_that_was_closed_is_found_again_after_signing_in(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("closer")
    visit.expected.append("status of 400")
    enter(page, stack, person)
    fill_picture_form(page)
    revoke(stack, person)
    page.evaluate(EXPIRE, SESSION_KEY)
    page.close()
    again = visit.context.new_page()
    again.goto("/design/from-picture")
    sign_in_again(again, person)
    expect_the_picture_form(again)


def test_sign_out_in_another_tab_keeps_what_this_one_shows(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("tabs")
    enter(page, stack, person)
    fill_order(page, stack, person)
    other = visit.context.new_page()
    other.goto("/dashboard")
    other.get_by_role("button", name="Log Out").click()
    sign_in_again(page, person)
    expect_the_order(page)


@pytest.mark.parametrize("ending", ["on purpose", "another person"])
def test_draft_is_found_by_its_owner_alone(visit: Visit, stack: Stack, users: Users, ending: str) -> None:
    page, person, other = visit.page, users.new("private"), users.new("curious")
    visit.expected.append("status of 400")
    enter(page, stack, person)
    fill_order(page, stack, person)
    fill_picture_form(page)
    kept = page.evaluate(DRAFTS)
    assert {key.partition(":")[2].partition(":")[0] for key in kept if key.startswith("teesmith")} == {
        person.id
    }
    assert f"{person.id},from-picture" in kept
    if ending == "on purpose":
        page.get_by_role("button", name="Log Out").click()
        expect(page.get_by_role("link", name="Start Designing for Free").first).to_be_visible()
        assert page.evaluate(DRAFTS) == []
        return
    revoke(stack, person)
    page.evaluate(EXPIRE, SESSION_KEY)
    page.reload()
    expect(page.get_by_text("Please sign in again", exact=True)).to_be_visible()
    sign_in(page, other)
    expect(page.get_by_text("Drop your photo here, or click to choose one")).to_be_visible()
    expect(page.get_by_label("Instructions")).to_have_value("")
    assert [key for key in page.evaluate(DRAFTS) if person.id in key] == []
