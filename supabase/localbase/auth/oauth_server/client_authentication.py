"""The client of a token request: by Basic authentication, by its secret in the body, or, if public, by its id.

Upstream: `internal/api/oauthserver/auth.go`. Its error is the same; OAuth libraries read `error` beside it.
"""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.oauth_server.clients import AuthMethod, Client
from localbase.auth.tables.rows import fetch
from localbase.postgres.service_pool import Cursor


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
