"""`POST /token?grant_type=id_token`: a session for an ID token that an app has got from a provider itself.

Upstream: supabase/auth, `internal/api/token_oidc.go`.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Mapping
from typing import Any

import psycopg
from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context, flag_of, text_of
from localbase.auth.external import accounts
from localbase.auth.external.accounts import Visit
from localbase.auth.providers.oauth2 import KeycloakProvider
from localbase.auth.providers.oidc import OidcProvider, audience_of, require_access_token_hash
from localbase.auth.providers.provider import ProviderError
from localbase.auth.providers.settings import ISSUERS
from localbase.auth.redirects import redirect_of
from localbase.auth.sessions import callers, sessions
from localbase.auth.tables.rows import User

_log = logging.getLogger("localbase.auth")


async def by_id_token(
    context: Context, request: Request, body: dict[str, Any]
) -> dict[str, Any] | errors.AuthError:
    """`provider` (or `client_id` and `issuer`), `id_token`, `access_token`, `nonce`, `link_identity`."""
    id_token, name, issuer = (text_of(body, key) for key in ("id_token", "provider", "issuer"))
    if not id_token:
        raise _invalid_request("id_token required")
    if not name and not (text_of(body, "client_id") and issuer):
        raise _invalid_request("provider or client_id and issuer required")
    target = await _target(context, request) if flag_of(body, "link_identity") else None
    provider = _issuer(context, name, issuer)
    claims = await _verified(provider, id_token, text_of(body, "access_token"))
    if not claims.get("sub"):
        raise _invalid_request("Missing sub claim in id_token")
    audience = audience_of(claims)
    if not set(provider.client.ids) & {each for each in audience if isinstance(each, str)}:
        listed = " ".join(str(each) for each in audience)
        raise _invalid_request(f"Unacceptable audience in id_token: [{listed}]")
    if not provider.skip_nonce_check:
        _require_nonce(claims, text_of(body, "nonce"))
    visit = Visit(
        context,
        request,
        provider.name,
        provider.person(claims),
        redirect_of(request, context.auth),
        provider.email_optional,
    )
    try:
        return await _session(visit, target)
    except psycopg.errors.UniqueViolation:
        # The same person at once on another device: the other request was faster, and this one finds the user.
        return await _session(visit, target)


async def _session(visit: Visit, target: User | None) -> dict[str, Any] | errors.AuthError:
    context = visit.context
    async with context.db.begin() as cursor:
        if target is not None:
            arrival = await accounts.link(visit, cursor, target.id)
        else:
            arrival = await accounts.sign_in(visit, cursor)
        session: dict[str, Any] | errors.AuthError = arrival.error or await sessions.open_session(
            context, cursor, visit.request, arrival.user, "oauth"
        )
    context.outbox.put(*arrival.mails)
    return session


async def _target(context: Context, request: Request) -> User:
    if not request.headers.get("authorization"):
        raise _invalid_request("Linking requires a valid user access token in Authorization")
    async with context.db.begin() as cursor:
        return (await callers.require_user(context, cursor, request)).user


def _issuer(context: Context, name: str, issuer: str) -> OidcProvider:
    """The provider by its name, or by its issuer's. Raises 400."""
    if name.startswith("custom:"):
        raise errors.validation_failed("Custom OAuth providers are disabled")
    oidc_providers = {
        each.name: each
        for each in (
            provider.issuer if isinstance(provider, KeycloakProvider) else provider
            for provider in context.providers.values()
        )
        if isinstance(each, OidcProvider)
    }
    chosen = oidc_providers.get(name) or next(
        (each for each in oidc_providers.values() if issuer == each.issuer), None
    )
    if chosen is not None:
        return chosen
    settings = context.auth.external.get(name)
    issuer_url = settings.url if settings and settings.url else ISSUERS.get(name, "")
    if name in ("google", "keycloak") or issuer_url:
        raise errors.AuthError(400, "provider_disabled", f'Provider (issuer "{issuer_url}") is not enabled')
    raise errors.validation_failed(f'Custom OIDC provider "{name}" not allowed')


async def _verified(provider: OidcProvider, id_token: str, access_token: str) -> Mapping[str, Any]:
    try:
        claims = await provider.verify(id_token)
        if access_token:
            require_access_token_hash(claims, access_token)
    except ProviderError as error:
        _log.warning("%s", error)
        raise _invalid_request("Bad ID token") from error
    return claims


def _require_nonce(claims: Mapping[str, Any], nonce: str) -> None:
    in_token = str(claims.get("nonce") or "")
    if bool(in_token) != bool(nonce):
        raise _invalid_request("Passed nonce and nonce in id_token should either both exist or not.")
    hashed = hashlib.sha256(nonce.encode()).hexdigest()
    if nonce and not hmac.compare_digest(hashed.encode(), in_token.encode()):
        raise errors.OAuthError(400, "invalid nonce", "Nonces mismatch")


def _invalid_request(description: str) -> errors.OAuthError:
    return errors.OAuthError(400, "invalid request", description)
