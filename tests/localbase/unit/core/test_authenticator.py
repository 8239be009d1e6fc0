"""core.authenticator: which role a request runs as."""

from __future__ import annotations

import json

import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey
from localbase.core.authenticator import Authenticator, bearer
from localbase.core.errors import ApiError
from localbase.core.settings import Settings
from localbase.core.tokens import jwt

NOW = 1_800_000_000.0
KEYS = Settings().keys


def authenticator(now: float = NOW) -> Authenticator:
    return Authenticator(KEYS, lambda: now)


@pytest.mark.parametrize(
    ("key", "role"),
    [
        (KEYS.anon, "anon"),
        (KEYS.service_role, "service_role"),
        (KEYS.publishable, "anon"),
        (KEYS.secret, "service_role"),
    ],
)
@pytest.mark.parametrize("bearer_too", [True, False])
def test_api_key_alone_gives_its_role(key: str, role: str, bearer_too: bool) -> None:
    # The official clients repeat the key as a bearer token without a session.
    headers = {"apikey": key} | ({"authorization": f"Bearer {key}"} if bearer_too else {})
    auth = authenticator()
    assert auth.resolve(headers, auth.require_key(headers)).role == role


def test_user_token_overrides_the_keys_role() -> None:
    token = jwt.sign({"sub": "u", "role": "authenticated", "exp": NOW + 60}, KEYS.jwt_secret)
    headers = {"apikey": KEYS.publishable, "authorization": f"Bearer {token}"}
    caller = authenticator().resolve(headers, KEYS.publishable)
    assert (caller.role, caller.claims["sub"]) == ("authenticated", "u")


def test_missing_key_is_rejected_with_the_gateways_error() -> None:
    with pytest.raises(ApiError) as caught:
        authenticator().require_key({})
    assert (caught.value.status, caught.value.message) == (401, "No API key found in request")


def test_unknown_key_is_rejected() -> None:
    with pytest.raises(ApiError) as caught:
        authenticator().require_key({"apikey": "sb_publishable_guessed"})
    assert (caught.value.status, caught.value.message) == (401, "Invalid authentication credentials")


def test_cached_token_expires() -> None:
    clock = [NOW]
    auth = Authenticator(KEYS, lambda: clock[0])
    token = jwt.sign({"role": "authenticated", "exp": NOW + 60}, KEYS.jwt_secret)
    headers = {"authorization": f"Bearer {token}"}
    assert auth.resolve(headers, KEYS.anon).role == "authenticated"
    clock[0] = NOW + 60 + jwt.LEEWAY_SECONDS + 1
    with pytest.raises(jwt.TokenError):
        auth.resolve(headers, KEYS.anon)


@pytest.mark.parametrize("expires", [10**400, 1.7e308, 10**18])
def test_token_may_expire_later_than_any_float(expires: float) -> None:
    token = jwt.sign({"role": "authenticated", "exp": expires}, KEYS.jwt_secret)
    auth, headers = authenticator(), {"authorization": f"Bearer {token}"}
    assert auth.resolve(headers, KEYS.anon).role == "authenticated"
    assert auth.resolved_until(headers, KEYS.anon) > NOW


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer abc", "abc"), ("bearer  abc ", "abc"), ("Basic abc", None), ("Bearer", None), ("", None)],
)
def test_bearer_tokens_are_read_from_the_header(header: str, token: str | None) -> None:
    assert bearer({"authorization": header}) == token


def test_third_party_token_is_verified_by_its_key_set() -> None:
    key = ECKey.generate_key("P-256", {"kid": "k"})
    environ = {"JWT_JWKS": json.dumps({"keys": [key.as_dict(private=False)]})}
    claims = {"role": "authenticated", "exp": int(NOW) + 60}
    token = joserfc_jwt.encode({"alg": "ES256", "kid": "k"}, claims, key, algorithms=["ES256"])
    headers = {"apikey": KEYS.publishable, "authorization": f"Bearer {token}"}
    auth = Authenticator(KEYS, lambda: NOW, environ)
    assert auth.resolve(headers, auth.require_key(headers)).role == "authenticated"
    with pytest.raises(jwt.TokenError):
        authenticator().resolve(headers, KEYS.publishable)


def test_claims_name_the_role_of_a_token_without_one() -> None:
    token = jwt.sign({"sub": "u"}, KEYS.jwt_secret)
    caller = authenticator().resolve({"authorization": f"Bearer {token}"}, KEYS.anon)
    assert (caller.role, caller.claims) == ("anon", {"sub": "u"})
    assert json.loads(caller.claims_json) == {"sub": "u", "role": "anon"}


def test_evicted_token_is_not_resolved() -> None:
    auth = Authenticator(KEYS, lambda: NOW, remembered=2)
    tokens = [jwt.sign({"role": "anon", "exp": NOW + 60, "n": n}, KEYS.jwt_secret) for n in range(3)]
    headers = [{"authorization": f"Bearer {token}"} for token in tokens]
    for one in headers:
        assert auth.resolve(one, KEYS.anon).role == "anon"
    assert auth.resolved_until(headers[0], KEYS.anon) == 0
    assert auth.resolved_until(headers[2], KEYS.anon) == NOW + 60 + jwt.LEEWAY_SECONDS


@pytest.mark.parametrize(
    "claims",
    [{"role": "authenticated", "sub": "u"}, {"role": "service_role"}, {"url": "private/a.txt"}, {}],
)
def test_token_signed_by_the_project_is_no_api_key(claims: dict[str, str]) -> None:
    token = jwt.sign(claims | {"exp": NOW + 60}, KEYS.jwt_secret)
    with pytest.raises(ApiError) as caught:
        authenticator().require_key({"apikey": token})
    assert (caught.value.status, caught.value.message) == (401, "Invalid authentication credentials")
