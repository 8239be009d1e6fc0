"""Outside providers: where they send people to sign in, and who they say came back."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

if TYPE_CHECKING:
    # Imported at its first use: it would be a tenth of the gateway's start.
    import httpx

_TIMEOUT_SECONDS = 10
# What the service itself says to the provider: a client cannot say it in its place.
_RESERVED = frozenset(
    (
        *("client_id", "client_secret", "redirect_uri", "response_type", "scope", "state", "nonce"),
        *("code_challenge", "code_challenge_method", "code_verifier"),
    )
)


class ProviderError(Exception):
    """The provider refused, or could not be reached. The text is for the log."""


@dataclass(frozen=True, slots=True)
class Address:
    """An e-mail address of a person, as the provider knows it."""

    email: str
    verified: bool
    primary: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A person who signed in: the provider's claims, the addresses apart from them, and the provider's own tokens."""

    claims: Mapping[str, Any]
    addresses: tuple[Address, ...]
    access_token: str = ""
    refresh_token: str = ""

    @property
    def subject(self) -> str:
        """The person's id at the provider."""
        return str(self.claims["sub"])

    @property
    def identity_data(self) -> dict[str, Any]:
        """Return what `auth.identities` stores.

        The claims with the primary address, or the last one if none is primary.
        """
        primary = next((each for each in self.addresses if each.primary), None)
        address = primary or (self.addresses[-1] if self.addresses else None)
        return {
            **{name: value for name, value in self.claims.items() if value not in ("", None)},
            **({"email": address.email.lower()} if address else {}),
            "email_verified": address is not None and address.verified,
            "phone_verified": self.claims.get("phone_verified") is True,
        }


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in that begins. `verifier` is the secret of PKCE towards the provider (RFC 7636)."""

    state: str
    scopes: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @property
    def nonce(self) -> str:
        """Comes back in the ID token, which belongs to this attempt by it."""
        return nonce_of(self.verifier)


class Provider(Protocol):
    """One provider that the project has switched on."""

    @property
    def name(self) -> str:
        """As the settings call it."""

    @property
    def email_optional(self) -> bool:
        """Tell whether people may sign in whose address the provider does not tell."""

    async def sign_in_address(self, attempt: Attempt) -> str:
        """Return where the browser goes. Raises `ProviderError`."""

    async def redeem(self, code: str, verifier: str) -> Person:
        """The person behind the code that the browser brought back. Raises `ProviderError`."""


@dataclass(frozen=True, slots=True)
class Client:
    """The project as the provider's client. The first of the ids signs in, all of them may be in ID tokens."""

    ids: tuple[str, ...]
    secret: str
    redirect_uri: str

    def address(self, endpoint: str, scopes: tuple[str, ...], attempt: Attempt, **own: str) -> str:
        """The authorization endpoint with the request of this attempt."""
        requested_scopes = dict.fromkeys([*scopes, *attempt.scopes.replace(",", " ").split()])
        digest = hashlib.sha256(attempt.verifier.encode()).digest()
        query = {
            **{name: value for name, value in attempt.extra.items() if name.lower() not in _RESERVED},
            "client_id": self.ids[0],
            "redirect_uri": self.redirect_uri,
            "response_type": "code",
            "scope": " ".join(requested_scopes),
            "state": attempt.state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **own,
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    async def exchange(
        self, client: httpx.AsyncClient, endpoint: str, code: str, verifier: str
    ) -> dict[str, Any]:
        """The provider's tokens for a code. Raises `ProviderError`."""
        body = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "client_id": self.ids[0],
            "client_secret": self.secret,
            "code_verifier": verifier,
        }
        tokens = await json_object(client, "POST", endpoint, data=body)
        if not isinstance(tokens.get("access_token"), str):
            # GitHub answers errors with 200.
            raise ProviderError(f"{endpoint} gave no access token: {tokens.get('error')}")
        return tokens


def nonce_of(verifier: str) -> str:
    """The nonce that goes with an attempt's verifier, and does not disclose it."""
    return hashlib.sha256(f"nonce:{verifier}".encode()).hexdigest()


def http_client() -> httpx.AsyncClient:
    """For requests to a provider."""
    import httpx

    return httpx.AsyncClient(
        timeout=_TIMEOUT_SECONDS, follow_redirects=False, headers={"accept": "application/json"}
    )


async def json_object(client: httpx.AsyncClient, method: str, url: str, **options: Any) -> dict[str, Any]:
    """A JSON object of the provider. Raises `ProviderError`."""
    value = await json_value(client, method, url, **options)
    if not isinstance(value, dict):
        raise ProviderError(f"{url} did not answer a JSON object")
    return value


async def json_value(client: httpx.AsyncClient, method: str, url: str, **options: Any) -> Any:
    """A JSON value of the provider. Raises `ProviderError`."""
    import httpx

    try:
        response = await client.request(method, url, **options)
        response.raise_for_status()
        return response.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise ProviderError(f"{method} {url.split('?')[0]} failed: {error}") from error
