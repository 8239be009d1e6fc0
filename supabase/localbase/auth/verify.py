"""`/verify`: what a mail's link leads to (GET), and the same for a code typed in (POST).

The link sends the browser on: with a code to exchange (PKCE), with tokens in the fragment (implicit flow), or with the
error in both query and fragment, where clients of either flow look.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from localbase.auth import errors, one_time_tokens, pkce, sessions, user_store
from localbase.auth.addresses import parse_email, parse_redirect, with_error, with_fragment, with_query
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.rows import User
from localbase.postgres.service_pool import Cursor

_ALIASES = {"email": "signup", "invite": "signup"}
_FLOWS = {"signup": "email/signup", "recovery": "recovery", "magiclink": "magiclink"}


async def follow_link(context: Context, request: Request) -> Response:
    """GET: redirects to `redirect_to`."""
    query = request.query_params
    redirect_to = parse_redirect(query.get("redirect_to"), context.auth)
    try:
        kind = _kind(query.get("type", ""))
        token = query.get("token") or query.get("token_hash") or ""
        if not token:
            raise errors.validation_failed("Verify requires a token or a token hash")
        async with context.db.begin() as cursor:
            user = await _redeem(context, cursor, kind, token)
            if one_time_tokens.is_pkce(token):
                code = await pkce.issue_code(cursor, user, _FLOWS[kind])
                return RedirectResponse(with_query(redirect_to, {"code": code}), 303)
            session = await sessions.open_session(context, cursor, request, user, "otp")
    except errors.AuthError as error:
        return RedirectResponse(with_error(redirect_to, error), 303)
    values = {
        name: str(session[name]) for name in ("access_token", "expires_at", "expires_in", "refresh_token")
    }
    return RedirectResponse(with_fragment(redirect_to, values | {"token_type": "bearer", "type": kind}), 303)


async def verify_code(context: Context, request: Request) -> Response:
    """POST: a session for `{type, token_hash}` or `{type, email, token}`."""
    body = await read_body(request)
    kind = _kind(text_of(body, "type"))
    token_hash = text_of(body, "token_hash")
    async with context.db.begin() as cursor:
        if token_hash:
            user = await _redeem(context, cursor, kind, token_hash)
        else:
            user = await _redeem_code(context, cursor, kind, body)
        return JSONResponse(await sessions.open_session(context, cursor, request, user, "otp"))


async def _redeem_code(context: Context, cursor: Cursor, kind: str, body: dict[str, Any]) -> User:
    code = text_of(body, "token")
    if not code or not text_of(body, "email"):
        raise errors.validation_failed(
            "Only the token_hash and type should be provided" if not code else "Verify requires an email"
        )
    plain = one_time_tokens.hash_token(parse_email(text_of(body, "email")), code)
    try:
        async with cursor.connection.transaction():
            return await _redeem(context, cursor, kind, plain)
    except errors.AuthError:
        # The mail may have been requested by a client that uses PKCE; its code is good all the same.
        return await _redeem(context, cursor, kind, f"pkce_{plain}")


async def _redeem(context: Context, cursor: Cursor, kind: str, token_hash: str) -> User:
    user = await one_time_tokens.redeem(context, cursor, kind, token_hash)
    return await user_store.confirm_email(cursor, user)


def _kind(given: str) -> str:
    kind = _ALIASES.get(given, given)
    if kind not in one_time_tokens.KINDS:
        raise errors.validation_failed("Verify requires a verification type")
    return kind
