"""Rows of `auth.oauth_clients`, and what administrators and clients see of them.

A secret is shown once, when it is made. The table holds its SHA-256: it is 256 random bits, which need no slow hash.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

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
