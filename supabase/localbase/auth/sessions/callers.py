"""The caller of a request: the user behind a bearer token, with session and claims, or an administrator.

Upstream: supabase/auth, `internal/api/auth.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.sessions.sessions import end_of
from localbase.auth.tables.rows import Session, User, columns_of, row_of
from localbase.postgres.service_pool import Cursor

_FIND = f"""
select {columns_of(User, "u", "user_")}, {columns_of(Session, "s", "session_")}
from auth.users as u left join auth.sessions as s on s.id = %s and s.user_id = u.id
where u.id = %s and u.deleted_at is null
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A signed-in user. `session` is None only for a token that names none."""

    user: User
    session: Session | None
    claims: dict[str, Any]


async def require_user(
    context: Context, cursor: Cursor, request: Request, *, from_client: bool = False
) -> SignedIn:
    """The user behind the request, found in one statement. Raises 401 and 403 as upstream does.

    Raises 403 for an OAuth client that acts for the user too, unless the endpoint is for clients (`from_client`):
    what a user has allowed a client must not become the account.
    """
    claims = context.claims(request)
    subject = claims.get("sub")
    if not subject:
        raise errors.bad_claim("missing sub claim")
    user_id = _uuid(subject)
    if user_id is None:
        raise errors.bad_claim("sub claim must be a UUID", 400)
    named = claims.get("session_id")
    session_id = _uuid(named) if named else None
    if named and session_id is None:
        raise errors.bad_claim("session_id claim must be a UUID")
    await cursor.execute(_FIND.encode(), [session_id, user_id])
    row = await cursor.fetchone()
    if row is None:
        raise errors.user_of_token_not_found()
    if session_id and session_id.int and row["session_id"] is None:
        raise errors.session_not_found()
    user = row_of(User, row, "user_")
    if user.is_banned(context.clock()):
        raise errors.user_banned(403)
    session = row_of(Session, row, "session_") if row["session_id"] is not None else None
    if session is not None and session.oauth_client_id is not None and not from_client:
        raise errors.not_for_oauth_clients()
    return SignedIn(user, session, claims)


async def require_live_admin(context: Context, request: Request) -> None:
    """Raises 403 for all but the service role and users who have such a role, while their session lasts.

    Only the project's own keys count: not those of third parties.
    Upstream: `requireAdminCredentials` in `internal/api/middleware.go`.
    """
    claims = context.claims(request)
    if claims.get("role") not in ("service_role", "supabase_admin"):
        raise errors.not_admin()
    if not claims.get("session_id"):
        return
    async with context.db.begin() as cursor:
        session = (await require_user(context, cursor, request)).session
    if session is not None and end_of(context, session, session.created_at):
        raise errors.AuthError(403, "session_expired", "Session is no longer valid")


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
