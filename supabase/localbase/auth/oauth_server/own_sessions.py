"""Sessions that a user has opened, as against those that were opened for a client."""

from __future__ import annotations

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.callers import SignedIn, require_user
from localbase.auth.context import Context
from localbase.postgres.service_pool import Cursor


async def require_own_session(context: Context, cursor: Cursor, request: Request) -> SignedIn:
    """The user behind the request. Raises 403 for a client that acts for one."""
    caller = await require_user(context, cursor, request)
    if caller.claims.get("client_id") or (caller.session and caller.session.oauth_client_id):
        raise errors.AuthError(403, "no_authorization", "OAuth clients cannot perform these actions")
    return caller
