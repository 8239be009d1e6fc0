"""`GET /oauth/authorize`: a client sends its user here, who goes on to the project's consent page.

What is wrong with client or redirect address is shown to the user, as JSON; the rest goes back to the client.
Upstream: `internal/api/oauthserver/authorize.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from localbase.auth import errors, features
from localbase.auth.context import Context
from localbase.auth.oauth_server import authorizations, clients, scopes
from localbase.auth.oauth_server.authorizations import AuthorizationRequest, Method, error_url

# As the columns are.
_LONGEST = {"state": 4096, "resource": 2048, "nonce": 255}
_METHODS: dict[str, Method] = {"s256": "s256", "plain": "plain"}


class _Rejected(Exception):
    """What is wrong with the request, in words for its developer."""


async def authorize(context: Context, request: Request) -> Response:
    """302 to the consent page, or back to the client with an error."""
    features.OAUTH_SERVER.require(context.auth)
    asked = request.query_params
    client = await _client(context, asked)
    redirect_uri = asked["redirect_uri"]
    if not client.redirects_to(redirect_uri):
        raise errors.validation_failed("invalid redirect_uri")
    state = asked.get("state", "")
    try:
        wanted = _read(asked, client)
    except _Rejected as rejected:
        return _back(redirect_uri, state, "invalid_request", str(rejected))
    path = context.auth.oauth_server.authorization_url_path
    if not path:
        return _back(redirect_uri, state, "server_error", "oauth authorization path not configured")
    async with context.db.begin() as cursor:
        authorization_id = await authorizations.insert(context, cursor, wanted)
    page = f"{context.auth.site_url.rstrip('/')}/{path.removeprefix('/')}"
    return _redirect(f"{page}?{urlencode({'authorization_id': authorization_id})}")


async def _client(context: Context, asked: Mapping[str, str]) -> clients.Client:
    for name in ("client_id", "redirect_uri"):
        if not asked.get(name):
            raise errors.validation_failed(f"{name} is required")
    try:
        client_id = UUID(asked["client_id"])
    except ValueError as error:
        raise _client_not_found("invalid client_id format") from error
    async with context.db.begin() as cursor:
        client = await clients.by_id(cursor, client_id)
    if client is None:
        raise _client_not_found("invalid client_id")
    return client


def _read(asked: Mapping[str, str], client: clients.Client) -> AuthorizationRequest:
    if asked.get("response_type") not in (None, "", "code"):
        raise _Rejected("only response_type=code is supported")
    for name, longest in _LONGEST.items():
        if len(asked.get(name, "")) > longest or "\x00" in asked.get(name, ""):
            raise _Rejected(f"{name} must not be longer than {longest} characters, nor hold NUL")
    scope = scopes.parse_scope(asked.get("scope") or scopes.DEFAULT)
    if not scope:
        raise _Rejected("scope parameter cannot be empty")
    for name in scope:
        if name not in scopes.SUPPORTED:
            raise _Rejected(f"unsupported scope: {name}")
    _check_resource(asked.get("resource", ""))
    challenge, method = asked.get("code_challenge", ""), asked.get("code_challenge_method", "")
    if not challenge or not method:
        raise _Rejected("PKCE flow requires both code_challenge and code_challenge_method")
    if method.lower() not in _METHODS:
        raise _Rejected("code_challenge_method must be 'S256' or 'plain'")
    if not (43 <= len(challenge) <= 128 and "\x00" not in challenge):
        raise _Rejected("code_challenge must be between 43 and 128 characters")
    return AuthorizationRequest(
        client_id=client.id,
        redirect_uri=asked["redirect_uri"],
        scope=" ".join(scope),
        state=asked.get("state", ""),
        resource=asked.get("resource", ""),
        nonce=asked.get("nonce", ""),
        code_challenge=challenge,
        code_challenge_method=_METHODS[method.lower()],
    )


def _check_resource(resource: str) -> None:
    """As RFC 8707 wants it."""
    if not resource:
        return
    try:
        parts = urlsplit(resource)
    except ValueError as error:
        raise _Rejected("resource must be a valid URI") from error
    if not parts.scheme:
        raise _Rejected("resource must be an absolute URI")
    if parts.fragment:
        raise _Rejected("resource must not include a fragment component")
    if parts.query:
        raise _Rejected("resource must not include a query component")


def _client_not_found(message: str) -> errors.AuthError:
    return errors.AuthError(400, "oauth_client_not_found", message)


def _back(redirect_uri: str, state: str, error: str, description: str) -> Response:
    return _redirect(error_url(redirect_uri, state, error, description))


def _redirect(url: str) -> Response:
    return RedirectResponse(url, 302, {"cache-control": "no-store"})
