"""Sessions: opened at sign-in, carried on by refresh tokens that rotate, raised by a second factor, ended at sign-out.

A refresh token is good for one use. The parent of the active one stays good for that active one, for its response may
have been lost; an older one is good within `refresh_token_reuse_interval`, and later taken for stolen: then all the
session's tokens end. Locks are taken in one order: the user, the session, its tokens.

Upstream: supabase/auth, `internal/tokens/service.go`, `internal/models/sessions.go`.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.sessions.access_tokens import token_response
from localbase.auth.tables import audit, refresh_tokens
from localbase.auth.tables.rows import RefreshToken, Session, User, fetch, fetch_one
from localbase.postgres.service_pool import Cursor


async def open_session(
    context: Context,
    cursor: Cursor,
    request: Request,
    user: User,
    method: str,
    *,
    oauth_client_id: uuid.UUID | None = None,
    scopes: str | None = None,
    session_id: uuid.UUID | None = None,
) -> dict[str, Any]:
    """Signs `user` in by `method` (`password`, `otp`, `oauth`, …); the token response. Raises 400 for a banned one."""
    now = moment(context.clock())
    await cursor.execute(
        """
        update auth.users set last_sign_in_at = %s, updated_at = %s
        where id = %s and deleted_at is null returning *
        """,
        [now, now, user.id],
    )
    current = await fetch(cursor, User)
    if current is None:
        raise errors.user_not_found()
    if current.is_banned(context.clock()):
        raise errors.user_banned()
    await cursor.execute(
        """
        insert into auth.sessions
          (id, user_id, created_at, updated_at, aal, user_agent, ip, oauth_client_id, scopes)
        values (%s, %s, %s, %s, 'aal1', %s, %s, %s, %s) returning *
        """,
        [session_id or uuid.uuid4(), user.id, now, now, *_origin(request), oauth_client_id, scopes],
    )
    session = await fetch_one(cursor, Session)
    await _add_method(cursor, session, method, now)
    token = await refresh_tokens.insert(cursor, session, None, now)
    return await token_response(
        context, cursor, request, current, session, refresh_token=token, method=method
    )


async def refresh(
    context: Context, cursor: Cursor, request: Request, token: str, client_id: uuid.UUID | None = None
) -> dict[str, Any] | errors.AuthError:
    """Exchanges a refresh token. A rejection is returned, not raised, so that its revocation is committed.

    `client_id` is the OAuth client that calls: a session that was opened for one is carried on by no other.
    """
    if not refresh_tokens.is_well_formed(token):
        return errors.malformed_refresh_token()
    await cursor.execute(
        """
        select token.id, session.id as session_id, session.user_id
        from auth.refresh_tokens as token left join auth.sessions as session on session.id = token.session_id
        where token.token = %s
        """,
        [token],
    )
    row = await cursor.fetchone()
    if row is None:
        return errors.refresh_token_not_found()
    if row["session_id"] is None:
        await cursor.execute("delete from auth.refresh_tokens where id = %s", [row["id"]])
        return errors.refresh_token_without_session()
    user = await lock_user(cursor, row["user_id"])
    session = await _locked_session(cursor, row["session_id"])
    # Read under the lock: a request that has waited sees what the one before it wrote.
    await cursor.execute("select * from auth.refresh_tokens where id = %s", [row["id"]])
    current = await fetch(cursor, RefreshToken)
    if user is None or session is None or current is None:
        return errors.refresh_token_not_found()
    if user.is_banned(context.clock()):
        return errors.refresh_token_of_banned_user()
    if session.oauth_client_id != client_id:
        return errors.wrong_oauth_client(session.oauth_client_id, client_id)
    if reason := end_of(context, session, current.updated_at):
        return errors.session_expired(reason)
    fresh = await _exchange(context, cursor, request, user, session, current)
    if isinstance(fresh, errors.AuthError):
        return fresh
    now = moment(context.clock())
    await cursor.execute(
        """
        update auth.sessions
        set refreshed_at = %s at time zone 'utc', updated_at = %s, user_agent = %s, ip = %s where id = %s
        """,
        [now, now, *_origin(request), session.id],
    )
    await audit.record(cursor, request, user, "token_refreshed")
    return await token_response(
        context, cursor, request, user, session, refresh_token=fresh, method="token_refresh"
    )


async def raise_to_aal2(
    context: Context,
    cursor: Cursor,
    request: Request,
    session: Session,
    user: User,
    method: str,
    factor_id: uuid.UUID,
) -> dict[str, Any]:
    """The session after a second factor, with tokens that say so. The caller holds the user's lock.

    Its refresh token has no parent: the one from before the factor, which may have been stolen together with the
    password, must never be exchanged for it.
    """
    now = moment(context.clock())
    await cursor.execute(
        "update auth.sessions set aal = 'aal2', factor_id = %s, updated_at = %s where id = %s returning *",
        [factor_id, now, session.id],
    )
    raised = await fetch(cursor, Session)
    if raised is None:
        raise errors.session_not_found()
    await _add_method(cursor, raised, method, now)
    await refresh_tokens.revoke_all(cursor, raised, now)
    token = await refresh_tokens.insert(cursor, raised, None, now)
    return await token_response(context, cursor, request, user, raised, refresh_token=token, method=method)


async def end_all(cursor: Cursor, user_id: uuid.UUID) -> None:
    """Signs the user out everywhere."""
    await cursor.execute("delete from auth.sessions where user_id = %s", [user_id])


async def lock_user(cursor: Cursor, user_id: uuid.UUID) -> User | None:
    """The user, locked until the transaction ends: what changes sessions begins with this."""
    await cursor.execute(
        "select * from auth.users where id = %s and deleted_at is null for no key update", [user_id]
    )
    return await fetch(cursor, User)


async def _exchange(
    context: Context, cursor: Cursor, request: Request, user: User, session: Session, token: RefreshToken
) -> str | errors.AuthError:
    """The session's active token after `token` has come in."""
    now = moment(context.clock())
    if not token.revoked:
        await audit.record(cursor, request, user, "token_revoked")
        await refresh_tokens.revoke(cursor, token, now)
        return await refresh_tokens.insert(cursor, session, token.token, now)
    active = await refresh_tokens.active_token(cursor, session)
    if active is not None:
        if active.parent == token.token:
            return active.token
        in_time = now <= token.updated_at + timedelta(seconds=context.auth.refresh_token_reuse_interval)
        if in_time and not await refresh_tokens.is_from_before_a_second_factor(cursor, token):
            return active.token
    if context.auth.enable_refresh_token_rotation:
        await refresh_tokens.revoke_all(cursor, session, now)
    return errors.refresh_token_already_used()


def end_of(context: Context, session: Session, last_token_at: datetime) -> str | None:
    """The reason of the session's end, in upstream's words; None while it goes on. It may never have been refreshed."""
    now, limits = moment(context.clock()), context.auth.sessions
    if session.not_after is not None and now > session.not_after:
        return "Session Expired"
    if limits.timebox and now > session.created_at + timedelta(seconds=limits.timebox):
        return "Session Expired"
    used = (
        session.refreshed_at.replace(tzinfo=UTC)
        if session.refreshed_at
        else max(session.created_at, last_token_at)
    )
    if limits.inactivity_timeout and now > used + timedelta(seconds=limits.inactivity_timeout):
        return "Session Expired (Inactivity)"
    return None


async def _locked_session(cursor: Cursor, session_id: uuid.UUID) -> Session | None:
    await cursor.execute("select * from auth.sessions where id = %s for update", [session_id])
    return await fetch(cursor, Session)


async def _add_method(cursor: Cursor, session: Session, method: str, now: datetime) -> None:
    await cursor.execute(
        """
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values (%s, %s, %s, %s, %s)
        on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at
        """,
        [uuid.uuid4(), session.id, now, now, method],
    )


def _origin(request: Request) -> tuple[str | None, str | None]:
    """The caller's user agent and address."""
    return request.headers.get("user-agent") or None, request.client.host if request.client else None


def moment(seconds: float) -> datetime:
    """A clock's reading as a database time."""
    return datetime.fromtimestamp(seconds, UTC)
