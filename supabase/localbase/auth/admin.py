"""`/admin/users`: the service role lists, reads and deletes users. What it makes and changes is in `save_user`.

Upstream: supabase/auth, `internal/api/admin.go`.
"""

from __future__ import annotations

import uuid

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import audit, deletion, errors, user_store
from localbase.auth.context import Context, flag_of, read_body
from localbase.auth.paging import read_order, read_page
from localbase.auth.rows import User, fetch, fetch_all
from localbase.postgres.service_pool import Cursor

_LISTED = """
from auth.users where aud = %(audience)s and instance_id = '00000000-0000-0000-0000-000000000000'
  and (%(pattern)s::text is null or email like %(pattern)s or raw_user_meta_data ->> 'full_name' ilike %(pattern)s)
"""


async def list_users(context: Context, request: Request) -> Response:
    """GET: one page, the newest first. `filter` is a part of the address or of the full name."""
    order = read_order(request, frozenset(("created_at",)), "created_at desc")
    page = read_page(request)
    audience, text = audience_of(request), request.query_params.get("filter")
    values = {
        "audience": audience,
        "pattern": f"%{text}%" if text else None,
        "limit": page.size,
        "offset": page.offset,
    }
    async with context.db.begin() as cursor:
        await cursor.execute(f"select count(*) as total {_LISTED}".encode(), values)
        [counted] = await cursor.fetchall()
        await cursor.execute(
            f"select * {_LISTED} order by {order}, id limit %(limit)s offset %(offset)s".encode(), values
        )
        users = await user_store.all_to_json(cursor, await fetch_all(cursor, User))
    return JSONResponse(
        {"users": users, "aud": audience}, headers=page.headers(request, int(counted["total"]))
    )


async def read_user(context: Context, request: Request) -> Response:
    """GET one."""
    async with context.db.begin() as cursor:
        return JSONResponse(await user_store.to_json(cursor, await require_user_of_path(cursor, request)))


async def delete_user(context: Context, request: Request) -> Response:
    """DELETE: with everything that hangs on the user, or (`should_soft_delete`) leaving a row without personal data."""
    is_soft = flag_of(await read_body(request), "should_soft_delete")
    async with context.db.begin() as cursor:
        user = await require_user_of_path(cursor, request)
        traits = {"user_id": str(user.id), "user_email": user.email or "", "user_phone": user.phone or ""}
        await audit.record(cursor, request, None, "user_deleted", traits)
        if not is_soft:
            await cursor.execute("delete from auth.users where id = %s", [user.id])
        elif user.deleted_at is None:
            await deletion.soft_delete(cursor, user)
    return JSONResponse({})


async def require_user_of_path(cursor: Cursor, request: Request) -> User:
    """The user that the path names, deleted ones too, locked. Raises 404."""
    try:
        user_id = uuid.UUID(request.path_params["user_id"])
    except ValueError as error:
        raise errors.validation_failed("user_id must be an UUID", 404) from error
    await cursor.execute("select * from auth.users where id = %s for update", [user_id])
    user = await fetch(cursor, User)
    if user is None:
        raise errors.user_not_found()
    return user


def audience_of(request: Request) -> str:
    """Whose users: those of the usual audience, or of the one that a header names."""
    return request.headers.get("x-jwt-aud") or user_store.AUDIENCE
