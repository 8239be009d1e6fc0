"""Tokens as the Data API judges them: the error for a bad one, the caller of a good one.

The gateway has verified the signature. Which audience a token must have (`pgrst.jwt_aud`) and which claim is its role
(`pgrst.jwt_role_claim_key`) is PostgREST's own configuration. Upstream: `Auth/Jwt.hs`, `Error.hs`,
https://docs.postgrest.org/en/stable/references/auth.html
"""

from __future__ import annotations

import base64
import json
from typing import Any

from localbase.core.authenticator import Authenticator, Caller, caller_of
from localbase.core.errors import UserError
from localbase.core.tokens.jwks import Jwks
from localbase.core.tokens.jwt import TokenError
from localbase.core.web.http import Response
from localbase.rest.config import Config
from localbase.rest.errors import RestError, header_safe, render_error
from localbase.rest.role_path import find_in

_SHORTEST_SECRET = 32
_FROM_URL = str.maketrans("-_.", "+/=")
_CLAIMS = ("expired", "not_yet", "claims", "audience")


def render_token_error(error: TokenError) -> Response:
    """Mostly a 401, with the challenge that RFC 6750 requires."""
    return render_error(rest_error_of(error))


def rest_error_of(error: TokenError) -> RestError:
    """PGRST300 where none can be judged, PGRST301 for the token itself, PGRST303 for its claims."""
    if error.kind == "no_secret":
        return RestError(500, "PGRST300", error.message)
    code = "PGRST303" if error.kind in _CLAIMS else "PGRST301"
    challenge = f'Bearer error="invalid_token", error_description="{header_safe(error.message)}"'
    headers = (("WWW-Authenticate", challenge),)
    return RestError(401, code, error.message, details=error.details, headers=headers)


def caller_for(caller: Caller, options: Config) -> Caller:
    """The caller under the API's own configuration. Raises PGRST303 for another's audience, PGRST302 without one."""
    _check_audience(caller.claims.get("aud"), options.jwt_aud)
    if options.jwt_role_claim_key is None:
        role: Any = caller.claims.get("role")
    else:
        role = find_in(options.jwt_role_claim_key, caller.claims)
    if role is None:
        if not options.anon_role:
            raise RestError(401, "PGRST302", "Anonymous access is disabled")
        role = options.anon_role
    return caller if role == caller.role else caller_of(caller.claims, role)


def authenticator_by(options: Config, authenticator: Authenticator) -> Authenticator:
    """The project's verifier of tokens, or the API's by its own `pgrst.jwt_secret` (a text, a key or a key set).

    An empty one takes the project's away. Raises `ValueError` for what is no secret.
    """
    text = options.jwt_secret
    if text is None:
        return authenticator
    if not text:
        return authenticator.accepting_none()
    secret: str | bytes = (
        base64.b64decode(text.translate(_FROM_URL)) if options.jwt_secret_is_base64 else text
    )
    try:
        document = json.loads(secret)
    except ValueError:
        document = None
    if isinstance(document, dict):
        try:
            return authenticator.signed_with(None, Jwks(document))
        except UserError as error:
            raise ValueError(error.message) from error
    if len(secret) < _SHORTEST_SECRET:
        raise ValueError(f"a secret has {_SHORTEST_SECRET} characters or more")
    return authenticator.signed_with(secret, Jwks())


def _check_audience(audience: Any, expected: str | None) -> None:
    """A token without an audience, or with an empty list of them, is meant for everyone."""
    if expected is None or audience is None or audience == [] or expected == audience:
        return
    if not (isinstance(audience, list) and expected in audience):
        raise rest_error_of(TokenError("audience", "JWT not in audience"))
