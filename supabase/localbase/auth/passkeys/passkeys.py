"""Passkeys: keys that sign in without a password. Their rows and challenges, and who may touch them.

Upstream: supabase/auth, `internal/api/passkey_*.go`, `internal/models/webauthn_*.go`.
"""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta
from typing import Any, Literal

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context, object_of, text_of
from localbase.auth.mfa import factors
from localbase.auth.sessions import callers, sessions
from localbase.auth.sessions.callers import SignedIn
from localbase.auth.tables.rows import Passkey, PasskeyChallenge, User, fetch, fetch_all, fetch_one
from localbase.auth.tables.users import time
from localbase.auth.webauthn import Credential
from localbase.postgres.service_pool import Cursor

MOST = 10
_LIFETIME = timedelta(minutes=5)
# Until then a late response gets the error that says so.
_RETENTION = timedelta(hours=1)


async def require_manager(context: Context, cursor: Cursor, request: Request) -> SignedIn:
    """A caller who may add and delete passkeys; the user's row is locked. Raises 403 below aal2 with second factors."""
    caller = await callers.require_user(context, cursor, request)
    await sessions.lock_user(cursor, caller.user.id)
    verified = any(factor.status == "verified" for factor in await factors.of_user(cursor, caller.user))
    if verified and (caller.session is None or caller.session.aal != "aal2"):
        text = "AAL2 session is required to manage passkeys when MFA is enabled"
        raise errors.insufficient_aal(text, 403)
    return caller


async def require_registrant(context: Context, cursor: Cursor, request: Request) -> User:
    """A caller who may add a passkey. Raises 403 for anonymous users, 422 for those of single sign-on."""
    caller = await require_manager(context, cursor, request)
    if caller.claims.get("is_anonymous") is True:
        raise errors.anonymous_not_allowed()
    if caller.user.is_sso_user:
        raise errors.validation_failed("SSO users cannot register passkeys", 422)
    return caller.user


async def require_passkey(cursor: Cursor, request: Request, user: User) -> Passkey:
    """The user's passkey that the path names. Raises 404."""
    not_found = errors.AuthError(404, "validation_failed", "Passkey not found")
    try:
        passkey_id = uuid.UUID(request.path_params["passkey_id"])
    except ValueError as error:
        raise not_found from error
    await cursor.execute(
        "select * from auth.webauthn_credentials where id = %s and user_id = %s for update",
        [passkey_id, user.id],
    )
    passkey = await fetch(cursor, Passkey)
    if passkey is None:
        raise not_found
    return passkey


async def of_user(cursor: Cursor, user: User) -> list[Passkey]:
    """All of the user's passkeys, the oldest first."""
    await cursor.execute(
        "select * from auth.webauthn_credentials where user_id = %s order by created_at", [user.id]
    )
    return await fetch_all(cursor, Passkey)


def require_room(present: list[Passkey]) -> None:
    """Raises 422 for one more than a user may have."""
    if len(present) >= MOST:
        raise errors.AuthError(422, "too_many_passkeys", "Maximum number of passkeys reached")


async def insert(cursor: Cursor, user: User, made: Credential, name: str, now: datetime) -> Passkey:
    """A new passkey. Raises 422 for a key that some user has already."""
    await cursor.execute(
        """
        insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid,
          sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)
        values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        on conflict (credential_id) do nothing returning *
        """,
        [
            *(user.id, made.id, made.public_key, made.attestation_type, made.aaguid, made.sign_count),
            *(json.dumps(made.transports), made.backup_eligible, made.backed_up, name, now, now),
        ],
    )
    passkey = await fetch(cursor, Passkey)
    if passkey is None:
        text = "This credential is already registered"
        raise errors.AuthError(422, "webauthn_credential_exists", text)
    return passkey


async def delete(cursor: Cursor, passkey: Passkey) -> None:
    """Takes it away."""
    await cursor.execute("delete from auth.webauthn_credentials where id = %s", [passkey.id])


def passkey_json(passkey: Passkey) -> dict[str, Any]:
    """A passkey as clients see it."""
    return {
        "id": str(passkey.id),
        **({"friendly_name": passkey.friendly_name} if passkey.friendly_name else {}),
        "created_at": time(passkey.created_at),
        **({"last_used_at": time(passkey.last_used_at)} if passkey.last_used_at else {}),
    }


async def new_challenge(
    context: Context,
    cursor: Cursor,
    kind: Literal["registration", "authentication"],
    user: User | None,
    options: dict[str, Any],
    session: dict[str, Any],
) -> dict[str, Any]:
    """Stores a challenge; the response that carries it to the browser."""
    now = sessions.moment(context.clock())
    await cursor.execute("delete from auth.webauthn_challenges where expires_at < %s", [now - _RETENTION])
    await cursor.execute(
        """
        insert into auth.webauthn_challenges (user_id, challenge_type, session_data, created_at, expires_at)
        values (%s, %s, %s, %s, %s) returning *
        """,
        [user and user.id, kind, json.dumps(session), now, now + _LIFETIME],
    )
    challenge = await fetch_one(cursor, PasskeyChallenge)
    return {
        "challenge_id": str(challenge.id),
        "options": options,
        "expires_at": int(challenge.expires_at.timestamp()),
    }


async def use_challenge(
    context: Context,
    cursor: Cursor,
    body: dict[str, Any],
    kind: Literal["registration", "authentication"],
    user: User | None,
) -> tuple[PasskeyChallenge, dict[str, Any]] | errors.AuthError:
    """The challenge that a response names, and the response. It is used up: returned errors are to be committed."""
    named, credential = text_of(body, "challenge_id"), object_of(body, "credential")
    if not named:
        raise errors.validation_failed("challenge_id is required")
    if not credential:
        raise errors.validation_failed("credential is required")
    try:
        challenge_id = uuid.UUID(named)
    except ValueError as error:
        raise errors.validation_failed("challenge_id must be a valid UUID") from error
    await cursor.execute(
        """
        delete from auth.webauthn_challenges
        where id = %s and challenge_type = %s and user_id is not distinct from %s returning *
        """,
        [challenge_id, kind, user and user.id],
    )
    challenge = await fetch(cursor, PasskeyChallenge)
    if challenge is None:
        text = "Challenge not found or already used"
        raise errors.AuthError(400, "webauthn_challenge_not_found", text)
    if sessions.moment(context.clock()) > challenge.expires_at:
        return errors.AuthError(400, "webauthn_challenge_expired", "Challenge has expired")
    return challenge, credential
