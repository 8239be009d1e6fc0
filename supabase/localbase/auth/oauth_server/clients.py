"""Rows of `auth.oauth_clients`, what administrators and clients see of them, and the client of a token request.

It comes by Basic authentication, by its secret in the body, or, if public, by its id. Upstream:
`internal/api/oauthserver/auth.go`. The error is the same; OAuth libraries read `error` beside it.

A secret is shown once, when it is made. The table holds its SHA-256: it is 256 random bits, which need no slow hash.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.tables.rows import fetch
from localbase.auth.tables.users import time
from localbase.postgres.service_pool import Cursor

ClientType = Literal["public", "confidential"]
AuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]


@dataclass(frozen=True, slots=True)
class Client:
    """`auth.oauth_clients`. `redirect_uris` and `grant_types` are lists with commas, as in upstream's columns."""

    id: UUID
    client_secret_hash: str | None
    registration_type: Literal["dynamic", "manual"]
    client_type: ClientType
    token_endpoint_auth_method: AuthMethod
    redirect_uris: str
    grant_types: str
    client_name: str | None
    client_uri: str | None
    logo_uri: str | None
    created_at: datetime
    updated_at: datetime

    def redirects_to(self, uri: str) -> bool:
        """Tell whether this very address is registered: a prefix or another query is another address."""
        return uri in self.redirect_uris.split(",")

    def may_use(self, grant_type: str) -> bool:
        """Tell whether the client is registered for a grant."""
        return grant_type in self.grant_types.split(",")

    def has_secret(self, secret: str) -> bool:
        """Tell whether this is the client's secret."""
        return hmac.compare_digest(hash_secret(secret), self.client_secret_hash or "")


def new_secret() -> str:
    """A secret to be shown once."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """As the table holds it."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).rstrip(b"=").decode()


async def by_id(cursor: Cursor, client_id: UUID) -> Client | None:
    """The client, unless it was deleted."""
    await cursor.execute("select * from auth.oauth_clients where id = %s and deleted_at is null", [client_id])
    return await fetch(cursor, Client)


def to_json(client: Client, secret: str | None = None) -> dict[str, Any]:
    """The metadata of RFC 7591, and upstream's own. Empty texts are left out, as upstream does."""
    texts = {
        "client_name": client.client_name,
        "client_uri": client.client_uri,
        "logo_uri": client.logo_uri,
    }
    return {
        "client_id": str(client.id),
        **({"client_secret": secret} if secret else {}),
        "client_type": client.client_type,
        "redirect_uris": client.redirect_uris.split(","),
        "token_endpoint_auth_method": client.token_endpoint_auth_method,
        "grant_types": client.grant_types.split(","),
        "response_types": ["code"],
        **{name: text for name, text in texts.items() if text},
        "registration_type": client.registration_type,
        "created_at": time(client.created_at),
        "updated_at": time(client.updated_at),
    }


def summary(client: Client) -> dict[str, Any]:
    """Return what a user sees of a client."""
    texts = {"name": client.client_name, "uri": client.client_uri, "logo_uri": client.logo_uri}
    return {"id": str(client.id), **{name: text for name, text in texts.items() if text}}


@dataclass(frozen=True, slots=True)
class Credentials:
    """As the request has them; '' is none."""

    client_id: str
    secret: str
    method: AuthMethod


def read_credentials(request: Request, body: Mapping[str, str]) -> Credentials:
    """The credentials of a request. Raises 400."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            decoded = base64.b64decode(encoded.strip(), validate=True).decode()
        except (binascii.Error, ValueError) as error:
            raise _rejected("Invalid client credentials: invalid basic auth encoding") from error
        client_id, colon, secret = decoded.partition(":")
        if not colon:
            raise _rejected("Invalid client credentials: invalid basic auth format")
        return Credentials(client_id, secret, "client_secret_basic")
    client_id, secret = body.get("client_id", ""), body.get("client_secret", "")
    if not client_id:
        raise _rejected("Invalid client credentials: client_id is required")
    return Credentials(client_id, secret, "client_secret_post" if secret else "none")


async def authenticate(cursor: Cursor, credentials: Credentials) -> Client:
    """The client, locked against its deletion. Raises 400."""
    try:
        client_id = uuid.UUID(credentials.client_id)
    except ValueError as error:
        raise _rejected("Invalid client_id format") from error
    await cursor.execute(
        "select * from auth.oauth_clients where id = %s and deleted_at is null for share", [client_id]
    )
    client = await fetch(cursor, Client)
    if client is None:
        raise _rejected("Invalid client credentials")
    registered = client.token_endpoint_auth_method
    if credentials.method != registered:
        raise _rejected(
            f"invalid authentication method: client is registered for '{registered}' "
            f"but '{credentials.method}' was used"
        )
    if client.client_type == "confidential" and not client.has_secret(credentials.secret):
        raise _rejected("invalid client credentials")
    return client


def _rejected(message: str) -> errors.AuthError:
    return errors.AuthError(
        400, "invalid_credentials", message, error="invalid_client", error_description=message
    )
