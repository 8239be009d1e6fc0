"""`GET /.well-known/openid-configuration` and `/.well-known/oauth-authorization-server` (RFC 8414): one document."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import features
from localbase.auth.context import Context
from localbase.auth.oauth_server.scopes import SUPPORTED

_CLAIMS = (
    *("sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number"),
    *("phone_number_verified", "name", "picture", "preferred_username", "updated_at"),
)


async def openid_configuration(context: Context, request: Request) -> Response:  # noqa: ARG001
    """For OpenID Connect: there whether or not the OAuth server is on, as upstream has it."""
    return _document(context)


async def authorization_server(context: Context, request: Request) -> Response:  # noqa: ARG001
    """For OAuth."""
    features.OAUTH_SERVER.require(context.auth)
    return _document(context)


def _document(context: Context) -> Response:
    server, base = context.auth.oauth_server, context.address
    can_register = server.enabled and server.allow_dynamic_registration
    document = {
        "issuer": context.issuer,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "jwks_uri": f"{base}/.well-known/jwks.json",
        "userinfo_endpoint": f"{base}/oauth/userinfo",
        **({"registration_endpoint": f"{base}/oauth/clients/register"} if can_register else {}),
        "scopes_supported": list(SUPPORTED),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": context.signing.algorithms(),
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "claims_supported": list(_CLAIMS),
        "code_challenge_methods_supported": ["S256", "plain"],
    }
    return JSONResponse(document, headers={"cache-control": "public, max-age=600"})
