"""Auth: the user of a token (`GET /auth/v1/user`)."""

from __future__ import annotations

import httpx

from _shared.core.callers import Account
from _shared.core.errors import ShopError, unavailable
from supabase import AuthError, Client

_REJECTED = (400, 401, 403, 404)


class Accounts:
    """Looks tokens up at Auth. A token is only as good as its session: signing out ends it at once."""

    def __init__(self, supabase: Client) -> None:
        self._auth = supabase.auth

    def of_token(self, token: str) -> Account:
        """The token's account; 401 for a token that is forged, expired or signed out."""
        try:
            response = self._auth.get_user(token)
        except AuthError as error:
            # the library's own status is lost where the body is not JSON
            answer = error.__cause__
            if isinstance(answer, httpx.HTTPStatusError) and answer.response.status_code in _REJECTED:
                raise _not_signed_in() from error
            raise unavailable("sign_in_unavailable", "We could not check your sign-in.", error) from error
        except ValueError as error:
            # its own text quotes the body, which may be a person's
            cause = f"Auth's body is no user: {type(error).__name__}"
            raise unavailable("sign_in_unavailable", "We could not check your sign-in.", cause) from error
        if response is None:
            raise _not_signed_in()
        return Account(id=response.user.id, email=response.user.email or "")


def _not_signed_in() -> ShopError:
    return ShopError(401, "unauthenticated", "Please sign in again.")
