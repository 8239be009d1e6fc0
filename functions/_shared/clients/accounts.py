"""Auth: the user of a token, proofs that a person is there, and the end of an account."""

from __future__ import annotations

from collections.abc import Callable

import httpx
from supabase_auth import SyncGoTrueClient
from supabase_auth.types import AuthResponse

from _shared.core.callers import Account
from _shared.core.errors import ShopError, unavailable
from supabase import AuthApiError, AuthError, Client

_REJECTED = (400, 401, 403, 404)
_WRONG = (400, 401, 403, 422)
_NOT_FOUND = 404
_TOO_MANY = 429


class Accounts:
    """Looks tokens up at Auth. A token is only as good as its session: signing out ends it at once."""

    def __init__(self, supabase: Client) -> None:
        self._auth = supabase.auth
        self._supabase = supabase

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

    def knows_password(self, account: Account, password: str) -> bool:
        """Tell whether the account has this password."""
        return self._proves(
            account,
            lambda auth: auth.sign_in_with_password({"email": account.email, "password": password}),
        )

    def has_code(self, account: Account, code: str) -> bool:
        """Tell whether this is the code of the sign-in mail that the account's address got last."""
        return self._proves(
            account,
            lambda auth: auth.verify_otp({"type": "email", "email": account.email, "token": code}),
        )

    def delete(self, account_id: str) -> None:
        """Deletes the account with all that hangs on it, its sessions too. One that is gone already is no fault."""
        try:
            self._auth.admin.delete_user(account_id)
        except AuthError as error:
            if not (isinstance(error, AuthApiError) and error.status == _NOT_FOUND):
                raise unavailable(
                    "accounts_unavailable", "Your account could not be deleted just now.", error
                ) from error

    def _proves(self, account: Account, sign_in: Callable[[SyncGoTrueClient], AuthResponse]) -> bool:
        """Signs in, in a session that ends at once, by a client of its own: the shop's would go on as this person."""
        options = self._supabase.options
        auth = SyncGoTrueClient(
            url=str(self._supabase.auth_url),
            headers=dict(options.headers),
            auto_refresh_token=False,
            persist_session=False,
            http_client=options.httpx_client,
        )
        try:
            answer = sign_in(auth)
            if answer.session is not None:
                self._auth.admin.sign_out(answer.session.access_token, "local")
        except AuthError as error:
            status = error.status if isinstance(error, AuthApiError) else 0
            if status == _TOO_MANY:
                raise ShopError(
                    429, "too_many_attempts", "Too many attempts. Please wait a few minutes.", cause=error
                ) from error
            if status in _WRONG:
                return False
            raise unavailable("sign_in_unavailable", "We could not check that just now.", error) from error
        return answer.user is not None and answer.user.id == account.id


def _not_signed_in() -> ShopError:
    return ShopError(401, "unauthenticated", "Please sign in again.")
