"""The context of every endpoint (settings, database, clock, outbox), and the reading of a request's body and caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.hooks.hooks import Hooks
from localbase.auth.limits import Limits
from localbase.auth.messages.outbox import Outbox
from localbase.auth.providers.provider import Provider
from localbase.core.auth_settings import AuthSettings
from localbase.core.authenticator import bearer
from localbase.core.clock import Clock
from localbase.core.json_text import MOST_MARKS, read_json
from localbase.core.settings import Settings
from localbase.core.tokens import jwt
from localbase.core.tokens.signing import SigningKeys
from localbase.postgres.service_pool import ServicePool

_MAX_BODY = 1024 * 1024
# A code and a state, or tokens: forms are small, and a megabyte of escapes would take half a second.
_MAX_FORM, _MOST_FIELDS = 64 * 1024, 100
# As upstream's library words them.
_REASONS = {
    "expired": "token has invalid claims: token is expired",
    "not_yet": "token has invalid claims: token is not valid yet",
    "signature": "token signature is invalid: signature is invalid",
    "algorithm": "token signature is invalid: signing method none is invalid",
}


@dataclass(frozen=True, slots=True)
class Context:
    """The auth service's parts. One for the life of the process."""

    settings: Settings
    db: ServicePool
    outbox: Outbox
    clock: Clock
    limits: Limits
    hooks: Hooks
    providers: dict[str, Provider]
    signing: SigningKeys

    @property
    def auth(self) -> AuthSettings:
        """`[auth]` of the project's configuration."""
        return self.settings.auth

    @property
    def issuer(self) -> str:
        """The service's public address, which its tokens name."""
        return self.auth.jwt_issuer or self.address

    @property
    def address(self) -> str:
        """The address of the service for browsers: for links in mails, and for providers to send them back to."""
        return self.auth.external_url.rstrip("/") or f"{self.settings.api_url}/auth/v1"

    def claims(self, request: Request) -> dict[str, Any]:
        """The bearer token's claims. Raises 401 without a token, 403 for one that does not verify.

        Only the project's own keys count: those of third parties (`JWT_JWKS`) sign tokens for data, not for accounts.
        """
        token = bearer(request.headers)
        if token is None:
            raise errors.no_authorization()
        try:
            return jwt.verify(token, self.auth.jwt_secret, self.clock(), self.signing.own)
        except jwt.TokenError as error:
            raise errors.bad_jwt(_REASONS.get(error.kind, f"token is malformed: {error.message}")) from error


async def read_raw(request: Request, most: int = _MAX_BODY) -> bytes:
    """The request's body. Raises 413 for one that is too large."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > most:
            text = f"Request body too large (max {most} bytes)"
            raise errors.AuthError(413, "request_entity_too_large", text)
    return raw


async def read_form(request: Request) -> list[tuple[str, str]]:
    """The fields of a form. Raises 413 for one that is too large, `ValueError` for what is none or has too many."""
    raw = await read_raw(request, _MAX_FORM)
    return parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)


async def read_body(request: Request) -> dict[str, Any]:
    """The request's JSON object; an empty body is an empty object."""
    raw = await read_raw(request)
    if not raw:
        return {}
    try:
        value = read_json(raw, MOST_MARKS)
    except ValueError as error:
        raise errors.bad_json() from error
    if not isinstance(value, dict):
        raise errors.bad_json()
    return value


def id_in_path(request: Request, name: str) -> UUID:
    """The id that the path names. Raises 404."""
    try:
        return UUID(request.path_params[name])
    except ValueError as error:
        raise errors.validation_failed(f"{name} must be an UUID", 404) from error


def text_of(body: dict[str, Any], name: str) -> str:
    """A text field; missing and null are empty. Raises 400 for any other type."""
    value = body.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or "\x00" in value:
        raise errors.bad_json()
    return value


def object_of(body: dict[str, Any], name: str) -> dict[str, Any]:
    """An object field; missing and null are empty. Raises 400 for any other type."""
    value = body.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise errors.bad_json()
    return value


def flag_of(body: dict[str, Any], name: str) -> bool:
    """A field that is true or false; missing and null are false. Raises 400 for any other type."""
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise errors.bad_json()
    return value is True
