"""Verification of Signature Version 4, by header or by query.

Stricter than upstream (`src/storage/protocols/s3/signature-v4.ts`), as S3 itself: the host and every `x-amz-*` header
must be signed, the time may differ by 15 minutes, and a presigned address ends after at most seven days. What is
signed within that time can be sent again, as with S3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from localbase.core.clock import Clock
from localbase.storage.aws import canonical, errors
from localbase.storage.aws.canonical import ALGORITHM, UNSIGNED_PAYLOAD, ReceivedRequest, Scope

SKEW_SECONDS = 15 * 60
LONGEST_EXPIRY_SECONDS = 7 * 24 * 3600
_HEX_SIGNATURE = re.compile(r"[0-9a-f]{64}")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")
_DIGITS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Credentials:
    """A key that requests may be signed with. They act as the caller of `token`, or without one as the service role."""

    access_key: str
    secret_key: str
    region: str
    token: str | None = None


# Finds the credentials of an access key and a session token; raises 403 where there are none.
FindCredentials = Callable[[str, str | None], Credentials]


@dataclass(frozen=True, slots=True)
class ClientSignature:
    """The signature as the client has sent it."""

    access_key: str
    scope: Scope
    moment: str
    signature: str
    signed_headers: tuple[str, ...]
    payload_hash: str
    session_token: str | None
    expires: int | None


@dataclass(frozen=True, slots=True)
class Verified:
    """A verified signature: the parts that the chunks of a body are signed with."""

    credentials: Credentials
    key: bytes
    scope: Scope
    moment: str
    signature: str
    payload_hash: str


def verify(request: ReceivedRequest, find: FindCredentials, clock: Clock) -> Verified:
    """Verifies a request's signature. Raises S3's error if it is none, is over, or does not match."""
    client = read_signature(request)
    check_time(client, clock())
    _check_signed_headers(request, client)
    credentials = find(client.access_key, client.session_token)
    key = key_for(credentials, client.scope)
    expected = canonical.signature_of(
        *(request, client.signed_headers, client.payload_hash),
        key=key,
        moment=client.moment,
        scope=client.scope,
    )
    if not canonical.same(expected, client.signature):
        raise errors.signature_does_not_match()
    return Verified(credentials, key, client.scope, client.moment, client.signature, client.payload_hash)


def key_for(credentials: Credentials, scope: Scope) -> bytes:
    """The signing key of these credentials for a scope. Raises 403 for another service or region."""
    if scope.service != "s3":
        raise errors.access_denied("Invalid Service")
    if scope.region not in ("auto", "us-east-1", credentials.region):
        # Signed for a region that this is not.
        raise errors.signature_does_not_match()
    return canonical.signing_key(credentials.secret_key, scope)


def read_signature(request: ReceivedRequest) -> ClientSignature:
    """The signature in the `Authorization` header, or in the query."""
    authorization = request.header("authorization") or ""
    parameters = request.parameters()
    by_header = authorization.startswith(ALGORITHM + " ")
    by_query = "X-Amz-Credential" in parameters or "X-Amz-Signature" in parameters
    if by_header and by_query:
        raise errors.invalid_request("Only one authentication mechanism is allowed")
    if by_header:
        return _from_header(request, authorization)
    if by_query:
        return _from_query(request, parameters)
    if authorization:
        raise errors.invalid_signature("Unsupported authorization type")
    raise errors.access_denied("Missing signature")


def _from_header(request: ReceivedRequest, authorization: str) -> ClientSignature:
    parts: dict[str, str] = {}
    for part in authorization.removeprefix(ALGORITHM).split(","):
        name, separator, value = part.strip().partition("=")
        if not separator or name in parts:
            raise errors.invalid_signature()
        parts[name] = value
    moment = request.header("x-amz-date")
    if parts.keys() != {"Credential", "SignedHeaders", "Signature"} or moment is None:
        raise errors.invalid_signature()
    access_key, scope = read_credential(parts["Credential"], moment)
    return ClientSignature(
        access_key=access_key,
        scope=scope,
        moment=moment,
        signature=_signature_in(parts["Signature"]),
        signed_headers=_names_in(parts["SignedHeaders"]),
        payload_hash=request.header("x-amz-content-sha256") or UNSIGNED_PAYLOAD,
        session_token=request.header("x-amz-security-token"),
        expires=None,
    )


def _from_query(request: ReceivedRequest, parameters: dict[str, str]) -> ClientSignature:
    try:
        credential, moment = parameters["X-Amz-Credential"], parameters["X-Amz-Date"]
        names, signature = parameters["X-Amz-SignedHeaders"], parameters["X-Amz-Signature"]
        algorithm, expires = parameters["X-Amz-Algorithm"], parameters["X-Amz-Expires"]
    except KeyError as error:
        raise errors.invalid_signature() from error
    if algorithm != ALGORITHM:
        raise errors.invalid_signature("Unsupported authorization type")
    if not _DIGITS.fullmatch(expires) or not 1 <= int(expires) <= LONGEST_EXPIRY_SECONDS:
        raise errors.invalid_signature("Invalid expiration")
    access_key, scope = read_credential(credential, moment)
    body_hash = parameters.get("X-Amz-Content-Sha256") or request.header("x-amz-content-sha256")
    return ClientSignature(
        access_key=access_key,
        scope=scope,
        moment=moment,
        signature=_signature_in(signature),
        signed_headers=_names_in(names),
        payload_hash=body_hash or UNSIGNED_PAYLOAD,
        session_token=parameters.get("X-Amz-Security-Token"),
        expires=int(expires),
    )


def read_credential(credential: str, moment: str) -> tuple[str, Scope]:
    """The access key and the scope of `key/day/region/service/aws4_request`, which must be of the signature's day."""
    parts = credential.split("/")
    if len(parts) != 5 or parts[4] != "aws4_request":
        raise errors.invalid_signature("Invalid credentials")
    access_key, date, region, service, _ = parts
    if date != moment[:8]:
        raise errors.invalid_signature("Invalid credentials")
    return access_key, Scope(date, region, service)


def check_time(client: ClientSignature, now: float) -> None:
    """Raises 403 for a signature of another time, 400 for a presigned address that has ended."""
    signed = seconds_of(client.moment)
    if client.expires is None:
        if abs(now - signed) > SKEW_SECONDS:
            raise errors.request_time_too_skewed()
        return
    if signed > now + SKEW_SECONDS:
        raise errors.request_time_too_skewed()
    if now > signed + client.expires:
        raise errors.expired()


def seconds_of(moment: str) -> float:
    """The epoch seconds of `20261122T101500Z`. Raises 400 for anything else."""
    if not re.fullmatch(r"[0-9]{8}T[0-9]{6}Z", moment):
        raise errors.invalid_signature()
    try:
        return datetime.fromisoformat(moment).timestamp()
    except ValueError as error:
        raise errors.invalid_signature() from error


def _check_signed_headers(request: ReceivedRequest, client: ClientSignature) -> None:
    """A header that changes what a request does must not be added by a third party."""
    names = {name for name, _ in request.headers}
    unsigned = {name for name in names if name.startswith("x-amz-")} - set(client.signed_headers)
    if unsigned or "host" not in client.signed_headers:
        raise errors.access_denied("There were headers present in the request which were not signed")


def _names_in(text: str) -> tuple[str, ...]:
    names = tuple(text.split(";"))
    if len(set(names)) != len(names) or not all(_HEADER_NAME.fullmatch(name) for name in names):
        raise errors.invalid_signature()
    return names


def _signature_in(text: str) -> str:
    if not _HEX_SIGNATURE.fullmatch(text):
        raise errors.invalid_signature()
    return text
