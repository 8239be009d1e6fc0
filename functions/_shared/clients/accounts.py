"""GoTrue: the user of a token (`GET /auth/v1/user`)."""

from __future__ import annotations

import httpx

from _shared.core.callers import Account
from _shared.core.errors import ShopError, unavailable


class Accounts:
    """Looks tokens up at GoTrue. A token is only as good as its session: signing out ends it at once."""

    def __init__(self, supabase_url: str, key: str, transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(
            base_url=f"{supabase_url}/auth/v1", headers={"apikey": key}, timeout=10.0, transport=transport
        )

    def of_token(self, token: str) -> Account:
        """The token's account; 401 for a token that is forged, expired or signed out."""
        try:
            response = self._http.get("/user", headers={"authorization": f"Bearer {token}"})
        except httpx.HTTPError as error:
            raise unavailable("sign_in_unavailable", "We could not check your sign-in.", error) from error
        if response.status_code in (400, 401, 403, 404):
            raise ShopError(401, "unauthenticated", "Please sign in again.")
        if response.status_code != 200:
            raise unavailable("sign_in_unavailable", "We could not check your sign-in.", response.status_code)
        user = response.json()
        return Account(id=str(user["id"]), email=str(user.get("email") or ""))
