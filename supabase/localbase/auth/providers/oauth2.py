"""Providers that tell who signed in at an endpoint of their own: GitHub, and Keycloak.

Upstream: supabase/auth, `internal/api/provider/github.go`, `keycloak.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from localbase.auth.providers.oidc import OidcProvider
from localbase.auth.providers.provider import (
    Address,
    Attempt,
    Client,
    Person,
    ProviderError,
    http_client,
    json_object,
    json_value,
)

if TYPE_CHECKING:
    import httpx

_GITHUB, _GITHUB_API = "https://github.com", "https://api.github.com"
_KEYCLOAK_OWN = frozenset(("name", "sub", "email", "email_verified"))


@dataclass(frozen=True, slots=True)
class GitHubProvider:
    """GitHub, or a GitHub Enterprise server at `url`. Addresses come from a list of their own, each with its state."""

    client: Client
    url: str = ""
    email_optional: bool = False
    name: str = "github"

    async def sign_in_address(self, attempt: Attempt) -> str:
        """Return where the browser goes to sign in."""
        host = self.url.rstrip("/") or _GITHUB
        return self.client.address(f"{host}/login/oauth/authorize", ("user:email",), attempt)

    async def redeem(self, code: str, verifier: str) -> Person:
        """The person behind the code. Raises `ProviderError`."""
        host = self.url.rstrip("/") or _GITHUB
        api = f"{self.url.rstrip('/')}/api/v3" if self.url else _GITHUB_API
        async with http_client() as http:
            tokens = await self.client.exchange(http, f"{host}/login/oauth/access_token", code, verifier)
            headers = _authorized(tokens)
            user = await json_object(http, "GET", f"{api}/user", headers=headers)
            emails = await json_value(http, "GET", f"{api}/user/emails", headers=headers)
        if not isinstance(user.get("id"), int) or not isinstance(emails, list):
            raise ProviderError(f"{api} told neither the user's id nor addresses")
        subject, name = str(user["id"]), user.get("name") or ""
        claims = {
            "iss": api,
            "sub": subject,
            "name": name,
            "preferred_username": user.get("login") or "",
            "full_name": name,
            "avatar_url": user.get("avatar_url") or "",
            "provider_id": subject,
            "user_name": user.get("login") or "",
        }
        addresses = tuple(
            Address(each["email"], each.get("verified") is True, each.get("primary") is True)
            for each in emails
            if isinstance(each, dict) and each.get("email")
        )
        return Person(claims, addresses, tokens["access_token"], str(tokens.get("refresh_token") or ""))


@dataclass(frozen=True, slots=True)
class KeycloakProvider:
    """A realm of Keycloak at `url`. Its ID tokens, given by a client, are those of an OpenID Connect issuer."""

    client: Client
    url: str
    email_optional: bool = False
    skip_nonce_check: bool = False
    name: str = "keycloak"

    @property
    def issuer(self) -> OidcProvider:
        """The realm as an issuer of ID tokens."""
        return OidcProvider(self.name, self._host, self.client, self.skip_nonce_check, self.email_optional)

    @property
    def _host(self) -> str:
        return self.url.rstrip("/")

    async def sign_in_address(self, attempt: Attempt) -> str:
        """Return where the browser goes to sign in."""
        endpoint = f"{self._host}/protocol/openid-connect/auth"
        return self.client.address(endpoint, ("profile", "email"), attempt)

    async def redeem(self, code: str, verifier: str) -> Person:
        """The person behind the code. Raises `ProviderError`."""
        endpoints = f"{self._host}/protocol/openid-connect"
        async with http_client() as http:
            tokens = await self.client.exchange(http, f"{endpoints}/token", code, verifier)
            user = await self._user(http, f"{endpoints}/userinfo", tokens)
        name = user.get("name") or ""
        claims = {
            "iss": self._host,
            "sub": user["sub"],
            "name": name,
            "custom_claims": {key: value for key, value in user.items() if key not in _KEYCLOAK_OWN},
            "full_name": name,
            "provider_id": user["sub"],
        }
        email = user.get("email")
        verified = user.get("email_verified") is True
        addresses = (Address(email, verified, primary=True),) if isinstance(email, str) and email else ()
        return Person(claims, addresses, tokens["access_token"], str(tokens.get("refresh_token") or ""))

    @staticmethod
    async def _user(http: httpx.AsyncClient, url: str, tokens: dict[str, Any]) -> dict[str, Any]:
        user = await json_object(http, "GET", url, headers=_authorized(tokens))
        if not isinstance(user.get("sub"), str) or not user["sub"]:
            raise ProviderError(f"{url} did not tell who signed in")
        return user


def _authorized(tokens: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {tokens['access_token']}"}
