"""A new client, registered by an administrator or by itself: `POST /oauth/clients/register` (RFC 7591)."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.context import Context
from localbase.auth.oauth_server import clients
from localbase.auth.oauth_server.client_metadata import read_metadata
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import fetch_one


async def register_client(context: Context, request: Request) -> Response:
    """201, where the project lets clients register themselves."""
    features.OAUTH_SERVER.require(context.auth)
    if not context.auth.oauth_server.allow_dynamic_registration:
        raise errors.AuthError(
            403,
            "oauth_dynamic_client_registration_disabled",
            "Dynamic client registration is not enabled",
        )
    client = await register(context, request, "dynamic")
    # RFC 7591, section 3.2.1: the response holds a secret.
    return JSONResponse(client, 201, {"cache-control": "no-store"})


async def register(
    context: Context, request: Request, registration_type: Literal["dynamic", "manual"]
) -> dict[str, Any]:
    """The client of a request's body as it sees itself, with the secret of a confidential one. Raises 400."""
    try:
        metadata = await read_metadata(request)
        redirect_uris = metadata.require_redirect_uris()
        client_type, method = metadata.kind()
    except errors.AuthError as error:
        if error.code != "validation_failed":
            raise
        # Upstream wraps the error here, and its text begins with the status.
        raise errors.validation_failed(f"400: {error.message}") from error
    secret = clients.new_secret() if client_type == "confidential" else None
    now = moment(context.clock())
    async with context.db.begin() as cursor:
        await cursor.execute(
            """
            insert into auth.oauth_clients (id, client_secret_hash, registration_type, client_type,
              token_endpoint_auth_method, redirect_uris, grant_types, client_name, client_uri, logo_uri,
              created_at, updated_at)
            values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) returning *
            """,
            [
                *(uuid.uuid4(), clients.hash_secret(secret) if secret else None, registration_type),
                *(client_type, method, ",".join(redirect_uris)),
                ",".join(metadata.grant_types or ["authorization_code", "refresh_token"]),
                *(metadata.client_name, metadata.client_uri, metadata.logo_uri, now, now),
            ],
        )
        return clients.to_json(await fetch_one(cursor, clients.Client), secret)
