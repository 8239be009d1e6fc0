"""`[auth] signing_keys_path`: users' tokens are signed by a private key, and told by the public one everywhere."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey, KeySet, RSAKey
from localbase.core.errors import UserError
from localbase.core.tokens import jwt
from localbase.core.tokens.signing import signing_keys

from supabase import ClientOptions, create_client
from tests.support.project_files import ProjectFiles
from tests.support.stacks import Stack, running_written

_CONFIG = """
[api]
schemas = ["public"]
[auth]
jwt_secret = "a-secret-of-this-project-alone-000000"
signing_keys_path = "./signing_keys.json"
[storage.buckets.papers]
public = false
"""
_SCHEMA = """
create table public.notes (id int generated always as identity primary key, owner uuid default auth.uid(), body text);
alter table public.notes enable row level security;
create policy own on public.notes to authenticated using (owner = (select auth.uid()));
"""
_FUNCTION = """
import os
import functions_framework
import httpx

@functions_framework.http
def whoami(request):
    # As a function asks in the user's name: with the token that it was given.
    headers = {"apikey": os.environ["SUPABASE_ANON_KEY"], "authorization": request.headers["authorization"]}
    response = httpx.get(os.environ["SUPABASE_URL"] + "/auth/v1/user", headers=headers)
    return {"email": response.json().get("email"), "status": response.status_code}
"""
FIRST = ECKey.generate_key(
    "P-256", {"kid": "first", "use": "sig", "alg": "ES256", "key_ops": ["sign", "verify"]}
)
SECOND = RSAKey.generate_key(2048, {"kid": "second", "alg": "RS256"})


@pytest.fixture(scope="module")
def signed() -> Iterator[Stack]:
    keys = json.dumps([FIRST.as_dict(private=True), SECOND.as_dict(private=True)])
    files = ProjectFiles(
        _CONFIG,
        {"20260101000000_notes.sql": _SCHEMA},
        functions={"whoami": _FUNCTION},
        others={"signing_keys.json": keys},
    )
    with running_written("signed", files) as running:
        yield running


@pytest.fixture(scope="module")
def session(signed: Stack) -> dict[str, Any]:
    """A new user's session."""
    response = httpx.post(
        f"{signed.api_url}/auth/v1/signup",
        headers={"apikey": signed.publishable_key},
        json={"email": "ann@example.com", "password": "a long password"},
    )
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def response_of(stack: Stack, path: str, token: str) -> httpx.Response:
    headers = {"apikey": stack.publishable_key, "authorization": f"Bearer {token}"}
    return httpx.get(stack.api_url + path, headers=headers)


def test_first_key_signs_tokens(session: dict[str, Any]) -> None:
    head = session["access_token"].split(".")[0]
    header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    assert header == {"alg": "ES256", "kid": "first", "typ": "JWT"}
    claims = joserfc_jwt.decode(session["access_token"], FIRST, algorithms=["ES256"]).claims
    assert (claims["role"], claims["email"]) == ("authenticated", "ann@example.com")


def test_public_keys_are_published_as_jwks(signed: Stack, session: dict[str, Any]) -> None:
    response = httpx.get(f"{signed.api_url}/auth/v1/.well-known/jwks.json")
    keys = response.json()["keys"]
    assert [(key["kid"], key["alg"], key["key_ops"], key["use"]) for key in keys] == [
        ("first", "ES256", ["verify"], "sig"),
        ("second", "RS256", ["verify"], "sig"),
    ]
    assert not {"d", "p", "q", "dp", "dq", "qi"} & {name for key in keys for name in key}
    assert response.headers["cache-control"] == "public, max-age=600"
    # A stranger can tell the user by them.
    decoded = joserfc_jwt.decode(
        session["access_token"], KeySet.import_key_set(response.json()), algorithms=["ES256"]
    )
    assert decoded.claims["sub"] == session["user"]["id"]


def test_every_service_accepts_the_users_token(signed: Stack, session: dict[str, Any]) -> None:
    token = session["access_token"]
    headers = {
        "apikey": signed.publishable_key,
        "authorization": f"Bearer {token}",
        "prefer": "return=representation",
    }
    made = httpx.post(f"{signed.api_url}/rest/v1/notes", headers=headers, json={"body": "mine"})
    assert (made.status_code, made.json()[0]["owner"]) == (201, session["user"]["id"])
    assert response_of(signed, "/auth/v1/user", token).json()["email"] == "ann@example.com"
    assert response_of(signed, "/storage/v1/bucket", token).status_code == 200


def test_keys_of_a_project_with_a_secret_of_its_own_are_signed_with_it(signed: Stack) -> None:
    pairs = ((signed.anon_key, "anon"), (signed.service_role_key, "service_role"))
    for key, role in pairs:
        assert jwt.verify(key, "a-secret-of-this-project-alone-000000", time.time())["role"] == role
    for key in (signed.service_role_key, signed.secret_key):
        # Everyday clients send the key twice, or in one place only.
        for headers in ({"apikey": key}, {"apikey": key, "authorization": f"Bearer {key}"}):
            for path in ("/rest/v1/notes", "/storage/v1/bucket", "/auth/v1/admin/users"):
                response = httpx.get(signed.api_url + path, headers=headers)
                assert response.status_code == 200, (path, response.text)
    for key in (signed.anon_key, signed.publishable_key):
        assert httpx.get(f"{signed.api_url}/auth/v1/settings", headers={"apikey": key}).status_code == 200
        listed = httpx.get(f"{signed.api_url}/storage/v1/bucket", headers={"apikey": key})
        assert (listed.status_code, listed.json()) == (200, [])


def test_function_is_called_as_the_user(signed: Stack, session: dict[str, Any]) -> None:
    response = response_of(signed, "/functions/v1/whoami", session["access_token"])
    assert (response.status_code, response.json()) == (200, {"email": "ann@example.com", "status": 200})
    stranger = joserfc_jwt.encode(
        {"alg": "ES256", "kid": "first"}, {"role": "authenticated"}, ECKey.generate_key("P-256")
    )
    refused = response_of(signed, "/functions/v1/whoami", stranger)
    assert (refused.status_code, refused.json()["message"]) == (401, "Invalid JWT")


def test_session_is_refreshed_under_the_same_key(signed: Stack, session: dict[str, Any]) -> None:
    client = create_client(signed.api_url, signed.publishable_key, ClientOptions(auto_refresh_token=False))
    renewed = client.auth.refresh_session(session["refresh_token"]).session
    assert renewed is not None
    assert response_of(signed, "/rest/v1/notes", renewed.access_token).status_code == 200


@pytest.mark.parametrize("path", ["/rest/v1/notes", "/storage/v1/bucket"])
def test_older_keys_and_the_secret_still_verify(signed: Stack, path: str) -> None:
    claims = {
        "role": "authenticated",
        "sub": "11111111-1111-1111-1111-111111111111",
        "exp": int(time.time()) + 60,
    }
    by_second = joserfc_jwt.encode({"alg": "RS256", "kid": "second"}, claims, SECOND, algorithms=["RS256"])
    by_secret = jwt.sign(claims, signed.jwt_secret)
    by_stranger = joserfc_jwt.encode({"alg": "ES256", "kid": "first"}, claims, ECKey.generate_key("P-256"))
    assert response_of(signed, path, by_second).status_code == 200
    assert response_of(signed, path, by_secret).status_code == 200
    assert response_of(signed, path, by_stranger).status_code in (400, 401, 403)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "5",
        "[{}]",
        json.dumps([FIRST.as_dict(private=False)]),
        '[{"kty": "oct", "k": "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo"}]',
    ],
)
def test_file_without_private_keys_is_rejected(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys.json").write_text(text)
    with pytest.raises(UserError, match=r"auth\.signing_keys_path"):
        signing_keys("secret", "keys.json", tmp_path, {})
    with pytest.raises(UserError, match=r"auth\.signing_keys_path"):
        signing_keys("secret", "missing.json", tmp_path, {})


def test_without_a_file_the_secret_signs(tmp_path: Path) -> None:
    keys = signing_keys("a secret", "", tmp_path, {})
    assert jwt.verify(keys.sign({"sub": "x"}), "a secret", time.time()) == {"sub": "x"}
    assert keys.published() == {"keys": []}
