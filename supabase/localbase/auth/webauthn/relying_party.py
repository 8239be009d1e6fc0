"""WebAuthn: what a browser is to sign, and whether it has signed it, for second factors and for passkeys.

The `webauthn` package verifies signatures (`webauthn_library`); challenges, credentials and their rows belong to the
callers.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Literal
from urllib.parse import urlsplit

from localbase.auth.tables.rows import User
from localbase.auth.webauthn.credentials import Assertion, Credential
from localbase.core.auth_settings import AuthSettings


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site that the keys belong to."""

    id: str
    name: str
    origins: tuple[str, ...]

    def creation_options(
        self, user: User, display_name: str, exclude: Iterable[bytes], *, discoverable: bool
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Options for `navigator.credentials.create`, and the session data, which is to be stored."""
        from localbase.auth.webauthn import library

        name = user.email or user.phone or str(user.id)
        options, challenge = library.creation_options(
            self.id, self.name, handle_of(user), name, display_name, exclude, discoverable=discoverable
        )
        return options, self._session(challenge, user)

    def request_options(
        self, user: User | None, allow: Iterable[bytes]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Options for `navigator.credentials.get`, and the session data. No `user`: the key names its own."""
        from localbase.auth.webauthn import library

        options, challenge = library.request_options(self.id, allow)
        return options, self._session(challenge, user)

    def verify_creation(self, session: dict[str, Any], response: dict[str, Any]) -> Credential:
        """The new key. Raises `VerificationFailed`."""
        from localbase.auth.webauthn import library

        return library.verify_creation(self.origins, session, response)

    def verify_request(
        self, session: dict[str, Any], response: dict[str, Any], public_key: bytes, sign_count: int
    ) -> int:
        """The key's new count of signatures. Raises `VerificationFailed`, for a count that went back too."""
        from localbase.auth.webauthn import library

        return library.verify_request(self.origins, session, response, public_key, sign_count)

    def _session(self, challenge: str, user: User | None) -> dict[str, Any]:
        """In the form of upstream's library, go-webauthn."""
        return {
            "challenge": challenge,
            "rpId": self.id,
            "user_id": base64.b64encode(handle_of(user)).decode() if user else None,
            "userVerification": "preferred",
        }


def relying_party_of(auth: AuthSettings) -> RelyingParty:
    """`[auth.webauthn]`; what it leaves open follows from `site_url`.

    Browsers take no IP address for a relying party: a site on a loopback address is `localhost`.
    """
    site = urlsplit(auth.site_url)
    host, origins = site.hostname or "localhost", [f"{site.scheme}://{site.netloc}"]
    if _is_loopback(host):
        host = "localhost"
        port = f":{site.port}" if site.port else ""
        origins.append(f"{site.scheme}://localhost{port}")
    settings = auth.webauthn
    rp_id = settings.rp_id or host
    return RelyingParty(rp_id, settings.rp_display_name or rp_id, settings.rp_origins or tuple(origins))


def assertion_of(response: dict[str, Any]) -> Assertion:
    """Key and user that a response claims. Raises `VerificationFailed`."""
    from localbase.auth.webauthn import library

    return library.assertion_of(response)


def response_type(*, verified: bool) -> Literal["create", "request"]:
    """Return what a browser does for a factor: make a key, or sign with the one that there is."""
    return "request" if verified else "create"


def handle_of(user: User) -> bytes:
    """The user's id, as keys keep it."""
    return str(user.id).encode()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
