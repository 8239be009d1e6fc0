"""`GET /oauth/userinfo`: the user behind an access token, as far as the session's scopes allow."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import features
from localbase.auth.context import Context
from localbase.auth.oauth_server.claims import user_info
from localbase.auth.oauth_server.scopes import parse_scope
from localbase.auth.sessions.callers import require_user


async def read_userinfo(context: Context, request: Request) -> Response:
    """200. A session that was not opened for a client has no scopes: `sub` alone."""
    features.OAUTH_SERVER.require(context.auth)
    async with context.db.begin() as cursor:
        caller = await require_user(context, cursor, request, from_client=True)
    scopes = parse_scope(caller.session.scopes if caller.session else None)
    return JSONResponse(user_info(caller.user, scopes))
