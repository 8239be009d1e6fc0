"""`POST` and `PUT /admin/users`: the service role makes and changes users.

Upstream: supabase/auth, `internal/api/admin.go`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.admin.user_fields import UserFields, read_fields
from localbase.auth.admin.users import audience_of, require_user_of_path
from localbase.auth.codes.confirmations import unknown_password
from localbase.auth.context import Context, read_body
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import User, fetch_one
from localbase.auth.users import new_users
from localbase.postgres.service_pool import Cursor

# The unique index that a statement has broken, and what it means.
_CONFLICTS = {
    "users_email_partial_key": errors.email_exists,
    "users_phone_key": errors.phone_exists,
    "users_pkey": errors.user_id_exists,
}


async def create_user(context: Context, request: Request) -> Response:
    """POST: a user with an address or a number; without a password it gets an unknown one."""
    fields = await read_fields(context, await read_body(request), of_new_user=True)
    if not fields.password_hash:
        fields = replace(fields, password_hash=unknown_password())
    with _named_conflicts():
        async with context.db.begin() as cursor:
            if fields.email and await identities.owner_of_email(cursor, fields.email) is not None:
                raise errors.email_exists()
            user = await _insert(context, cursor, request, fields)
            traits = _traits(user) | {"provider": "email" if fields.email else "phone"}
            await audit.record(cursor, request, None, "user_signedup", traits)
            user = await users.merge_metadata(
                cursor, user, user_updates=None, app_updates=fields.app_metadata
            )
            user = await _apply(cursor, user, fields)
            return JSONResponse(await users.to_json(cursor, user))


async def update_user(context: Context, request: Request) -> Response:
    """PUT: the same fields, each optional. A new password ends all sessions."""
    fields = await read_fields(context, await read_body(request), of_new_user=False)
    with _named_conflicts():
        async with context.db.begin() as cursor:
            user = await require_user_of_path(cursor, request)
            if fields.id not in (None, user.id):
                raise errors.validation_failed("The ID of a user cannot be changed")
            user = await _apply(cursor, user, fields)
            user = await _set_addresses(cursor, user, fields)
            user = await users.merge_metadata(
                cursor, user, user_updates=fields.user_metadata, app_updates=fields.app_metadata
            )
            await audit.record(cursor, request, None, "user_modified", _traits(user))
            return JSONResponse(await users.to_json(cursor, user))


async def _insert(context: Context, cursor: Cursor, request: Request, fields: UserFields) -> User:
    new = users.NewUser(
        email=fields.email,
        phone=fields.phone,
        password_hash=fields.password_hash,
        metadata=fields.user_metadata,
        providers=tuple(
            name for name, address in (("email", fields.email), ("phone", fields.phone)) if address
        ),
        aud=fields.aud or audience_of(request),
        id=fields.id or uuid.uuid4(),
    )
    user = await new_users.create(context, cursor, request, new)
    if fields.email:
        claims = identities.own_claims(user.id, email=fields.email)
        await identities.add(cursor, user.id, "email", claims)
    if fields.phone:
        claims = identities.own_claims(user.id, phone=fields.phone)
        await identities.add(cursor, user.id, "phone", claims)
    return user


async def _apply(cursor: Cursor, user: User, fields: UserFields) -> User:
    """Return what POST and PUT have in common."""
    if fields.email_confirm:
        user = await users.mark_confirmed(cursor, user)
    if fields.phone_confirm:
        user = await users.mark_phone_confirmed(cursor, user)
    if fields.password_hash and fields.password_hash != user.encrypted_password:
        await users.set_password(cursor, user, fields.password_hash)
    await cursor.execute(
        """
        update auth.users set role = coalesce(nullif(%s, ''), role), aud = coalesce(nullif(%s, ''), aud),
          banned_until = case when %s then %s else banned_until end, updated_at = now()
        where id = %s returning *
        """,
        [fields.role, fields.aud, fields.ban is not None, fields.ban and fields.ban.until, user.id],
    )
    return await fetch_one(cursor, User)


async def _set_addresses(cursor: Cursor, user: User, fields: UserFields) -> User:
    if fields.email:
        claims = {"email": fields.email, "email_verified": fields.email_confirm}
        await identities.set_own(cursor, user, "email", claims)
    if fields.phone:
        claims = {"phone": fields.phone, "phone_verified": fields.phone_confirm}
        await identities.set_own(cursor, user, "phone", claims)
    has_confirmed_address = (fields.email and fields.email_confirm) or (fields.phone and fields.phone_confirm)
    await cursor.execute(
        """
        update auth.users set email = coalesce(nullif(%s, ''), email), phone = coalesce(nullif(%s, ''), phone),
          is_anonymous = is_anonymous and not %s, updated_at = now()
        where id = %s returning *
        """,
        [fields.email, fields.phone, bool(has_confirmed_address), user.id],
    )
    return await fetch_one(cursor, User)


def _traits(user: User) -> dict[str, str]:
    return {"user_id": str(user.id), "user_email": user.email or "", "user_phone": user.phone or ""}


@contextmanager
def _named_conflicts() -> Iterator[None]:
    try:
        yield
    except psycopg.errors.UniqueViolation as error:
        conflict_error = _CONFLICTS.get(error.diag.constraint_name or "")
        if conflict_error is None:
            raise
        raise conflict_error() from error
