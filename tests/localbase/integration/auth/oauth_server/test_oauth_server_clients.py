"""Clients of the OAuth server: registered by an administrator, or by themselves where the project lets them."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
from localbase.core.auth_settings import OAuthServerSettings
from supabase_auth.types import CreateOAuthClientParams, UpdateOAuthClientParams

from supabase import create_client
from tests.localbase.integration.auth.calls import as_admin, call, execute, failure, new_session
from tests.localbase.integration.auth.oauth_server.oauth_client import REDIRECT, OAuthClient, register
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import Stack

CLIENTS = "/admin/oauth/clients"


def metadata(**changes: Any) -> dict[str, Any]:
    return {"client_name": "An application", "redirect_uris": [REDIRECT], **changes}


def test_client_is_registered_read_changed_and_deleted(auth: Stack) -> None:
    created = as_admin(
        auth,
        "POST",
        CLIENTS,
        json=metadata(client_uri="https://app.example.com", logo_uri="https://app.example.com/logo.png"),
    )
    assert created.status_code == 201
    client = created.json()
    secret, identity = client.pop("client_secret"), client["client_id"]
    assert len(secret) == 43
    assert client.pop("created_at") == client.pop("updated_at")
    expected = {
        "client_id": identity,
        "client_type": "confidential",
        "redirect_uris": [REDIRECT],
        "token_endpoint_auth_method": "client_secret_basic",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "client_name": "An application",
        "client_uri": "https://app.example.com",
        "logo_uri": "https://app.example.com/logo.png",
        "registration_type": "manual",
    }
    assert client == expected
    [(stored,)] = execute(
        auth, "select client_secret_hash from auth.oauth_clients where id::text = %s", identity
    )
    assert secret not in stored

    changes = {
        "client_name": "Renamed",
        "redirect_uris": ["https://a.example.com/", "myapp://callback"],
        "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "client_secret_post",
    }
    changed = as_admin(auth, "PUT", f"{CLIENTS}/{identity}", json=changes)
    assert changed.status_code == 200
    read = as_admin(auth, "GET", f"{CLIENTS}/{identity}")
    assert (read.status_code, read.json()) == (200, changed.json())
    assert read.json()["updated_at"] > read.json()["created_at"]
    assert expected | changes == {name: read.json()[name] for name in expected}

    gone = as_admin(auth, "DELETE", f"{CLIENTS}/{identity}")
    assert (gone.status_code, gone.text) == (204, "")
    not_found = (404, "oauth_client_not_found", "OAuth client not found")
    for method in ("GET", "PUT", "DELETE"):
        assert failure(as_admin(auth, method, f"{CLIENTS}/{identity}", json=changes)) == not_found
    assert failure(as_admin(auth, "POST", f"{CLIENTS}/{identity}/regenerate_secret")) == not_found
    assert failure(as_admin(auth, "GET", f"{CLIENTS}/{uuid.uuid4()}")) == not_found
    assert failure(as_admin(auth, "GET", f"{CLIENTS}/x")) == (
        400,
        "validation_failed",
        "invalid client_id format",
    )


def test_new_secret_ends_the_old_one(auth: Stack, email: str) -> None:
    client = register(auth)
    code = client.code(new_session(auth, email))
    response = as_admin(auth, "POST", f"{CLIENTS}/{client.client_id}/regenerate_secret")
    assert response.status_code == 200
    secret = response.json()["client_secret"]
    assert secret != client.secret
    assert client.exchange(code).json()["error"] == "invalid_client"
    assert OAuthClient(auth, client.client_id, secret, client.verifier).exchange(code).status_code == 200
    shown = as_admin(auth, "GET", f"{CLIENTS}/{client.client_id}").json()
    assert "client_secret" not in shown
    public = register(auth, client_type="public")
    assert failure(as_admin(auth, "POST", f"{CLIENTS}/{public.client_id}/regenerate_secret")) == (
        400,
        "validation_failed",
        "Cannot regenerate secret for public client",
    )


@pytest.mark.parametrize(
    ("fields", "client_type", "method"),
    [
        ({}, "confidential", "client_secret_basic"),
        ({"client_type": "public"}, "public", "none"),
        ({"token_endpoint_auth_method": "none"}, "public", "none"),
        ({"token_endpoint_auth_method": "client_secret_post"}, "confidential", "client_secret_post"),
        ({"client_type": "confidential"}, "confidential", "client_secret_basic"),
    ],
)
def test_type_and_method_follow_from_each_other(
    auth: Stack, fields: dict[str, str], client_type: str, method: str
) -> None:
    client = as_admin(auth, "POST", CLIENTS, json=metadata(**fields)).json()
    assert (client["client_type"], client["token_endpoint_auth_method"]) == (client_type, method)
    assert ("client_secret" in client) == (client_type == "confidential")


_URI = "invalid redirect_uri"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"redirect_uris": []}, "redirect_uris is required"),
        ({"redirect_uris": None}, "redirect_uris is required"),
        ({"redirect_uris": [REDIRECT] * 11}, "redirect_uris cannot exceed 10 items"),
        ({"redirect_uris": [""]}, f"{_URI} '': redirect URI cannot be empty"),
        ({"redirect_uris": ["/callback"]}, f"{_URI} '/callback': must have scheme and host"),
        ({"redirect_uris": ["https:///x"]}, f"{_URI} 'https:///x': must have scheme and host"),
        (
            {"redirect_uris": ["javascript://x/%0aalert(1)"]},
            f"{_URI} 'javascript://x/%0aalert(1)': scheme 'javascript' is not allowed for security reasons",
        ),
        (
            {"redirect_uris": ["http://app.example.com/"]},
            f"{_URI} 'http://app.example.com/': HTTP scheme only allowed for localhost",
        ),
        (
            {"redirect_uris": [f"{REDIRECT}#x"]},
            f"{_URI} '{REDIRECT}#x': fragment not allowed in redirect URI",
        ),
        ({"redirect_uris": ["https://a\\@b/"]}, f"{_URI} 'https://a\\@b/': invalid URL format"),
        ({"redirect_uris": ["https://[/"]}, f"{_URI} 'https://[/': invalid URL format"),
        (
            {"redirect_uris": ["https://a.example.com/,https://b.example.com/"]},
            f"{_URI} 'https://a.example.com/,https://b.example.com/': invalid URL format",
        ),
        (
            {"grant_types": ["password"]},
            "grant_types must only contain 'authorization_code' and/or 'refresh_token'",
        ),
        ({"client_name": "n" * 1025}, "client_name cannot exceed 1024 characters"),
        ({"client_uri": "u" * 2049}, "client_uri cannot exceed 2048 characters"),
        ({"client_uri": "javascript:alert(1)"}, "client_uri must be a valid URL"),
        ({"client_uri": "https://["}, "client_uri must be a valid URL"),
        ({"logo_uri": "https://a b"}, "logo_uri must be a valid URL"),
        ({"client_type": "secret"}, "client_type must be 'public' or 'confidential'"),
        (
            {"token_endpoint_auth_method": "private_key_jwt"},
            "token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]",
        ),
        (
            {"client_type": "public", "token_endpoint_auth_method": "client_secret_post"},
            "client_type 'public' is inconsistent with token_endpoint_auth_method 'client_secret_post' "
            "(expected client_type 'confidential')",
        ),
    ],
)
def test_wrong_metadata_are_refused(auth: Stack, changes: dict[str, Any], message: str) -> None:
    refused = (400, "validation_failed", f"400: {message}")
    assert failure(as_admin(auth, "POST", CLIENTS, json=metadata(**changes))) == refused


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"redirect_uris": "x"}', b'{"redirect_uris": [1]}', b'"x"'])
def test_body_that_is_no_metadata_is_bad_json(auth: Stack, body: bytes) -> None:
    assert failure(as_admin(auth, "POST", CLIENTS, content=body)) == (400, "bad_json", "Invalid JSON body")


def test_wrong_changes_are_refused(auth: Stack) -> None:
    client = register(auth)
    path = f"{CLIENTS}/{client.client_id}"
    for body, message in (
        ({}, "No fields provided for update"),
        ({"client_type": "public"}, "No fields provided for update"),
        ({"redirect_uris": []}, "redirect_uris cannot be empty"),
        ({"grant_types": []}, "grant_types cannot be empty"),
        (
            {"token_endpoint_auth_method": "none"},
            "token_endpoint_auth_method 'none' is not valid for client_type 'confidential'; "
            "valid methods: [client_secret_basic client_secret_post]",
        ),
    ):
        assert failure(as_admin(auth, "PUT", path, json=body)) == (400, "validation_failed", message)


def test_clients_are_for_the_service_role(auth: Stack, email: str) -> None:
    token = new_session(auth, email)["access_token"]
    of_client = register(auth)
    client_token = of_client.exchange(of_client.code(new_session(auth, f"b-{email}"))).json()["access_token"]
    for bearer in (token, client_token):
        for method, path in (
            ("GET", CLIENTS),
            ("POST", CLIENTS),
            ("GET", f"{CLIENTS}/{of_client.client_id}"),
            ("PUT", f"{CLIENTS}/{of_client.client_id}"),
            ("DELETE", f"{CLIENTS}/{of_client.client_id}"),
            ("POST", f"{CLIENTS}/{of_client.client_id}/regenerate_secret"),
        ):
            response = call(auth, method, path, bearer, json=metadata())
            assert failure(response) == (403, "not_admin", "User not allowed")


def test_clients_are_listed_in_pages(auth: Stack) -> None:
    newest = [register(auth, client_name=f"client {number}").client_id for number in range(3)][::-1]
    first = as_admin(auth, "GET", f"{CLIENTS}?page=1&per_page=2")
    assert first.status_code == 200
    assert [client["client_id"] for client in first.json()["clients"]] == newest[:2]
    total = int(first.headers["x-total-count"])
    last = -(-total // 2)
    assert first.headers["link"] == (
        f'</admin/oauth/clients?page=2&per_page=2>; rel="next", '
        f'</admin/oauth/clients?page={last}&per_page=2>; rel="last"'
    )
    second = as_admin(auth, "GET", f"{CLIENTS}?page=2&per_page=2")
    assert second.json()["clients"][0]["client_id"] == newest[2]
    assert not any("client_secret" in client for client in second.json()["clients"])
    assert as_admin(auth, "GET", f"{CLIENTS}?page={last + 1}&per_page=2").json() == {"clients": []}
    assert failure(as_admin(auth, "GET", f"{CLIENTS}?page=x"))[:2] == (400, "validation_failed")


@pytest.fixture
def full_bucket(auth: Stack) -> None:
    """All tests register from one address, and some did a moment ago."""
    execute(auth, "delete from _localbase.auth_rate_limits where name = 'oauth_client'")


@pytest.mark.usefixtures("full_bucket")
def test_client_registers_itself(auth: Stack, email: str) -> None:
    # Without a key, as a client that registers itself has none.
    response = httpx.post(
        f"{auth.api_url}/auth/v1/oauth/clients/register",
        json=metadata(token_endpoint_auth_method="none", scope="email", contacts=["a@example.com"]),
    )
    assert (response.status_code, response.headers["cache-control"]) == (201, "no-store")
    assert response.json()["registration_type"] == "dynamic"
    client = OAuthClient(auth, response.json()["client_id"], "")
    assert client.exchange(client.code(new_session(auth, email))).status_code == 200


@pytest.mark.usefixtures("full_bucket")
def test_registrations_are_limited_by_address(auth: Stack) -> None:
    responses = [
        call(auth, "POST", "/oauth/clients/register", json=metadata(redirect_uris=[])) for _ in range(12)
    ]
    statuses = [response.status_code for response in responses]
    assert statuses[:10] == [400] * 10
    assert statuses[-1] == 429
    assert failure(responses[0]) == (400, "validation_failed", "400: redirect_uris is required")


@pytest.mark.usefixtures("full_bucket")
def test_registration_that_is_off_is_refused(auth: Stack) -> None:
    with own_service(auth, oauth_server=OAuthServerSettings(enabled=True)) as stack:
        response = call(stack, "POST", "/oauth/clients/register", json=metadata())
        document = call(stack, "GET", "/.well-known/oauth-authorization-server").json()
    assert failure(response) == (
        403,
        "oauth_dynamic_client_registration_disabled",
        "Dynamic client registration is not enabled",
    )
    assert "registration_endpoint" not in document


def test_python_client_administers_clients(auth: Stack) -> None:
    oauth = create_client(auth.api_url, auth.service_role_key).auth.admin.oauth
    created = oauth.create_client(
        CreateOAuthClientParams(client_name="From Python", redirect_uris=[REDIRECT])
    ).client
    assert created is not None
    assert created.client_secret
    listed = oauth.list_clients()
    assert listed.clients[0].client_id == created.client_id
    assert listed.total >= 1
    read = oauth.get_client(created.client_id).client
    assert read is not None
    assert (read.client_name, read.client_secret) == ("From Python", None)
    changed = oauth.update_client(created.client_id, UpdateOAuthClientParams(client_name="Renamed")).client
    assert changed is not None
    assert changed.client_name == "Renamed"
    renewed = oauth.regenerate_client_secret(created.client_id).client
    assert renewed is not None
    assert renewed.client_secret not in (None, created.client_secret)
    oauth.delete_client(created.client_id)
    assert created.client_id not in [client.client_id for client in oauth.list_clients().clients]
