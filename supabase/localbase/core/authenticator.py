"""The caller: from `apikey` and `Authorization` to a database role and its claims, as Supabase's gateway does it.

A publishable or secret key (`sb_…`) is no token: it is exchanged for the legacy JWT of `anon` or `service_role`, and
stands in `Authorization` where the client has sent no token. A bearer token of a signed-in user overrules the key's
role; it may be signed with the project's secret, or by a key of `JWT_JWKS`.

Upstream: the official CLI's gateway (`internal/start/templates/kong.yml`, `BearerToken` in `start.go`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from localbase.core.cache import BoundedCache
from localbase.core.clock import Clock, system_clock
from localbase.core.errors import ApiError
from localbase.core.settings import Keys
from localbase.core.tokens import jwt
from localbase.core.tokens.jwks import Jwks, jwks_from


@dataclass(frozen=True, slots=True)
class Caller:
    """The database role that a request runs as, with the claims that `auth.jwt()` shows.

    `claims` are the token's own; `claims_json` has the role among them even where the token names none.
    """

    role: str
    claims: dict[str, Any]
    claims_json: bytes


ANONYMOUS = Caller("anon", {"role": "anon"}, b'{"role":"anon"}')
_FORGOTTEN = (0.0, ANONYMOUS)
_NEVER = 1e12
_OPAQUE = "Bearer sb_"


class Authenticator:
    """Resolves callers. Verified tokens are remembered until they expire, for they repeat on every request."""

    def __init__(
        self,
        keys: Keys,
        clock: Clock = system_clock,
        environ: Mapping[str, str] = os.environ,
        verifying: Jwks | None = None,
        remembered: int = 10_000,
    ) -> None:
        """`verifying` are the public keys that tokens may be signed by, by default those of the environment.

        `remembered` is how many verified tokens are cached.
        """
        self._keys = keys
        self._secret: str | bytes | None = keys.jwt_secret
        self._jwks = jwks_from(environ) if verifying is None else verifying
        self._clock = clock
        self._opaque = {keys.publishable: keys.anon, keys.secret: keys.service_role}
        self._api_keys = {keys.anon, keys.service_role, *self._opaque}
        self._remembered = remembered
        self._verified: BoundedCache[str, tuple[float, Caller]] = BoundedCache(remembered, 8 << 20)
        self._accepts_tokens = True

    def signed_with(self, secret: str | bytes | None, keys: Jwks) -> Authenticator:
        """The same API keys, but tokens count that were signed with another secret, or by other keys."""
        other = copy(self)
        other._secret, other._jwks, other._verified = secret, keys, BoundedCache(self._remembered, 8 << 20)
        return other

    def accepting_none(self) -> Authenticator:
        """The same API keys without keys for tokens: every token is rejected."""
        other = copy(self)
        other._accepts_tokens = False
        return other

    def require_key(self, headers: Mapping[str, str], query_key: str | None = None) -> str:
        """The request's API key, or 401 in the gateway's words (Kong's key-auth plugin)."""
        key = headers.get("apikey") or query_key
        if not key:
            raise ApiError(401, "no_api_key", "No API key found in request")
        if key not in self._api_keys:
            # However well it is signed: a user's token or a signed address is no API key.
            raise ApiError(401, "invalid_api_key", "Invalid authentication credentials")
        return key

    def authorization(self, headers: Mapping[str, str], key: str = "") -> str:
        """`Authorization` as a service behind the gateway gets it; "" where the request names nobody.

        The client's own, unless that holds an opaque key; else the token that the API key stands for. `key` is the API
        key where it is not in the headers. One that is not the project's is for the service to judge.
        """
        given = headers.get("authorization")
        if given is not None and not given.startswith(_OPAQUE):
            return given
        elsewhere = key if key in self._api_keys else (given or "").removeprefix("Bearer ")
        key = headers.get("apikey") or elsewhere
        return f"Bearer {self._opaque.get(key, key)}" if key in self._api_keys else key

    def resolve(self, headers: Mapping[str, str], key: str) -> Caller:
        """The caller behind a request with API key `key`. Raises `TokenError` for a bad bearer token."""
        if not self._accepts_tokens and "authorization" in headers:
            raise jwt.TokenError("no_secret", "Server lacks JWT secret")
        token = self._token(headers, key)
        return ANONYMOUS if token is None else self._verify(token)

    def verify(self, token: str) -> Caller:
        """The caller whom a token names: a JWT, or an `sb_` key that stands for one. Raises `TokenError`."""
        if not self._accepts_tokens:
            raise jwt.TokenError("no_secret", "Server lacks JWT secret")
        return self._verify(self._opaque.get(token, token))

    def now(self) -> float:
        """Seconds since the epoch, by the clock that tokens are judged by."""
        return self._clock()

    def resolved_until(self, headers: Mapping[str, str], key: str) -> float:
        """Until when the caller that `resolve` has just found is valid; 0 if it is no longer cached."""
        return self._verified.get(self._token(headers, key) or "", _FORGOTTEN)[0]

    def _token(self, headers: Mapping[str, str], key: str) -> str | None:
        """The token that names the caller; None where `Authorization` has another scheme."""
        authorization = self.authorization(headers, key)
        # An empty token is one all the same: a bad one.
        return "" if authorization.strip().lower() == "bearer" else bearer({"authorization": authorization})

    def _verify(self, token: str) -> Caller:
        now = self._clock()
        hit = self._verified.get(token)
        if hit and hit[0] > now:
            return hit[1]
        claims = jwt.verify(token, self._secret, now, self._jwks)
        caller = caller_of(claims, claims.get("role") or "anon")
        # JSON's numbers have no bound, a float has.
        until = float(min(claims.get("exp") or now + 60, _NEVER)) + jwt.LEEWAY_SECONDS
        # The token, its claims and their JSON.
        self._verified.put(token, (until, caller), 4 * len(token))
        return caller


def caller_of(claims: dict[str, Any], role: Any) -> Caller:
    """The caller with `claims` as `role`. What is no text counts as its JSON, which names no role that exists."""
    name = role if isinstance(role, str) else json.dumps(role, separators=(",", ":"))
    text = json.dumps({**claims, "role": name}, separators=(",", ":"))
    return Caller(name, claims, text.encode())


def bearer(headers: Mapping[str, str]) -> str | None:
    """The token of `Authorization: Bearer …`; none when there is no such header."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
