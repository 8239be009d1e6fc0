"""`/oauth/authorizations/{authorization_id}`: what the consent page shows of a client's request, and its user's answer.

Upstream: `internal/api/oauthserver/authorize.go`.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features, redirects
from localbase.auth.context import Context, read_body
from localbase.auth.oauth_server import authorizations, clients, grants
from localbase.auth.oauth_server.authorizations import error_url
from localbase.auth.sessions import sessions
from localbase.auth.sessions.callers import require_user
from localbase.auth.sessions.sessions import moment


async def read_authorization(context: Context, request: Request) -> Response | errors.AuthError:
    """GET: client, user and scopes; the client's address at once if the user has consented to all of it before."""
    features.OAUTH_SERVER.require(context.auth)
    async with context.db.begin() as cursor:
        user = (await require_user(context, cursor, request)).user
        _check_origin(context, request)
        await sessions.lock_user(cursor, user.id)
        authorization = await authorizations.lock_pending(
            context,
            cursor,
            request.path_params["authorization_id"],
            "authorization request cannot be processed",
        )
        if isinstance(authorization, errors.AuthError):
            return authorization
        if authorization.user_id not in (None, user.id):
            raise authorizations.not_found()
        client = await clients.by_id(cursor, authorization.client_id)
        if client is None:
            raise authorizations.not_found()
        if authorization.user_id is None:
            authorization = await authorizations.bind(cursor, authorization, user.id)
            consent = await grants.active_consent(cursor, user.id, client.id)
            if consent is not None and consent.covers(authorization.scope):
                approved = await authorizations.approve(context, cursor, authorization)
                return _redirect_url(approved.success_url())
    return JSONResponse(
        {
            "authorization_id": authorization.authorization_id,
            "redirect_uri": authorization.redirect_uri,
            "client": clients.summary(client),
            "user": {"id": str(user.id), **({"email": user.email} if user.email else {})},
            "scope": authorization.scope,
        }
    )


async def decide(context: Context, request: Request) -> Response | errors.AuthError:
    """POST …/consent: `action` is `approve` or `deny`. The client's address, with a code or an error."""
    features.OAUTH_SERVER.require(context.auth)
    action = await _action(request)
    async with context.db.begin() as cursor:
        user = (await require_user(context, cursor, request)).user
        _check_origin(context, request)
        await sessions.lock_user(cursor, user.id)
        if action not in ("approve", "deny"):
            raise errors.validation_failed("action must be 'approve' or 'deny'")
        authorization = await authorizations.lock_pending(
            context,
            cursor,
            request.path_params["authorization_id"],
            "authorization request is no longer pending",
        )
        if isinstance(authorization, errors.AuthError):
            return authorization
        if authorization.user_id != user.id or await clients.by_id(cursor, authorization.client_id) is None:
            raise authorizations.not_found()
        if action == "deny":
            await authorizations.deny(cursor, authorization)
            text = "User denied the request"
            return _redirect_url(
                error_url(authorization.redirect_uri, authorization.state, "access_denied", text)
            )
        approved = await authorizations.approve(context, cursor, authorization)
        now = moment(context.clock())
        await grants.save_consent(cursor, user.id, authorization.client_id, authorization.scope, now)
    return _redirect_url(approved.success_url())


async def _action(request: Request) -> object:
    try:
        return (await read_body(request)).get("action")
    except errors.AuthError as error:
        raise errors.AuthError(error.status, error.code, "invalid JSON body") from error


def _check_origin(context: Context, request: Request) -> None:
    """A browser names the page that sends the request: only the project's own may."""
    origin = request.headers.get("origin")
    if origin and not redirects.is_allowed(origin, context.auth):
        raise errors.validation_failed("unauthorized request origin")


def _redirect_url(url: str) -> Response:
    return JSONResponse({"redirect_url": url})
