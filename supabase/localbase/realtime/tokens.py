"""Access tokens as Realtime wants them: with a role, not expired, and refused in its words (`ERROR_CODES.md`)."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from localbase.core.authenticator import Authenticator
from localbase.core.json_text import read_json
from localbase.core.tokens.jwt import TokenError

# As long as all headers of a request of HTTP.
_LONGEST = 64 * 1024
_SPACE = re.compile(r"\s")
_MALFORMED = "The token provided is not a valid JWT"
_SIGNATURE = "Failed to validate JWT signature"
_SIGNER = "Failed to generate JWT signer, check your JWT secret or JWKS configuration"


@dataclass(frozen=True, slots=True)
class Token:
    """A verified token: who a channel acts as, until `expires` (seconds since the epoch)."""

    text: str
    role: str
    claims: dict[str, Any]
    claims_json: bytes
    expires: float


class TokenRefused(Exception):
    """The refusal of a token. `short` is what a client without a connection reads."""

    def __init__(self, code: str, message: str, short: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.short = short or message


class Tokens:
    """Verifies tokens."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    def now(self) -> float:
        """Seconds since the epoch, by the clock that tokens are verified by."""
        return self._authenticator.now()

    def verify(self, text: str) -> Token:
        """The token in `text`, or the one that an `sb_` key is short for. Raises `TokenRefused`."""
        if len(text) > _LONGEST:
            raise TokenRefused("MalformedJWT", _MALFORMED)
        text = _SPACE.sub("", unquote(text))
        try:
            caller = self._authenticator.verify(text)
        except TokenError as error:
            raise self._rejection(error, text) from error
        expires, role = caller.claims.get("exp"), caller.claims.get("role")
        if not isinstance(expires, int | float) or not isinstance(role, str) or not role:
            raise TokenRefused("InvalidJWTToken", "Fields `role` and `exp` are required in JWT")
        if expires <= self.now():
            raise self._expired(expires)
        return Token(text, role, caller.claims, caller.claims_json, float(expires))

    def _rejection(self, error: TokenError, text: str) -> TokenRefused:
        if error.kind == "expired":
            return self._expired(_expiry_of(text))
        if error.kind == "signature":
            return TokenRefused("JwtSignatureError", _SIGNATURE)
        if error.kind == "algorithm":
            return TokenRefused("JwtSignerError", _SIGNER)
        if error.kind == "malformed":
            return TokenRefused("MalformedJWT", _MALFORMED)
        return TokenRefused("InvalidJWTToken", error.message)

    def _expired(self, expires: float) -> TokenRefused:
        ago = max(int(self.now() - expires), 0)
        return TokenRefused("InvalidJWTToken", f"Token has expired {ago} seconds ago", "Token has expired")


def _expiry_of(text: str) -> float:
    """The expiry in a token with a verified signature."""
    part = text.split(".")[1]
    return float(read_json(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))["exp"])
