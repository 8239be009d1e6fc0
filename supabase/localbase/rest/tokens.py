"""A bearer token that does not verify, in PostgREST's words: PGRST301 for the token itself, PGRST303 for its
claims.
"""

from __future__ import annotations

from localbase.core.http import Response
from localbase.core.jwt import TokenError
from localbase.rest.errors import RestError, render_error

_CLAIMS = ("expired", "not_yet", "claims")


def render_token_error(error: TokenError) -> Response:
    """401 with the challenge that RFC 6750 asks for."""
    code = "PGRST303" if error.kind in _CLAIMS else "PGRST301"
    challenge = f'Bearer error="invalid_token", error_description="{error.message}"'
    return render_error(RestError(401, code, error.message, headers=(("WWW-Authenticate", challenge),)))
