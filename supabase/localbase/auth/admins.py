"""Who may administer: the service role, and users who have such a role, for as long as their session lasts.

Upstream: supabase/auth, `requireAdminCredentials` in `internal/api/middleware.go`.
"""

from __future__ import annotations

from starlette.requests import Request

from localbase.auth import callers, errors
from localbase.auth.context import Context
from localbase.auth.sessions import end_of


async def require_live_admin(context: Context, request: Request) -> None:
    """Raises 403 for all others."""
    callers.require_admin(context, request)
    if not context.claims(request).get("session_id"):
        return
    async with context.db.begin() as cursor:
        session = (await callers.require_user(context, cursor, request)).session
    if session is not None and end_of(context, session, session.created_at):
        raise errors.AuthError(403, "session_expired", "Session is no longer valid")
