"""The account on the profile page: another e-mail and password, a copy of everything, and the end."""

from __future__ import annotations

import json
import re
import zipfile

from playwright.sync_api import expect

from tests.e2e.accounts.users_in_browser import SESSION_KEY, enter, give_design, give_order, session_of
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import query
from tests.support.mailbox import link_in, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import PASSWORD, Users

NEW_PASSWORD = "an even longer password"
CHANGE_SUBJECT = "Confirm your new email for Teesmith"


def test_email_changes_once_both_addresses_confirm_and_then_the_password(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("mover")
    new_email = person.email.replace("mover", "moved")
    enter(page, stack, person)
    session_of(stack, person.email)  # in another browser
    page.goto("/profile")
    page.get_by_role("button", name="Change email").click()
    page.get_by_label("New email").fill(new_email)
    problems = problems_shown(page)
    page.get_by_role("button", name="Send the mails").click()
    expect(page.get_by_role("status").filter(has_text="Open the link in both")).to_be_visible()
    page.goto(link_in(wait_for_mail(stack, new_email, CHANGE_SUBJECT)))
    expect(page.get_by_text("One address is confirmed.")).to_be_visible()
    expect(page.get_by_label("Email", exact=True)).to_have_value(person.email)
    page.goto(link_in(wait_for_mail(stack, person.email, CHANGE_SUBJECT)))
    expect(page.get_by_text(f"Your email is {new_email} now.")).to_be_visible()
    expect(page.get_by_label("Email", exact=True)).to_have_value(new_email)

    page.get_by_role("button", name="Change password").click()
    page.get_by_label("New password").fill(NEW_PASSWORD)
    problems += problems_shown(page)
    page.get_by_role("button", name="Save new password").click()
    expect(page.get_by_text("Password saved!")).to_be_visible()
    page.reload()
    # this session stays, the other has ended
    expect(page.get_by_label("Email", exact=True)).to_have_value(new_email)
    sessions = "select count(*) as n from auth.sessions where user_id = %s"
    assert query(stack, sessions, person.id) == [{"n": 1}]
    users.sign_in(new_email, NEW_PASSWORD)
    page.get_by_role("button", name="Sign out everywhere").click()
    expect(page.get_by_text("Signed out everywhere")).to_be_visible()
    expect(page.get_by_role("link", name="Log In").first).to_be_visible()
    assert query(stack, sessions, person.id) == [{"n": 0}]
    assert problems == []


def test_person_takes_a_copy_along_and_deletes_the_account(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("leaver")
    visit.expected.extend(["status of 403", "status of 409"])
    enter(page, stack, person)
    give_design(stack, person, "A fox on a bicycle")
    order = give_order(stack, person, "paid")
    page.goto("/profile")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download my data").click()
    assert downloading.value.suggested_filename == "teesmith-account.zip"
    with zipfile.ZipFile(downloading.value.path()) as archive:
        copy = json.loads(archive.read("account.json"))
        assert archive.read(copy["designs"][0]["picture"]).startswith(b"\x89PNG")
    assert [each["id"] for each in copy["orders"]] == [order]

    page.get_by_role("button", name="Delete my account").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("as long as tax law demands: usually")
    problems = problems_shown(page)
    resize(page, 320)
    problems += problems_shown(page)
    dialog.get_by_label("Your password").fill("not my password")
    dialog.get_by_role("button", name="Delete for good").click()
    expect(dialog.get_by_role("alert")).to_contain_text(f"#{order[-6:].upper()}")
    query(stack, "update orders set status = 'shipped' where id = %s returning 1", order)
    dialog.get_by_role("button", name="Delete for good").click()
    expect(dialog.get_by_role("alert")).to_have_text("This is not your password.")
    dialog.get_by_label("Your password").fill(PASSWORD)
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Your account is deleted")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/$"))
    assert page.evaluate("key => localStorage.getItem(key)", SESSION_KEY) is None
    assert query(stack, "select count(*) as n from auth.users where id = %s", person.id) == [{"n": 0}]
    assert query(stack, "select user_id, status from orders where id = %s", order) == [
        {"user_id": None, "status": "shipped"}
    ]
    assert problems == []
