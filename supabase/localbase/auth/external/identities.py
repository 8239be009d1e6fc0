"""`/user/identities`: the signed-in user adds a way to sign in, and takes one away.

Upstream: supabase/auth, `internal/api/identity.go`.
"""

from __future__ import annotations

import uuid

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from localbase.auth import errors, features
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context, id_in_path
from localbase.auth.external import flow_state
from localbase.auth.providers.settings import require_provider
from localbase.auth.sessions import callers
from localbase.auth.sessions.callers import SignedIn
from localbase.auth.sessions.sessions import lock_user
from localbase.auth.tables import audit, identities
from localbase.auth.tables.rows import Identity, User
from localbase.postgres.service_pool import Cursor


async def authorize(context: Context, request: Request) -> Response:
    """GET: as `/authorize`; with `skip_http_redirect=true` the address as JSON, for a page that goes there itself."""
    query = request.query_params
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
    features.MANUAL_LINKING.require(context.auth)
    provider = require_provider(context.providers, context.auth.external, query.get("provider", ""))
    address = await flow_state.leave(context, request, provider, caller.user.id)
    if query.get("skip_http_redirect") == "true":
        return JSONResponse({"url": address})
    return RedirectResponse(address, 302)


async def unlink(context: Context, request: Request) -> Response:
    """DELETE: all but the last one. The account's address follows the identities that are left."""
    async with context.db.begin() as cursor:
        caller = await callers.require_user(context, cursor, request)
        features.MANUAL_LINKING.require(context.auth)
        identity_id = id_in_path(request, "identity_id")
        _require_audience(request, caller)
        await lock_user(cursor, caller.user.id)
        identity = await _unlinkable(cursor, caller.user, identity_id)
        traits = {
            "identity_id": str(identity.id),
            "provider": identity.provider,
            "provider_id": identity.provider_id,
        }
        await audit.record(cursor, request, caller.user, "identity_unlinked", traits)
        await cursor.execute("delete from auth.identities where id = %s", [identity.id])
        await _follow(context, cursor, caller.user, identity)
        user = await identities.sync_providers(cursor, caller.user.id)
    # To the address before: the other one may be new to the account.
    context.outbox.put(
        *notification(
            context, user, "identity_unlinked", to=caller.user.email or None, Provider=identity.provider
        )
        if caller.user.email
        else ()
    )
    return JSONResponse({})


def _require_audience(request: Request, caller: SignedIn) -> None:
    audience = caller.claims.get("aud")
    first = audience[0] if isinstance(audience, list) and audience else audience
    if not first or (request.headers.get("x-jwt-aud") or first) != first:
        raise errors.AuthError(403, "unexpected_audience", "Token audience doesn't match request audience")


async def _unlinkable(cursor: Cursor, user: User, identity_id: uuid.UUID) -> Identity:
    linked = await identities.of_user(cursor, user.id)
    if len(linked) <= 1:
        raise errors.AuthError(
            422,
            "single_identity_not_deletable",
            "User must have at least 1 identity after unlinking",
        )
    identity = next((each for each in linked if each.id == identity_id), None)
    if identity is None:
        raise errors.AuthError(422, "identity_not_found", "Identity doesn't exist")
    return identity


async def _follow(context: Context, cursor: Cursor, user: User, removed: Identity) -> None:
    if removed.provider == "phone":
        await cursor.execute(
            "update auth.users set phone = null, phone_confirmed_at = null, updated_at = now() where id = %s",
            [user.id],
        )
        return
    autoconfirm = not context.auth.email.enable_confirmations
    if await identities.promote_email(cursor, user, autoconfirm=autoconfirm) is None:
        text = "Unable to unlink identity due to email conflict"
        raise errors.AuthError(422, "email_conflict_identity_not_deletable", text)
