"""`POST /invite`: the service role invites an address without a confirmed account, by mail.

Upstream: supabase/auth, `internal/api/invite.go`.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors
from localbase.auth.channels import parse_email
from localbase.auth.codes.token_mails import with_token
from localbase.auth.context import Context, object_of, read_body, text_of
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import User, fetch_one
from localbase.auth.users import registration
from localbase.postgres.service_pool import Cursor


async def invite(context: Context, request: Request) -> Response:
    """The invited user; `data` is the metadata of a new one."""
    body = await read_body(request)
    email, redirect_to = parse_email(text_of(body, "email")), redirect_of(request, context.auth)
    context.outbox.require_room("invite")
    async with context.db.begin() as cursor:
        user = await invited_user(context, cursor, request, email, object_of(body, "data"))
        mail = await with_token(context, cursor, user, "invite", email, redirect_to)
        user = await mark_invited(context, cursor, user)
        user_json = await users.to_json(cursor, user)
    context.outbox.put(mail)
    return JSONResponse(user_json)


async def invited_user(
    context: Context, cursor: Cursor, request: Request, email: str, metadata: dict[str, Any]
) -> User:
    """The user with this address, a new one without a password if there is none. Raises 422 for a confirmed one."""
    user = await users.by_address(cursor, "email", email)
    if user is not None and user.email_confirmed_at is not None:
        raise errors.email_exists()
    user = user or await insert_unconfirmed(context, cursor, request, email, metadata)
    await audit.record(
        cursor, request, None, "user_invited", {"user_id": str(user.id), "user_email": user.email}
    )
    return user


async def insert_unconfirmed(
    context: Context,
    cursor: Cursor,
    request: Request,
    email: str,
    metadata: dict[str, Any],
    password_hash: str = "",
) -> User:
    """A user whom an administrator has made: unlike at a sign-up, the metadata is what was given and no more."""
    new = users.NewUser(email=email, metadata=metadata, password_hash=password_hash, providers=("email",))
    user = await registration.create(context, cursor, request, new)
    await identities.add(cursor, user.id, "email", identities.own_claims(user.id, email=email))
    return user


async def mark_invited(context: Context, cursor: Cursor, user: User) -> User:
    """From now on the user is one who was invited: who signs up with the address learns nothing of it."""
    await cursor.execute(
        "update auth.users set invited_at = %s where id = %s returning *", [moment(context.clock()), user.id]
    )
    return await fetch_one(cursor, User)
