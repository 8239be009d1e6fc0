"""Second factors: rows of `auth.mfa_factors`, who may touch them, and what a proven one does to a session.

Upstream: supabase/auth, `internal/api/mfa.go`, `internal/models/factor.go`.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context, id_in_path
from localbase.auth.sessions import callers, sessions
from localbase.auth.tables import audit
from localbase.auth.tables.rows import Factor, FactorType, Session, User, fetch, fetch_all, fetch_one
from localbase.core.auth_settings import FactorSettings, PhoneFactorSettings
from localbase.postgres.service_pool import Cursor

# Upstream's default, which the official CLI has no setting for; it sets the number of all factors.
_MAX_VERIFIED = 10
_UNPROVEN_FOR = timedelta(minutes=5)
_METHODS = {"totp": "totp", "phone": "mfa/phone", "webauthn": "mfa/webauthn"}
_NAMES = {"totp": "TOTP", "phone": "Phone", "webauthn": "WebAuthn"}


@dataclass(frozen=True, slots=True)
class Owner:
    """A signed-in user with the session that the request came in. The user's row is locked."""

    user: User
    session: Session

    @property
    def has_aal2(self) -> bool:
        """Tell whether this session has proven a second factor."""
        return self.session.aal == "aal2"


async def require_owner(context: Context, cursor: Cursor, request: Request) -> Owner:
    """The caller. Raises 403 for anonymous users."""
    caller = await callers.require_user(context, cursor, request)
    if caller.claims.get("is_anonymous") is True:
        raise errors.anonymous_not_allowed()
    if caller.session is None:
        raise errors.session_required_for_factors()
    user = await sessions.lock_user(cursor, caller.user.id)
    if user is None:
        raise errors.user_of_token_not_found()
    return Owner(user, caller.session)


async def require_factor(cursor: Cursor, request: Request, user: User) -> Factor:
    """The user's factor that the path names. Raises 404."""
    factor_id = id_in_path(request, "factor_id")
    await cursor.execute(
        "select * from auth.mfa_factors where id = %s and user_id = %s for update", [factor_id, user.id]
    )
    factor = await fetch(cursor, Factor)
    if factor is None:
        raise errors.AuthError(404, "mfa_factor_not_found", "Factor not found")
    return factor


def require_enabled(context: Context, kind: FactorType, switch: Literal["enroll", "verify"]) -> None:
    """Raises 422 where `[auth.mfa.<kind>]` does not allow it."""
    mfa = context.auth.mfa
    sections: dict[FactorType, FactorSettings | PhoneFactorSettings] = {
        "totp": mfa.totp,
        "phone": mfa.phone,
        "webauthn": mfa.web_authn,
    }
    section = sections[kind]
    if switch == "enroll" and not section.enroll_enabled:
        raise errors.AuthError(
            422, f"mfa_{kind}_enroll_not_enabled", f"MFA enroll is disabled for {_NAMES[kind]}"
        )
    if switch == "verify" and not section.verify_enabled:
        raise errors.AuthError(
            422, f"mfa_{kind}_verify_not_enabled", f"MFA verification is disabled for {_NAMES[kind]}"
        )


async def require_room(context: Context, cursor: Cursor, owner: Owner, name: str) -> None:
    """Raises 422 for a name that is taken and for too many factors, 403 below aal2 where there is a verified one."""
    # Unfinished enrolments are not in the way.
    await cursor.execute(
        """
        delete from auth.mfa_factors as factor where user_id = %s and status <> 'verified' and created_at < %s
          and not exists (select from auth.mfa_challenges where factor_id = factor.id)
        """,
        [owner.user.id, sessions.moment(context.clock()) - _UNPROVEN_FOR],
    )
    present = await of_user(cursor, owner.user)
    if any((factor.friendly_name or "") == name for factor in present):
        quoted = json.dumps(name, ensure_ascii=False)
        text = f"A factor with the friendly name {quoted} for this user already exists"
        raise errors.AuthError(422, "mfa_factor_name_conflict", text)
    verified = [factor for factor in present if factor.status == "verified"]
    if len(present) >= context.auth.mfa.max_enrolled_factors or len(verified) >= _MAX_VERIFIED:
        text = "Maximum number of verified factors reached, unenroll to continue"
        raise errors.AuthError(422, "too_many_enrolled_mfa_factors", text)
    if verified and not owner.has_aal2:
        raise errors.insufficient_aal("AAL2 required to enroll a new factor", 403)


async def insert(
    context: Context,
    cursor: Cursor,
    user: User,
    kind: FactorType,
    name: str,
    *,
    secret: str | None = None,
    phone: str | None = None,
) -> Factor:
    """A new factor, which its first good code verifies."""
    now = sessions.moment(context.clock())
    await cursor.execute(
        """
        insert into auth.mfa_factors
          (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
        values (%s, %s, %s, %s, 'unverified', %s, %s, %s, %s) returning *
        """,
        [uuid.uuid4(), user.id, name, kind, now, now, secret, phone],
    )
    return await fetch_one(cursor, Factor)


async def of_user(cursor: Cursor, user: User) -> list[Factor]:
    """All of the user's factors, the oldest first."""
    await cursor.execute("select * from auth.mfa_factors where user_id = %s order by created_at", [user.id])
    return await fetch_all(cursor, Factor)


async def complete(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor, challenge_id: uuid.UUID
) -> dict[str, Any]:
    """The factor is proven: the token response of the raised session. Other sessions without a second factor end."""
    traits = {
        "factor_id": str(factor.id),
        "challenge_id": str(challenge_id),
        "factor_type": factor.factor_type,
    }
    await audit.record(cursor, request, owner.user, "verification_attempted", traits)
    now = sessions.moment(context.clock())
    await cursor.execute(
        "update auth.mfa_factors set status = 'verified', updated_at = %s where id = %s and status <> 'verified'",
        [now, factor.id],
    )
    await cursor.execute(
        "delete from auth.sessions where user_id = %s and id <> %s and coalesce(aal, 'aal1') < 'aal2'",
        [owner.user.id, owner.session.id],
    )
    await cursor.execute(
        "delete from auth.mfa_factors where user_id = %s and status = 'unverified' and factor_type = %s",
        [owner.user.id, factor.factor_type],
    )
    method = _METHODS[factor.factor_type]
    return await sessions.raise_to_aal2(
        context, cursor, request, owner.session, owner.user, method, factor.id
    )


async def hook_rejection(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor, *, is_right: bool
) -> errors.AuthError | None:
    """The project's hook has rejected the attempt: then all the user's sessions end. None if it goes on."""
    if not context.hooks.is_on("mfa_verification_attempt"):
        return None
    payload = {
        "user_id": str(owner.user.id),
        "factor_id": str(factor.id),
        "factor_type": factor.factor_type,
        "valid": is_right,
    }
    decision = await context.hooks.decide(cursor, request, "mfa_verification_attempt", payload)
    if not decision.rejects:
        return None
    await sessions.end_all(cursor, owner.user.id)
    return errors.AuthError(403, "mfa_verification_rejected", decision.message)


async def delete(cursor: Cursor, factor: Factor) -> None:
    """Takes the factor away; sessions that it has raised are of aal1 again. The caller holds the user's lock."""
    await cursor.execute("delete from auth.mfa_factors where id = %s", [factor.id])
    await cursor.execute(
        """
        delete from auth.mfa_amr_claims where authentication_method = %s
          and session_id in (select id from auth.sessions where user_id = %s and factor_id = %s)
        """,
        [_METHODS[factor.factor_type], factor.user_id, factor.id],
    )
    await cursor.execute(
        "update auth.sessions set aal = 'aal1', factor_id = null where user_id = %s and factor_id = %s",
        [factor.user_id, factor.id],
    )
