"""Limits of a client's calls, with the default settings: `[auth.rate_limit]`, and the pause after wrong passwords."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject

ENVIRON = {
    "GOTRUE_RATE_LIMIT_HEADER": "x-client-address",
    "SUPABASE_AUTH_RATE_LIMIT_SIGN_IN_SIGN_UPS": "30",
    "SUPABASE_AUTH_RATE_LIMIT_TOKEN_REFRESH": "150",
    "SUPABASE_AUTH_RATE_LIMIT_TOKEN_VERIFICATIONS": "30",
}
_BUSY = {"code": 429, "error_code": "over_request_rate_limit", "msg": "Request rate limit reached"}


def _post(path: str, body: dict[str, Any], address: str = "") -> httpx.Response:
    headers = {"apikey": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"}
    headers |= {"x-client-address": address} if address else {}
    return httpx.post(f"http://127.0.0.1:{PORT}/auth/v1{path}", json=body, headers=headers, timeout=20)


def _until_rejected(
    send: Callable[[int], httpx.Response], events_in_five_minutes: int
) -> tuple[set[int], httpx.Response]:
    """Sends until a request is beyond the limit: thirty, and what is added while they go out."""
    began = time.monotonic()
    statuses: set[int] = set()
    for number in range(1000):
        response = send(number)
        if response.status_code == 429:
            assert 30 <= number <= 31 + (time.monotonic() - began) * events_in_five_minutes / 300
            return statuses, response
        statuses.add(response.status_code)
    raise AssertionError("a thousand requests were answered")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("path", "body", "status", "events"),
    [
        ("/verify", {"type": "email", "email": "a@example.com", "token": "000000"}, 403, 30),
        ("/token?grant_type=refresh_token", {"refresh_token": "unknown"}, 400, 150),
        ("/recover", {"email": "unknown@example.com"}, 200, 30),
        ("/signup", {"email": "a@example.com", "password": "short"}, 422, 30),
    ],
)
def test_thirty_calls_in_a_row_are_answered_and_the_next_is_rejected(
    path: str, body: dict[str, Any], status: int, events: int
) -> None:
    key = "email" if "email" in body else "refresh_token"
    # Another account each time: the limit is the caller's, the first value of the header.
    statuses, rejected = _until_rejected(
        lambda number: _post(path, body | {key: f"{number}-{body[key]}"}, "192.0.2.1, 198.51.100.7"), events
    )
    assert statuses == {status}
    assert rejected.json() == _BUSY
    assert rejected.headers["x-sb-error-code"] == "over_request_rate_limit"
    assert _post(path, body, "198.51.100.7, 192.0.2.1").status_code == status


@pytest.mark.usefixtures("project")
def test_addresses_of_one_ipv6_network_share_a_limit() -> None:
    statuses, _ = _until_rejected(
        lambda number: _post("/recover", {"email": f"{number}@example.com"}, f"2001:db8:1:2::{number}"), 30
    )
    assert statuses == {200}
    assert _post("/recover", {"email": "last@example.com"}, "2001:db8:1:3::1").status_code == 200


def test_wrong_passwords_bring_a_pause_for_their_address_alone(project: SmallProject) -> None:
    account = {"email": "owner@example.com", "password": "correct horse"}
    assert _post("/signup", account, "203.0.113.1").status_code == 200
    for email in ("owner@example.com", "unknown@example.com"):
        wrong = {"email": email, "password": "wrong horse"}
        responses = [_post("/token?grant_type=password", wrong, "203.0.113.2") for _ in range(5)]
        assert [response.status_code for response in responses] == [400] * 5
        with project.database("supabase_admin") as connection:
            # The first pause is a second; as many wrong passwords as these bring the longest.
            changed = connection.execute(
                "update _localbase.auth_wrong_passwords set failures = failures + 20 where failures = 5"
            )
            assert changed.rowcount == 1
        paused = _post("/token?grant_type=password", wrong, "203.0.113.2")
        assert paused.status_code == 429
        assert paused.json()["error_code"] == "over_request_rate_limit"
        assert re.fullmatch(
            r"Request rate limit reached, try again in (29\d|300) seconds", paused.json()["msg"]
        )
    # The right password too has to wait there, but not where the owner is.
    assert _post("/token?grant_type=password", account, "203.0.113.2").status_code == 429
    assert _post("/token?grant_type=password", account, "203.0.113.1").status_code == 200


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("POST", "/sso", 404, "saml_provider_disabled"),
        ("GET", "/sso/saml/metadata", 404, "saml_provider_disabled"),
        ("POST", "/sso/saml/acs", 404, "saml_provider_disabled"),
        ("GET", "/admin/sso/providers", 404, "saml_provider_disabled"),
        ("DELETE", "/admin/sso/providers/1", 404, "saml_provider_disabled"),
        ("GET", "/admin/custom-providers", 404, "feature_disabled"),
        ("PUT", "/admin/custom-providers/mine", 404, "feature_disabled"),
        ("GET", "/scim/v2/Schemas", 404, "feature_disabled"),
    ],
)
def test_feature_that_does_not_exist_here_is_switched_off(
    method: str, path: str, status: int, code: str
) -> None:
    key = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"
    headers = {"apikey": key, "authorization": f"Bearer {key}"}
    response = httpx.request(method, f"http://127.0.0.1:{PORT}/auth/v1{path}", headers=headers)
    assert (response.status_code, response.json()["error_code"]) == (status, code)
    if path.startswith("/admin/"):
        anonymous = {"apikey": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"}
        assert httpx.request(method, response.request.url, headers=anonymous).status_code == 403


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("path", ["/recover", "/otp", "/magiclink", "/resend"])
def test_response_about_an_address_leaves_after_an_even_time(path: str) -> None:
    # Work that differs between known and unknown addresses takes a few milliseconds; an error is no sooner there.
    for body in ({"email": f"{path[1:]}@example.com", "type": "signup"}, {"email": "no address"}):
        began = time.perf_counter()
        _post(path, body, "192.0.2.99")
        assert time.perf_counter() - began >= 0.03
