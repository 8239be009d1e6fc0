"""Challenges for browsers and the verification of their answers, by the `webauthn` package.

It is imported when a browser first comes with a key: it would be a tenth of the gateway's start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import webauthn
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    parse_authentication_credential_json,
    parse_registration_credential_json,
)
from webauthn.helpers.options_to_json_dict import options_to_json_dict
from webauthn.helpers.structs import (
    AttestationFormat,
    AuthenticatorSelectionCriteria,
    CredentialDeviceType,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from localbase.auth.webauthn.credentials import Assertion, Credential, VerificationFailed

_MILLISECONDS = 300_000


def creation_options(
    rp_id: str,
    rp_name: str,
    handle: bytes,
    name: str,
    display_name: str,
    exclude: Iterable[bytes],
    *,
    discoverable: bool,
) -> tuple[dict[str, Any], str]:
    """Options for `navigator.credentials.create`, and their challenge in base64url."""
    options = webauthn.generate_registration_options(
        rp_id=rp_id,
        rp_name=rp_name,
        user_id=handle,
        user_name=name,
        user_display_name=display_name or name,
        timeout=_MILLISECONDS,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in exclude],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED
            if discoverable
            else ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
    )
    return options_to_json_dict(options), bytes_to_base64url(options.challenge)


def request_options(rp_id: str, allow: Iterable[bytes]) -> tuple[dict[str, Any], str]:
    """Options for `navigator.credentials.get`, and their challenge in base64url."""
    options = webauthn.generate_authentication_options(
        rp_id=rp_id,
        timeout=_MILLISECONDS,
        allow_credentials=[PublicKeyCredentialDescriptor(id=each) for each in allow],
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json_dict(options), bytes_to_base64url(options.challenge)


def verify_creation(origins: Sequence[str], session: dict[str, Any], response: dict[str, Any]) -> Credential:
    """The new key. Raises `VerificationFailed`."""
    try:
        parsed = parse_registration_credential_json(response)
    except Exception as error:
        raise VerificationFailed(malformed=True) from error
    try:
        verified = webauthn.verify_registration_response(
            credential=parsed,
            expected_challenge=base64url_to_bytes(session["challenge"]),
            expected_rp_id=session["rpId"],
            expected_origin=list(origins),
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
        AttestationFormat(verified.fmt).value,
        tuple(each.value for each in parsed.response.transports or ()),
        verified.user_verified,
        verified.credential_device_type == CredentialDeviceType.MULTI_DEVICE,
        verified.credential_backed_up,
    )


def verify_request(
    origins: Sequence[str],
    session: dict[str, Any],
    response: dict[str, Any],
    public_key: bytes,
    sign_count: int,
) -> int:
    """The key's new count of signatures. Raises `VerificationFailed`, for a count that went back too."""
    try:
        return webauthn.verify_authentication_response(
            credential=response,
            expected_challenge=base64url_to_bytes(session["challenge"]),
            expected_rp_id=session["rpId"],
            expected_origin=list(origins),
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
        ).new_sign_count
    except Exception as error:
        raise VerificationFailed(malformed=False) from error


def assertion_of(response: dict[str, Any]) -> Assertion:
    """Key and user that a response claims. Raises `VerificationFailed`."""
    try:
        parsed = parse_authentication_credential_json(response)
    except Exception as error:
        raise VerificationFailed(malformed=True) from error
    return Assertion(parsed.raw_id, parsed.response.user_handle)
