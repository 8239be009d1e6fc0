"""core.jwt against RFC 7519 and against joserfc, an independent implementation."""

from __future__ import annotations

import base64
import json

import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import OctKey
from localbase.core import jwt
from localbase.core.settings import LOCAL_ANON_KEY, LOCAL_JWT_SECRET, LOCAL_SERVICE_ROLE_KEY

SECRET = "a secret of more than thirty-two characters"
NOW = 1_800_000_000.0


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_signed_token_verifies_and_gives_its_claims() -> None:
    claims = {"sub": "someone", "role": "authenticated", "exp": NOW + 60}
    assert jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW) == claims


def test_an_independent_implementation_accepts_our_token_and_we_accept_its() -> None:
    key = OctKey.import_key(SECRET)
    claims = {"sub": "someone", "n": 1}
    assert joserfc_jwt.decode(jwt.sign(claims, SECRET), key).claims == claims
    assert jwt.verify(joserfc_jwt.encode({"alg": "HS256"}, claims, key), SECRET, NOW) == claims


@pytest.mark.parametrize(
    ("key", "role"), [(LOCAL_ANON_KEY, "anon"), (LOCAL_SERVICE_ROLE_KEY, "service_role")]
)
def test_the_official_clis_keys_verify_with_its_secret(key: str, role: str) -> None:
    assert jwt.verify(key, LOCAL_JWT_SECRET, NOW)["role"] == role


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("", "malformed"),
        ("a.b", "malformed"),
        ("a.b.c", "malformed"),
        ("é.b.c", "malformed"),
        (f"{encoded({'alg': 'none'})}.{encoded({'sub': 'x'})}.", "algorithm"),
        (f"{encoded({'alg': 'RS256'})}.{encoded({'sub': 'x'})}.abcd", "algorithm"),
        (f"{encoded({'alg': 'HS256'})}.{encoded({'sub': 'x'})}.abcd", "signature"),
        (f"{encoded([1])}.{encoded({'sub': 'x'})}.abcd", "malformed"),
    ],
)
def test_a_bad_token_is_refused(token: str, kind: str) -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(token, SECRET, NOW)
    assert caught.value.kind == kind


def test_a_token_signed_with_another_secret_is_refused() -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(jwt.sign({"sub": "x"}, "another secret"), SECRET, NOW)
    assert caught.value.kind == "signature"


@pytest.mark.parametrize(
    ("claims", "kind"),
    [
        ({"exp": NOW - 31}, "expired"),
        ({"nbf": NOW + 31}, "not_yet"),
        ({"iat": NOW + 31}, "not_yet"),
        ({"exp": "soon"}, "claims"),
        ({"exp": True}, "claims"),
    ],
)
def test_times_are_checked(claims: dict[str, object], kind: str) -> None:
    with pytest.raises(jwt.TokenError) as caught:
        jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW)
    assert caught.value.kind == kind


def test_clocks_may_differ_by_half_a_minute() -> None:
    claims = {"exp": NOW - 29, "nbf": NOW + 29, "iat": NOW + 29}
    assert jwt.verify(jwt.sign(claims, SECRET), SECRET, NOW) == claims
