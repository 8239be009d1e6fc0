"""Sessions: opened at sign-in, carried on by refresh tokens that rotate, ended at sign-out.

A refresh token is good for one use. Used again within `refresh_token_reuse_interval` (two tabs, a lost answer) it gives
the newest token; later, it is taken for stolen and the whole session ends.
"""

from __future__ import annotations

import secrets
import uuid
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from localbase.auth import errors, user_store
from localbase.auth.context import Context
from localbase.auth.rows import RefreshToken, User, fetch, fetch_one
from localbase.postgres.service_pool import Cursor

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


async def open_session(
    context: Context, cursor: Cursor, request: Request, user: User, method: str
) -> dict[str, Any]:
    """Signs `user` in by `method` (`password`, `otp`, `oauth`, …); the token response."""
    session_id = uuid.uuid4()
    await cursor.execute(
        """
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
        values (%s, %s, now(), now(), 'aal1', %s, %s)
        """,
        [
            session_id,
            user.id,
            request.headers.get("user-agent", ""),
            request.client and request.client.host,
        ],
    )
    await cursor.execute(
        """
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values (%s, %s, now(), now(), %s)
        """,
        [uuid.uuid4(), session_id, method],
    )
    await cursor.execute(
        "update auth.users set last_sign_in_at = now(), updated_at = now() where id = %s returning *",
        [user.id],
    )
    user = await fetch_one(cursor, User)
    await cursor.execute(
        "update auth.identities set last_sign_in_at = now() where user_id = %s and provider = 'email'",
        [user.id],
    )
    token = await _new_refresh_token(cursor, user.id, session_id, None)
    return await _response(context, cursor, user, session_id, token)


async def refresh(context: Context, cursor: Cursor, token: str) -> dict[str, Any] | errors.AuthError:
    """Exchanges a refresh token. A rejection is returned, not raised, so that its revocation is committed.

    Both rows are locked: of a row that is only joined, a request that has waited would still see the old version.
    """
    await cursor.execute(
        """
        select token.*, session.user_id as owner
        from auth.refresh_tokens as token join auth.sessions as session on session.id = token.session_id
        where token.token = %s for update
        """,
        [token],
    )
    found = await fetch(cursor, RefreshToken)
    if found is None:
        return errors.refresh_token_not_found()
    user = await user_store.by_id(cursor, str(found.owner))
    if user is None:
        return errors.refresh_token_not_found()
    session_id = found.session_id
    if not found.revoked:
        fresh = token
        if context.auth.enable_refresh_token_rotation:
            await cursor.execute(
                "update auth.refresh_tokens set revoked = true, updated_at = now() where id = %s",
                [found.id],
            )
            fresh = await _new_refresh_token(cursor, user.id, session_id, token)
    else:
        newest = await _newest_token(cursor, session_id)
        age = context.clock() - found.updated_at.timestamp()
        if newest is None or age > context.auth.refresh_token_reuse_interval:
            await cursor.execute(
                "update auth.refresh_tokens set revoked = true, updated_at = now() "
                "where session_id = %s and not revoked",
                [session_id],
            )
            return errors.refresh_token_already_used()
        fresh = newest
    await cursor.execute(
        "update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now() where id = %s",
        [session_id],
    )
    return await _response(context, cursor, user, session_id, fresh)


async def _response(
    context: Context, cursor: Cursor, user: User, session_id: uuid.UUID, refresh_token: str
) -> dict[str, Any]:
    await cursor.execute(
        "select authentication_method, updated_at from auth.mfa_amr_claims where session_id = %s order by updated_at",
        [session_id],
    )
    methods = [
        {"method": row["authentication_method"], "timestamp": int(row["updated_at"].timestamp())}
        for row in await cursor.fetchall()
    ]
    now = int(context.clock())
    expires_at = now + context.auth.jwt_expiry
    claims = {
        "iss": context.issuer,
        "sub": str(user.id),
        "aud": user.aud,
        "exp": expires_at,
        "iat": now,
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.raw_app_meta_data or {},
        "user_metadata": user.raw_user_meta_data or {},
        "role": user.role,
        "aal": "aal1",
        "amr": methods,
        "session_id": str(session_id),
        "is_anonymous": user.is_anonymous,
    }
    return {
        "access_token": context.signing.sign(claims),
        "token_type": "bearer",
        "expires_in": context.auth.jwt_expiry,
        "expires_at": expires_at,
        "refresh_token": refresh_token,
        "user": await user_store.to_json(cursor, user),
    }


async def _new_refresh_token(
    cursor: Cursor, user_id: uuid.UUID, session_id: uuid.UUID, parent: str | None
) -> str:
    token = "".join(secrets.choice(_ALPHABET) for _ in range(24))
    await cursor.execute(
        """
        insert into auth.refresh_tokens
          (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
        values (%s, %s, %s, false, now(), now(), %s, %s)
        """,
        [uuid.UUID(int=0), token, str(user_id), parent, session_id],
    )
    return token


async def _newest_token(cursor: Cursor, session_id: uuid.UUID) -> str | None:
    await cursor.execute(
        "select token from auth.refresh_tokens where session_id = %s and not revoked order by id desc limit 1",
        [session_id],
    )
    row = await cursor.fetchone()
    return str(row["token"]) if row else None


def moment(seconds: float) -> datetime:
    """A clock's reading as a database time."""
    return datetime.fromtimestamp(seconds, UTC)
