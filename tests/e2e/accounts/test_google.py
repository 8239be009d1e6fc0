"""Signing in with Google: from the shop to the provider's page and back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.steps import query
from tests.support.stacks import Stack


def test_visitor_signs_up_with_google_and_returns_signed_in(visit: Visit, stack: Stack) -> None:
    page = visit.page
    page.goto("/auth?redirect=%2Fdesign")
    page.get_by_role("button", name="Continue with Google").click()
    expect(page.get_by_role("heading", name="Choose an account")).to_be_visible()
    page.get_by_role("button", name=re.compile("Gwen Google")).click()
    expect(page).to_have_url(f"{stack.site_url}/design")
    (user,) = query(
        stack,
        "select raw_app_meta_data, raw_user_meta_data, email_confirmed_at from auth.users where email = %s",
        "gwen@gmail.example",
    )
    assert user["raw_app_meta_data"] == {"provider": "google", "providers": ["google"]}
    assert user["raw_user_meta_data"]["full_name"] == "Gwen Google"
    assert user["email_confirmed_at"] is not None


def test_visitor_who_cancels_at_google_sees_a_message(visit: Visit) -> None:
    page = visit.page
    page.goto("/auth")
    page.get_by_role("button", name="Continue with Google").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Signing in was not finished. Please try again.").first).to_be_visible()
