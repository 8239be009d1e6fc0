"""An outside OpenID Connect provider: where it sends people to sign in, and who it says came back.

Endpoints come from the issuer's discovery document (OpenID Connect Discovery 1.0); the ID token's signature, issuer,
audience and times are verified (OpenID Connect Core 1.0, 3.1.3.7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, KeySetSerialization

from localbase.core.auth_settings import ProviderSettings

_ISSUERS = {"google": "https://accounts.google.com"}
_SCOPES = {"google": ("openid", "email", "profile")}
_TIMEOUT_SECONDS = 10


class ProviderError(Exception):
    """The provider refused, or could not be reached. The text is for the log."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who signed in: the ID token's claims, and the provider's own tokens."""

    claims: dict[str, Any]
    access_token: str
    refresh_token: str | None


@dataclass(frozen=True, slots=True)
class Provider:
    """One configured provider."""

    name: str
    issuer: str
    client_id: str
    secret: str
    redirect_uri: str

    async def sign_in_address(self, state: str, scopes: str) -> str:
        """Where the browser goes to sign in. Raises `ProviderError`."""
        wanted = dict.fromkeys([*_SCOPES.get(self.name, ("openid", "email", "profile")), *scopes.split()])
        query = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
            "scope": " ".join(wanted),
            "state": state,
        }
        async with _client() as client:
            endpoints = await self._discover(client)
        return f"{endpoints['authorization_endpoint']}?{urlencode(query)}"

    async def redeem(self, code: str) -> Person:
        """The person behind the code that the browser brought back. Raises `ProviderError`."""
        body = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "client_id": self.client_id,
            "client_secret": self.secret,
        }
        async with _client() as client:
            endpoints = await self._discover(client)
            tokens = await _json(client, "POST", endpoints["token_endpoint"], data=body)
            keys = await _json(client, "GET", endpoints["jwks_uri"])
        try:
            token = jwt.decode(
                tokens["id_token"],
                KeySet.import_key_set(cast(KeySetSerialization, keys)),
                algorithms=["RS256", "ES256"],
            )
            jwt.JWTClaimsRegistry(
                iss={"essential": True, "value": endpoints["issuer"]},
                aud={"essential": True, "value": self.client_id},
                sub={"essential": True},
                exp={"essential": True},
            ).validate(token.claims)
        except (JoseError, KeyError, ValueError) as error:
            raise ProviderError(f"{self.name}'s ID token does not verify: {error}") from error
        return Person(token.claims, tokens.get("access_token", ""), tokens.get("refresh_token"))

    async def _discover(self, client: httpx.AsyncClient) -> dict[str, Any]:
        found = await _json(client, "GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
        missing = {"issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"} - set(found)
        if missing:
            raise ProviderError(f"{self.issuer}'s discovery document lacks {', '.join(sorted(missing))}")
        return found


def providers_of(settings: dict[str, ProviderSettings], callback: str) -> dict[str, Provider]:
    """The providers that are enabled and have a known issuer."""
    return {
        name: Provider(
            name,
            given.url or _ISSUERS[name],
            given.client_id,
            given.secret,
            given.redirect_uri or callback,
        )
        for name, given in settings.items()
        if given.enabled and given.client_id and (given.url or name in _ISSUERS)
    }


def _client() -> httpx.AsyncClient:
    return httpx.AsyncClient(timeout=_TIMEOUT_SECONDS, follow_redirects=False)


async def _json(client: httpx.AsyncClient, method: str, url: str, **options: Any) -> dict[str, Any]:
    try:
        answer = await client.request(method, url, **options)
        answer.raise_for_status()
        found = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise ProviderError(f"{method} {url.split('?')[0]} failed: {error}") from error
    if not isinstance(found, dict):
        raise ProviderError(f"{url} did not answer a JSON object")
    return found
