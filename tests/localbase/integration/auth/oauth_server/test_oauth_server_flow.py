"""The OAuth server: from a client's request over the user's consent to tokens, and what they open."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from localbase.core.auth_settings import OAuthServerSettings

from tests.localbase.integration.auth.calls import (
    as_admin,
    audited,
    call,
    execute,
    failure,
    new_session,
    refresh,
)
from tests.localbase.integration.auth.oauth_server.oauth_client import (
    REDIRECT,
    OAuthClient,
    decide,
    oauth_failure,
    query_of,
    register,
)
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack

TOKENS = {"access_token", "token_type", "expires_in", "refresh_token"}


@pytest.fixture
def client(auth: Stack) -> OAuthClient:
    return register(auth)


def test_whole_flow_of_a_confidential_client(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    user_id = session["user"]["id"]
    redirect = client.authorize(scope="openid email")
    assert redirect.status_code == 302
    page, _, query = redirect.headers["location"].partition("?")
    assert page == f"{auth.site_url}/oauth/consent"
    identity = dict([query.split("=")])["authorization_id"]

    shown = call(auth, "GET", f"/oauth/authorizations/{identity}", session["access_token"])
    assert (shown.status_code, shown.json()) == (
        200,
        {
            "authorization_id": identity,
            "redirect_uri": REDIRECT,
            "client": {"id": client.client_id, "name": "An application"},
            "user": {"id": user_id, "email": email},
            "scope": "openid email",
        },
    )
    approved = decide(auth, session, identity)
    assert approved.status_code == 200
    back = approved.json()["redirect_url"]
    assert back.startswith(f"{REDIRECT}?")
    assert set(query_of(back)) == {"code", "state"}
    assert query_of(back)["state"] == "a state"

    response = client.exchange(query_of(back)["code"], redirect_uri=REDIRECT)
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "no-store"
    tokens = response.json()
    # The project signs by a secret, which clients do not have: there is no ID token.
    assert set(tokens) == TOKENS
    assert (tokens["token_type"], tokens["expires_in"]) == ("bearer", 3600)
    claims = client.claims(response)
    assert (claims["sub"], claims["aud"], claims["role"]) == (user_id, "authenticated", "authenticated")
    assert (claims["client_id"], claims["scope"]) == (client.client_id, "openid email")
    assert [entry["method"] for entry in claims["amr"]] == ["oauth_provider/authorization_code"]
    assert execute(
        auth,
        "select oauth_client_id::text, scopes from auth.sessions where id::text = %s",
        claims["session_id"],
    ) == [(client.client_id, "openid email")]
    traits = {"provider_type": "oauth_provider_authorization_code", "client_id": client.client_id}
    assert audited(auth, user_id)[-1] == ("login", traits)

    renewed = client.refresh(tokens["refresh_token"])
    assert (renewed.status_code, set(renewed.json())) == (200, TOKENS)
    claims = client.claims(renewed)
    assert (claims["client_id"], claims["scope"]) == (client.client_id, "openid email")


@pytest.mark.parametrize("how", ["client_secret_post", "client_secret_basic", "none"])
def test_client_authenticates_as_it_is_registered(auth: Stack, email: str, how: str) -> None:
    client = register(auth, token_endpoint_auth_method=how)
    assert bool(client.secret) == (how != "none")
    code = client.code(new_session(auth, email))
    fields = {"grant_type": "authorization_code", "code": code, "code_verifier": client.verifier}
    own = {"client_id": client.client_id} | ({"client_secret": client.secret} if client.secret else {})
    basic = httpx.BasicAuth(client.client_id, client.secret)
    token_url = f"{auth.api_url}/auth/v1/oauth/token"
    ways: dict[str, Callable[[], httpx.Response]] = {
        "client_secret_basic": lambda: httpx.post(token_url, data=fields, auth=basic),
        "client_secret_post": lambda: httpx.post(token_url, json=fields | own),
        "none": lambda: httpx.post(token_url, data=fields | {"client_id": client.client_id}),
    }
    for other, post in ways.items():
        if other == how or (how == "none" and other == "client_secret_post"):
            continue
        rejected = post()
        message = f"invalid authentication method: client is registered for '{how}' but '{other}' was used"
        assert (rejected.status_code, rejected.json()) == (
            400,
            {
                "code": 400,
                "error_code": "invalid_credentials",
                "msg": message,
                "error": "invalid_client",
                "error_description": message,
            },
        )
    assert ways[how]().status_code == 200


def test_denied_request_goes_back_with_an_error(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    identity = client.authorization_id()
    call(auth, "GET", f"/oauth/authorizations/{identity}", session["access_token"])
    response = decide(auth, session, identity, "deny")
    assert response.status_code == 200
    assert query_of(response.json()["redirect_url"]) == {
        "error": "access_denied",
        "error_description": "User denied the request",
        "state": "a state",
    }
    again = decide(auth, session, identity)
    assert failure(again) == (400, "validation_failed", "authorization request is no longer pending")
    opened = call(auth, "GET", f"/oauth/authorizations/{identity}", session["access_token"])
    assert failure(opened) == (400, "validation_failed", "authorization request cannot be processed")


def test_consent_is_remembered_for_the_scopes_that_it_covers(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    session = new_session(auth, email)
    client.code(session, scope="email profile")
    identity = client.authorization_id(scope="profile")
    opened = call(auth, "GET", f"/oauth/authorizations/{identity}", session["access_token"])
    assert opened.status_code == 200
    assert set(opened.json()) == {"redirect_url"}
    code = query_of(opened.json()["redirect_url"])["code"]
    assert client.claims(client.exchange(code))["scope"] == "profile"
    wider = client.authorization_id(scope="profile phone")
    opened = call(auth, "GET", f"/oauth/authorizations/{wider}", session["access_token"])
    assert opened.json()["scope"] == "profile phone"


def test_user_lists_and_revokes_grants(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    tokens = client.exchange(client.code(session, scope="email profile")).json()
    waiting = client.code(session, scope="email")
    listed = call(auth, "GET", "/user/oauth/grants", session["access_token"])
    assert listed.status_code == 200
    [grant] = listed.json()
    assert grant.pop("granted_at").endswith("Z")
    assert grant == {
        "client": {"id": client.client_id, "name": "An application"},
        "scopes": ["email", "profile"],
    }
    path = f"/user/oauth/grants?client_id={client.client_id}"
    revoked = call(auth, "DELETE", path, session["access_token"])
    assert (revoked.status_code, revoked.text) == (204, "")
    assert call(auth, "GET", "/user/oauth/grants", session["access_token"]).json() == []
    # The client's session and its waiting code end; the user's own session does not.
    assert failure(call(auth, "GET", "/user", tokens["access_token"]))[1] == "session_not_found"
    assert client.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert oauth_failure(client.exchange(waiting)) == (400, "invalid_grant", "Invalid authorization code")
    assert call(auth, "GET", "/user", session["access_token"]).status_code == 200
    traits = {"oauth_client_id": client.client_id, "action": "revoke_oauth_grant"}
    assert ("token_revoked", traits) in audited(auth, session["user"]["id"])
    assert failure(call(auth, "DELETE", path, session["access_token"])) == (
        404,
        "oauth_consent_not_found",
        "No active grant found for this client",
    )
    # The next request asks again.
    identity = client.authorization_id(scope="email")
    opened = call(auth, "GET", f"/oauth/authorizations/{identity}", session["access_token"])
    assert "redirect_url" not in opened.json()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "client_id query parameter is required"),
        ("?client_id=x", "invalid client_id format"),
    ],
)
def test_revoking_wants_a_client_id(auth: Stack, email: str, query: str, message: str) -> None:
    session = new_session(auth, email)
    response = call(auth, "DELETE", f"/user/oauth/grants{query}", session["access_token"])
    assert failure(response) == (400, "validation_failed", message)


def test_userinfo_holds_what_the_scopes_allow(auth: Stack, client: OAuthClient, email: str) -> None:
    session = new_session(auth, email)
    token = session["access_token"]
    metadata = {"name": "Ann Example", "avatar_url": "https://example.com/a.png", "username": "ann"}
    assert call(auth, "PUT", "/user", token, json={"data": metadata}).status_code == 200
    user_id = session["user"]["id"]

    def info(scope: str) -> dict[str, object]:
        access_token = client.exchange(client.code(session, scope=scope)).json()["access_token"]
        response = httpx.get(
            f"{auth.api_url}/auth/v1/oauth/userinfo", headers={"authorization": f"Bearer {access_token}"}
        )
        assert response.status_code == 200, response.text
        return dict(response.json())

    assert info("openid") == {"sub": user_id}
    assert info("email") == {"sub": user_id, "email": email, "email_verified": True}
    assert info("phone") == {"sub": user_id}
    profile = info("profile")
    assert isinstance(profile.pop("updated_at"), int)
    own = profile.pop("user_metadata")
    assert isinstance(own, dict)
    assert metadata.items() <= own.items()
    assert profile == {
        "sub": user_id,
        "name": "Ann Example",
        "picture": "https://example.com/a.png",
        "preferred_username": "ann",
    }
    # The user's own session has no scopes.
    assert call(auth, "GET", "/oauth/userinfo", token).json() == {"sub": user_id}
    assert failure(call(auth, "GET", "/oauth/userinfo")) == (
        403,
        "bad_jwt",
        "invalid claim: missing sub claim",
    )


def test_server_that_is_off_refuses_every_route(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    off = (404, "feature_disabled", "OAuth server is disabled")
    with own_service(auth, oauth_server=OAuthServerSettings()) as stack:
        for method, path in (
            ("POST", "/oauth/clients/register"),
            ("POST", "/oauth/token"),
            ("GET", "/oauth/userinfo"),
            ("GET", "/oauth/authorize"),
            ("GET", "/oauth/authorizations/x"),
            ("POST", "/oauth/authorizations/x/consent"),
            ("GET", "/user/oauth/grants"),
            ("DELETE", "/user/oauth/grants"),
            ("GET", "/.well-known/oauth-authorization-server"),
        ):
            assert failure(call(stack, method, path, token)) == off, path
        for method, path in (
            ("GET", ""),
            ("POST", ""),
            ("GET", "/x"),
            ("PUT", "/x"),
            ("DELETE", "/x"),
            ("POST", "/x/regenerate_secret"),
        ):
            assert failure(as_admin(stack, method, f"/admin/oauth/clients{path}")) == off, path
        assert call(stack, "GET", "/.well-known/openid-configuration").status_code == 200


def test_refresh_token_of_a_user_is_not_for_clients_and_the_other_way_round(
    auth: Stack, client: OAuthClient, email: str
) -> None:
    session = new_session(auth, email)
    tokens = client.exchange(client.code(session)).json()
    assert oauth_failure(client.refresh(session["refresh_token"])) == (
        400,
        "invalid_client",
        "Client authentication not allowed for non-OAuth session",
    )
    assert oauth_failure(refresh(auth, tokens["refresh_token"])) == (
        400,
        "invalid_client",
        "Client authentication required for OAuth session",
    )
    assert client.refresh(tokens["refresh_token"]).status_code == 200
    assert refresh(auth, session["refresh_token"]).status_code == 200
