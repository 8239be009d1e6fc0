"""A bearer token that does not verify, in PostgREST's words: PGRST301 for the token itself, 303 for its claims."""

from __future__ import annotations

from localbase.core.http import Response
from localbase.core.jwt import TokenError
from localbase.rest.errors import RestError, header_safe, render_error

_CLAIMS = ("expired", "not_yet", "claims")


def render_token_error(error: TokenError) -> Response:
    """401 with the challenge that RFC 6750 asks for."""
    code = "PGRST303" if error.kind in _CLAIMS else "PGRST301"
    message, details = error.message, None
    if error.kind == "algorithm":
        message, details = "Wrong or unsupported encoding algorithm", error.message
    challenge = f'Bearer error="invalid_token", error_description="{header_safe(message)}"'
    refusal = RestError(401, code, message, details=details, headers=(("WWW-Authenticate", challenge),))
    return render_error(refusal)
