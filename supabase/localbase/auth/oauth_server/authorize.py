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
    """A fault of the request, in words for its developer."""


async def authorize(context: Context, request: Request) -> Response:
    """302 to the consent page, or back to the client with an error."""
    features.OAUTH_SERVER.require(context.auth)
    parameters = request.query_params
    client = await _client(context, parameters)
    redirect_uri = parameters["redirect_uri"]
    if not client.redirects_to(redirect_uri):
        raise errors.validation_failed("invalid redirect_uri")
    state = parameters.get("state", "")
    try:
        authorization_request = _read(parameters, client)
    except _Rejected as rejected:
        return _back(redirect_uri, state, "invalid_request", str(rejected))
    path = context.auth.oauth_server.authorization_url_path
    if not path:
        return _back(redirect_uri, state, "server_error", "oauth authorization path not configured")
    async with context.db.begin() as cursor:
        authorization_id = await authorizations.insert(context, cursor, authorization_request)
    page = f"{context.auth.site_url.rstrip('/')}/{path.removeprefix('/')}"
    return _redirect(f"{page}?{urlencode({'authorization_id': authorization_id})}")


async def _client(context: Context, parameters: Mapping[str, str]) -> clients.Client:
    for name in ("client_id", "redirect_uri"):
        if not parameters.get(name):
            raise errors.validation_failed(f"{name} is required")
    try:
        client_id = UUID(parameters["client_id"])
    except ValueError as error:
        raise _client_not_found("invalid client_id format") from error
    async with context.db.begin() as cursor:
        client = await clients.by_id(cursor, client_id)
    if client is None:
        raise _client_not_found("invalid client_id")
    return client


def _read(parameters: Mapping[str, str], client: clients.Client) -> AuthorizationRequest:
    if parameters.get("response_type") not in (None, "", "code"):
        raise _Rejected("only response_type=code is supported")
    for name, longest in _LONGEST.items():
        if len(parameters.get(name, "")) > longest or "\x00" in parameters.get(name, ""):
            raise _Rejected(f"{name} must not be longer than {longest} characters, nor hold NUL")
    scope = scopes.parse_scope(parameters.get("scope") or scopes.DEFAULT)
    if not scope:
        raise _Rejected("scope parameter cannot be empty")
    for name in scope:
        if name not in scopes.SUPPORTED:
            raise _Rejected(f"unsupported scope: {name}")
    _check_resource(parameters.get("resource", ""))
    challenge, method = parameters.get("code_challenge", ""), parameters.get("code_challenge_method", "")
    if not challenge or not method:
        raise _Rejected("PKCE flow requires both code_challenge and code_challenge_method")
    if method.lower() not in _METHODS:
        raise _Rejected("code_challenge_method must be 'S256' or 'plain'")
    if not (43 <= len(challenge) <= 128 and "\x00" not in challenge):
        raise _Rejected("code_challenge must be between 43 and 128 characters")
    return AuthorizationRequest(
        client_id=client.id,
        redirect_uri=parameters["redirect_uri"],
        scope=" ".join(scope),
        state=parameters.get("state", ""),
        resource=parameters.get("resource", ""),
        nonce=parameters.get("nonce", ""),
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
