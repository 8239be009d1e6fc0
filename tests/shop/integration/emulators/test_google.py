"""Google's sign-in over HTTP, as an OpenID Connect client meets it: discovery, account page, code, tokens, keys."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet, RSAKey

from emulators.core.environment import vendor_variables
from tests.shop.integration.emulators.conftest import Served

_VARIABLES = vendor_variables({}, {})
CLIENT = {"client_id": _VARIABLES["GOOGLE_CLIENT_ID"], "client_secret": _VARIABLES["GOOGLE_CLIENT_SECRET"]}
BACK = "https://shop.example/callback"
ASKED = {
    "client_id": CLIENT["client_id"], "redirect_uri": BACK, "response_type": "code", "scope": "openid email",
    "state": "a state", "nonce": "a nonce",
}  # fmt: skip
GWEN = {"account": "Gwen Google|gwen@gmail.example"}


@pytest.fixture(scope="module")
def google(emulators: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{emulators.url}/google") as client:
        yield client


@pytest.fixture(scope="module")
def described(google: httpx.Client) -> dict[str, Any]:
    document: dict[str, Any] = google.get("/.well-known/openid-configuration").json()
    return document


def chosen(google: httpx.Client, **form: str) -> dict[str, list[str]]:
    """Return what comes back to the shop when a person has pressed a button of the page."""
    response = google.post("/o/oauth2/v2/auth", data={**ASKED, **form})
    assert response.status_code == 302
    assert response.headers["location"].startswith(f"{BACK}?")
    return parse_qs(urlsplit(response.headers["location"]).query)


def code_of(google: httpx.Client, **form: str) -> str:
    return chosen(google, **GWEN, **form)["code"][0]


def redeemed(google: httpx.Client, good_code: str, **change: str) -> httpx.Response:
    form = {"grant_type": "authorization_code", "code": good_code, "redirect_uri": BACK, **CLIENT, **change}
    return google.post("/token", data=form)


def test_discovery_names_endpoints_below_the_issuer(described: dict[str, Any]) -> None:
    endpoints = {name: value for name, value in described.items() if name.endswith(("_endpoint", "_uri"))}
    assert set(endpoints) == {"authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"}
    assert all(address.startswith(f"{described['issuer']}/") for address in endpoints.values())
    assert described["id_token_signing_alg_values_supported"] == ["RS256"]
    assert described["response_types_supported"] == ["code"]


def test_page_offers_accounts_and_carries_the_request(google: httpx.Client) -> None:
    response = google.get("/o/oauth2/v2/auth", params={**ASKED, "state": '"><script>'})
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', response.text))
    assert html.unescape(fields["state"]) == '"><script>'
    assert fields["redirect_uri"] == BACK
    assert re.findall(r'name="account" value="([^"]+)"', response.text) == [
        GWEN["account"],
        "Otto Oauth|otto@gmail.example",
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"client_id": "another"}, "invalid_client"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"redirect_uri": "javascript:alert(1)"}, "redirect_uri_mismatch"),
        ({"redirect_uri": ""}, "redirect_uri_mismatch"),
    ],
)
def test_wrong_request_stays_on_a_page_of_its_own(
    google: httpx.Client, change: dict[str, str], problem: str
) -> None:
    """It goes to no address that may be another's: RFC 6749, 4.1.2.1."""
    for response in (
        google.get("/o/oauth2/v2/auth", params={**ASKED, **change}),
        google.post("/o/oauth2/v2/auth", data={**ASKED, **GWEN, **change}),
    ):
        assert response.status_code == 400
        assert problem in response.text


def test_code_becomes_an_id_token_that_the_published_key_verifies(
    google: httpx.Client, described: dict[str, Any]
) -> None:
    back = chosen(google, **GWEN)
    assert back["state"] == ["a state"]
    response = redeemed(google, back["code"][0])
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    tokens = response.json()
    assert (tokens["token_type"], tokens["scope"]) == ("Bearer", "openid email")
    keys = google.get("/oauth2/v3/certs").json()
    assert [set(key) & {"d", "p", "q"} for key in keys["keys"]] == [set()], "the private parts stay here"
    token = jwt.decode(tokens["id_token"], KeySet.import_key_set(keys), algorithms=["RS256"])
    assert token.header["kid"] == keys["keys"][0]["kid"]
    assert token.claims["iss"] == described["issuer"]
    assert (token.claims["aud"], token.claims["nonce"]) == (CLIENT["client_id"], "a nonce")
    assert token.claims["exp"] - token.claims["iat"] == 3600
    profile = google.get("/v1/userinfo", headers={"authorization": f"Bearer {tokens['access_token']}"}).json()
    assert profile == {
        "sub": token.claims["sub"], "name": "Gwen Google", "given_name": "Gwen", "family_name": "Google",
        "email": "gwen@gmail.example", "email_verified": True,
    }  # fmt: skip
    with pytest.raises(BadSignatureError):
        jwt.decode(tokens["id_token"], RSAKey.generate_key(2048), algorithms=["RS256"])


def test_person_keeps_the_subject_at_every_sign_in(google: httpx.Client) -> None:
    def subject(**form: str) -> str:
        tokens = redeemed(google, chosen(google, **form)["code"][0]).json()
        claims = jwt.decode(tokens["id_token"], KeySet.import_key_set(google.get("/oauth2/v3/certs").json()))
        return str(claims.claims["sub"])

    gwen = subject(**GWEN)
    assert gwen.isdecimal()
    assert len(gwen) == 21
    typed = {"action": "other", "name": "Gwen G.", "email": "GWEN@gmail.example"}
    assert subject(**typed) == gwen, "the address is the account, in whichever letters"
    assert subject(action="other", name="", email="someone@gmail.example") != gwen


def test_code_is_good_once(google: httpx.Client) -> None:
    code = code_of(google)
    assert redeemed(google, code).status_code == 200
    again = redeemed(google, code)
    assert (again.status_code, again.json()) == (
        400,
        {"error": "invalid_grant", "error_description": "Malformed auth code."},
    )


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        ({"client_secret": "wrong"}, 401, "invalid_client"),
        ({"client_id": "another"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"code": "4/unknown"}, 400, "invalid_grant"),
        ({"redirect_uri": "https://shop.example/other"}, 400, "redirect_uri_mismatch"),
    ],
)
def test_wrong_redemption_gets_no_token(
    google: httpx.Client, change: dict[str, str], status: int, error: str
) -> None:
    response = redeemed(google, code_of(google), **change)
    assert (response.status_code, response.json()["error"]) == (status, error)


def test_code_that_met_another_address_is_spent(google: httpx.Client) -> None:
    code = code_of(google)
    redeemed(google, code, redirect_uri="https://thief.example")
    assert redeemed(google, code).json()["error"] == "invalid_grant"


def test_client_may_give_its_secret_in_the_header(google: httpx.Client) -> None:
    form = {"grant_type": "authorization_code", "code": code_of(google), "redirect_uri": BACK}
    response = google.post("/token", data=form, auth=(CLIENT["client_id"], CLIENT["client_secret"]))
    assert response.status_code == 200
    assert response.json()["access_token"].startswith("ya29.")


def test_person_who_cancels_goes_back_with_an_error(google: httpx.Client) -> None:
    assert chosen(google, action="deny") == {"error": ["access_denied"], "state": ["a state"]}


def test_address_of_an_account_must_be_one(google: httpx.Client) -> None:
    form = {**ASKED, "action": "other", "name": "Nobody", "email": "nowhere"}
    response = google.post("/o/oauth2/v2/auth", data=form)
    assert (response.status_code, "Enter an e-mail address." in response.text) == (400, True)


def test_profile_needs_a_token_of_ours(google: httpx.Client) -> None:
    for headers in ({}, {"authorization": "Bearer ya29.made-up"}):
        response = google.get("/v1/userinfo", headers=headers)
        assert (response.status_code, response.json()["error"]) == (401, "invalid_request")
