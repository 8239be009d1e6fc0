"""`/user`: the signed-in user reads and changes the own account."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import callers, errors, passwords, user_store
from localbase.auth.context import Context, object_of, read_body, text_of


async def read_user(context: Context, request: Request) -> Response:
    """GET."""
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
        return JSONResponse(await user_store.to_json(cursor, caller.user))


async def update_user(context: Context, request: Request) -> Response:
    """PUT: `password` and `data` (merged into the metadata)."""
    body = await read_body(request)
    password = text_of(body, "password")
    if password:
        passwords.require_strength(password, context.auth)
    if text_of(body, "email"):
        raise errors.AuthError(
            422, "email_provider_disabled", "Changing the email address is not supported yet"
        )
    hashed = await passwords.hash_password(password) if password else None
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
        if password and await passwords.matches(password, caller.user.encrypted_password):
            raise errors.AuthError(
                422, "same_password", "New password should be different from the old password."
            )
        await cursor.execute(
            """
            update auth.users set encrypted_password = coalesce(%s, encrypted_password) where id = %s
            """,
            [hashed, caller.user.id],
        )
        changed = await user_store.merge_metadata(
            cursor, caller.user, user_updates=object_of(body, "data"), app_updates=None
        )
        if password:
            # A new password ends all other sessions: one of them may belong to a person who knew the old one.
            await cursor.execute(
                "delete from auth.sessions where user_id = %s and id is distinct from %s",
                [caller.user.id, caller.session and caller.session.id],
            )
        return JSONResponse(await user_store.to_json(cursor, changed))
