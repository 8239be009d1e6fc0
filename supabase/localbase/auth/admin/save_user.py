"""`POST` and `PUT /admin/users`: the service role makes and changes users.

Upstream: supabase/auth, `internal/api/admin.go`.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.admin.users import audience_of, require_user_of_path
from localbase.auth.channels import parse_email, parse_phone
from localbase.auth.codes.confirmations import unknown_password
from localbase.auth.context import Context, flag_of, object_of, read_body, text_of
from localbase.auth.go_values import parse_duration
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import User, fetch_one
from localbase.auth.users import passwords, registration
from localbase.postgres.service_pool import Cursor

_BCRYPT = re.compile(r"\$2[abxy]?\$(0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{53}")
_OTHER_HASHES = {"$argon2": "Argon2", "$fbscrypt": "Firebase's scrypt"}
# The unique index that a statement has broken, and what it means.
_CONFLICTS = {
    "users_email_partial_key": errors.email_exists,
    "users_phone_key": errors.phone_exists,
    "users_pkey": errors.user_id_exists,
}


@dataclass(frozen=True, slots=True)
class _Ban:
    """A user is shut out until a time, or let in again."""

    until: datetime | None


@dataclass(frozen=True, slots=True)
class _UserFields:
    """The fields; empty and None are not given. `password_hash` is the new password's, however it was given."""

    id: uuid.UUID | None
    aud: str
    role: str
    email: str
    phone: str
    password_hash: str
    email_confirm: bool
    phone_confirm: bool
    user_metadata: dict[str, Any]
    app_metadata: dict[str, Any]
    ban: _Ban | None


async def create_user(context: Context, request: Request) -> Response:
    """POST: a user with an address or a number; without a password it gets an unknown one."""
    fields = await _read_fields(context, await read_body(request), of_new_user=True)
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
    fields = await _read_fields(context, await read_body(request), of_new_user=False)
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


async def _insert(context: Context, cursor: Cursor, request: Request, fields: _UserFields) -> User:
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
    user = await registration.create(context, cursor, request, new)
    if fields.email:
        claims = identities.own_claims(user.id, email=fields.email)
        await identities.add(cursor, user.id, "email", claims)
    if fields.phone:
        claims = identities.own_claims(user.id, phone=fields.phone)
        await identities.add(cursor, user.id, "phone", claims)
    return user


async def _apply(cursor: Cursor, user: User, fields: _UserFields) -> User:
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


async def _set_addresses(cursor: Cursor, user: User, fields: _UserFields) -> User:
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


async def _read_fields(context: Context, body: dict[str, Any], *, of_new_user: bool) -> _UserFields:
    """Raises 400 for a malformed field, 422 for a weak password of a user who exists."""
    email, phone = text_of(body, "email"), text_of(body, "phone")
    if of_new_user and not email and not phone:
        raise errors.validation_failed("Cannot create a user without either an email or phone")
    return _UserFields(
        id=_user_id(text_of(body, "id")),
        aud=text_of(body, "aud"),
        role=text_of(body, "role").strip(),
        email=parse_email(email) if email else "",
        phone=parse_phone(phone) if phone else "",
        password_hash=await _password_hash(context, body, of_new_user=of_new_user),
        email_confirm=flag_of(body, "email_confirm"),
        phone_confirm=flag_of(body, "phone_confirm"),
        user_metadata=object_of(body, "user_metadata"),
        app_metadata=object_of(body, "app_metadata"),
        ban=_ban(context, text_of(body, "ban_duration")),
    )


def _user_id(text: str) -> uuid.UUID | None:
    if not text:
        return None
    try:
        user_id = uuid.UUID(text)
    except ValueError as error:
        raise errors.validation_failed("ID must conform to the uuid v4 format") from error
    if not user_id.int:
        raise errors.validation_failed("ID cannot be a nil uuid")
    return user_id


async def _password_hash(context: Context, body: dict[str, Any], *, of_new_user: bool) -> str:
    password, password_hash = text_of(body, "password"), text_of(body, "password_hash")
    if body.get("password") is not None and password_hash:
        raise errors.validation_failed("Only a password or a password hash should be provided")
    if password_hash:
        return _checked_hash(password_hash)
    if of_new_user:
        passwords.require_length(password)
    elif body.get("password") is not None:
        passwords.require_strength(password, context.auth)
    return await passwords.hash_password(password) if password else ""


def _checked_hash(text: str) -> str:
    other = next((name for prefix, name in _OTHER_HASHES.items() if text.startswith(prefix)), None)
    if other:
        raise errors.validation_failed(f"Password hashes of {other} are not supported, only those of bcrypt")
    if not _BCRYPT.fullmatch(text):
        raise errors.validation_failed("The password hash is not one of bcrypt")
    return text


def _ban(context: Context, text: str) -> _Ban | None:
    if not text:
        return None
    try:
        seconds = 0.0 if text == "none" else parse_duration(text)
    except ValueError as error:
        raise errors.validation_failed(f"invalid format for ban duration: {error}") from error
    return _Ban(moment(context.clock()) + timedelta(seconds=seconds) if seconds else None)
