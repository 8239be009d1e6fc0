"""Signing in at providers outside: what they receive, what is taken from them, and what goes wrong on the way."""

from __future__ import annotations

import base64
import hashlib
import uuid
from collections.abc import Iterator

import httpx
import pytest
from localbase.core.auth_settings import EmailSettings

from supabase import ClientOptions, create_client
from tests.localbase.integration.auth.calls import as_admin, call, execute, failure, new_session
from tests.localbase.integration.auth.external.outside_providers import (
    CALLBACK,
    CLIENT,
    OutsideProviders,
    fragment_of,
    query_of,
)
from tests.localbase.integration.auth.external.provider_calls import come_back, leave, person, user_of
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.stacks import Stack

CHALLENGE_OF = "a verifier of at least forty-three characters, as RFC 7636 wants it"


@pytest.fixture
def service(auth: Stack, outside: OutsideProviders, clock: MovableClock) -> Iterator[Stack]:
    outside.forged.clear()
    with own_service(auth, clock, external=outside.settings()) as running:
        yield running


def challenge() -> dict[str, str]:
    digest = hashlib.sha256(CHALLENGE_OF.encode()).digest()
    text = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return {"code_challenge": text, "code_challenge_method": "s256"}


def test_request_to_an_issuer_carries_state_nonce_and_pkce(service: Stack, outside: OutsideProviders) -> None:
    address = leave(
        service, "google", scopes="calendar drive", prompt="consent", redirect_uri="https://evil.example/"
    )
    assert address.startswith(f"{outside.url}/authorize?")
    query = query_of(address)
    random = {name: query.pop(name) for name in ("state", "nonce", "code_challenge")}
    assert all(random.values())
    assert query == {
        "prompt": "consent",
        "client_id": CLIENT,
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "scope": "openid email profile calendar drive",
        "code_challenge_method": "S256",
    }


def test_google_sign_in_ends_with_tokens_and_a_verified_identity(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    back = outside.agree(leave(service, "google"), person(email.upper(), hd="example.com", picture="p"))
    location = come_back(service, back)
    values = fragment_of(location)
    assert set(values) == {
        *("access_token", "expires_at", "expires_in", "refresh_token", "token_type"),
        *("provider_token", "provider_refresh_token", "sb"),
    }
    user = user_of(service, values)
    subject = f"sub-{email.upper()}"
    data = {
        "iss": outside.url,
        "sub": subject,
        "name": "Ada Lovelace",
        "picture": "p",
        "full_name": "Ada Lovelace",
        "avatar_url": "p",
        "provider_id": subject,
        "custom_claims": {"hd": "example.com"},
        "email": email,
        "email_verified": True,
        "phone_verified": False,
    }
    assert (user["email"], user["user_metadata"]) == (email, data)
    assert user["app_metadata"] == {"provider": "google", "providers": ["google"]}
    assert [(one["id"], one["identity_data"]) for one in user["identities"]] == [(subject, data)]
    assert user["email_confirmed_at"]


def test_github_gives_its_addresses_from_a_list_of_their_own(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    address = leave(service, "github")
    assert address.startswith(f"{outside.url}/login/oauth/authorize?")
    assert query_of(address)["scope"] == "user:email"
    number = uuid.uuid4().int % 10**9
    account = {
        "id": number,
        "login": "ada",
        "name": "Ada Lovelace",
        "avatar_url": "https://avatars.example/ada",
        # What the profile says of an address counts for nothing.
        "email": "victim@example.com",
        "emails": [
            {"email": f"old-{email}", "verified": True, "primary": False},
            {"email": email, "verified": True, "primary": True},
        ],
    }
    user = user_of(service, fragment_of(come_back(service, outside.agree(address, account))))
    assert user["email"] == email
    [identity] = user["identities"]
    assert (identity["provider"], identity["id"], identity["email"]) == ("github", str(number), email)
    assert identity["identity_data"] == {
        "iss": f"{outside.url}/api/v3",
        "sub": str(number),
        "name": "Ada Lovelace",
        "preferred_username": "ada",
        "full_name": "Ada Lovelace",
        "avatar_url": "https://avatars.example/ada",
        "provider_id": str(number),
        "user_name": "ada",
        "email": email,
        "email_verified": True,
        "phone_verified": False,
    }


def test_unverified_address_of_github_must_be_confirmed_first(
    auth: Stack, outside: OutsideProviders, email: str, clock: MovableClock
) -> None:
    settings = EmailSettings(enable_confirmations=True)
    with own_service(auth, clock, external=outside.settings(), email=settings) as stack:
        account = {
            "id": 7 + uuid.uuid4().int % 10**9,
            "emails": [{"email": email, "primary": True, "verified": False}],
        }
        location = come_back(stack, outside.agree(leave(stack, "github"), account))
        message = "Unverified email with github. A confirmation email has been sent to your github email"
        expected = {
            "error": "access_denied",
            "error_code": "provider_email_needs_verification",
            "error_description": message,
        }
        assert fragment_of(location) == expected | {"sb": ""}
    rows = execute(
        auth, "select email_confirmed_at, confirmation_token <> '' from auth.users where email = %s", email
    )
    assert rows == [(None, True)]


def test_keycloak_tells_who_signed_in_at_its_own_endpoint(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    address = leave(service, "keycloak", scopes="openid")
    assert address.startswith(f"{outside.url}/realms/shop/protocol/openid-connect/auth?")
    assert query_of(address)["scope"] == "profile email openid"
    account = person(email, department="press")
    user = user_of(service, fragment_of(come_back(service, outside.agree(address, account))))
    [identity] = user["identities"]
    assert identity["provider"] == "keycloak"
    assert identity["identity_data"] == {
        "iss": f"{outside.url}/realms/shop",
        "sub": f"sub-{email}",
        "name": "Ada Lovelace",
        "custom_claims": {"department": "press"},
        "full_name": "Ada Lovelace",
        "provider_id": f"sub-{email}",
        "email": email,
        "email_verified": True,
        "phone_verified": False,
    }


def test_any_issuer_signs_in_by_its_url(service: Stack, outside: OutsideProviders, email: str) -> None:
    back = outside.agree(leave(service, "gitlab"), person(email, nickname="ada", groups=["a"]))
    user = user_of(service, fragment_of(come_back(service, back)))
    [identity] = user["identities"]
    assert identity["provider"] == "gitlab"
    assert identity["identity_data"] == {
        "iss": outside.url,
        "sub": f"sub-{email}",
        "name": "Ada Lovelace",
        "nickname": "ada",
        "email": email,
        "email_verified": True,
        "phone_verified": False,
    }


def test_code_is_exchanged_for_a_session_in_the_pkce_flow(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    back = outside.agree(leave(service, "google", **challenge()), person(email))
    location = come_back(service, back)
    assert set(query_of(location)) == {"code"}
    body = {"auth_code": query_of(location)["code"], "code_verifier": CHALLENGE_OF}
    session = call(service, "POST", "/token?grant_type=pkce", json=body).json()
    assert session["user"]["email"] == email
    assert session["provider_token"]
    assert session["provider_refresh_token"] == f"refresh-{session['provider_token']}"
    spent = {"error": "invalid_request", "error_code": "flow_state_already_used"}
    after = outside.agree(leave(service, "google", **challenge()), person(email))
    come_back(service, after)
    query = query_of(come_back(service, after, 303))
    assert query == spent | {"error_description": "State has already been used"}


def test_official_client_signs_in_with_oauth(
    auth: Stack, service: Stack, outside: OutsideProviders, email: str
) -> None:
    client = create_client(service.api_url, auth.publishable_key, ClientOptions(flow_type="pkce"))
    response = client.auth.sign_in_with_oauth(
        {"provider": "google", "options": {"redirect_to": auth.site_url}}
    )
    address = httpx.get(response.url).headers["location"]
    code = query_of(come_back(service, outside.agree(address, person(email))))["code"]
    session = client.auth.exchange_code_for_session({"auth_code": code}).session
    assert session is not None
    assert (session.user.email, bool(session.provider_token)) == (email, True)


def test_form_of_a_provider_is_taken_as_well(service: Stack, outside: OutsideProviders, email: str) -> None:
    back = outside.agree(leave(service, "google"), person(email))
    response = call(service, "POST", "/callback", data=back)
    assert response.status_code == 302
    assert user_of(service, fragment_of(response.headers["location"]))["email"] == email


def test_invited_user_accepts_at_a_provider(service: Stack, outside: OutsideProviders, email: str) -> None:
    link = as_admin(service, "POST", "/admin/generate_link", json={"type": "invite", "email": email}).json()
    unknown = call(service, "GET", "/authorize", params={"provider": "google", "invite_token": "guessed"})
    assert failure(unknown) == (404, "user_not_found", "User identified by token not found")
    token = link["hashed_token"]
    other = outside.agree(leave(service, "google", invite_token=token), person(f"other-{email}"))
    assert fragment_of(come_back(service, other))["error_code"] == "validation_failed"
    back = outside.agree(leave(service, "google", invite_token=token), person(email))
    user = user_of(service, fragment_of(come_back(service, back)))
    assert (user["id"], [one["provider"] for one in user["identities"]]) == (link["id"], ["google"])
    assert user["email_confirmed_at"]


def test_user_with_a_password_keeps_it_when_a_verified_address_links(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(service, email)
    user = user_of(
        service, fragment_of(come_back(service, outside.agree(leave(service, "google"), person(email))))
    )
    assert user["id"] == session["user"]["id"]
    assert user["app_metadata"] == {"provider": "email", "providers": ["email", "google"]}
