"""Second factors by WebAuthn: security keys and platform authenticators.

Upstream: supabase/auth, `internal/api/mfa.go`. `web_authn_credential` has the form of its library, go-webauthn, so that
keys of restored databases go on working.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.context import Context, object_of, text_of
from localbase.auth.mfa import challenges, factors
from localbase.auth.mfa.factors import Owner
from localbase.auth.sessions import sessions
from localbase.auth.tables.rows import Factor, FactorChallenge
from localbase.auth.webauthn import (
    Credential,
    VerificationFailed,
    assertion_of,
    handle_of,
    relying_party_of,
    response_type,
)
from localbase.postgres.service_pool import Cursor

# The fields of a response that are stored: a client may have put more there.
_STORED_FIELDS = ("id", "rawId", "type", "authenticatorAttachment", "response")
_STORED_RESPONSE_FIELDS = (
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
)


async def challenge(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor
) -> tuple[FactorChallenge, dict[str, Any]]:
    """A challenge, and what the browser is to be given: a new key is made, or a verified one signs."""
    party = relying_party_of(context.auth)
    present = [_id_of(each) for each in await _verified(cursor, owner)]
    if factor.status == "verified":
        options, session = party.request_options(owner.user, present)
    else:
        options, session = party.creation_options(owner.user, "", present, discoverable=False)
    row = await challenges.insert(context, cursor, request, owner, factor, webauthn=session)
    kind = response_type(verified=factor.status == "verified")
    return row, {"webauthn": {"type": kind, "credential_options": {"publicKey": options}}}


async def verify(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor, body: dict[str, Any]
) -> dict[str, Any] | errors.AuthError:
    """The token response. The challenge is used up, proven or not; so errors are returned."""
    factors.require_enabled(context, "webauthn", "verify")
    webauthn_config = object_of(body, "webauthn")
    if not webauthn_config:
        raise errors.validation_failed("WebAuthn config required")
    # A verified factor takes signatures only: a new key of a thief would pass for its owner.
    if text_of(webauthn_config, "type") != response_type(verified=factor.status == "verified"):
        raise errors.validation_failed("WebAuthn type must be create or request")
    response = object_of(webauthn_config, "credential_response")
    if not response:
        raise errors.validation_failed("credential_response required")
    row = await challenges.usable(context, cursor, request, factor, text_of(body, "challenge_id"))
    if isinstance(row, errors.AuthError):
        return row
    await cursor.execute("delete from auth.mfa_challenges where id = %s", [row.id])
    try:
        if factor.status == "verified":
            await _sign(context, cursor, owner, row, response)
        else:
            await _make(context, cursor, factor, row, response)
    except VerificationFailed as error:
        return (
            errors.validation_failed("Invalid credential_response")
            if error.malformed
            else errors.webauthn_failed(malformed=False)
        )
    await _remember(context, cursor, factor, row, text_of(webauthn_config, "type"), response)
    return await factors.complete(context, cursor, request, owner, factor, row.id)


async def _make(
    context: Context, cursor: Cursor, factor: Factor, row: FactorChallenge, response: dict[str, Any]
) -> None:
    made = relying_party_of(context.auth).verify_creation(row.web_authn_session_data or {}, response)
    await cursor.execute(
        """
        update auth.mfa_factors set web_authn_credential = %s, web_authn_aaguid = %s, updated_at = %s where id = %s
        """,
        [json.dumps(_stored(made)), made.aaguid, sessions.moment(context.clock()), factor.id],
    )


async def _sign(
    context: Context, cursor: Cursor, owner: Owner, row: FactorChallenge, response: dict[str, Any]
) -> None:
    """Any of the user's verified keys will do, as upstream has it."""
    signed = assertion_of(response)
    if signed.user_handle not in (None, b"", handle_of(owner.user)):
        raise VerificationFailed(malformed=False)
    for each in await _verified(cursor, owner):
        stored = each.web_authn_credential or {}
        if _id_of(each) != signed.credential_id:
            continue
        authenticator = stored.get("authenticator") or {}
        count = relying_party_of(context.auth).verify_request(
            row.web_authn_session_data or {},
            response,
            base64.b64decode(stored["publicKey"]),
            authenticator.get("signCount", 0),
        )
        changed = stored | {"authenticator": authenticator | {"signCount": count}}
        await cursor.execute(
            "update auth.mfa_factors set web_authn_credential = %s where id = %s",
            [json.dumps(changed), each.id],
        )
        return
    raise VerificationFailed(malformed=False)


async def _remember(
    context: Context,
    cursor: Cursor,
    factor: Factor,
    row: FactorChallenge,
    kind: str,
    response: dict[str, Any],
) -> None:
    inner = object_of(response, "response")
    credential_response = {name: response[name] for name in _STORED_FIELDS if name in response}
    credential_response["response"] = {name: inner[name] for name in _STORED_RESPONSE_FIELDS if name in inner}
    last = {
        "challenge": {
            "challenge_id": str(row.id),
            "factor_id": str(row.factor_id),
            "created_at": row.created_at.isoformat(),
            "ip_address": str(row.ip_address),
        },
        "type": kind,
        "credential_response": credential_response,
    }
    await cursor.execute(
        "update auth.mfa_factors set last_webauthn_challenge_data = %s, updated_at = %s where id = %s",
        [json.dumps(last), sessions.moment(context.clock()), factor.id],
    )


async def _verified(cursor: Cursor, owner: Owner) -> list[Factor]:
    """The user's factors that have a key."""
    return [
        factor
        for factor in await factors.of_user(cursor, owner.user)
        if factor.factor_type == "webauthn" and factor.status == "verified" and factor.web_authn_credential
    ]


def _id_of(factor: Factor) -> bytes:
    return base64.b64decode((factor.web_authn_credential or {})["id"])


def _stored(made: Credential) -> dict[str, Any]:
    return {
        "id": base64.b64encode(made.id).decode(),
        "publicKey": base64.b64encode(made.public_key).decode(),
        "attestationType": made.attestation_type,
        "transport": list(made.transports),
        "flags": {
            "userPresent": True,
            "userVerified": made.user_verified,
            "backupEligible": made.backup_eligible,
            "backupState": made.backed_up,
        },
        "authenticator": {
            "AAGUID": base64.b64encode(made.aaguid.bytes).decode(),
            "signCount": made.sign_count,
            "cloneWarning": False,
        },
    }
