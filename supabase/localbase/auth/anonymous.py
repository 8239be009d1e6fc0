"""`POST /signup` without an address: a user without a way to sign in again, until an address or an identity is added.

Upstream: supabase/auth, `internal/api/anonymous.go`.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features, new_users, sessions, user_store
from localbase.auth.context import Context, object_of


async def sign_up(context: Context, request: Request, body: dict[str, Any]) -> Response:
    """A session for a new user without a provider, whose token says `is_anonymous`."""
    features.ANONYMOUS_USERS.require(context.auth)
    await context.limits.require("anonymous", request)
    if not context.auth.enable_signup:
        raise errors.signup_disabled()
    new = user_store.NewUser(metadata=object_of(body, "data"), is_anonymous=True)
    async with context.db.begin() as cursor:
        user = await new_users.create(context, cursor, request, new)
        return JSONResponse(await sessions.open_session(context, cursor, request, user, "anonymous"))
