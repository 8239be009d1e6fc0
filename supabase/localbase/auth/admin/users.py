"""`/admin/users`: the service role lists, reads and deletes users. What it makes and changes is in `save_user`.

Upstream: supabase/auth, `internal/api/admin.go`.
"""

from __future__ import annotations

import base64
import hashlib
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.admin.paging import read_order, read_page, select_page
from localbase.auth.context import Context, flag_of, id_in_path, read_body
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import User, fetch, fetch_all
from localbase.postgres.service_pool import Cursor

_LISTED = """
from auth.users where aud = %(audience)s and instance_id = '00000000-0000-0000-0000-000000000000'
  and (%(pattern)s::text is null or email like %(pattern)s or raw_user_meta_data ->> 'full_name' ilike %(pattern)s)
"""
_PHONE_LENGTH = 15
# What goes with the user's sign-ins.
_OWNED = ("one_time_tokens", "mfa_factors", "webauthn_credentials", "sessions")


async def list_users(context: Context, request: Request) -> Response:
    """GET: one page, the newest first. `filter` is a part of the address or of the full name."""
    order = read_order(request, frozenset(("created_at",)), "created_at desc")
    page = read_page(request)
    audience, text = audience_of(request), request.query_params.get("filter")
    values = {"audience": audience, "pattern": f"%{text}%" if text else None}
    async with context.db.begin() as cursor:
        total = await select_page(cursor, "*", _LISTED, order, values, page)
        listed = await users.all_to_json(cursor, await fetch_all(cursor, User))
    return JSONResponse({"users": listed, "aud": audience}, headers=page.headers(request, total))


async def read_user(context: Context, request: Request) -> Response:
    """GET one."""
    async with context.db.begin() as cursor:
        return JSONResponse(await users.to_json(cursor, await require_user_of_path(cursor, request)))


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
            await _soft_delete(cursor, user)
    return JSONResponse({})


async def require_user_of_path(cursor: Cursor, request: Request) -> User:
    """The user that the path names, deleted ones too, locked. Raises 404."""
    user_id = id_in_path(request, "user_id")
    await cursor.execute("select * from auth.users where id = %s for update", [user_id])
    user = await fetch(cursor, User)
    if user is None:
        raise errors.user_not_found()
    return user


def audience_of(request: Request) -> str:
    """The audience whose users are meant: the usual one, or the one that a header names."""
    return request.headers.get("x-jwt-aud") or users.AUDIENCE


async def _soft_delete(cursor: Cursor, user: User) -> None:
    """Leaves the row for what refers to it, with nothing in it that names a person, and ends every way in.

    Upstream: `SoftDeleteUser` in `internal/models/user.go`.
    """
    await cursor.execute(
        """
        update auth.users set email = %s, phone = %s, email_change = %s, phone_change = %s,
          encrypted_password = null, confirmation_token = '', recovery_token = '', email_change_token_current = '',
          email_change_token_new = '', phone_change_token = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}',
          deleted_at = now(), updated_at = now()
        where id = %s
        """,
        [
            _hashed(user.id, user.email or ""),
            _hashed(user.id, user.phone or "")[:_PHONE_LENGTH],
            _hashed(user.id, user.email_change or ""),
            _hashed(user.id, user.phone_change or "")[:_PHONE_LENGTH],
            user.id,
        ],
    )
    for identity in await identities.of_user(cursor, user.id):
        await cursor.execute(
            "update auth.identities set identity_data = '{}', provider_id = %s, updated_at = now() where id = %s",
            [_hashed(user.id, f"{identity.provider}:{identity.provider_id}"), identity.id],
        )
    for table in _OWNED:
        await cursor.execute(f"delete from auth.{table} where user_id = %s".encode(), [user.id])  # noqa: S608


def _hashed(user_id: UUID, value: str) -> str:
    digest = hashlib.sha256(f"{user_id}{value}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
