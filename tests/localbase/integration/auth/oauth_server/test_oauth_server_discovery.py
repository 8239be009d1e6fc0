"""The OAuth server as client libraries find it: its metadata, ID tokens by the published keys, the official client."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import ECKey, KeySet

from tests.localbase.integration.auth.calls import PASSWORD, call, failure, new_session
from tests.localbase.integration.auth.oauth_server.oauth_client import OAuthClient, register
from tests.support.project_files import ProjectFiles
from tests.support.stacks import ROOT, Stack, running_written

_CONFIG = """
[auth]
signing_keys_path = "./signing_keys.json"
[auth.oauth_server]
enabled = true
[edge_runtime]
enabled = false
"""
_SCHEMA = """
create table public.notes (owner uuid default auth.uid(), body text);
alter table public.notes enable row level security;
create policy own on public.notes using (owner = (select auth.uid()));
"""


@pytest.fixture(scope="module")
def signed() -> Iterator[Stack]:
    """A project that signs by a private key."""
    key = ECKey.generate_key("P-256", {"kid": "one", "use": "sig", "alg": "ES256"})
    files = ProjectFiles(
        _CONFIG,
        {"20260101000000_notes.sql": _SCHEMA},
        others={"signing_keys.json": json.dumps([key.as_dict(private=True)])},
    )
    with running_written("oauth_server", files) as running:
        yield running


def id_token(stack: Stack, client: OAuthClient, session: dict[str, Any], **changes: str) -> str:
    """Of a client that wants to know who the user is."""
    response = client.exchange(client.code(session, **{"scope": "openid email", **changes}))
    assert response.status_code == 200, response.text
    assert set(response.json()) == {"access_token", "token_type", "expires_in", "refresh_token", "id_token"}
    return str(response.json()["id_token"])


def test_metadata_name_every_endpoint(auth: Stack) -> None:
    base = f"{auth.api_url}/auth/v1"
    expected = {
        "issuer": base,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "jwks_uri": f"{base}/.well-known/jwks.json",
        "userinfo_endpoint": f"{base}/oauth/userinfo",
        "registration_endpoint": f"{base}/oauth/clients/register",
        "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": [],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "claims_supported": [
            *("sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified"),
            *("phone_number", "phone_number_verified", "name", "picture", "preferred_username", "updated_at"),
        ],
        "code_challenge_methods_supported": ["S256", "plain"],
    }
    for address in (
        f"{base}/.well-known/openid-configuration",
        f"{base}/.well-known/oauth-authorization-server",
        # RFC 8414, section 3.1: between the host and the path of the issuer.
        f"{auth.api_url}/.well-known/oauth-authorization-server/auth/v1",
        f"{auth.api_url}/.well-known/oauth-authorization-server",
    ):
        response = httpx.get(address)
        assert (response.status_code, response.json()) == (200, expected), address
        assert response.headers["cache-control"] == "public, max-age=600"
        assert response.headers["access-control-allow-origin"] == "*"


def test_id_token_is_verified_by_the_published_keys(signed: Stack, email: str) -> None:
    base = f"{signed.api_url}/auth/v1"
    metadata = httpx.get(f"{base}/.well-known/openid-configuration").json()
    assert metadata["id_token_signing_alg_values_supported"] == ["ES256"]
    keys = KeySet.import_key_set(httpx.get(metadata["jwks_uri"]).json())
    session, client = new_session(signed, email), register(signed)
    before = int(time.time())
    token = id_token(signed, client, session, nonce="a nonce", scope="openid email profile")
    claims = joserfc_jwt.decode(token, keys, algorithms=["ES256"]).claims
    assert before <= claims["iat"] <= time.time()
    assert claims.pop("exp") == claims.pop("iat") + 3600
    assert before - 30 <= claims.pop("auth_time") <= time.time()
    assert isinstance(claims.pop("updated_at"), int)
    assert claims == {
        "iss": base,
        "sub": session["user"]["id"],
        "aud": client.client_id,
        "client_id": client.client_id,
        "nonce": "a nonce",
        "email": email,
        "email_verified": True,
        "phone_number_verified": False,
        "name": email,
    }


def test_scope_without_openid_gives_no_id_token(signed: Stack, email: str) -> None:
    client = register(signed)
    assert "id_token" not in client.exchange(client.code(new_session(signed, email), scope="email")).json()


def test_id_token_opens_nothing(signed: Stack, email: str) -> None:
    client = register(signed)
    token = id_token(signed, client, new_session(signed, email))
    assert call(signed, "GET", "/user", token).status_code == 403
    assert call(signed, "PUT", "/user", token, json={"password": "stolen account"}).status_code == 403
    status, code, message = failure(call(signed, "GET", "/oauth/userinfo", token))
    assert (status, code) == (403, "bad_jwt")
    assert message.endswith("An ID token is no access token")
    headers = {"apikey": signed.publishable_key, "authorization": f"Bearer {token}"}
    # The policy names no role: with a token of any role it would show the user's rows.
    rows = httpx.get(f"{signed.api_url}/rest/v1/notes", headers=headers)
    assert rows.status_code == 401
    assert httpx.get(f"{signed.api_url}/storage/v1/bucket", headers=headers).status_code in (400, 401, 403)


def test_javascript_client_consents_and_administers(auth: Stack, email: str) -> None:
    new_session(auth, email)
    done = subprocess.run(
        [
            *("node", "tests/compat/oauth_server.mjs", auth.api_url, auth.publishable_key),
            *(auth.service_role_key, email, PASSWORD),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "made": {"name": "From JavaScript", "type": "confidential", "secret": "string"},
        "read": {"name": "From JavaScript", "secret": None},
        "changed": "Renamed",
        "renewed": True,
        "listed": {"first": True, "total": True},
        "stranger": "AuthSessionMissingError",
        "details": {
            "client": "Renamed",
            "email": email,
            "scope": "email profile",
            "uri": "https://app.example.com/callback",
        },
        "approved": True,
        "again": {"code": "validation_failed", "status": 400},
        "remembered": True,
        "denied": "access_denied",
        "grants": [{"client": "Renamed", "scopes": ["email", "profile"]}],
        "revoked": None,
        "none": [],
        "missing": {"code": "oauth_consent_not_found", "status": 404},
        "gone": None,
        "lost": {"code": "oauth_client_not_found", "status": 404},
    }
