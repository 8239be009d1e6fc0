"""Signing in by mail: password reset, codes, resent mails. Every mail goes through the real mail server."""

from __future__ import annotations

import re
import uuid
from typing import Any

import psycopg
from playwright.sync_api import Page, expect

from tests.e2e.accounts.users_in_browser import enter
from tests.e2e.conftest import Visit
from tests.e2e.pages.page_checks import problems_shown, resize
from tests.e2e.steps import PASSWORD
from tests.support.mailbox import find_mails, link_in, wait_for_mail
from tests.support.stacks import Stack
from tests.support.users import PASSWORD as OLD_PASSWORD
from tests.support.users import Users

NEW_PASSWORD = "an even longer password"
RESET_SUBJECT = "Choose a new Teesmith password"
CONFIRM_SUBJECT = "Confirm your email for Teesmith"


def new_address() -> str:
    return f"forgetful-{uuid.uuid4().hex[:10]}@example.com"


def code_in(text: str) -> str:
    match = re.search(r"^(\d{6})\s*$", text, re.MULTILINE)
    assert match, text
    return match[1]


def log_in(page: Page, email: str, password: str) -> None:
    page.goto("/auth")
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in", exact=True).first.click()


def request_reset(page: Page, email: str, path: str = "/auth") -> None:
    """From the sign-in form to the confirmation that a mail was sent."""
    page.goto(path)
    page.get_by_role("button", name="Continue with email").click()
    page.get_by_label("Email").fill(email)
    page.get_by_role("link", name="Forgot your password?").click()
    expect(page.get_by_role("heading", name="Reset your password")).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value(email)
    page.get_by_role("button", name="Send me the mail").click()
    expect(page.get_by_text(f"If there is an account for {email}, a mail is on its way.")).to_be_visible()


def choose_password(page: Page) -> None:
    expect(page.get_by_role("heading", name="Choose a new password")).to_be_visible()
    page.get_by_label("New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Save new password").click()
    expect(page.get_by_text("Password saved!")).to_be_visible()


def sign_up(page: Page, email: str) -> None:
    page.goto("/signup")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up with email").click()
    expect(page.get_by_text(f"We sent a link to {email}.")).to_be_visible()


def let_time_pass(stack: Stack) -> None:
    """Ends every pause between two mails to an address."""
    with psycopg.connect(stack.admin_db_url) as connection:
        connection.execute("update _localbase.auth_pauses set until = now()")


def test_forgotten_password_is_reset_by_the_mailed_link(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("forgetful")
    request_reset(page, person.email, "/auth?redirect=%2Fprofile")
    mail = wait_for_mail(stack, person.email, RESET_SUBJECT)
    assert mail["From"] == {"Name": "Teesmith", "Address": "hello@teesmith.example"}
    page.goto(link_in(mail))
    choose_password(page)
    expect(page).to_have_url(re.compile(r"/profile$"))
    page.get_by_role("button", name="Log Out").first.click()
    expect(page.get_by_role("link", name="Log In").first).to_be_visible()
    visit.expected.append("status of 400")
    log_in(page, person.email, OLD_PASSWORD)
    expect(page.get_by_role("alert")).to_have_text("Invalid login credentials")
    log_in(page, person.email, NEW_PASSWORD)
    expect(page).to_have_url(re.compile(r"/dashboard$"))


def as_in_another_browser(page: Page) -> None:
    """Forgets what this browser keeps: who is signed in, and the half of a link's secret that never leaves it."""
    # first leave the page, whose requests would go on without a session
    page.goto("/robots.txt")
    page.evaluate("localStorage.clear()")
    page.context.clear_cookies()


def test_used_link_shows_a_message_and_offers_another_mail(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("twice")
    request_reset(page, person.email)
    link = link_in(wait_for_mail(stack, person.email, RESET_SUBJECT))
    page.goto(link)
    choose_password(page)
    as_in_another_browser(page)
    page.goto(link)
    expect(page.get_by_text("This link has been used already, or it is too old.")).to_be_visible()
    let_time_pass(stack)
    page.get_by_label("Email").fill(person.email)
    page.get_by_role("button", name="Send me the mail").click()
    expect(page.get_by_text("a mail is on its way")).to_be_visible()


def test_link_opened_in_another_browser_offers_a_mail_with_a_code(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person = visit.page, users.new("roamer")
    request_reset(page, person.email)
    link = link_in(wait_for_mail(stack, person.email, RESET_SUBJECT))
    as_in_another_browser(page)
    page.goto(link)
    expect(page.get_by_text("This link was opened in another browser")).to_be_visible()
    let_time_pass(stack)
    page.goto("/auth/reset-password")
    page.get_by_label("Email").fill(person.email)
    page.get_by_role("button", name="Send me the mail").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    newest, _ = mails_of(stack, person.email, RESET_SUBJECT, 2)
    code = code_in(newest["Text"])
    visit.expected.append("status of 403")
    page.get_by_label("Code from the mail").fill("000000" if code != "000000" else "111111")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("This code is wrong, used or too old.")).to_be_visible()
    page.get_by_label("Code from the mail").fill(f"{code[:3]} {code[3:]}")
    page.get_by_role("button", name="Continue").click()
    choose_password(page)
    expect(page).to_have_url(re.compile(r"/dashboard$"))


def mails_of(stack: Stack, email: str, subject: str, count: int) -> list[dict[str, str]]:
    """Waits for that many mails; newest first."""
    for _ in range(200):
        mails = find_mails(stack, email, subject)
        if len(mails) >= count:
            return mails
        wait_for_mail(stack, email, subject)
    raise AssertionError(f"{len(mails)} mails to {email}, not {count}")


def test_forms_do_not_reveal_whether_an_address_has_an_account(
    visit: Visit, stack: Stack, users: Users
) -> None:
    page, person, stranger = visit.page, users.new("known"), new_address()
    seen = []
    # Repeated at once: the rate limit applies to addresses with an account only, and the page must not show that.
    visit.expected.append("status of 429")
    for email in (person.email, person.email, stranger):
        request_reset(page, email)
        text = page.locator("main").inner_text().replace(email, "ADDRESS")
        seen.append(re.sub(r"in \d+ s\.", "in N s.", text))
    assert seen[0] == seen[1] == seen[2]
    assert find_mails(stack, stranger) == []


def test_code_of_the_sign_up_mail_signs_in(visit: Visit, stack: Stack) -> None:
    page, email = visit.page, new_address()
    sign_up(page, email)
    mail = wait_for_mail(stack, email, CONFIRM_SUBJECT)
    page.get_by_label("Code from the mail").fill(code_in(mail["Text"]))
    page.get_by_role("button", name="Confirm my email").click()
    expect(page).to_have_url(re.compile(r"/dashboard$"))


def test_sign_up_mail_is_sent_again_after_a_pause(first_visit: Visit, stack: Stack) -> None:
    page, email = first_visit.page, new_address()
    page.clock.install()
    sign_up(page, email)
    wait_for_mail(stack, email, CONFIRM_SUBJECT)
    again = page.get_by_role("button", name="Send the mail again")
    expect(again).to_be_disabled()
    expect(page.get_by_text(re.compile(r"You can ask for another in \d+ s\."))).to_be_visible()
    let_time_pass(stack)
    page.clock.fast_forward("01:01")
    expect(again).to_be_enabled()
    again.click()
    expect(page.get_by_text("The mail is on its way.")).to_be_visible()
    expect(again).to_be_disabled()
    first = mails_of(stack, email, CONFIRM_SUBJECT, 2)[0]
    page.goto(link_in(first))
    expect(page).to_have_url(re.compile(r"/dashboard$"))


def test_signing_in_before_the_address_is_confirmed_offers_the_mail_again(visit: Visit, stack: Stack) -> None:
    page, email = visit.page, new_address()
    sign_up(page, email)
    wait_for_mail(stack, email, CONFIRM_SUBJECT)
    let_time_pass(stack)
    visit.expected.append("status of 400")
    log_in(page, email, PASSWORD)
    expect(page.get_by_text("isn't confirmed yet")).to_be_visible()
    page.get_by_role("button", name="Send the mail again").click()
    expect(page.get_by_text("The mail is on its way.")).to_be_visible()
    newest = mails_of(stack, email, CONFIRM_SUBJECT, 2)[0]
    page.get_by_label("Code from the mail").fill(code_in(newest["Text"]))
    page.get_by_role("button", name="Confirm my email").click()
    expect(page).to_have_url(re.compile(r"/dashboard$"))


def test_weak_or_unchanged_password_is_rejected_at_the_form(visit: Visit, stack: Stack, users: Users) -> None:
    page, person = visit.page, users.new("lazy")
    enter(page, stack, person)
    visit.expected.append("status of 422")
    page.goto("/auth/reset-password")
    page.get_by_label("New password").fill("abc")
    page.get_by_role("button", name="Save new password").click()
    expect(page.get_by_role("alert")).to_contain_text("at least 6 characters")
    page.get_by_label("New password").fill(OLD_PASSWORD)
    page.get_by_role("button", name="Save new password").click()
    expect(page.get_by_role("alert")).to_contain_text("different from the old password")


def problems_at_both_sizes(page: Page) -> list[tuple[int, str, Any]]:
    """Return what axe has against the page as it is, on a phone and on a desk."""
    problems = []
    for width, height in ((390, 844), (1440, 1000)):
        resize(page, width, height)
        problems += [(width, *problem) for problem in problems_shown(page)]
    return problems


def test_password_screens_are_accessible_in_both_themes(visit: Visit, stack: Stack, users: Users) -> None:
    page = visit.page
    page.goto("/auth/reset-password")
    expect(page.get_by_role("heading", name="Reset your password")).to_be_visible()
    page.get_by_label("Email").fill(new_address())
    page.get_by_role("button", name="Send me the mail").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    problems = problems_at_both_sizes(page)
    sign_up(page, new_address())
    problems += problems_at_both_sizes(page)
    enter(page, stack, users.new("seeing"))
    page.goto("/auth/reset-password")
    expect(page.get_by_role("heading", name="Choose a new password")).to_be_visible()
    problems += problems_at_both_sizes(page)
    assert problems == []
