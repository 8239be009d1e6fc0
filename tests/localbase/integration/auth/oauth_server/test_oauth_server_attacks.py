"""The token endpoint under attack: stolen codes, secrets and refresh tokens, clients that want more than they got."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.localbase.integration.auth.calls import as_admin, call, execute, failure, new_session
from tests.localbase.integration.auth.oauth_server.oauth_client import (
    OAuthClient,
    oauth_failure,
    register,
)
from tests.support.stacks import Stack

NOT_FOUND = (404, "oauth_authorization_not_found", "authorization not found")
INVALID_CODE = (400, "invalid_grant", "Invalid authorization code")


@pytest.fixture
def client(auth: Stack) -> OAuthClient:
    return register(auth)


def test_code_that_comes_again_ends_the_tokens_of_its_first_exchange(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    session = new_session(auth, email)
    code = client.code(session)
    tokens = client.exchange(code).json()
    assert call(auth, "GET", "/user", tokens["access_token"]).status_code == 200
    assert oauth_failure(client.exchange(code)) == INVALID_CODE
    assert failure(call(auth, "GET", "/user", tokens["access_token"]))[:2] == (403, "session_not_found")
    assert client.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 200


def test_code_at_once_from_many_gives_tokens_once(auth: Stack, client: OAuthClient, email: str) -> None:
    code = client.code(new_session(auth, email))
    with ThreadPoolExecutor(10) as pool:
        responses = list(pool.map(lambda _: client.exchange(code), range(10)))
    assert sorted(response.status_code for response in responses) == [200] + [400] * 9


def test_another_client_cannot_end_a_session_by_its_code(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    code = client.code(new_session(auth, email))
    tokens = client.exchange(code).json()
    assert oauth_failure(register(auth).exchange(code)) == INVALID_CODE
    assert call(auth, "GET", "/user", tokens["access_token"]).status_code == 200


@pytest.mark.parametrize(
    ("verifier", "reason"),
    [
        ("", "code_verifier is required when PKCE challenge is present"),
        ("another-verifier-" * 4, "code challenge does not match previously saved code verifier"),
        ("ä" * 50, "code challenge does not match previously saved code verifier"),
    ],
)
def test_wrong_verifier_gives_nothing(
    auth: Stack, client: OAuthClient, email: str, verifier: str, reason: str
) -> None:
    code = client.code(new_session(auth, email))
    response = client.exchange(code, code_verifier=verifier)
    assert oauth_failure(response) == (400, "invalid_grant", f"PKCE verification failed: {reason}")
    assert client.exchange(code).status_code == 200


def test_code_belongs_to_its_client_address_and_resource(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    code = client.code(new_session(auth, email), resource="https://api.example.com/")
    other = OAuthClient(auth, *_credentials(register(auth)), client.verifier)
    assert oauth_failure(other.exchange(code)) == (
        400,
        "invalid_grant",
        "Authorization code was not issued for this client",
    )
    assert oauth_failure(client.exchange(code, redirect_uri="https://app.example.com/other")) == (
        400,
        "invalid_grant",
        "Invalid redirect_uri",
    )
    assert oauth_failure(client.exchange(code, resource="https://other.example.com/")) == (
        400,
        "invalid_grant",
        "Authorization code resource does not match the resource parameter",
    )
    assert client.exchange(code, resource="https://api.example.com/").status_code == 200


def _credentials(client: OAuthClient) -> tuple[str, str]:
    return client.client_id, client.secret


def test_secret_of_another_client_is_refused(auth: Stack, client: OAuthClient, email: str) -> None:
    code = client.code(new_session(auth, email))
    for secret in (register(auth).secret, client.secret + "x", client.secret[:-1], "ä"):
        thief = OAuthClient(auth, client.client_id, secret, client.verifier)
        response = thief.exchange(code)
        assert response.status_code == 400
        assert response.json()["error_code"] == "invalid_credentials"
        assert response.json()["error"] == "invalid_client"
    assert client.exchange(code).status_code == 200


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("Basic !!!", "Invalid client credentials: invalid basic auth encoding"),
        ("Basic /w==", "Invalid client credentials: invalid basic auth encoding"),
        ("Basic eA==", "Invalid client credentials: invalid basic auth format"),
        ("Basic eDp5", "Invalid client_id format"),
        ("", "Invalid client credentials: client_id is required"),
    ],
)
def test_broken_credentials_are_refused(auth: Stack, header: str, message: str) -> None:
    response = httpx.post(
        f"{auth.api_url}/auth/v1/oauth/token",
        data={"grant_type": "refresh_token"},
        headers={"authorization": header} if header else {},
    )
    assert (response.status_code, response.json()["msg"]) == (400, message)


@pytest.mark.parametrize(
    ("content_type", "body", "description"),
    [
        ("application/json", b"{", "Invalid JSON body"),
        ("application/json", b"[]", "Invalid JSON body"),
        ("application/json", b'{"code": 1}', "Invalid JSON body"),
        ("application/json", b'{"a":' * 20_000, "Invalid JSON body"),
        ("application/x-www-form-urlencoded", b"\xff", "Failed to parse form data"),
        ("application/x-www-form-urlencoded", b"a=1&a=2", "Failed to parse form data"),
        ("application/x-www-form-urlencoded", b"code=%00", "Failed to parse form data"),
        ("application/x-www-form-urlencoded", b"a&" * 200, "Failed to parse form data"),
    ],
)
def test_broken_body_is_an_invalid_request(
    auth: Stack, content_type: str, body: bytes, description: str
) -> None:
    response = httpx.post(
        f"{auth.api_url}/auth/v1/oauth/token", content=body, headers={"content-type": content_type}
    )
    assert oauth_failure(response) == (400, "invalid_request", description)


def test_grants_that_a_client_may_not_use(auth: Stack, client: OAuthClient, email: str) -> None:
    assert oauth_failure(client.token()) == (400, "invalid_request", "grant_type is required")
    for grant_type in ("password", "client_credentials", "implicit", "authorization_code,refresh_token"):
        assert oauth_failure(client.token(grant_type=grant_type)) == (
            400,
            "unsupported_grant_type",
            f"Client is not allowed to use grant type: {grant_type}",
        )
    limited = register(auth, grant_types=["authorization_code"])
    tokens = limited.exchange(limited.code(new_session(auth, email))).json()
    assert oauth_failure(limited.refresh(tokens["refresh_token"]))[1] == "unsupported_grant_type"
    assert oauth_failure(client.exchange("")) == (
        400,
        "invalid_request",
        "code is required for authorization_code grant",
    )
    assert oauth_failure(client.refresh("")) == (
        400,
        "invalid_request",
        "refresh_token is required for refresh_token grant",
    )


def test_refresh_cannot_widen_the_scope(auth: Stack, client: OAuthClient, email: str) -> None:
    tokens = client.exchange(client.code(new_session(auth, email), scope="email profile")).json()
    response = client.refresh(tokens["refresh_token"], scope="email phone")
    assert oauth_failure(response) == (
        400,
        "invalid_scope",
        "The scope exceeds what the user has granted",
    )
    # The token was not spent by that.
    renewed = client.refresh(tokens["refresh_token"], scope="email")
    assert client.claims(renewed)["scope"] == "email profile"


def test_refresh_token_of_another_client_is_refused_and_stays_good(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    tokens = client.exchange(client.code(new_session(auth, email))).json()
    assert oauth_failure(register(auth).refresh(tokens["refresh_token"])) == (
        400,
        "invalid_client",
        "Client does not match the session's OAuth client",
    )
    assert client.refresh(tokens["refresh_token"]).status_code == 200
    unknown = client.refresh("a" * 12)
    assert (unknown.status_code, unknown.json()) == (
        400,
        {
            "code": 400,
            "error_code": "refresh_token_not_found",
            "msg": "Invalid Refresh Token: Refresh Token Not Found",
            "error": "invalid_grant",
            "error_description": "Invalid Refresh Token: Refresh Token Not Found",
        },
    )


def test_banned_or_deleted_user_gets_no_tokens(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    banned, deleted = client.code(session), client.code(session, scope="email")
    user_id = session["user"]["id"]
    execute(
        auth, "update auth.users set banned_until = now() + interval '1 day' where id::text = %s", user_id
    )
    assert oauth_failure(client.exchange(banned)) == (400, "access_denied", "User is banned")
    execute(auth, "delete from auth.users where id::text = %s", user_id)
    assert oauth_failure(client.exchange(deleted)) == INVALID_CODE


def test_deleted_client_is_over(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    tokens = client.exchange(client.code(session)).json()
    code, identity = client.code(session), client.authorization_id(scope="phone")
    assert as_admin(auth, "DELETE", f"/admin/oauth/clients/{client.client_id}").status_code == 204
    assert failure(client.authorize()) == (400, "oauth_client_not_found", "invalid client_id")
    assert client.exchange(code).json()["msg"] == "Invalid client credentials"
    assert failure(call(auth, "GET", "/user", tokens["access_token"]))[1] == "session_not_found"
    path = f"/oauth/authorizations/{identity}"
    assert failure(call(auth, "GET", path, session["access_token"])) == NOT_FOUND
    assert call(auth, "GET", "/user/oauth/grants", session["access_token"]).json() == []


def test_client_reads_its_users_account_and_changes_nothing(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    session = new_session(auth, email)
    token = client.exchange(client.code(session)).json()["access_token"]
    assert call(auth, "GET", "/user", token).json()["email"] == email
    for method, path, body in (
        ("PUT", "/user", {"password": "the client's own"}),
        ("PUT", "/user", {"email": f"client-{email}"}),
        ("GET", "/reauthenticate", None),
        ("POST", "/factors", {"factor_type": "totp"}),
        ("DELETE", f"/factors/{uuid.uuid4()}", None),
        ("POST", "/passkeys/registration/options", {}),
        ("GET", "/passkeys", None),
    ):
        response = call(auth, method, path, token, json=body)
        assert failure(response) == (403, "no_authorization", "OAuth clients cannot perform these actions"), (
            path
        )
    # It ends its own session, and that one only.
    assert call(auth, "POST", "/logout?scope=global", token).status_code == 204
    assert failure(call(auth, "GET", "/user", token))[1] == "session_not_found"
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 200
