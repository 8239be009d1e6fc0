"""Settings of roles: accepted tokens and the claim of their role, a function before every request,
limits per role. `NOTIFY pgrst` puts them into force.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import psycopg
import pytest
from localbase.core.tokens.jwt import sign

from tests.localbase.integration.rest.conftest import Api, Configure, error, until
from tests.support.stacks import Stack


@pytest.fixture
def whoami_with(library: Stack, api: Api) -> Callable[..., httpx.Response]:
    """Requests the caller's role with a token of these claims."""

    def whoami(**claims: object) -> httpx.Response:
        token = sign({"exp": int(time.time()) + 60, **claims}, library.jwt_secret)
        return api.request("GET", "/rpc/who_am_i", authorization=f"Bearer {token}")

    return whoami


def test_token_for_another_audience_is_rejected(
    configure: Configure, whoami_with: Callable[..., httpx.Response]
) -> None:
    is_unauthorized: Callable[[httpx.Response], bool] = lambda response: response.status_code == 401  # noqa: E731
    with configure(jwt_aud="library"):
        response = until(lambda: whoami_with(role="authenticated", aud="elsewhere"), is_unauthorized)
        assert error(response) == (
            401,
            {"code": "PGRST303", "details": None, "hint": None, "message": "JWT not in audience"},
        )
        assert response.headers["www-authenticate"] == (
            'Bearer error="invalid_token", error_description="JWT not in audience"'
        )
        assert whoami_with(role="authenticated", aud=["a", "b"]).status_code == 401
        for aud in ("library", ["x", "library"], [], None):
            assert whoami_with(role="authenticated", aud=aud).json()["role"] == "authenticated"
    until(
        lambda: whoami_with(role="authenticated", aud="elsewhere"),
        lambda response: response.status_code == 200,
    )


def test_role_is_read_from_the_configured_claim(
    configure: Configure, whoami_with: Callable[..., httpx.Response]
) -> None:
    granted: Callable[[httpx.Response], bool] = lambda response: response.json()["role"] != "anon"  # noqa: E731
    with configure(jwt_role_claim_key='$.app.roles[?(@ == "service_role")]'):
        app = {"roles": ["editor", "service_role"]}
        response = until(lambda: whoami_with(role="anon", app=app), granted)
        assert (response.json()["role"], response.json()["claims"]["role"]) == (
            "service_role",
            "service_role",
        )
        # A token without a role in that claim is anonymous, even if the usual claim has one.
        assert whoami_with(role="service_role", app={"roles": []}).json()["role"] == "anon"
    until(lambda: whoami_with(role="anon", app=app), lambda response: response.json()["role"] == "anon")


def test_token_must_name_a_role_without_an_anonymous_one(
    configure: Configure, whoami_with: Callable[..., httpx.Response]
) -> None:
    with configure(db_anon_role=""):
        response = until(lambda: whoami_with(), lambda response: response.status_code == 401)
        assert error(response) == (
            401,
            {"code": "PGRST302", "details": None, "hint": None, "message": "Anonymous access is disabled"},
        )
        assert response.headers["www-authenticate"] == "Bearer"
        assert whoami_with(role="authenticated").json()["role"] == "authenticated"
    assert until(lambda: whoami_with(), lambda response: response.status_code == 200).json()["role"] == "anon"


def test_token_of_a_role_that_does_not_exist_is_rejected(whoami_with: Callable[..., httpx.Response]) -> None:
    status, body = error(whoami_with(role="nobody_here"))
    assert (status, body["code"], body["message"]) == (401, "22023", 'role "nobody_here" does not exist')


def test_pre_request_function_runs_before_every_request(
    api: Api, configure: Configure, database: psycopg.Connection
) -> None:
    with configure(db_pre_request="public.before_request"):
        response = until(
            lambda: api.get("/genres?id=eq.1&select=id"), lambda response: "x-seen-by" in response.headers
        )
        assert (response.json(), response.headers["x-seen-by"]) == ([{"id": 1}], "GET /genres")
        # In the same transaction, so that what it sets holds, and as the caller's own role.
        assert api.rows("/rpc/who_am_i")["greeting"] == "hello service_role"
        assert api.request("POST", "/rpc/who_am_i", json={}, role="anon").json()["greeting"] == "hello anon"
        is_unauthorized = api.get("/genres", x_banned="yes")
        assert error(is_unauthorized) == (
            403,
            {"code": "PT403", "details": None, "hint": "Ask nicely.", "message": "banned"},
        )
        made = api.request("POST", "/keyless", json={"value": "kept out"}, x_banned="yes")
        assert (made.status_code, api.rows("/keyless?value=eq.kept out")) == (403, [])
        switched = api.get("/rpc/who_am_i", role="authenticated", x_become="anon")
        assert switched.json()["role"] == "anon"
    until(lambda: api.get("/genres?id=eq.1"), lambda response: "x-seen-by" not in response.headers)


def test_statement_timeout_is_per_role(api: Api, configure: Configure) -> None:
    with configure("anon", statement_timeout="60ms"):
        response = until(
            lambda: api.get("/rpc/wait?seconds=0.3", role="anon"), lambda a: a.status_code == 500
        )
        assert error(response) == (
            500,
            {
                "code": "57014",
                "details": None,
                "hint": None,
                "message": "canceling statement due to statement timeout",
            },
        )
        assert api.get("/rpc/wait?seconds=0.1", role="authenticated").status_code == 204
    freed = until(lambda: api.get("/rpc/wait?seconds=0.1", role="anon"), lambda a: a.status_code == 204)
    assert freed.status_code == 204
