"""`POST /oauth/clients/register`: a client registers itself (RFC 7591), where the project lets it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.context import Context
from localbase.auth.oauth_server.registration import register


async def register_client(context: Context, request: Request) -> Response:
    """201."""
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
