"""`/admin/users`: the service role lists, makes, reads, changes and deletes users."""

from __future__ import annotations

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, identity_store, passwords, user_store
from localbase.auth.addresses import parse_email
from localbase.auth.callers import require_admin
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.rows import User, fetch_all
from localbase.postgres.service_pool import Cursor


async def list_users(context: Context, request: Request) -> Response:
    """GET: one page, newest first."""
    require_admin(context, request)
    page = max(1, _number(request, "page", 1))
    size = min(1000, max(1, _number(request, "per_page", 50)))
    async with context.db.begin() as cursor:
        await cursor.execute("select count(*) as total from auth.users where deleted_at is null")
        total = (await cursor.fetchone() or {"total": 0})["total"]
        await cursor.execute(
            "select * from auth.users where deleted_at is null order by created_at desc, id limit %s offset %s",
            [size, (page - 1) * size],
        )
        found = await user_store.all_to_json(cursor, await fetch_all(cursor, User))
    return JSONResponse({"users": found, "aud": user_store.AUDIENCE}, headers={"x-total-count": str(total)})


def _number(request: Request, name: str, default: int) -> int:
    given = request.query_params.get(name) or str(default)
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise errors.validation_failed(f"Bad Pagination Parameters: {name} is no number")
    return int(given)


async def create_user(context: Context, request: Request) -> Response:
    """POST: `email`, `password`, `email_confirm`, `user_metadata`, `app_metadata`."""
    require_admin(context, request)
    body = await read_body(request)
    email = parse_email(text_of(body, "email"))
    password = text_of(body, "password")
    hashed = await passwords.hash_password(password) if password else None
    async with context.db.begin() as cursor:
        if await user_store.by_email(cursor, email) is not None:
            raise errors.AuthError(
                422, "email_exists", "A user with this email address has already been registered"
            )
        new = user_store.NewUser(
            email=email,
            password_hash=hashed or "",
            metadata=object_of(body, "user_metadata"),
            providers=("email",),
        )
        user = await user_store.insert(cursor, new)
        await identity_store.add(cursor, user.id, "email", identity_store.own_claims(user.id, email=email))
        if body.get("email_confirm") is True:
            user = await user_store.mark_confirmed(cursor, user)
        return JSONResponse(await _change(cursor, user, {"app_metadata": object_of(body, "app_metadata")}))


async def read_user(context: Context, request: Request) -> Response:
    """GET one."""
    require_admin(context, request)
    async with context.db.begin() as cursor:
        return JSONResponse(await user_store.to_json(cursor, await _find(cursor, request)))


async def update_user(context: Context, request: Request) -> Response:
    """PUT: the same fields as POST, each optional."""
    require_admin(context, request)
    body = await read_body(request)
    password = text_of(body, "password")
    hashed = await passwords.hash_password(password) if password else None
    async with context.db.begin() as cursor:
        user = await _find(cursor, request)
        if body.get("email_confirm") is True:
            user = await user_store.mark_confirmed(cursor, user)
        if hashed:
            await cursor.execute(
                "update auth.users set encrypted_password = %s where id = %s", [hashed, user.id]
            )
        return JSONResponse(await _change(cursor, user, body))


async def delete_user(context: Context, request: Request) -> Response:
    """DELETE: with everything that hangs on the user."""
    require_admin(context, request)
    async with context.db.begin() as cursor:
        user = await _find(cursor, request)
        await cursor.execute("delete from auth.users where id = %s", [user.id])
    return JSONResponse({})


async def _change(cursor: Cursor, user: User, body: dict[str, Any]) -> dict[str, Any]:
    changed = await user_store.merge_metadata(
        cursor,
        user,
        user_updates=object_of(body, "user_metadata"),
        app_updates=object_of(body, "app_metadata"),
    )
    return await user_store.to_json(cursor, changed)


async def _find(cursor: Cursor, request: Request) -> User:
    given = request.path_params["identity"]
    try:
        identity = uuid.UUID(given)
    except ValueError as error:
        raise errors.validation_failed("user_id must be an UUID", 404) from error
    user = await user_store.by_id(cursor, str(identity))
    if user is None:
        raise errors.user_not_found()
    return user
