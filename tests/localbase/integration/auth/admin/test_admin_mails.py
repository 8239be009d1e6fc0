"""`/invite` and `/admin/generate_link`: mails that the service role sends, and their links."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from localbase.core.auth_settings import EmailSettings

from supabase import create_client
from tests.localbase.integration.auth.calls import (
    PASSWORD,
    as_admin,
    call,
    execute,
    failure,
    new_session,
    sign_in,
)
from tests.localbase.integration.auth.own_service import own_service
from tests.support.mailbox import find_mails, wait_for_mail
from tests.support.stacks import Stack

EMAIL_EXISTS = (422, "email_exists", "A user with this email address has already been registered")


def generate(stack: Stack, **body: Any) -> dict[str, Any]:
    response = as_admin(stack, "POST", "/admin/generate_link", json=body)
    assert response.status_code == 200, response.text
    return dict(response.json())


def follow(address: str) -> dict[str, str]:
    """Return what the browser is sent back with."""
    response = httpx.get(address)
    assert response.status_code == 303, response.text
    fragment = parse_qs(urlsplit(response.headers["location"]).fragment)
    return {name: value[0] for name, value in fragment.items()}


def user_of(stack: Stack, tokens: dict[str, str]) -> dict[str, Any]:
    return dict(call(stack, "GET", "/user", tokens["access_token"]).json())


def test_invited_user_follows_the_mail_and_sets_a_password(auth: Stack, email: str) -> None:
    response = as_admin(auth, "POST", "/invite", json={"email": email, "data": {"plan": "free"}})
    assert response.status_code == 200, response.text
    user = response.json()
    assert user["invited_at"]
    assert user["user_metadata"] == {"plan": "free"}
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert "email_confirmed_at" not in user
    match = re.search(r"http\S+/verify\S+", wait_for_mail(auth, email)["Text"])
    assert match
    tokens = follow(match[0])
    assert tokens["type"] == "invite"
    assert user_of(auth, tokens)["id"] == user["id"]
    changed = call(auth, "PUT", "/user", tokens["access_token"], json={"password": PASSWORD})
    assert changed.status_code == 200, changed.text
    assert sign_in(auth, email)["user"]["id"] == user["id"]


def test_invitation_goes_out_again_until_it_is_accepted(auth: Stack, email: str) -> None:
    first = as_admin(auth, "POST", "/invite", json={"email": email}).json()
    wait_for_mail(auth, email)
    again = as_admin(auth, "POST", "/invite", json={"email": email})
    assert again.json()["id"] == first["id"]
    execute(auth, "update auth.users set email_confirmed_at = now() where email = %s", email)
    assert failure(as_admin(auth, "POST", "/invite", json={"email": email})) == EMAIL_EXISTS


def test_only_the_service_role_invites(auth: Stack, email: str) -> None:
    error = (403, "not_admin", "User not allowed")
    assert failure(call(auth, "POST", "/invite", json={"email": email})) == error
    body = {"type": "signup", "email": email, "password": PASSWORD}
    assert failure(call(auth, "POST", "/admin/generate_link", json=body)) == error


def test_generated_sign_up_link_makes_a_user_and_confirms_it(auth: Stack, email: str) -> None:
    redirect_to = f"{auth.site_url}/welcome"
    link = generate(
        auth,
        type="signup",
        email=email,
        password=PASSWORD,
        data={"plan": "free"},
        redirect_to=redirect_to,
    )
    query = urlencode({"token": link["hashed_token"], "type": "signup", "redirect_to": redirect_to})
    assert link["action_link"] == f"{auth.api_url}/auth/v1/verify?{query}"
    assert (link["verification_type"], link["redirect_to"]) == ("signup", redirect_to)
    assert len(link["email_otp"]) == 6
    assert (link["email"], link["user_metadata"]) == (email, {"plan": "free"})
    assert find_mails(auth, email) == []
    assert user_of(auth, follow(link["action_link"]))["email"] == email
    assert sign_in(auth, email)["user"]["id"] == link["id"]
    again = {"type": "signup", "email": email, "password": PASSWORD}
    assert failure(as_admin(auth, "POST", "/admin/generate_link", json=again)) == EMAIL_EXISTS


def test_generated_invitation_works_once(auth: Stack, email: str) -> None:
    link = generate(auth, type="invite", email=email)
    assert link["invited_at"]
    assert follow(link["action_link"])["type"] == "invite"
    assert follow(link["action_link"])["error_code"] == "otp_expired"


@pytest.mark.parametrize("kind", ["magiclink", "recovery"])
def test_generated_link_signs_a_known_user_in(auth: Stack, email: str, kind: str) -> None:
    user = new_session(auth, email)["user"]
    link = generate(auth, type=kind, email=email)
    assert link["verification_type"] == kind
    assert user_of(auth, follow(link["action_link"]))["id"] == user["id"]
    link = generate(auth, type=kind, email=email)
    body = {"type": kind, "email": email, "token": link["email_otp"]}
    assert call(auth, "POST", "/verify", json=body).json()["user"]["id"] == user["id"]
    link = generate(auth, type=kind, email=email)
    body = {"type": kind, "token_hash": link["hashed_token"]}
    assert call(auth, "POST", "/verify", json=body).json()["user"]["id"] == user["id"]


def test_magic_link_for_an_unknown_address_signs_up(auth: Stack, email: str) -> None:
    link = generate(auth, type="magiclink", email=email)
    assert link["verification_type"] == "signup"
    assert user_of(auth, follow(link["action_link"]))["id"] == link["id"]


def test_generated_links_change_the_address_in_two_halves(auth: Stack, email: str) -> None:
    settings = EmailSettings(enable_confirmations=True)
    user = new_session(auth, email)["user"]
    with own_service(auth, email=settings) as stack:
        new_email, links = f"new-{email}", []
        for kind in ("email_change_current", "email_change_new"):
            link = generate(stack, type=kind, email=email, new_email=new_email)
            assert (link["verification_type"], link["new_email"]) == (kind, new_email)
            assert parse_qs(urlsplit(link["action_link"]).query)["type"] == ["email_change"]
            links.append(link["action_link"].replace(auth.api_url, stack.api_url))
        assert "message" in follow(links[0])
        assert user_of(auth, follow(links[1]))["email"] == new_email
        assert as_admin(stack, "GET", f"/admin/users/{user['id']}").json()["email"] == new_email


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"type": "signup"}, (400, "validation_failed", "An email address is required")),
        (
            {"type": "sms", "email": "a@example.com"},
            (400, "validation_failed", "Invalid email action link type requested: sms"),
        ),
        (
            {"type": "signup", "email": "unknown@example.com"},
            (400, "validation_failed", "Signup requires a valid password"),
        ),
        (
            {"type": "recovery", "email": "unknown@example.com"},
            (404, "user_not_found", "User with this email not found"),
        ),
        (
            {"type": "email_change_new", "email": "unknown@example.com", "new_email": "b@example.com"},
            (404, "user_not_found", "User with this email not found"),
        ),
    ],
)
def test_link_that_cannot_be_made_is_refused(
    auth: Stack, body: dict[str, str], error: tuple[int, str, str]
) -> None:
    assert failure(as_admin(auth, "POST", "/admin/generate_link", json=body)) == error


def test_change_to_a_taken_address_is_refused(auth: Stack, email: str) -> None:
    new_session(auth, email)
    new_session(auth, f"other-{email}")
    body = {"type": "email_change_new", "email": email, "new_email": f"other-{email}"}
    assert failure(as_admin(auth, "POST", "/admin/generate_link", json=body)) == EMAIL_EXISTS


def test_foreign_redirect_of_a_generated_link_becomes_the_site(auth: Stack, email: str) -> None:
    link = generate(auth, type="magiclink", email=email, redirect_to="https://evil.example/")
    assert link["redirect_to"] == auth.site_url


def test_official_client_invites_and_generates_links(auth: Stack, email: str) -> None:
    admin = create_client(auth.api_url, auth.secret_key).auth.admin
    invited = admin.invite_user_by_email(email, {"data": {"plan": "free"}, "redirect_to": auth.site_url}).user
    assert (invited.email, invited.user_metadata) == (email, {"plan": "free"})
    link = admin.generate_link({"type": "recovery", "email": email})
    assert link.user.id == invited.id
    assert link.properties.verification_type == "recovery"
    assert user_of(auth, follow(link.properties.action_link))["id"] == invited.id
