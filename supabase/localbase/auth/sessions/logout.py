"""`POST /logout?scope=global|local|others`: ends sessions; their refresh tokens go with them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.sessions import callers, sessions
from localbase.auth.tables import audit

_SCOPES = {
    "global": "delete from auth.sessions where user_id = %(user)s",
    "local": "delete from auth.sessions where user_id = %(user)s and id = %(session)s",
    "others": "delete from auth.sessions where user_id = %(user)s and id <> %(session)s",
}


async def logout(context: Context, request: Request) -> Response:
    """204."""
    scope = request.query_params.get("scope") or "global"
    if scope not in _SCOPES:
        raise errors.validation_failed(f'Unsupported logout scope "{scope}"')
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request, from_client=True)
        await sessions.lock_user(cursor, caller.user.id)
        await audit.record(cursor, request, caller.user, "logout")
        # A token that names no session can single none out.
        statement = _SCOPES[scope if caller.session else "global"]
        if caller.session and caller.session.oauth_client_id:
            statement = _SCOPES["local"]
        await cursor.execute(
            statement.encode(), {"user": caller.user.id, "session": caller.session and caller.session.id}
        )
    return Response(status_code=204)
