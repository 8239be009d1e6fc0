"""`POST /oauth/token`: tokens for a code or a refresh token, as a form or as JSON.

A code counts once: when it comes again, the session of its first exchange ends (RFC 6749, section 4.1.2).
Upstream: `internal/api/oauthserver/handlers.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import features
from localbase.auth.context import Context, read_body, read_form, text_of
from localbase.auth.errors import AuthError, OAuthError
from localbase.auth.oauth_server import authorizations, claims
from localbase.auth.oauth_server.clients import Client, authenticate, read_credentials
from localbase.auth.oauth_server.scopes import parse_scope
from localbase.auth.sessions import sessions
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables import audit
from localbase.postgres.service_pool import Cursor

_FIELDS = (
    *("grant_type", "code", "refresh_token", "redirect_uri", "client_id", "client_secret", "code_verifier"),
    *("resource", "scope"),
)
_NOT_STORED = {"cache-control": "no-store", "pragma": "no-cache"}


async def token(context: Context, request: Request) -> Response | AuthError:
    """Dispatches on the grant."""
    features.OAUTH_SERVER.require(context.auth)
    fields = await _read(request)
    credentials = read_credentials(request, fields)
    async with context.db.begin() as cursor:
        client = await authenticate(cursor, credentials)
        grant_type = fields.get("grant_type", "")
        if not grant_type:
            raise OAuthError(400, "invalid_request", "grant_type is required")
        if not client.may_use(grant_type):
            raise OAuthError(
                400, "unsupported_grant_type", f"Client is not allowed to use grant type: {grant_type}"
            )
        grant = _by_code if grant_type == "authorization_code" else _by_refresh_token
        tokens = await grant(context, cursor, request, client, fields)
    return tokens if isinstance(tokens, AuthError) else JSONResponse(tokens, headers=_NOT_STORED)


async def _read(request: Request) -> Mapping[str, str]:
    """The fields of the body. Raises 400."""
    if "application/json" in request.headers.get("content-type", ""):
        try:
            body = await read_body(request)
            return {name: text_of(body, name) for name in _FIELDS}
        except AuthError as error:
            raise OAuthError(error.status, "invalid_request", "Invalid JSON body") from error
    try:
        pairs = await read_form(request)
    except ValueError as error:
        raise OAuthError(400, "invalid_request", "Failed to parse form data") from error
    if len({name for name, _ in pairs}) < len(pairs) or any("\x00" in value for _, value in pairs):
        # RFC 6749, section 3.2: a parameter comes once.
        raise OAuthError(400, "invalid_request", "Failed to parse form data")
    return dict(pairs)


async def _by_code(
    context: Context, cursor: Cursor, request: Request, client: Client, fields: Mapping[str, str]
) -> dict[str, Any] | AuthError:
    code = fields.get("code", "")
    if not code:
        raise OAuthError(400, "invalid_request", "code is required for authorization_code grant")
    user_id = await authorizations.user_of_code(cursor, code)
    # The user first, as everything that changes sessions does.
    user = await sessions.lock_user(cursor, user_id) if user_id else None
    authorization = await authorizations.lock_by_code(cursor, code)
    if authorization is None or user is None:
        return await _spent(cursor, client, code)
    if authorization.is_expired(moment(context.clock())):
        raise _invalid_grant("Authorization code has expired")
    if authorization.client_id != client.id:
        raise _invalid_grant("Authorization code was not issued for this client")
    if (resource := fields.get("resource")) and resource != authorization.resource:
        raise _invalid_grant("Authorization code resource does not match the resource parameter")
    if (redirect_uri := fields.get("redirect_uri")) and redirect_uri != authorization.redirect_uri:
        raise _invalid_grant("Invalid redirect_uri")
    _require_verifier(authorization, fields.get("code_verifier", ""))
    if user.is_banned(context.clock()):
        raise OAuthError(400, "access_denied", "User is banned")
    traits = {"provider_type": "oauth_provider_authorization_code", "client_id": str(client.id)}
    await audit.record(cursor, request, user, "login", traits)
    session = await sessions.open_session(
        context,
        cursor,
        request,
        user,
        "oauth_provider/authorization_code",
        oauth_client_id=client.id,
        scopes=authorization.scope,
        session_id=authorizations.session_of(code),
    )
    await authorizations.delete(cursor, authorization)
    tokens = _tokens(session)
    scopes = parse_scope(authorization.scope)
    if "openid" in scopes and context.signing.has_private_keys:
        # A shared secret would let every client sign for every other, so without keys there is no ID token.
        tokens["id_token"] = claims.id_token(context, user, client.id, scopes, authorization.nonce)
    return tokens


async def _by_refresh_token(
    context: Context, cursor: Cursor, request: Request, client: Client, fields: Mapping[str, str]
) -> dict[str, Any] | AuthError:
    refresh_token = fields.get("refresh_token", "")
    if not refresh_token:
        raise OAuthError(400, "invalid_request", "refresh_token is required for refresh_token grant")
    if scope := fields.get("scope"):
        await _require_granted(cursor, client, refresh_token, scope)
    session = await sessions.refresh(context, cursor, request, refresh_token, client.id)
    if isinstance(session, OAuthError):
        return session
    if isinstance(session, AuthError):
        # Upstream's error, and what OAuth libraries read of it.
        oauth = {"error": "invalid_grant", "error_description": session.message}
        return AuthError(session.status, session.code, session.message, **oauth)
    return _tokens(session)


async def _spent(cursor: Cursor, client: Client, code: str) -> AuthError:
    """The error for a code that is none, or no more: then it was stolen, before or after its exchange."""
    await cursor.execute(
        "delete from auth.sessions where id = %s and oauth_client_id = %s",
        [authorizations.session_of(code), client.id],
    )
    return _invalid_grant("Invalid authorization code")


def _require_verifier(authorization: authorizations.Authorization, verifier: str) -> None:
    if not verifier:
        reason = "code_verifier is required when PKCE challenge is present"
    elif not authorization.is_proven_by(verifier):
        reason = "code challenge does not match previously saved code verifier"
    else:
        return
    raise _invalid_grant(f"PKCE verification failed: {reason}")


async def _require_granted(cursor: Cursor, client: Client, refresh_token: str, scope: str) -> None:
    """Raises 400 for a scope that the user has not allowed (RFC 6749, section 6)."""
    await cursor.execute(
        """
        select session.scopes from auth.refresh_tokens as token
        join auth.sessions as session on session.id = token.session_id
        where token.token = %s and session.oauth_client_id = %s
        """,
        [refresh_token, client.id],
    )
    row = await cursor.fetchone()
    if row is not None and not set(parse_scope(scope)) <= set(parse_scope(row["scopes"])):
        raise OAuthError(400, "invalid_scope", "The scope exceeds what the user has granted")


def _tokens(session: dict[str, Any]) -> dict[str, Any]:
    """Of a session's response only what clients of OAuth read: not the user."""
    return {name: session[name] for name in ("access_token", "token_type", "expires_in", "refresh_token")}


def _invalid_grant(message: str) -> OAuthError:
    return OAuthError(400, "invalid_grant", message)
