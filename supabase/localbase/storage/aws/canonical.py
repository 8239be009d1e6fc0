"""The canonical form of a request, which both sides sign (Signature Version 4 as S3 has it).

https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. S3 takes the path as it was sent: it is
neither decoded nor resolved. Parameters are decoded once, and what was decoded is both signed and acted upon.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes

from localbase.storage.aws import errors

ALGORITHM = "AWS4-HMAC-SHA256"
UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD"
EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()
_MOST_PARAMETERS = 64


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a signing key: a day (`20261122`), a region and a service."""

    date: str
    region: str
    service: str

    def __str__(self) -> str:
        return f"{self.date}/{self.region}/{self.service}/aws4_request"


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it came: the raw path and query, and the headers in their order, names in lower case."""

    method: str
    path: str
    query: str
    headers: Sequence[tuple[str, str]]

    def header(self, name: str) -> str | None:
        """The value of a header. Raises 400 if it was sent more than once: readers would disagree."""
        values = [value for key, value in self.headers if key == name]
        if len(values) > 1:
            raise errors.invalid_request(f"The header {name} was sent more than once")
        return values[0].strip() if values else None

    def parameters(self) -> dict[str, str]:
        """The query, decoded. Raises 400 for a name that comes twice and for what is no UTF-8."""
        parameters: dict[str, str] = {}
        pairs = self.query.split("&", _MOST_PARAMETERS) if self.query else []
        if len(pairs) > _MOST_PARAMETERS:
            raise errors.invalid_request("Too many query parameters")
        for pair in pairs:
            name, _, value = pair.partition("=")
            if not pair:
                continue
            key = _decoded(name)
            if key in parameters:
                raise errors.invalid_request(f"The query parameter {key} was sent more than once")
            parameters[key] = _decoded(value)
        return parameters


def canonical_request(request: ReceivedRequest, signed_headers: Sequence[str], payload_hash: str) -> str:
    """The text of which the hash is signed."""
    names = sorted(signed_headers)
    lines = [f"{name}:{_header_value(request, name)}\n" for name in names]
    query = canonical_query(request.parameters())
    path = request.path or "/"
    return "\n".join([request.method, path, query, "".join(lines), ";".join(names), payload_hash])


def canonical_query(parameters: dict[str, str]) -> str:
    """Every parameter but the signature itself, encoded by RFC 3986 and in order."""
    pairs = sorted(
        (quote(name, safe="-_.~"), quote(value, safe="-_.~"))
        for name, value in parameters.items()
        if name != "X-Amz-Signature"
    )
    return "&".join(f"{name}={value}" for name, value in pairs)


def string_to_sign(moment: str, scope: Scope, canonical: str) -> str:
    """`moment` is the request's time, as `20261122T101500Z`."""
    return "\n".join([ALGORITHM, moment, str(scope), hashlib.sha256(canonical.encode("latin-1")).hexdigest()])


@lru_cache(maxsize=64)
def signing_key(secret: str, scope: Scope) -> bytes:
    """The key of a day, region and service."""
    key = _hmac(f"AWS4{secret}".encode(), scope.date)
    return _hmac(_hmac(_hmac(key, scope.region), scope.service), "aws4_request")


def signature(key: bytes, text: str) -> str:
    """The signature of `text`, in hexadecimal digits."""
    return _hmac(key, text).hex()


def signature_of(
    request: ReceivedRequest,
    signed_headers: Sequence[str],
    payload_hash: str,
    *,
    key: bytes,
    moment: str,
    scope: Scope,
) -> str:
    """The signature of a request by a signing key: what a client sends, and what the server expects."""
    text = canonical_request(request, signed_headers, payload_hash)
    return signature(key, string_to_sign(moment, scope, text))


def same(left: str, right: str) -> bool:
    """Tell whether two signatures are equal, in a time that says nothing about where they differ."""
    return hmac.compare_digest(left.encode(), right.encode())


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def _header_value(request: ReceivedRequest, name: str) -> str:
    return ",".join(" ".join(value.split()) for key, value in request.headers if key == name)


def _decoded(text: str) -> str:
    try:
        return unquote_to_bytes(text.replace("+", " ")).decode()
    except UnicodeDecodeError as error:
        raise errors.invalid_request("The query is not valid UTF-8") from error
