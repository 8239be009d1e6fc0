"""`POST /resend`, `/recover`, `/otp`: mails that a user requests. No response discloses whether an address is known."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, one_time_tokens, pkce, user_store
from localbase.auth.addresses import parse_email, parse_redirect
from localbase.auth.context import Context, read_body, text_of

_FLOWS = {"signup": "email/signup", "recovery": "recovery", "magiclink": "magiclink"}


async def resend(context: Context, request: Request) -> Response:
    """The verification mail once more, to an address that is not verified yet."""
    body = await read_body(request)
    if text_of(body, "type") != "signup":
        raise errors.validation_failed("Missing one of these types: signup")
    return await _mail(context, request, body, "signup", unconfirmed_only=True)


async def recover(context: Context, request: Request) -> Response:
    """A link to choose a new password."""
    return await _mail(context, request, await read_body(request), "recovery")


async def sign_in_by_link(context: Context, request: Request) -> Response:
    """A sign-in link to a known address."""
    return await _mail(context, request, await read_body(request), "magiclink")


async def _mail(
    context: Context, request: Request, body: dict[str, Any], kind: str, *, unconfirmed_only: bool = False
) -> Response:
    email = parse_email(text_of(body, "email"))
    challenge = pkce.read_challenge(body)
    redirect_to = parse_redirect(request.query_params.get("redirect_to"), context.auth)
    async with context.db.begin() as cursor:
        user = await user_store.by_email(cursor, email)
        if user is not None and not (unconfirmed_only and user.email_confirmed_at):
            if challenge is not None:
                await pkce.begin(cursor, user, challenge, _FLOWS[kind])
            await one_time_tokens.mail_token(
                context, cursor, user, kind, redirect_to, pkce=challenge is not None
            )
    return JSONResponse({})
