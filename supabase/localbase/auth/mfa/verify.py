"""`POST /factors/{factor_id}/verify`: a proof of a second factor, which raises the session to aal2."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.mfa import attempts, challenges, factors, phone_factors, totp
from localbase.auth.mfa.factors import Owner
from localbase.auth.mfa.security_keys import verify as _by_key
from localbase.auth.tables.rows import Factor, FactorChallenge
from localbase.postgres.service_pool import Cursor


async def verify_factor(context: Context, request: Request) -> Response | errors.AuthError:
    """The token response. A wrong code is counted, which is why its error is returned."""
    body = await read_body(request)
    async with context.db.begin() as cursor:
        owner = await factors.require_owner(context, cursor, request)
        factor = await factors.require_factor(cursor, request, owner.user)
        prove = _by_key if factor.factor_type == "webauthn" else _by_code
        raised = await prove(context, cursor, request, owner, factor, body)
    if isinstance(raised, errors.AuthError):
        return raised
    if factor.status == "unverified":
        kind = factor.factor_type
        context.outbox.put(*notification(context, owner.user, "mfa_factor_enrolled", FactorType=kind))
    return JSONResponse(raised)


async def _by_code(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor, body: dict[str, Any]
) -> dict[str, Any] | errors.AuthError:
    code = text_of(body, "code")
    if not code:
        raise errors.validation_failed("Code needs to be non-empty")
    factors.require_enabled(context, factor.factor_type, "verify")
    named = text_of(body, "challenge_id")
    challenge = await challenges.usable(context, cursor, request, factor, named)
    if isinstance(challenge, errors.AuthError):
        return challenge
    await attempts.require_left(context, cursor, owner.user)
    is_right = await _is_right(context, cursor, factor, challenge, code)
    rejected = await factors.hook_rejection(context, cursor, request, owner, factor, is_right=is_right)
    if rejected is not None:
        return rejected
    if not is_right:
        await attempts.count_wrong(context, cursor, owner.user)
        kind = "TOTP" if factor.factor_type == "totp" else "MFA Phone"
        return errors.mfa_verification_failed(f"Invalid {kind} code entered")
    await challenges.mark_verified(context, cursor, challenge)
    return await factors.complete(context, cursor, request, owner, factor, challenge.id)


async def _is_right(
    context: Context, cursor: Cursor, factor: Factor, challenge: FactorChallenge, code: str
) -> bool:
    if factor.factor_type == "phone":
        return phone_factors.is_right(challenge, code)
    try:
        time_step = totp.time_step_of(factor.secret or "", code, context.clock())
    except totp.UnreadableSecret as error:
        text = "Database error verifying MFA TOTP secret"
        raise errors.AuthError(500, "unexpected_failure", text) from error
    return time_step is not None and await totp.use(cursor, factor.id, time_step)
