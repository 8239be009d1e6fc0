"""`POST /token?grant_type=…`: a session for a password, a refresh token, or a PKCE code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import audit, errors, passwords, pkce, sessions, user_store
from localbase.auth.addresses import parse_email
from localbase.auth.context import Context, read_body, text_of

_Grant = Callable[[Context, Request, dict[str, Any]], Awaitable[dict[str, Any] | errors.AuthError]]


async def token(context: Context, request: Request) -> Response | errors.AuthError:
    """Dispatches on the grant."""
    grants: dict[str, _Grant] = {
        "password": _by_password,
        "refresh_token": _by_refresh_token,
        "pkce": _by_code,
    }
    grant = grants.get(request.query_params.get("grant_type", ""))
    if grant is None:
        raise errors.AuthError(400, "invalid_credentials", "unsupported_grant_type")
    session = await grant(context, request, await read_body(request))
    return session if isinstance(session, errors.AuthError) else JSONResponse(session)


async def _by_password(context: Context, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    given, password = text_of(body, "email"), text_of(body, "password")
    if not given:
        if text_of(body, "phone"):
            raise errors.AuthError(422, "phone_provider_disabled", "Phone logins are disabled")
        raise errors.validation_failed("missing email or phone")
    email = parse_email(given)
    async with context.db.begin() as cursor:
        user = await user_store.by_email(cursor, email)
    if not await passwords.matches(password, user.encrypted_password if user else None) or user is None:
        raise errors.invalid_credentials()
    if user.is_banned(context.clock()):
        raise errors.user_banned()
    if user.email_confirmed_at is None:
        raise errors.email_not_confirmed()
    async with context.db.begin() as cursor:
        await audit.record(cursor, request, user, "login", {"provider": "email"})
        return await sessions.open_session(context, cursor, request, user, "password")


async def _by_refresh_token(
    context: Context, request: Request, body: dict[str, Any]
) -> dict[str, Any] | errors.AuthError:
    given = text_of(body, "refresh_token")
    async with context.db.begin() as cursor:
        return await sessions.refresh(context, cursor, request, given)


async def _by_code(context: Context, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    code, verifier = text_of(body, "auth_code"), text_of(body, "code_verifier")
    if not code or not verifier:
        raise errors.validation_failed(
            "invalid request: both auth code and code verifier should be non-empty"
        )
    async with context.db.begin() as cursor:
        flow = await pkce.exchange(context, cursor, code, verifier)
        user = await user_store.by_id(cursor, str(flow.user_id))
        if user is None:
            raise errors.user_not_found()
        await audit.record(cursor, request, user, "login", {"provider_type": flow.provider_type})
        method = "oauth" if flow.authentication_method == "oauth" else "otp"
        session = await sessions.open_session(context, cursor, request, user, method)
    provider_tokens = {
        "provider_token": flow.provider_access_token,
        "provider_refresh_token": flow.provider_refresh_token,
    }
    return session | {name: value for name, value in provider_tokens.items() if value}
