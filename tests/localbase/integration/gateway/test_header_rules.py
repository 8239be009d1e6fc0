"""The gateway's rules for `apikey` and `Authorization`, a row of its table a test."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from localbase.core.tokens import jwt
from localbase.gateway.header_rules import HEADER_RULES

from tests.support.stacks import Stack

Ask = Callable[[Stack, dict[str, str]], str]


def _status(method: str, path: str, json: object = None) -> Ask:
    def ask(stack: Stack, headers: dict[str, str]) -> str:
        response = httpx.request(method, stack.api_url + path, headers=headers, json=json)
        return "served" if response.status_code < 400 else response.text

    return ask


def _told_role(stack: Stack, headers: dict[str, str]) -> str:
    """The role of the token that a function was shown."""
    response = httpx.post(f"{stack.api_url}/functions/v1/mirror", headers=headers)
    shown = str(dict(response.json()["headers"]).get("authorization", ""))
    if not shown.startswith("Bearer ey"):
        return shown
    return str(jwt.verify(shown.removeprefix("Bearer "), stack.jwt_secret, 1_800_000_000)["role"])


# A request to each row of the table: what nobody, an anonymous caller and the service get. "" is any refusal in the
# service's own words.
_NO_KEY = '{"message":"No API key found in request"}'
_NO_TOKEN, _HIDDEN = "Invalid Compact JWS", "Bucket not found"
ROWS: dict[str, tuple[Ask, str, str, str]] = {
    "/auth/v1": (_status("GET", "/auth/v1/admin/users"), _NO_KEY, "not_admin", "served"),
    "/rest/v1": (_status("GET", "/rest/v1/sign_ups"), _NO_KEY, "served", "served"),
    "/storage/v1/s3": (_status("GET", "/storage/v1/s3"), "<Error>", "<Error>", "<Error>"),
    "/storage/v1": (_status("GET", "/storage/v1/bucket/private"), _NO_TOKEN, _HIDDEN, "served"),
    "/functions/v1": (_told_role, "", "anon", "service_role"),
    "/realtime/v1/api": (
        _status("POST", "/realtime/v1/api/broadcast", {"messages": []}), "Unauthorized", "served", "served",
    ),
    "/realtime/v1": (_status("GET", "/realtime/v1/nowhere"), "Not found", "Not found", "Not found"),
}  # fmt: skip


@pytest.mark.parametrize("path", [rule.path for rule in HEADER_RULES])
def test_each_row_takes_the_keys_that_it_names(services: Stack, path: str) -> None:
    if path not in ROWS:
        # What browsers and other services reach without a key: whatever it says, it is not about keys.
        assert path.startswith("/auth/v1/")
        assert "API key" not in httpx.get(services.api_url + path).text
        return
    ask, nobody, anonymous, service = ROWS[path]
    assert nobody in ask(services, {})
    for key in (services.anon_key, services.publishable_key):
        assert anonymous in ask(services, {"apikey": key})
        assert anonymous in ask(services, {"apikey": key, "authorization": f"Bearer {key}"})
    for key in (services.service_role_key, services.secret_key):
        assert service in ask(services, {"apikey": key})
        assert service in ask(services, {"apikey": key, "authorization": f"Bearer {key}"})


def test_token_counts_before_the_api_key(services: Stack) -> None:
    token = jwt.sign({"role": "authenticated", "exp": 1_900_000_000}, services.jwt_secret)
    headers = {"apikey": services.secret_key, "authorization": f"Bearer {token}"}
    assert _told_role(services, headers) == "authenticated"
    assert "not_admin" in ROWS["/auth/v1"][0](services, headers)
    assert _HIDDEN in ROWS["/storage/v1"][0](services, headers)


def test_api_key_counts_before_an_opaque_key_as_bearer(services: Stack) -> None:
    headers = {"apikey": services.publishable_key, "authorization": f"Bearer {services.secret_key}"}
    assert _told_role(services, headers) == "anon"
    assert "not_admin" in ROWS["/auth/v1"][0](services, headers)
    assert _HIDDEN in ROWS["/storage/v1"][0](services, headers)


def test_opaque_key_as_bearer_alone_is_exchanged_for_its_token(services: Stack) -> None:
    headers = {"authorization": f"Bearer {services.secret_key}"}
    assert _told_role(services, headers) == "service_role"
    assert "served" in ROWS["/storage/v1"][0](services, headers)


def test_unknown_api_key_names_no_caller(services: Stack) -> None:
    for key in ("sb_secret_guessed", "guessed", services.secret_key + "x"):
        headers = {"apikey": key}
        assert ROWS["/rest/v1"][0](services, headers) == '{"message":"Invalid authentication credentials"}'
        assert _NO_TOKEN in ROWS["/storage/v1"][0](services, headers)
        assert "Unauthorized" in ROWS["/realtime/v1/api"][0](services, headers)
        response = httpx.post(f"{services.api_url}/functions/v1/neighbour", headers=headers)
        assert (response.status_code, response.json()["code"]) == (401, "UNAUTHORIZED_INVALID_JWT_FORMAT")
