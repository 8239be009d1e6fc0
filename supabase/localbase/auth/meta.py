"""`/health` and `/settings`: what the service is, and what it lets users do."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import features
from localbase.auth.context import Context
from localbase.auth.providers.settings import KNOWN

# Providers that upstream knows and does not list.
_UNLISTED = ("snapchat", "vercel_marketplace", "x")


async def health(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /health."""
    return JSONResponse(
        {"version": "localbase", "name": "GoTrue", "description": "GoTrue as localbase speaks it"}
    )


async def published_keys(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /.well-known/jwks.json: the public keys that tokens are signed by; none where a secret signs them."""
    return JSONResponse(context.signing.published(), headers={"cache-control": "public, max-age=600"})


async def settings(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /settings."""
    auth = context.auth
    return JSONResponse(
        {
            "external": {
                **{name: False for name in KNOWN if name not in _UNLISTED},
                **dict.fromkeys(context.providers, True),
                "email": auth.email.enabled,
                "phone": False,
                "anonymous_users": features.ANONYMOUS_USERS.is_on(auth),
            },
            "disable_signup": not auth.enable_signup,
            "mailer_autoconfirm": not auth.email.enable_confirmations,
            "phone_autoconfirm": False,
            "sms_provider": "",
            "saml_enabled": features.SAML.is_on(auth),
            "saml_private_key_next_configured": False,
            "passkeys_enabled": features.PASSKEYS.is_on(auth),
        }
    )
