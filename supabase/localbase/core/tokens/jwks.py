"""A set of verification keys (JWKS, RFC 7517) for tokens that were not signed with the project's own secret.

`JWT_JWKS` holds the document or names the file with it, as the self-hosted platform's services have it. Public
RSA and elliptic keys verify RS… and ES…; symmetric keys verify HS256 only: a public key never counts as a secret.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from localbase.core.errors import UserError
from localbase.core.text_files import read_text

if TYPE_CHECKING:
    # Imported where there is a key, which most projects have none of: it would be a seventh of the gateway's start.
    from joserfc.jwk import Key

_CURVES = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}
ALGORITHMS = (
    *("HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *_CURVES,
)
"""What a token's header may name. That a key verifies one is another matter."""


class Jwks:
    """The keys of one document. An empty set verifies nothing."""

    def __init__(self, document: Mapping[str, Any] | None = None) -> None:
        """Raises `UserError` for what is no key set."""
        self._keys: list[Key] = []
        if not document:
            return
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        try:
            self._keys = list(KeySet.import_key_set(_as_set(document)).keys)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise UserError(f"JWT_JWKS is no JSON Web Key Set: {error}", "Mend the document.") from error

    def joined(self, other: Jwks) -> Jwks:
        """The keys of both."""
        both = Jwks()
        both._keys = [*self._keys, *other._keys]
        return both

    def symmetric(self) -> Jwks:
        """The shared secrets among them."""
        secrets = Jwks()
        secrets._keys = [key for key in self._keys if key.key_type == "oct"]
        return secrets

    def candidates(self, header: Mapping[str, Any]) -> list[Key]:
        """The keys that may have signed a token with this header: of its algorithm, and its `kid` if both name one."""
        algorithm = str(header.get("alg"))
        candidates = [key for key in self._keys if _fits(key, algorithm)]
        if header.get("kid") is not None:
            named = [key for key in candidates if key.as_dict().get("kid") == header["kid"]]
            # A set without names is searched whole; in a set with names a wrong name matches no key.
            candidates = named or [key for key in candidates if key.as_dict().get("kid") is None]
        return candidates

    @staticmethod
    def verify(token: str, header: Mapping[str, Any], candidates: Sequence[Key]) -> bool:
        """Tell whether one of the `candidates` signed `token`."""
        return any(_signed(token, key, str(header.get("alg"))) for key in candidates)


def jwks_from(environ: Mapping[str, str]) -> Jwks:
    """The key set that `JWT_JWKS` gives: a JSON document, or a file's path. Raises `UserError`."""
    source = environ.get("JWT_JWKS", "").strip()
    if not source:
        return Jwks()
    try:
        text = source if source.startswith(("{", "[")) else read_text(Path(source))
        return Jwks(json.loads(text))
    except (UserError, ValueError) as error:
        raise UserError(
            f"JWT_JWKS cannot be read: {error}", "Give a JSON document or a file's path."
        ) from error


def _as_set(document: Any) -> Any:
    """Upstream takes a single key and a bare list as well."""
    if isinstance(document, list):
        return {"keys": document}
    return document if "keys" in document else {"keys": [document]}


def _fits(key: Key, algorithm: str) -> bool:
    meant = key.as_dict().get("alg")
    if meant not in (None, algorithm) or key.as_dict().get("use") not in (None, "sig"):
        return False
    if key.key_type == "EC":
        return _CURVES.get(algorithm) == key.as_dict()["crv"]
    if key.key_type == "RSA":
        return algorithm[:2] in ("RS", "PS")
    return key.key_type == "oct" and algorithm == "HS256"


def _signed(token: str, key: Key, algorithm: str) -> bool:
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        jws.deserialize_compact(token, key, algorithms=[algorithm])
    except (JoseError, ValueError):
        return False
    return True
