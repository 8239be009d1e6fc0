"""WebAuthn: what a browser is to sign, and whether it has signed it, for second factors and for passkeys.

The `webauthn` package makes the options and verifies signatures; challenges, credentials and their rows belong to the
callers. The package is imported when a browser first comes with a key: it would be a tenth of the gateway's start.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from localbase.auth.tables.rows import User
from localbase.core.auth_settings import AuthSettings

_MILLISECONDS = 300_000


class VerificationFailed(Exception):
    """The browser's response does not prove the key. `malformed`: it is no such response at all."""

    def __init__(self, *, malformed: bool) -> None:
        super().__init__()
        self.malformed = malformed


@dataclass(frozen=True, slots=True)
class Credential:
    """A key as its authenticator has shown it. `public_key` is in COSE's form."""

    id: bytes
    public_key: bytes
    sign_count: int
    aaguid: UUID
    attestation_type: str
    transports: tuple[str, ...]
    user_verified: bool
    backup_eligible: bool
    backed_up: bool


@dataclass(frozen=True, slots=True)
class Assertion:
    """The key and the user that a response names; not verified yet."""

    credential_id: bytes
    user_handle: bytes | None


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
        from webauthn import generate_registration_options
        from webauthn.helpers import structs
        from webauthn.helpers.options_to_json_dict import options_to_json_dict

        wanted = structs.ResidentKeyRequirement
        name = user.email or user.phone or str(user.id)
        options = generate_registration_options(
            rp_id=self.id,
            rp_name=self.name,
            user_id=handle_of(user),
            user_name=name,
            user_display_name=display_name or name,
            timeout=_MILLISECONDS,
            exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=each) for each in exclude],
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=wanted.REQUIRED if discoverable else wanted.PREFERRED,
                user_verification=structs.UserVerificationRequirement.PREFERRED,
            ),
        )
        return options_to_json_dict(options), self._session(options.challenge, user)

    def request_options(
        self, user: User | None, allow: Iterable[bytes]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Options for `navigator.credentials.get`, and the session data. No `user`: the key names its own."""
        from webauthn import generate_authentication_options
        from webauthn.helpers import structs
        from webauthn.helpers.options_to_json_dict import options_to_json_dict

        options = generate_authentication_options(
            rp_id=self.id,
            timeout=_MILLISECONDS,
            allow_credentials=[structs.PublicKeyCredentialDescriptor(id=each) for each in allow],
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        )
        return options_to_json_dict(options), self._session(options.challenge, user)

    def verify_creation(self, session: dict[str, Any], response: dict[str, Any]) -> Credential:
        """The new key. Raises `VerificationFailed`."""
        from webauthn import base64url_to_bytes, verify_registration_response
        from webauthn.helpers import parse_registration_credential_json, structs

        try:
            parsed = parse_registration_credential_json(response)
        except Exception as error:
            raise VerificationFailed(malformed=True) from error
        try:
            verified = verify_registration_response(
                credential=parsed,
                expected_challenge=base64url_to_bytes(session["challenge"]),
                expected_rp_id=session["rpId"],
                expected_origin=list(self.origins),
            )
        except Exception as error:
            # Not only the package's own errors: parsers below it meet any bytes that a client has sent.
            raise VerificationFailed(malformed=False) from error
        return Credential(
            verified.credential_id,
            verified.credential_public_key,
            verified.sign_count,
            UUID(verified.aaguid),
            # The package types it as an enumeration and gives a plain text.
            structs.AttestationFormat(verified.fmt).value,
            tuple(each.value for each in parsed.response.transports or ()),
            verified.user_verified,
            verified.credential_device_type == structs.CredentialDeviceType.MULTI_DEVICE,
            verified.credential_backed_up,
        )

    def verify_request(
        self, session: dict[str, Any], response: dict[str, Any], public_key: bytes, sign_count: int
    ) -> int:
        """The key's new count of signatures. Raises `VerificationFailed`, for a count that went back too."""
        from webauthn import base64url_to_bytes, verify_authentication_response

        try:
            return verify_authentication_response(
                credential=response,
                expected_challenge=base64url_to_bytes(session["challenge"]),
                expected_rp_id=session["rpId"],
                expected_origin=list(self.origins),
                credential_public_key=public_key,
                credential_current_sign_count=sign_count,
            ).new_sign_count
        except Exception as error:
            raise VerificationFailed(malformed=False) from error

    def _session(self, challenge: bytes, user: User | None) -> dict[str, Any]:
        """In the form of upstream's library, go-webauthn."""
        return {
            "challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
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
    from webauthn.helpers import parse_authentication_credential_json

    try:
        parsed = parse_authentication_credential_json(response)
    except Exception as error:
        raise VerificationFailed(malformed=True) from error
    return Assertion(parsed.raw_id, parsed.response.user_handle)


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
