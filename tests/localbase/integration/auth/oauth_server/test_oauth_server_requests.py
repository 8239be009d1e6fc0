"""Requests of OAuth clients, and who may consent to them: wrong ones, expired ones, other users, other sites."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

import pytest

from tests.localbase.integration.auth.calls import call, execute, failure, new_session
from tests.localbase.integration.auth.oauth_server.oauth_client import (
    REDIRECT,
    OAuthClient,
    decide,
    oauth_failure,
    query_of,
    register,
)
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.support.stacks import Stack

NOT_FOUND = (404, "oauth_authorization_not_found", "authorization not found")


@pytest.fixture
def client(auth: Stack) -> OAuthClient:
    return register(auth)


@pytest.mark.parametrize(
    "uri",
    [
        "https://evil.example.com/callback",
        f"{REDIRECT}/",
        f"{REDIRECT}?next=https://evil.example.com",
        f"{REDIRECT}#x",
        f"{REDIRECT}/../evil",
        "https://app.example.com:443/callback",
        "https://APP.example.com/callback",
        "https://app.example.com@evil.example.com/callback",
        "https://app.example.com\\@evil.example.com/callback",
        "//evil.example.com/callback",
        "javascript:alert(1)",
        "https://app.example.com/callback\r\nset-cookie: x=y",
    ],
)
def test_other_redirect_address_is_shown_as_an_error_and_not_followed(client: OAuthClient, uri: str) -> None:
    response = client.authorize(redirect_uri=uri)
    assert failure(response) == (400, "validation_failed", "invalid redirect_uri")
    assert "location" not in response.headers


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"client_id": ""}, "validation_failed", "client_id is required"),
        ({"redirect_uri": ""}, "validation_failed", "redirect_uri is required"),
        ({"client_id": "x"}, "oauth_client_not_found", "invalid client_id format"),
        ({"client_id": str(uuid.UUID(int=1))}, "oauth_client_not_found", "invalid client_id"),
    ],
)
def test_unknown_client_is_shown_as_an_error(
    client: OAuthClient, changes: dict[str, str], code: str, message: str
) -> None:
    assert failure(client.authorize(**changes)) == (400, code, message)


@pytest.mark.parametrize(
    ("changes", "description"),
    [
        ({"response_type": "token"}, "only response_type=code is supported"),
        ({"scope": "email admin"}, "unsupported scope: admin"),
        ({"scope": "  "}, "scope parameter cannot be empty"),
        ({"code_challenge": ""}, "PKCE flow requires both code_challenge and code_challenge_method"),
        ({"code_challenge_method": ""}, "PKCE flow requires both code_challenge and code_challenge_method"),
        ({"code_challenge_method": "S512"}, "code_challenge_method must be 'S256' or 'plain'"),
        ({"code_challenge": "x" * 42}, "code_challenge must be between 43 and 128 characters"),
        ({"code_challenge": "x" * 129}, "code_challenge must be between 43 and 128 characters"),
        ({"resource": "relative"}, "resource must be an absolute URI"),
        ({"resource": "https://api.example.com/#x"}, "resource must not include a fragment component"),
        ({"resource": "https://api.example.com/?x=y"}, "resource must not include a query component"),
        ({"nonce": "n" * 256}, "nonce must not be longer than 255 characters, nor hold NUL"),
        ({"nonce": "n\0"}, "nonce must not be longer than 255 characters, nor hold NUL"),
    ],
)
def test_wrong_request_goes_back_to_the_client(
    client: OAuthClient, changes: dict[str, str], description: str
) -> None:
    response = client.authorize(**changes)
    assert response.status_code == 302
    location = response.headers["location"]
    assert location.startswith(f"{REDIRECT}?")
    assert query_of(location) == {
        "error": "invalid_request",
        "error_description": description,
        "state": "a state",
    }


def test_state_cannot_inject_a_header_or_another_parameter(client: OAuthClient) -> None:
    state = "x&code=stolen\r\nset-cookie: a=b\u2028"
    response = client.authorize(state=state, scope="none")
    assert "set-cookie" not in response.headers
    assert query_of(response.headers["location"]) == {
        "error": "invalid_request",
        "error_description": "unsupported scope: none",
        "state": state,
    }


def test_another_users_authorization_is_not_found(auth: Stack, client: OAuthClient, email: str) -> None:
    first, second = new_session(auth, email), new_session(auth, f"other-{email}")
    identity = client.authorization_id()
    # Consent without having opened it: the page has shown nothing to this user.
    assert failure(decide(auth, first, identity)) == NOT_FOUND
    call(auth, "GET", f"/oauth/authorizations/{identity}", first["access_token"])
    path = f"/oauth/authorizations/{identity}"
    assert failure(call(auth, "GET", path, second["access_token"])) == NOT_FOUND
    for action in ("approve", "deny"):
        assert failure(decide(auth, second, identity, action)) == NOT_FOUND
    assert failure(call(auth, "GET", path)) == (403, "bad_jwt", "invalid claim: missing sub claim")
    assert decide(auth, first, identity).status_code == 200


def test_consent_wants_one_of_two_actions(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    identity = client.authorization_id()
    path = f"/oauth/authorizations/{identity}/consent"
    wrong = (400, "validation_failed", "action must be 'approve' or 'deny'")
    for body in ({}, {"action": "Approve"}, {"action": ["approve"]}, {"action": None}, {"action": {"a": 1}}):
        assert failure(call(auth, "POST", path, session["access_token"], json=body)) == wrong
    response = call(auth, "POST", path, session["access_token"], content=b"{")
    assert failure(response) == (400, "bad_json", "invalid JSON body")


def test_page_of_another_site_cannot_consent(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    identity = client.authorization_id()
    path = f"/oauth/authorizations/{identity}"
    wrong = (400, "validation_failed", "unauthorized request origin")
    for origin in ("https://evil.example.com", "null", "https://127.0.0.1.evil.example.com"):
        headers = {"origin": origin}
        opened = call(auth, "GET", path, session["access_token"], headers=headers)
        assert failure(opened) == wrong
        assert failure(decide(auth, session, identity, headers=headers)) == wrong
    own = call(auth, "GET", path, session["access_token"], headers={"origin": auth.site_url})
    assert own.status_code == 200


def test_request_and_code_expire_after_ten_minutes(auth: Stack, client: OAuthClient, email: str) -> None:
    clock = MovableClock()
    session = new_session(auth, email)
    identity = client.authorization_id()
    code = client.code(session, scope="phone")
    with own_service(auth, clock) as stack:
        late = OAuthClient(stack, client.client_id, client.secret, client.verifier)
        clock.ahead = 601
        expired = (400, "invalid_grant", "Authorization code has expired")
        assert oauth_failure(late.exchange(code)) == expired
        path = f"/oauth/authorizations/{identity}"
        assert failure(call(stack, "GET", path, session["access_token"])) == NOT_FOUND
    # Marked although the response was an error: it does not come back with another clock.
    status = "select status::text from auth.oauth_authorizations where authorization_id = %s"
    assert execute(auth, status, identity) == [("expired",)]
    assert failure(decide(auth, session, identity)) == NOT_FOUND


def test_client_cannot_consent_in_the_name_of_its_user(auth: Stack, client: OAuthClient, email: str) -> None:
    tokens = client.exchange(client.code(new_session(auth, email))).json()
    identity = client.authorization_id(scope="email phone profile")
    refused = (403, "no_authorization", "OAuth clients cannot perform these actions")
    token = tokens["access_token"]
    assert failure(call(auth, "GET", f"/oauth/authorizations/{identity}", token)) == refused
    assert failure(decide(auth, tokens, identity)) == refused
    assert failure(call(auth, "GET", "/user/oauth/grants", token)) == refused
    path = f"/user/oauth/grants?client_id={client.client_id}"
    assert failure(call(auth, "DELETE", path, token)) == refused


@pytest.mark.parametrize("path", ["x", "%00", "'; drop table auth.users; --", "a" * 5000])
def test_unknown_authorization_is_not_found(auth: Stack, email: str, path: str) -> None:
    token = new_session(auth, email)["access_token"]
    response = call(auth, "GET", f"/oauth/authorizations/{path}", token)
    assert response.status_code in (400, 404)
    assert response.json()["error_code"] in ("oauth_authorization_not_found", "validation_failed")


def test_consent_page_is_always_the_projects_own(auth: Stack, client: OAuthClient) -> None:
    response = client.authorize(redirect_to="https://evil.example.com", site_url="https://evil.example.com")
    assert urlsplit(response.headers["location"])[:3] == (
        "http",
        urlsplit(auth.site_url).netloc,
        "/oauth/consent",
    )
