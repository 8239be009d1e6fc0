"""`/passkeys`, `/admin/users/{user_id}/passkeys`: users and the service role read, rename and delete passkeys."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.admin.factors import require_user_of_path
from localbase.auth.context import Context, read_body, text_of
from localbase.auth.passkeys import passkeys
from localbase.auth.sessions import callers, sessions
from localbase.auth.tables import audit
from localbase.auth.tables.rows import Passkey, fetch_one

_LONGEST_NAME = 120


async def list_passkeys(context: Context, request: Request) -> Response:
    """GET."""
    features.PASSKEYS.require(context.auth)
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
        present = await passkeys.of_user(cursor, caller.user)
    return JSONResponse([passkeys.passkey_json(passkey) for passkey in present])


async def rename_passkey(context: Context, request: Request) -> Response:
    """PATCH: `friendly_name`."""
    features.PASSKEYS.require(context.auth)
    name = text_of(await read_body(request), "friendly_name")
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
        if not name:
            raise errors.validation_failed("friendly_name is required")
        if len(name.encode()) > _LONGEST_NAME:
            raise errors.validation_failed(f"friendly_name must be {_LONGEST_NAME} characters or less")
        passkey = await passkeys.require_passkey(cursor, request, caller.user)
        await cursor.execute(
            "update auth.webauthn_credentials set friendly_name = %s, updated_at = %s where id = %s returning *",
            [name, sessions.moment(context.clock()), passkey.id],
        )
        changed = await fetch_one(cursor, Passkey)
        traits = {"passkey_id": str(passkey.id)}
        await audit.record(cursor, request, caller.user, "passkey_updated", traits)
    return JSONResponse(passkeys.passkey_json(changed))


async def delete_passkey(context: Context, request: Request) -> Response:
    """DELETE: 204."""
    features.PASSKEYS.require(context.auth)
    async with context.db.begin() as cursor:
        caller = await passkeys.require_manager(context, cursor, request)
        passkey = await passkeys.require_passkey(cursor, request, caller.user)
        await passkeys.delete(cursor, passkey)
        traits = {"passkey_id": str(passkey.id)}
        await audit.record(cursor, request, caller.user, "passkey_deleted", traits)
    return Response(status_code=204)


async def list_as_admin(context: Context, request: Request) -> Response:
    """GET of the service role."""
    async with context.db.begin() as cursor:
        present = await passkeys.of_user(cursor, await require_user_of_path(cursor, request))
    return JSONResponse([passkeys.passkey_json(passkey) for passkey in present])


async def delete_as_admin(context: Context, request: Request) -> Response:
    """DELETE of the service role: 204."""
    async with context.db.begin() as cursor:
        user = await require_user_of_path(cursor, request)
        passkey = await passkeys.require_passkey(cursor, request, user)
        await passkeys.delete(cursor, passkey)
        traits = {"user_id": str(user.id), "passkey_id": str(passkey.id)}
        await audit.record(cursor, request, None, "passkey_deleted", traits)
    return Response(status_code=204)
