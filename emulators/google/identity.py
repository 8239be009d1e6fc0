"""The accounts that can sign in, the codes that are on their way, and the key that signs ID tokens.

Google's facts: OpenID Connect Core 1.0; the claims of its ID tokens; codes are good once, for minutes, and only with
the redirect address of their own request.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localbase.core.state_file import StateFileError

from emulators.core.store import Store
from emulators.vendor_app import VendorError

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

_CODE_SECONDS = 600
_TOKEN_SECONDS = 3600
ACCOUNTS = (("Gwen Google", "gwen@gmail.example"), ("Otto Oauth", "otto@gmail.example"))


class OAuthError(VendorError):
    """RFC 6749's error code and its description."""

    def __init__(self, code: str, description: str) -> None:
        status = 401 if code == "invalid_client" else 400
        super().__init__(status, {"error": code, "error_description": description})


@dataclass(frozen=True)
class SignIn:
    """A sign-in request: RFC 6749, 4.1.1."""

    redirect_uri: str
    state: str
    scope: str
    nonce: str


class Identities:
    """One Google, with one client registered."""

    def __init__(self, store: Store, folder: Path, issuer: str, client_id: str, client_secret: str) -> None:
        self._store = store
        self.issuer = issuer
        self.client_id = client_id
        self._client_secret = client_secret
        self._key_path = folder / "key.json"
        # What cannot be read is said at the start; the key is read, or made, for the first who signs in.
        _stored(self._key_path)

    @cached_property
    def _key(self) -> RSAKey:
        return _key(self._key_path)

    def jwks(self) -> dict[str, Any]:
        """The public key."""
        from joserfc.jwk import KeySet

        return dict(KeySet([self._key]).as_dict(private=False))

    def issue_code(self, sign_in: SignIn, name: str, email: str) -> str:
        """A code for the person who has just chosen an account."""
        code = f"4/{secrets.token_urlsafe(32)}"
        self._store.put(
            "google_code",
            {
                "id": code,
                "redirect_uri": sign_in.redirect_uri,
                "scope": sign_in.scope,
                "nonce": sign_in.nonce,
                "name": name,
                "email": email,
                "expires_at": time.time() + _CODE_SECONDS,
            },
        )
        return code

    def redeem(self, form: dict[str, str]) -> dict[str, Any]:
        """The token endpoint's answer. Raises `OAuthError`."""
        if form.get("client_id") != self.client_id or not secrets.compare_digest(
            form.get("client_secret", "").encode(), self._client_secret.encode()
        ):
            raise OAuthError("invalid_client", "The OAuth client was not found.")
        if form.get("grant_type") != "authorization_code":
            raise OAuthError("unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type', '')}")
        grant = self._store.get("google_code", form.get("code", ""))
        # A code is spent by the first attempt, successful or not.
        spent = self._store.delete("google_code", form.get("code", ""))
        if grant is None or not spent or grant["expires_at"] < time.time():
            raise OAuthError("invalid_grant", "Malformed auth code.")
        if grant["redirect_uri"] != form.get("redirect_uri"):
            raise OAuthError("redirect_uri_mismatch", "Bad Request")
        token = f"ya29.{secrets.token_urlsafe(48)}"
        self._store.put("google_token", {"id": token, "name": grant["name"], "email": grant["email"]})
        return {
            "access_token": token,
            "expires_in": _TOKEN_SECONDS - 1,
            "scope": grant["scope"],
            "token_type": "Bearer",
            "id_token": self._id_token(grant),
        }

    def user_info(self, token: str) -> dict[str, Any] | None:
        """The account of an access token."""
        account = self._store.get("google_token", token)
        return _profile(account["name"], account["email"]) if account else None

    def _id_token(self, grant: dict[str, Any]) -> str:
        from joserfc import jwt

        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "azp": self.client_id,
            "aud": self.client_id,
            "iat": now,
            "exp": now + _TOKEN_SECONDS,
            **_profile(grant["name"], grant["email"]),
        }
        if grant["nonce"]:
            claims["nonce"] = grant["nonce"]
        header = {"alg": "RS256", "kid": self._key.kid, "typ": "JWT"}
        return jwt.encode(header, claims, self._key)


def _profile(name: str, email: str) -> dict[str, Any]:
    given_name, _, family = name.partition(" ")
    subject = str(int(hashlib.sha256(email.lower().encode()).hexdigest()[:16], 16)).rjust(21, "1")[:21]
    return {
        "sub": subject,
        "name": name,
        "given_name": given_name,
        "family_name": family,
        "email": email.lower(),
        "email_verified": True,
    }


def _stored(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StateFileError(f"Cannot read {path}: {error.strerror}. Move it away and try again.") from error


def _key(path: Path) -> RSAKey:
    """The stored key; a new one where there is none, or where it is damaged."""
    from joserfc.errors import JoseError
    from joserfc.jwk import RSAKey

    try:
        return RSAKey.import_key(json.loads(_stored(path)))
    except (ValueError, TypeError, KeyError, AttributeError, JoseError):
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(key.as_dict(private=True)), encoding="utf-8")
    return key
