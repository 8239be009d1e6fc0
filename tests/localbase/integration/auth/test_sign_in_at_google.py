"""Signing in at an OpenID Connect provider: the shop's localbase with the emulated Google."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from supabase import ClientOptions, create_client
from tests.support.stacks import Stack
from tests.support.users import PASSWORD, Users


def leave_for_google(stack: Stack, **query: str) -> httpx.Response:
    return httpx.get(f"{stack.api_url}/auth/v1/authorize", params={"provider": "google", **query})


def choose_account(address: str, email: str, **form: str) -> str:
    """Return what the person does on Google's page; the address that Google sends the browser back to."""
    parameters = {name: value[0] for name, value in parse_qs(urlsplit(address).query).items()}
    body = parameters | {"action": "other", "name": "Some Body", "email": email} | form
    response = httpx.post(address.split("?")[0], data=body)
    assert response.status_code == 302, response.text
    return response.headers["location"]


def come_back(address: str) -> Any:
    """Return where localbase sends the browser on to."""
    response = httpx.get(address)
    assert response.status_code in (302, 303)
    return urlsplit(response.headers["location"])


@pytest.fixture
def email() -> str:
    return f"person-{uuid.uuid4().hex[:10]}@gmail.example"


def test_implicit_flow_ends_with_tokens_in_the_fragment(stack: Stack, email: str) -> None:
    left = leave_for_google(stack, redirect_to=f"{stack.site_url}/auth")
    assert left.status_code == 302
    assert left.headers["location"].startswith(f"{stack.emulators_url}/google/o/oauth2/v2/auth?")
    target = come_back(choose_account(left.headers["location"], email))
    assert target.path == "/auth"
    tokens = {name: value[0] for name, value in parse_qs(target.fragment).items()}
    user = httpx.get(
        f"{stack.api_url}/auth/v1/user",
        headers={"apikey": stack.publishable_key, "authorization": f"Bearer {tokens['access_token']}"},
    ).json()
    assert user["email"] == email
    assert user["app_metadata"] == {"provider": "google", "providers": ["google"]}
    assert user["user_metadata"]["full_name"] == "Some Body"
    assert [one["provider"] for one in user["identities"]] == ["google"]
    assert tokens["provider_token"].startswith("ya29.")


def test_official_client_exchanges_a_code_for_the_session(stack: Stack, email: str) -> None:
    client = create_client(stack.api_url, stack.publishable_key, ClientOptions(flow_type="pkce"))
    response = client.auth.sign_in_with_oauth(
        {"provider": "google", "options": {"redirect_to": stack.site_url}}
    )
    left = httpx.get(response.url, headers={"apikey": stack.publishable_key})
    target = come_back(choose_account(left.headers["location"], email))
    code = parse_qs(target.query)["code"][0]
    session = client.auth.exchange_code_for_session({"auth_code": code}).session
    assert session is not None
    assert session.user.email == email
    assert session.provider_token is not None


def test_verified_address_signs_in_to_its_account(stack: Stack, users: Users) -> None:
    person = users.new("linked")
    left = leave_for_google(stack)
    target = come_back(choose_account(left.headers["location"], person.email))
    assert "access_token" in target.fragment
    user = users.service.auth.admin.get_user_by_id(person.id).user
    assert user.app_metadata["providers"] == ["email", "google"]
    assert users.sign_in(person.email, PASSWORD).id == person.id


def test_unproved_password_does_not_survive_a_google_sign_in(stack: Stack, users: Users, email: str) -> None:
    # A stranger signs up with an address that is not theirs and waits for its owner to come by Google.
    httpx.post(
        f"{stack.api_url}/auth/v1/signup",
        json={"email": email, "password": PASSWORD},
        headers={"apikey": stack.publishable_key},
    ).raise_for_status()
    come_back(choose_account(leave_for_google(stack).headers["location"], email))
    with pytest.raises(Exception, match="Invalid login credentials"):
        users.sign_in(email, PASSWORD)


def test_state_is_good_for_one_return(stack: Stack, email: str) -> None:
    address = choose_account(leave_for_google(stack).headers["location"], email)
    assert "access_token" in come_back(address).fragment
    again = come_back(address)
    assert parse_qs(again.query)["error_code"] == ["bad_oauth_state"]


@pytest.mark.parametrize("state", ["", "guessed", "6f0c1f5e-6f0d-4a63-9f5a-0c8a3c7e9d11"])
def test_forged_state_is_rejected(stack: Stack, state: str) -> None:
    target = come_back(f"{stack.api_url}/auth/v1/callback?code=x&state={state}")
    assert f"{target.scheme}://{target.netloc}" == stack.site_url
    assert parse_qs(target.query)["error"] == ["invalid_request"]


def test_forged_code_is_rejected(stack: Stack, email: str) -> None:
    address = choose_account(leave_for_google(stack).headers["location"], email)
    state = parse_qs(urlsplit(address).query)["state"][0]
    target = come_back(f"{stack.api_url}/auth/v1/callback?code=guessed&state={state}")
    assert parse_qs(target.query)["error"] == ["server_error"]


def test_foreign_redirect_falls_back_to_the_site(stack: Stack, email: str) -> None:
    left = leave_for_google(stack, redirect_to="https://evil.example/")
    target = come_back(choose_account(left.headers["location"], email))
    assert f"{target.scheme}://{target.netloc}" == stack.site_url


def test_disabled_provider_is_rejected(stack: Stack) -> None:
    response = httpx.get(f"{stack.api_url}/auth/v1/authorize", params={"provider": "github"})
    assert response.status_code == 400
    assert response.json()["error_code"] == "validation_failed"


def test_settings_tell_that_google_is_there(stack: Stack) -> None:
    response = httpx.get(f"{stack.api_url}/auth/v1/settings", headers={"apikey": stack.publishable_key})
    assert response.json()["external"]["google"] is True
