"""`POST /token?grant_type=…`: a session for a password, a refresh token, or a PKCE code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.channels import EMAIL, LONGEST_EMAIL, channel_in, plain_number
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.external import id_tokens
from localbase.auth.sessions import pkce, sessions
from localbase.auth.tables import audit, users
from localbase.auth.tables.rows import User
from localbase.auth.users import passwords

_Grant = Callable[[Context, Request, dict[str, Any]], Awaitable[dict[str, Any] | errors.AuthError]]


async def token(context: Context, request: Request) -> Response | errors.AuthError:
    """Dispatches on the grant."""
    grants: dict[str, _Grant] = {
        "password": _by_password,
        "refresh_token": _by_refresh_token,
        "pkce": _by_code,
        "id_token": id_tokens.by_id_token,
        "web3": _by_wallet,
    }
    grant = grants.get(request.query_params.get("grant_type", ""))
    if grant is None:
        raise errors.AuthError(400, "invalid_credentials", "unsupported_grant_type")
    session = await grant(context, request, await read_body(request))
    return session if isinstance(session, errors.AuthError) else JSONResponse(session)


async def _by_wallet(context: Context, request: Request, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    features.WEB3.require(context.auth)
    raise AssertionError("there are no wallets")


async def _by_password(context: Context, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    password = text_of(body, "password")
    named = channel_in(body, "Only an email address or phone number should be provided on login.")
    if named is None:
        raise errors.validation_failed("missing email or phone")
    channel, text = named
    channel.require_enabled(context, "logins", 422)
    # As upstream: an address that no account can have is one without an account.
    account = text.lower().encode(errors="replace").decode() if channel is EMAIL else plain_number(text)
    if len(account) > LONGEST_EMAIL:
        raise errors.invalid_credentials()
    await context.limits.require_password_pause(account, request)
    async with context.db.begin() as cursor:
        user = await users.by_address(cursor, channel.name, account)
    is_right = await passwords.matches(password, user.encrypted_password if user else None)
    await context.limits.record_password(account, request, is_right=is_right)
    if user is not None and (rejected := await _hook_rejection(context, request, user, is_right=is_right)):
        raise rejected
    if not is_right or user is None:
        raise errors.invalid_credentials()
    if user.is_banned(context.clock()):
        raise errors.user_banned()
    if not channel.is_confirmed(user):
        raise channel.not_confirmed()
    async with context.db.begin() as cursor:
        await audit.record(cursor, request, user, "login", {"provider": channel.name})
        session = await sessions.open_session(context, cursor, request, user, "password")
    weakness = passwords.weakness_of(password, context.auth)
    if weakness is None or weakness.code != "weak_password":
        return session
    # Rules that came after the password: the client may ask its user for a better one.
    return session | {"weak_password": {"message": weakness.message, **weakness.extra["weak_password"]}}


async def _hook_rejection(
    context: Context, request: Request, user: User, *, is_right: bool
) -> errors.AuthError | None:
    """The project's hook has rejected the attempt. None if it goes on."""
    if not context.hooks.is_on("password_verification_attempt"):
        return None
    payload = {"user_id": str(user.id), "valid": is_right}
    async with context.db.begin() as cursor:
        decision = await context.hooks.decide(cursor, request, "password_verification_attempt", payload)
        if decision.rejects and decision.signs_out:
            await sessions.end_all(cursor, user.id)
    return errors.AuthError(400, "invalid_credentials", decision.message) if decision.rejects else None


async def _by_refresh_token(
    context: Context, request: Request, body: dict[str, Any]
) -> dict[str, Any] | errors.AuthError:
    refresh_token = text_of(body, "refresh_token")
    async with context.db.begin() as cursor:
        return await sessions.refresh(context, cursor, request, refresh_token)


async def _by_code(context: Context, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    code, verifier = text_of(body, "auth_code"), text_of(body, "code_verifier")
    if not code or not verifier:
        raise errors.validation_failed(
            "invalid request: both auth code and code verifier should be non-empty"
        )
    async with context.db.begin() as cursor:
        flow = await pkce.exchange(context, cursor, code, verifier)
        user = await users.by_id(cursor, str(flow.user_id))
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
