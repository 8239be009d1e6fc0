"""No path of upstream's is unknown here: what is off has an error of its own."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx
import pytest

from tests.localbase.integration.auth.calls import call, new_session
from tests.localbase.integration.auth.upstream_routes import UPSTREAM_ROUTES, UpstreamRoute
from tests.support.stacks import Stack

# RFC 6749 has errors without `error_code`, and SCIM (RFC 7644) too.
_ERROR_CODES = ("error_code", "error")


@pytest.fixture(scope="module")
def session(auth: Stack) -> dict[str, Any]:
    return new_session(auth, f"routes-{uuid.uuid4().hex[:8]}@example.com")


def response_to(stack: Stack, route: UpstreamRoute, token: str) -> httpx.Response:
    path = re.sub(r"\{\w+\}", str(uuid.uuid4()), route.path)
    return call(stack, route.method, path, token, **({} if route.method == "GET" else {"json": {}}))


@pytest.mark.parametrize("route", UPSTREAM_ROUTES, ids=str)
def test_route_of_upstream_is_known(auth: Stack, session: dict[str, Any], route: UpstreamRoute) -> None:
    token = auth.service_role_key if route.is_admins else session["access_token"]
    # the session of the others must go on
    path = "/logout?scope=others" if route.path == "/logout" else route.path
    response = response_to(auth, UpstreamRoute(route.method, path, route.caller), token)
    assert response.status_code not in (405, 501), response.text
    assert response.status_code < 500 or response.status_code == 503, response.text
    if response.status_code == 404:
        body = response.json()
        assert any(body.get(name) for name in _ERROR_CODES), body


def test_path_that_upstream_does_not_have_is_unknown(auth: Stack) -> None:
    response = call(auth, "GET", "/factors/recovery-codes/none/at/all")
    assert (response.status_code, response.text) == (404, "404 page not found\n")


@pytest.mark.parametrize("route", [route for route in UPSTREAM_ROUTES if route.is_admins], ids=str)
def test_route_of_administrators_is_closed_to_users(
    auth: Stack, session: dict[str, Any], route: UpstreamRoute
) -> None:
    response = response_to(auth, route, session["access_token"])
    assert (response.status_code, response.json()) == (
        403,
        {"code": 403, "error_code": "not_admin", "msg": "User not allowed"},
    )


@pytest.mark.parametrize("route", [route for route in UPSTREAM_ROUTES if route.caller == "user"], ids=str)
def test_route_of_users_wants_a_token(auth: Stack, route: UpstreamRoute) -> None:
    response = response_to(auth, route, "")
    assert response.status_code in (401, 403), response.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("HEAD", "/settings"),
        ("GET", "/signup"),
        ("DELETE", "/user"),
        ("PATCH", "/admin/users"),
        ("PUT", "/logout"),
    ],
)
def test_path_has_no_other_methods_than_upstreams(auth: Stack, method: str, path: str) -> None:
    response = call(auth, method, path, auth.service_role_key)
    assert (response.status_code, response.text) == (405, "")
