"""A client's metadata at its registration (RFC 7591), checked.

Upstream: `internal/api/oauthserver/service.go`. Stricter: a redirect address has no comma, which separates addresses in
upstream's column, nor anything that browsers read otherwise than it is written; a client's page and logo, which
consent pages link to, are web addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args
from urllib.parse import urlsplit

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import read_body, text_of
from localbase.auth.oauth_server.clients import AuthMethod, ClientType
from localbase.auth.redirects import SCRIPTS, UNSAFE

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_GRANTS = ("authorization_code", "refresh_token")
_METHODS: tuple[AuthMethod, ...] = get_args(AuthMethod)
_METHODS_OF: dict[ClientType, tuple[AuthMethod, ...]] = {
    "public": ("none",),
    "confidential": ("client_secret_basic", "client_secret_post"),
}
_MOST_URIS, _LONGEST_NAME, _LONGEST_URI = 10, 1024, 2048


@dataclass(frozen=True, slots=True)
class Metadata:
    """The fields of a body, checked each by itself; None for one that it does not have."""

    redirect_uris: list[str] | None
    grant_types: list[str] | None
    client_name: str | None
    client_uri: str | None
    logo_uri: str | None
    client_type: ClientType | None
    token_endpoint_auth_method: AuthMethod | None

    def require_redirect_uris(self) -> list[str]:
        """The addresses. Raises 400 if there are none."""
        if not self.redirect_uris:
            raise errors.validation_failed("redirect_uris is required")
        return self.redirect_uris

    def kind(self) -> tuple[ClientType, AuthMethod]:
        """The type and the method of a new client, each by the other. Raises 400 if they contradict each other."""
        client_type, method = self.client_type, self.token_endpoint_auth_method
        of_method: ClientType = "public" if method == "none" else "confidential"
        if client_type and method and client_type != of_method:
            raise errors.validation_failed(
                f"client_type '{client_type}' is inconsistent with token_endpoint_auth_method '{method}' "
                f"(expected client_type '{of_method}')"
            )
        kind = client_type or of_method
        return kind, method or _METHODS_OF[kind][0]


async def read_metadata(request: Request) -> Metadata:
    """The metadata of a request's body. Raises 400."""
    try:
        body = await read_body(request)
        texts = {
            name: text_of(body, name) if body.get(name) is not None else None
            for name in (
                *("client_name", "client_uri", "logo_uri", "client_type", "token_endpoint_auth_method"),
            )
        }
        lists = {name: _texts_of(body, name) for name in ("redirect_uris", "grant_types")}
    except errors.AuthError as error:
        raise errors.AuthError(error.status, error.code, "Invalid JSON body") from error
    redirect_uris, grant_types = lists["redirect_uris"], lists["grant_types"]
    if redirect_uris:
        _check_redirect_uris(redirect_uris)
    if any(grant not in _GRANTS for grant in grant_types or []):
        raise errors.validation_failed(
            "grant_types must only contain 'authorization_code' and/or 'refresh_token'"
        )
    if len((texts["client_name"] or "").encode()) > _LONGEST_NAME:
        raise errors.validation_failed("client_name cannot exceed 1024 characters")
    for name in ("client_uri", "logo_uri"):
        _check_web_address(name, texts[name] or "")
    return Metadata(
        redirect_uris=redirect_uris,
        grant_types=grant_types,
        client_name=texts["client_name"],
        client_uri=texts["client_uri"],
        logo_uri=texts["logo_uri"],
        client_type=_client_type(texts["client_type"]),
        token_endpoint_auth_method=_method(texts["token_endpoint_auth_method"]),
    )


def require_method_of(client_type: ClientType, method: AuthMethod) -> None:
    """Raises 400 for a method that is none of the type's."""
    valid = _METHODS_OF[client_type]
    if method not in valid:
        raise errors.validation_failed(
            f"token_endpoint_auth_method '{method}' is not valid for client_type '{client_type}'; "
            f"valid methods: [{' '.join(valid)}]"
        )


def _texts_of(body: dict[str, Any], name: str) -> list[str] | None:
    values = body.get(name)
    if values is None:
        return None
    if not isinstance(values, list):
        raise errors.bad_json()
    return [text_of({"item": value}, "item") for value in values]


def _client_type(text: str | None) -> ClientType | None:
    for client_type in _METHODS_OF:
        if text == client_type:
            return client_type
    if text:
        raise errors.validation_failed("client_type must be 'public' or 'confidential'")
    return None


def _method(text: str | None) -> AuthMethod | None:
    for method in _METHODS:
        if text == method:
            return method
    if text:
        raise errors.validation_failed(f"token_endpoint_auth_method must be one of: [{' '.join(_METHODS)}]")
    return None


def _check_redirect_uris(uris: list[str]) -> None:
    if len(uris) > _MOST_URIS:
        raise errors.validation_failed(f"redirect_uris cannot exceed {_MOST_URIS} items")
    for uri in uris:
        if reason := _fault_of(uri):
            raise errors.validation_failed(f"invalid redirect_uri '{uri}': {reason}")


def _fault_of(uri: str) -> str | None:
    if not uri:
        return "redirect URI cannot be empty"
    if UNSAFE.search(uri) or "," in uri or len(uri) > _LONGEST_URI:
        return "invalid URL format"
    try:
        parts = urlsplit(uri)
        host = parts.hostname
    except ValueError:
        return "invalid URL format"
    if not parts.scheme or not host:
        return "must have scheme and host"
    if parts.scheme in SCRIPTS:
        return f"scheme '{parts.scheme}' is not allowed for security reasons"
    if parts.scheme == "http" and host not in _LOOPBACK:
        return "HTTP scheme only allowed for localhost"
    return "fragment not allowed in redirect URI" if "#" in uri else None


def _check_web_address(name: str, address: str) -> None:
    if len(address.encode()) > _LONGEST_URI:
        raise errors.validation_failed(f"{name} cannot exceed {_LONGEST_URI} characters")
    if not address:
        return
    fault = errors.validation_failed(f"{name} must be a valid URL")
    if UNSAFE.search(address):
        raise fault
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError as error:
        raise fault from error
    if not is_web:
        raise fault
