"""Bearer tokens, which the service verifies itself: the gateway looks at the API key alone."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import replace
from typing import Any

import httpx
import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey
from localbase.core.tokens import jwt

from tests.localbase.integration.auth.calls import as_admin, call, claims_of, execute, failure, new_session
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack

PREFIX = "invalid JWT: unable to parse or verify signature, "
NOT_ADMIN = (403, "not_admin", "User not allowed")
ADMIN_PATHS = [
    ("GET", "/admin/users"),
    ("POST", "/admin/users"),
    ("GET", f"/admin/users/{uuid.UUID(int=1)}"),
    ("PUT", f"/admin/users/{uuid.UUID(int=1)}"),
    ("DELETE", f"/admin/users/{uuid.UUID(int=1)}"),
]


def signed(stack: Stack, **claims: Any) -> str:
    return jwt.sign({"exp": int(time.time()) + 60, **claims}, stack.jwt_secret)


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("forged", "token is malformed: Expected 3 parts in JWT; got 1"),
        ("eyJhbGciOiJub25lIn0.e30.", "token signature is invalid: signing method none is invalid"),
        (
            jwt.sign({"sub": "x"}, "another secret of at least thirty-two characters"),
            "token signature is invalid: signature is invalid",
        ),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("GET", "/user"), ("POST", "/logout"), ("GET", "/admin/users")])
def test_token_that_does_not_verify_is_refused_in_auths_words(
    auth: Stack, method: str, path: str, token: str, reason: str
) -> None:
    assert failure(call(auth, method, path, token)) == (403, "bad_jwt", PREFIX + reason)


def test_expired_token_is_refused_in_auths_words(auth: Stack) -> None:
    token = signed(auth, sub=str(uuid.uuid4()), exp=int(time.time()) - 60)
    expected = (403, "bad_jwt", PREFIX + "token has invalid claims: token is expired")
    assert failure(call(auth, "GET", "/user", token)) == expected


def test_newer_client_reads_the_newer_form(auth: Stack) -> None:
    response = call(auth, "GET", "/user", "forged", headers={"x-supabase-api-version": "2024-01-01"})
    assert (response.status_code, response.json()["code"]) == (403, "bad_jwt")


def test_bad_token_does_not_stop_what_wants_none(auth: Stack, email: str) -> None:
    body = {"email": email, "password": "correct horse"}
    assert call(auth, "POST", "/signup", "forged", json=body).status_code == 200


def test_api_key_is_still_required(auth: Stack) -> None:
    response = httpx.get(f"{auth.api_url}/auth/v1/user", headers={"authorization": "Bearer forged"})
    assert (response.status_code, response.json()) == (401, {"message": "No API key found in request"})


def test_key_without_a_user_names_the_missing_claim(auth: Stack) -> None:
    expected = (403, "bad_jwt", "invalid claim: missing sub claim")
    assert failure(call(auth, "GET", "/user")) == expected
    assert failure(call(auth, "GET", "/user", auth.publishable_key)) == expected
    assert failure(call(auth, "GET", "/user", auth.anon_key)) == expected


def test_secret_key_alone_administers(auth: Stack) -> None:
    assert call(auth, "GET", "/admin/users", headers={"apikey": auth.secret_key}).status_code == 200


@pytest.mark.parametrize(("method", "path"), ADMIN_PATHS)
def test_admin_paths_are_for_the_service_role_alone(auth: Stack, email: str, method: str, path: str) -> None:
    user_token = new_session(auth, email)["access_token"]
    for token in ("", auth.anon_key, user_token):
        assert failure(call(auth, method, path, token)) == NOT_ADMIN


def test_users_token_with_an_admin_role_ends_with_its_session(auth: Stack, email: str) -> None:
    session = new_session(auth, email)
    claims = claims_of(auth, session) | {"role": "service_role"}
    token = jwt.sign(claims, auth.jwt_secret)
    assert call(auth, "GET", "/admin/users", token).status_code == 200
    session_id = uuid.UUID(claims["session_id"])
    execute(
        auth, "update auth.sessions set not_after = now() - interval '1 second' where id = %s", session_id
    )
    ended = (403, "session_expired", "Session is no longer valid")
    assert failure(call(auth, "GET", "/admin/users", token)) == ended
    execute(auth, "delete from auth.sessions where id = %s", session_id)
    assert failure(call(auth, "GET", "/admin/users", token)) == (
        403,
        "session_not_found",
        "Session from session_id claim in JWT does not exist",
    )


def test_key_of_a_third_party_opens_neither_users_nor_admin(auth: Stack, email: str) -> None:
    key = ECKey.generate_key("P-256", {"kid": "theirs", "use": "sig", "alg": "ES256"})
    user = new_session(auth, email)["user"]
    header = {"alg": "ES256", "kid": "theirs"}
    claims = {"exp": int(time.time()) + 60, "sub": user["id"], "role": "service_role", "aud": "authenticated"}
    token = joserfc_jwt.encode(header, claims, key)
    environ = {**auth.environ, "JWT_JWKS": json.dumps({"keys": [key.as_dict(private=False)]})}
    with own_service(replace(auth, environ=environ)) as stack:
        error = (403, "bad_jwt", PREFIX + "token signature is invalid: signature is invalid")
        assert failure(call(stack, "GET", "/admin/users", token)) == error
        assert failure(call(stack, "GET", "/user", token)) == error
        assert as_admin(stack, "GET", "/admin/users").status_code == 200
