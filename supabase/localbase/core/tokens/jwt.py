"""JSON Web Tokens: signing with the project's secret, verifying with it or with a set of keys (RFC 7519, RFC 7515).

HS256 is hand-written on `hmac`: 14 µs a token against 36 µs and more for the libraries tried. Other algorithms go
through joserfc, in `jwks`. Refusals are worded as PostgREST words them (`Error.hs`, `JwtError`).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import Any

from localbase.core.json_text import read_json
from localbase.core.tokens.jwks import ALGORITHMS, Jwks

_HEADER = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=")
# Clocks differ a little between machines: PostgREST allows 30 s either way.
LEEWAY_SECONDS = 30
# A header that says which of its parameters must be understood, and one of these: none is (RFC 7515, 4.1.11; RFC 7797).
_UNKNOWN_EXTENSIONS = frozenset(("crit", "b64"))
_NO_KEYS = Jwks()
_NO_KEY = "No suitable key or wrong key type"
_BAD_ALGORITHM = "Wrong or unsupported encoding algorithm"


class TokenError(Exception):
    """The refusal of a token, with its reason.

    `kind`: malformed, algorithm, signature, expired, not_yet, audience, claims, no_secret.
    """

    def __init__(self, kind: str, message: str, details: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.details = details


def sign(claims: dict[str, Any], secret: str) -> str:
    """A compact HS256 token of `claims`."""
    payload = base64.urlsafe_b64encode(json.dumps(claims, separators=(",", ":")).encode()).rstrip(b"=")
    signed = _HEADER + b"." + payload
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    return (signed + b"." + base64.urlsafe_b64encode(digest).rstrip(b"=")).decode()


def verify(token: str, secret: str | bytes | None, now: float, keys: Jwks = _NO_KEYS) -> dict[str, Any]:
    """The claims of an access token that is well formed, valid at `now` and signed: with `secret`, or by one of `keys`.

    Raises `TokenError` for any other.
    """
    parts = _parts(token)
    header = _header_of(parts[0])
    algorithm = header["alg"]
    candidates = keys.candidates(header)
    shared = secret if algorithm == "HS256" else None
    if not shared and not candidates:
        raise TokenError("signature", _NO_KEY, "No suitable key was found to decode the JWT")
    if not (shared and _signed_with(shared, parts)) and not keys.verify(token, header, candidates):
        raise TokenError("signature", _NO_KEY, "None of the keys was able to decode the JWT")
    claims = _object(parts[1])
    if claims is None:
        raise TokenError("claims", "Parsing claims failed")
    _check_times(claims, now)
    _check_audience(claims)
    if _is_id_token(claims):
        raise TokenError("claims", "An ID token is no access token")
    return claims


def _parts(token: str) -> list[str]:
    if not token:
        raise TokenError("malformed", "Empty JWT is sent in Authorization header")
    parts = token.split(".")
    if len(parts) != 3:
        raise TokenError("malformed", f"Expected 3 parts in JWT; got {len(parts)}")
    return parts


def _header_of(part: str) -> dict[str, Any]:
    try:
        header = _object(part)
    except TokenError as error:
        raise TokenError("malformed", "JWT cryptographic operation failed") from error
    if header is not None and header.get("alg") == "none":
        raise TokenError("algorithm", _BAD_ALGORITHM, "JWT is unsecured but expected 'alg' was not 'none'")
    if header is None or header.get("alg") not in ALGORITHMS or not _UNKNOWN_EXTENSIONS.isdisjoint(header):
        raise TokenError("malformed", "JWT couldn't be decoded")
    return header


def _signed_with(secret: str | bytes, parts: list[str]) -> bool:
    key = secret.encode() if isinstance(secret, str) else secret
    expected = hmac.new(key, f"{parts[0]}.{parts[1]}".encode(), hashlib.sha256).digest()
    try:
        return hmac.compare_digest(expected, _decode(parts[2]))
    except TokenError:
        return False


def _check_audience(claims: dict[str, Any]) -> None:
    audience = claims.get("aud")
    several = audience if isinstance(audience, list) else [] if audience is None else [audience]
    if any(not isinstance(item, str) for item in several):
        raise TokenError("claims", "The JWT 'aud' claim must be a string or an array of strings")


def _is_id_token(claims: dict[str, Any]) -> bool:
    """Tell whether the auth service has made it for a client (`auth.oauth_server.claims`), signed by the same key.

    Clients show such a token to others, so it must open nothing. An access token for a client names a role.
    """
    return "role" not in claims and "client_id" in claims and claims["client_id"] == claims.get("aud")


def _check_times(claims: dict[str, Any], now: float) -> None:
    for name in ("exp", "nbf", "iat"):
        value = claims.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise TokenError("claims", f"The JWT '{name}' claim must be a number")
    if "exp" in claims and claims["exp"] is not None and now > claims["exp"] + LEEWAY_SECONDS:
        raise TokenError("expired", "JWT expired")
    if claims.get("nbf") is not None and now < claims["nbf"] - LEEWAY_SECONDS:
        raise TokenError("not_yet", "JWT not yet valid")
    if claims.get("iat") is not None and now < claims["iat"] - LEEWAY_SECONDS:
        raise TokenError("not_yet", "JWT issued at future")


def _decode(part: str) -> bytes:
    try:
        return base64.b64decode(part.encode() + b"=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise TokenError("malformed", "JWT is not base64url") from error


def _object(part: str) -> dict[str, Any] | None:
    """The JSON object in a part; None where there is something else."""
    try:
        value = read_json(_decode(part))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
