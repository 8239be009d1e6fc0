"""The keys that the project signs users' tokens with: its secret, or the private keys of `[auth] signing_keys_path`.

The file is a JSON list of JSON Web Keys, as `supabase gen signing-key` of the official CLI writes it. The first key
signs; all of them, and the secret, go on verifying, so that a key can be replaced while its tokens live.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localbase.core.errors import UserError
from localbase.core.text_files import read_text
from localbase.core.tokens import jwt
from localbase.core.tokens.jwks import Jwks, jwks_from

if TYPE_CHECKING:
    # Imported where there is a key, as in `jwks`.
    from joserfc.jwk import Key

_ALGORITHMS = ("ES256", "RS256")


class SigningKeys:
    """Signs with the first of `keys`, or with `secret` where there is none. Verifies with `others`' keys as well."""

    def __init__(self, secret: str, keys: list[Key], others: Jwks | None = None) -> None:
        self._secret = secret
        self._keys = keys
        public = [key.as_dict(private=False) for key in keys]
        own, others = Jwks({"keys": public} if public else None), others or Jwks()
        # third parties publish public keys: a symmetric one is a secret of this project, one that was replaced
        self._own = own.joined(others.symmetric())
        self._verifying = own.joined(others)

    @property
    def verifying(self) -> Jwks:
        """The public keys that tokens may be signed by."""
        return self._verifying

    @property
    def own(self) -> Jwks:
        """The keys of the project's own tokens, without those of third parties."""
        return self._own

    def sign(self, claims: dict[str, Any]) -> str:
        """A compact token of `claims`."""
        if not self._keys:
            return jwt.sign(claims, self._secret)
        from joserfc import jwt as joserfc_jwt

        key = self._keys[0]
        header = {"alg": _algorithm(key), "kid": key.as_dict(private=False)["kid"], "typ": "JWT"}
        return joserfc_jwt.encode(header, claims, key, algorithms=list(_ALGORITHMS))

    @property
    def has_private_keys(self) -> bool:
        """Tell whether others can verify the project's tokens."""
        return bool(self._keys)

    def algorithms(self) -> list[str]:
        """The algorithms of the published keys."""
        return list(dict.fromkeys(_algorithm(key) for key in self._keys))

    def published(self) -> dict[str, Any]:
        """The public keys as everyone may see them."""
        return {
            "keys": [
                key.as_dict(private=False)
                | {"alg": _algorithm(key), "key_ops": ["verify"], "use": "sig", "ext": True}
                for key in self._keys
            ]
        }


def signing_keys(secret: str, path: str, folder: Path, environ: Mapping[str, str]) -> SigningKeys:
    """The keys of the file at `path`, relative to `folder`; none where `path` is empty. Raises `UserError`."""
    others = jwks_from(environ)
    if not path:
        return SigningKeys(secret, [], others)
    from joserfc.errors import JoseError

    place = folder / path
    try:
        document = json.loads(read_text(place))
        keys = [_signing_key(item) for item in document]
    except (UserError, ValueError, TypeError, JoseError) as error:
        raise UserError(
            f"auth.signing_keys_path: {place} cannot be used: {error}",
            "Let `supabase gen signing-key --algorithm ES256` write it, or unset the setting.",
        ) from error
    return SigningKeys(secret, keys, others)


def _signing_key(document: Any) -> Key:
    from joserfc.jwk import ECKey, RSAKey, import_key

    key = import_key(document)
    if not isinstance(key, ECKey | RSAKey) or not key.is_private:
        raise ValueError("it must be a list of private EC or RSA keys")
    if _algorithm(key) not in _ALGORITHMS:
        raise ValueError(f"keys are for {' or '.join(_ALGORITHMS)}")
    key.ensure_kid()
    return key


def _algorithm(key: Key) -> str:
    if key.key_type == "RSA":
        return "RS256"
    return "ES256" if key.key_type == "EC" and key.as_dict()["crv"] == "P-256" else "none"
