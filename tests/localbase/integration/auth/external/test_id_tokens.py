"""`signInWithIdToken`: an app's own sign-in at a provider, exchanged for a session."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from supabase import create_client
from tests.localbase.integration.auth.calls import as_admin, call, claims_of, failure, new_session
from tests.localbase.integration.auth.external.outside_providers import OTHER_CLIENT, OutsideProviders
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack


@pytest.fixture
def service(auth: Stack, outside: OutsideProviders) -> Iterator[Stack]:
    with own_service(auth, external=outside.settings()) as running:
        yield running


def grant(stack: Stack, token: str = "", **body: Any) -> httpx.Response:
    return call(stack, "POST", "/token?grant_type=id_token", token, json=body)


def oauth_error(response: httpx.Response) -> tuple[int, str, str]:
    assert set(response.json()) == {"error", "error_description"}, response.text
    return response.status_code, response.json()["error"], response.json()["error_description"]


def claims(email: str, **other: Any) -> dict[str, Any]:
    return {"sub": f"sub-{email}", "email": email, "email_verified": True, "name": "Ada"} | other


def hashed(nonce: str) -> str:
    return hashlib.sha256(nonce.encode()).hexdigest()


@pytest.mark.parametrize("provider", ["google", "gitlab"])
def test_id_token_is_exchanged_for_a_session(
    service: Stack, outside: OutsideProviders, email: str, provider: str
) -> None:
    response = grant(service, provider=provider, id_token=outside.id_token(**claims(email)))
    assert response.status_code == 200, response.text
    session = response.json()
    assert session["user"]["email"] == email
    assert session["user"]["app_metadata"] == {"provider": provider, "providers": [provider]}
    assert [method["method"] for method in claims_of(service, session)["amr"]] == ["oauth"]
    again = grant(service, provider=provider, id_token=outside.id_token(**claims(email)))
    assert again.json()["user"]["id"] == session["user"]["id"]


def test_issuer_names_the_provider_too(service: Stack, outside: OutsideProviders, email: str) -> None:
    token = outside.id_token(**claims(email, iss=f"{outside.url}/realms/shop"))
    body = {"issuer": f"{outside.url}/realms/shop", "client_id": "x", "id_token": token}
    response = grant(service, **body)
    assert response.json()["user"]["app_metadata"]["provider"] == "keycloak"


def test_each_of_the_projects_clients_counts(service: Stack, outside: OutsideProviders, email: str) -> None:
    for audience in (OTHER_CLIENT, ["another", OTHER_CLIENT]):
        token = outside.id_token(**claims(email, aud=audience))
        assert grant(service, provider="google", id_token=token).status_code == 200
    token = outside.id_token(**claims(email, aud="another"))
    assert oauth_error(grant(service, provider="google", id_token=token)) == (
        400,
        "invalid request",
        "Unacceptable audience in id_token: [another]",
    )


def test_nonce_must_be_the_one_that_was_hashed(
    auth: Stack, service: Stack, outside: OutsideProviders, email: str
) -> None:
    token = outside.id_token(**claims(email, nonce=hashed("secret")))
    assert grant(service, provider="google", id_token=token, nonce="secret").status_code == 200
    mismatch = grant(service, provider="google", id_token=token, nonce="other")
    assert oauth_error(mismatch) == (400, "invalid nonce", "Nonces mismatch")
    both = "Passed nonce and nonce in id_token should either both exist or not."
    assert oauth_error(grant(service, provider="google", id_token=token)) == (400, "invalid request", both)
    bare = outside.id_token(**claims(email))
    refused = grant(service, provider="google", id_token=bare, nonce="secret")
    assert oauth_error(refused) == (400, "invalid request", both)
    with own_service(auth, external=outside.settings(skip_nonce_check=True)) as stack:
        assert grant(stack, provider="google", id_token=token).status_code == 200


def test_access_token_must_be_the_one_of_the_id_token(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    half = hashlib.sha256(b"theirs").digest()[:16]
    at_hash = base64.urlsafe_b64encode(half).rstrip(b"=").decode()
    token = outside.id_token(**claims(email, at_hash=at_hash))
    assert grant(service, provider="google", id_token=token, access_token="theirs").status_code == 200
    refused = grant(service, provider="google", id_token=token, access_token="another")
    assert oauth_error(refused) == (400, "invalid request", "Bad ID token")


@pytest.mark.parametrize("forged", [{"iss": "https://evil.example"}, {"exp": 1}])
def test_forged_id_token_is_refused(
    service: Stack, outside: OutsideProviders, email: str, forged: dict[str, Any]
) -> None:
    bad = (400, "invalid request", "Bad ID token")
    token = outside.id_token(**claims(email, **forged))
    assert oauth_error(grant(service, provider="google", id_token=token)) == bad
    unsigned = outside.id_token(**claims(email)).rsplit(".", 1)[0] + ".AAAA"
    assert oauth_error(grant(service, provider="google", id_token=unsigned)) == bad
    assert oauth_error(grant(service, provider="google", id_token="text")) == bad


def test_incomplete_requests_are_refused(service: Stack, outside: OutsideProviders, email: str) -> None:
    token = outside.id_token(**claims(email))
    missing = (400, "invalid request", "id_token required")
    assert oauth_error(grant(service, provider="google")) == missing
    neither = (400, "invalid request", "provider or client_id and issuer required")
    assert oauth_error(grant(service, id_token=token)) == neither
    nameless = outside.id_token(email=email)
    no_subject = (400, "invalid request", "Missing sub claim in id_token")
    assert oauth_error(grant(service, provider="google", id_token=nameless)) == no_subject


def test_provider_that_is_off_or_unknown_is_refused(
    auth: Stack, service: Stack, outside: OutsideProviders, email: str
) -> None:
    token = outside.id_token(**claims(email))
    unknown = (400, "validation_failed", 'Custom OIDC provider "mine" not allowed')
    assert failure(grant(service, provider="mine", id_token=token)) == unknown
    custom = (400, "validation_failed", "Custom OAuth providers are disabled")
    assert failure(grant(service, provider="custom:mine", id_token=token)) == custom
    off = (400, "provider_disabled", 'Provider (issuer "https://accounts.google.com") is not enabled')
    assert failure(grant(auth, provider="google", id_token=token)) == off


def test_banned_user_gets_no_session(service: Stack, outside: OutsideProviders, email: str) -> None:
    token = outside.id_token(**claims(email))
    user = grant(service, provider="google", id_token=token).json()["user"]
    as_admin(service, "PUT", f"/admin/users/{user['id']}", json={"ban_duration": "1h"})
    banned = (403, "user_banned", "User is banned")
    assert failure(grant(service, provider="google", id_token=token)) == banned


def test_identity_of_an_id_token_is_linked_to_the_signed_in_user(
    service: Stack, outside: OutsideProviders, email: str
) -> None:
    session = new_session(service, email)
    token = outside.id_token(**claims(f"at-work-{email}"))
    body: dict[str, Any] = {"provider": "google", "id_token": token, "link_identity": True}
    linked = grant(service, session["access_token"], **body).json()["user"]
    assert linked["id"] == session["user"]["id"]
    assert linked["app_metadata"]["providers"] == ["email", "google"]
    # The gateway has put the API key's token there, which names no user.
    assert failure(grant(service, **body)) == (403, "bad_jwt", "invalid claim: missing sub claim")
    assert grant(service, "forged", **body).status_code == 403


def test_official_client_signs_in_with_an_id_token(
    auth: Stack, service: Stack, outside: OutsideProviders, email: str
) -> None:
    client = create_client(service.api_url, auth.publishable_key)
    token = outside.id_token(**claims(email, nonce=hashed("secret")))
    credentials = {"provider": "google", "token": token, "nonce": "secret"}
    user = client.auth.sign_in_with_id_token(credentials).user  # type: ignore[arg-type]
    assert user is not None
    assert user.email == email
