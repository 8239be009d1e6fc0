"""`POST /factors/{factor_id}/challenge` and `/verify`: the proof of a second factor, which raises the session to aal2.

Wrong codes are counted for each user over all of the user's factors and addresses. 15 a minute are upstream's
(`GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`); 100 an hour are ours: at any time three codes of a million are good, and
900 tries an hour would find one with a probability of 0.3 %.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.mfa import challenges, factors, phone_factors, security_keys, totp
from localbase.auth.mfa.factors import Owner
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import Factor, FactorChallenge, User
from localbase.postgres.service_pool import Cursor

_IN_MINUTE, _IN_HOUR = 15, 100
_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)


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


async def verify_factor(context: Context, request: Request) -> Response | errors.AuthError:
    """The token response. A wrong code is counted, which is why its error is returned."""
    body = await read_body(request)
    async with context.db.begin() as cursor:
        owner = await factors.require_owner(context, cursor, request)
        factor = await factors.require_factor(cursor, request, owner.user)
        prove = security_keys.verify if factor.factor_type == "webauthn" else _by_code
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
    await _require_attempts_left(context, cursor, owner.user)
    is_right = await _is_right(context, cursor, factor, challenge, code)
    rejected = await factors.hook_rejection(context, cursor, request, owner, factor, is_right=is_right)
    if rejected is not None:
        return rejected
    if not is_right:
        await _count_wrong(context, cursor, owner.user)
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


async def _require_attempts_left(context: Context, cursor: Cursor, user: User) -> None:
    """Raises 429 where too many codes were wrong. The caller holds the user's lock, so that no try goes uncounted."""
    now = moment(context.clock())
    await cursor.execute(
        """
        select from _localbase.factor_attempts
        where user_id = %s and (minute_from > %s and in_minute >= %s or hour_from > %s and in_hour >= %s)
        """,
        [user.id, now - _MINUTE, _IN_MINUTE, now - _HOUR, _IN_HOUR],
    )
    if await cursor.fetchone() is not None:
        raise errors.over_request_rate()


async def _count_wrong(context: Context, cursor: Cursor, user: User) -> None:
    """Counts one. The caller commits it: the error is returned, not raised."""
    now = moment(context.clock())
    await cursor.execute(
        """
        insert into _localbase.factor_attempts as tries values (%(user)s, %(now)s, 1, %(now)s, 1)
        on conflict (user_id) do update set
          in_minute = case when tries.minute_from > %(minute)s then tries.in_minute + 1 else 1 end,
          minute_from = case when tries.minute_from > %(minute)s then tries.minute_from else %(now)s end,
          in_hour = case when tries.hour_from > %(hour)s then tries.in_hour + 1 else 1 end,
          hour_from = case when tries.hour_from > %(hour)s then tries.hour_from else %(now)s end
        """,
        {"user": user.id, "now": now, "minute": now - _MINUTE, "hour": now - _HOUR},
    )
