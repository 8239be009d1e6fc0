"""A provider that speaks OpenID Connect: Google, or any issuer the project's settings name.

Endpoints come from the issuer's discovery document (OpenID Connect Discovery 1.0); the ID token's signature, issuer,
audience, times and nonce are verified (OpenID Connect Core 1.0, 3.1.3.7).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from localbase.auth.providers.provider import (
    Address,
    Attempt,
    Client,
    Person,
    ProviderError,
    http_client,
    json_object,
    nonce_of,
)

if TYPE_CHECKING:
    import httpx

_SCOPES = ("openid", "email", "profile")
_ENDPOINTS = frozenset(("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"))
# The claims that upstream stores of an ID token, but for the address.
_STORED = (
    *("iss", "sub", "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username"),
    *("profile", "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "phone"),
    *("phone_verified", "custom_claims", "full_name", "avatar_url", "slug", "provider_id", "user_name"),
)


@dataclass(frozen=True, slots=True)
class OidcProvider:
    """One issuer. `skip_nonce_check` is for providers that do not send the nonce back."""

    name: str
    issuer: str
    client: Client
    skip_nonce_check: bool = False
    email_optional: bool = False

    async def sign_in_address(self, attempt: Attempt) -> str:
        """Return where the browser goes to sign in. Raises `ProviderError`."""
        async with http_client() as http:
            endpoints = await self._discover(http)
        return self.client.address(endpoints["authorization_endpoint"], _SCOPES, attempt, nonce=attempt.nonce)

    async def redeem(self, code: str, verifier: str) -> Person:
        """The person behind the code that the browser brought back. Raises `ProviderError`."""
        async with http_client() as http:
            endpoints = await self._discover(http)
            tokens = await self.client.exchange(http, endpoints["token_endpoint"], code, verifier)
            keys = await json_object(http, "GET", endpoints["jwks_uri"])
        claims = self._verified(str(tokens.get("id_token")), endpoints, keys)
        if self.client.ids[0] not in audience_of(claims):
            raise ProviderError(f"{self.name}'s ID token is for {claims.get('aud')}")
        if not self.skip_nonce_check and claims.get("nonce") != nonce_of(verifier):
            raise ProviderError(f"{self.name}'s ID token belongs to another sign-in")
        require_access_token_hash(claims, tokens["access_token"])
        person = self.person(claims)
        return Person(
            person.claims, person.addresses, tokens["access_token"], str(tokens.get("refresh_token") or "")
        )

    async def verify(self, id_token: str) -> Mapping[str, Any]:
        """The claims of an ID token of this issuer, for any audience. Raises `ProviderError`."""
        async with http_client() as http:
            endpoints = await self._discover(http)
            keys = await json_object(http, "GET", endpoints["jwks_uri"])
        return self._verified(id_token, endpoints, keys)

    def person(self, claims: Mapping[str, Any]) -> Person:
        """Return who the ID token says it is."""
        email = claims.get("email")
        verified = claims.get("email_verified") is True
        if self.name == "google":
            verified = verified or claims.get("verified_email") is True
            person_claims = _of_google(claims)
        else:
            person_claims = {name: claims[name] for name in _STORED if name in claims}
        addresses = (Address(email, verified, primary=True),) if isinstance(email, str) and email else ()
        return Person(person_claims, addresses)

    def _verified(
        self, id_token: str, endpoints: Mapping[str, Any], keys: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        issuer = str(endpoints["issuer"])
        # Google's tokens may name it without its scheme.
        issuers = [issuer, issuer.removeprefix("https://")] if self.name == "google" else [issuer]
        try:
            token = jwt.decode(
                id_token,
                KeySet.import_key_set(cast(Any, keys)),
                algorithms=["RS256", "ES256"],
            )
            jwt.JWTClaimsRegistry(
                iss={"essential": True, "values": issuers}, exp={"essential": True}
            ).validate(token.claims)
        except (JoseError, KeyError, ValueError, TypeError) as error:
            raise ProviderError(f"{self.name}'s ID token does not verify: {error}") from error
        if not isinstance(token.claims.get("sub", ""), str):
            raise ProviderError(f"{self.name}'s ID token names its subject by something else than text")
        return token.claims

    async def _discover(self, http: httpx.AsyncClient) -> dict[str, Any]:
        metadata = await json_object(
            http, "GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
        )
        missing = _ENDPOINTS - set(metadata)
        if missing:
            raise ProviderError(f"{self.issuer}'s discovery document lacks {', '.join(sorted(missing))}")
        return metadata


def audience_of(claims: Mapping[str, Any]) -> list[Any]:
    """Whom a token is for: one name or several."""
    audience = claims.get("aud")
    return audience if isinstance(audience, list) else [audience]


def require_access_token_hash(claims: Mapping[str, Any], access_token: str) -> None:
    """Raises `ProviderError` if the ID token was issued with another access token (Core 1.0, 3.1.3.6)."""
    at_hash = claims.get("at_hash")
    if not at_hash:
        return
    half = hashlib.sha256(access_token.encode()).digest()[:16]
    expected = base64.urlsafe_b64encode(half).rstrip(b"=").decode()
    if not hmac.compare_digest(expected.encode(), str(at_hash).encode()):
        raise ProviderError("the ID token was issued with another access token")


def _of_google(claims: Mapping[str, Any]) -> dict[str, Any]:
    name, picture = claims.get("name") or "", claims.get("picture") or ""
    return {
        "iss": claims["iss"],
        "sub": claims.get("sub", ""),
        "name": name,
        "picture": picture,
        "full_name": name,
        "avatar_url": picture,
        "provider_id": claims.get("sub", ""),
        **({"custom_claims": {"hd": claims["hd"]}} if claims.get("hd") else {}),
    }
