"""`/admin/users/{user_id}/factors`: the service role reads, renames and deletes second factors of a user.

Upstream: supabase/auth, `internal/api/admin.go`.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.channels import parse_phone
from localbase.auth.context import Context, id_in_path, read_body, text_of
from localbase.auth.mfa import factors
from localbase.auth.sessions import sessions
from localbase.auth.tables import audit
from localbase.auth.tables.rows import Factor, User, fetch_one
from localbase.auth.tables.users import factor_json
from localbase.postgres.service_pool import Cursor


async def list_factors(context: Context, request: Request) -> Response:
    """GET: all of them, verified or not."""
    async with context.db.begin() as cursor:
        user = await require_user_of_path(cursor, request)
        return JSONResponse([factor_json(factor) for factor in await factors.of_user(cursor, user)])


async def update_factor(context: Context, request: Request) -> Response:
    """PUT: `friendly_name`, and `phone` of a factor by SMS."""
    body = await read_body(request)
    async with context.db.begin() as cursor:
        user = await require_user_of_path(cursor, request)
        factor = await factors.require_factor(cursor, request, user)
        name, phone = text_of(body, "friendly_name"), text_of(body, "phone")
        number = parse_phone(phone) if phone and factor.factor_type == "phone" else None
        await cursor.execute(
            """
            update auth.mfa_factors
            set friendly_name = coalesce(%s, friendly_name), phone = coalesce(%s, phone), updated_at = %s
            where id = %s returning *
            """,
            [name or None, number, sessions.moment(context.clock()), factor.id],
        )
        changed = await fetch_one(cursor, Factor)
        traits = {"user_id": str(user.id), "factor_id": str(factor.id), "factor_type": factor.factor_type}
        await audit.record(cursor, request, None, "factor_updated", traits)
    return JSONResponse(factor_json(changed))


async def delete_factor(context: Context, request: Request) -> Response:
    """DELETE: the factor as it was. Sessions that it has raised are of aal1 again."""
    async with context.db.begin() as cursor:
        user = await require_user_of_path(cursor, request)
        factor = await factors.require_factor(cursor, request, user)
        traits = {"user_id": str(user.id), "factor_id": str(factor.id)}
        # The actor is the user, as upstream has it.
        await audit.record(cursor, request, user, "factor_deleted", traits)
        await factors.delete(cursor, factor)
    return JSONResponse(factor_json(factor))


async def require_user_of_path(cursor: Cursor, request: Request) -> User:
    """The user whom the path names, locked. Raises 404."""
    user_id = id_in_path(request, "user_id")
    user = await sessions.lock_user(cursor, user_id)
    if user is None:
        raise errors.user_not_found()
    return user
