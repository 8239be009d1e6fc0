"""`POST /factors/{factor_id}/challenge`: begins the proof of a second factor."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth.context import Context, read_body
from localbase.auth.mfa import challenges, factors, phone_factors, security_keys


async def challenge_factor(context: Context, request: Request) -> Response:
    """The challenge's id and end; for WebAuthn with what the browser is to be given. To a phone an SMS goes out."""
    body = await read_body(request)
    message = None
    extra: dict[str, Any] = {}
    async with context.db.begin() as cursor:
        owner = await factors.require_owner(context, cursor, request)
        factor = await factors.require_factor(cursor, request, owner.user)
        factors.require_enabled(context, factor.factor_type, "verify")
        if factor.factor_type == "phone":
            challenge, message = await phone_factors.challenge(context, cursor, request, owner, factor, body)
        elif factor.factor_type == "webauthn":
            challenge, extra = await security_keys.challenge(context, cursor, request, owner, factor)
        else:
            challenge = await challenges.insert(context, cursor, request, owner, factor)
    if message is not None:
        context.outbox.put(message)
    return JSONResponse(
        {
            "id": str(challenge.id),
            "type": factor.factor_type,
            "expires_at": int(challenges.expiry_of(challenge).timestamp()),
            **extra,
        }
    )
