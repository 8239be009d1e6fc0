"""Challenges of second factors: rows of `auth.mfa_challenges`, good for five minutes, one proof and one address."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any

from psycopg.errors import UniqueViolation
from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.mfa.factors import Owner
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit
from localbase.auth.tables.rows import Factor, FactorChallenge, fetch, fetch_one
from localbase.postgres.service_pool import Cursor

_LIFETIME = timedelta(minutes=5)
_RETENTION = timedelta(days=1)


async def insert(
    context: Context,
    cursor: Cursor,
    request: Request,
    owner: Owner,
    factor: Factor,
    *,
    otp_code: str | None = None,
    webauthn: dict[str, Any] | None = None,
) -> FactorChallenge:
    """A new challenge of the factor, for the caller's address alone. Those of other days go."""
    now = moment(context.clock())
    await cursor.execute(
        "delete from auth.mfa_challenges where factor_id = %s and created_at < %s",
        [factor.id, now - _RETENTION],
    )
    await cursor.execute(
        """
        insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
        values (%s, %s, %s, %s, %s, %s) returning *
        """,
        [uuid.uuid4(), factor.id, now, _address(request), otp_code, webauthn and json.dumps(webauthn)],
    )
    challenge = await fetch_one(cursor, FactorChallenge)
    await _mark_challenged(cursor, factor, now)
    traits = {"factor_id": str(factor.id), "factor_status": factor.status}
    await audit.record(cursor, request, owner.user, "challenge_created", traits)
    return challenge


async def _mark_challenged(cursor: Cursor, factor: Factor, now: datetime) -> None:
    """Write `last_challenged_at`, unique by upstream's schema: the first free microsecond from now."""
    while True:
        try:
            async with cursor.connection.transaction():
                await cursor.execute(
                    "update auth.mfa_factors set last_challenged_at = %s where id = %s", [now, factor.id]
                )
        except UniqueViolation as error:
            if error.diag.constraint_name != "mfa_factors_last_challenged_at_key":
                raise
            now += timedelta.resolution
        else:
            return


def expiry_of(challenge: FactorChallenge) -> datetime:
    """The end of a challenge."""
    return challenge.created_at + _LIFETIME


async def usable(
    context: Context, cursor: Cursor, request: Request, factor: Factor, named: str
) -> FactorChallenge | errors.AuthError:
    """The challenge that a proof names. Returned errors leave a deletion that is to be committed."""
    try:
        challenge_id = uuid.UUID(named) if named else uuid.UUID(int=0)
    except ValueError as error:
        raise errors.bad_json() from error
    await cursor.execute(
        "select * from auth.mfa_challenges where id = %s and factor_id = %s for update",
        [challenge_id, factor.id],
    )
    challenge = await fetch(cursor, FactorChallenge)
    if challenge is None:
        text = "MFA factor with the provided challenge ID not found"
        raise errors.AuthError(422, "mfa_factor_not_found", text)
    if challenge.verified_at is not None or challenge.ip_address != ip_address(_address(request)):
        text = "Challenge and verify IP addresses mismatch."
        raise errors.AuthError(422, "mfa_ip_address_mismatch", text)
    if moment(context.clock()) > expiry_of(challenge):
        await cursor.execute("delete from auth.mfa_challenges where id = %s", [challenge.id])
        text = f"MFA challenge {challenge.id} has expired, verify against another challenge or create a new challenge."
        return errors.AuthError(422, "mfa_challenge_expired", text)
    return challenge


async def mark_verified(context: Context, cursor: Cursor, challenge: FactorChallenge) -> None:
    """Its one proof has come."""
    await cursor.execute(
        "update auth.mfa_challenges set verified_at = %s where id = %s",
        [moment(context.clock()), challenge.id],
    )


def _address(request: Request) -> str:
    return request.client.host if request.client else "0.0.0.0"  # noqa: S104 - no address, not a listener
