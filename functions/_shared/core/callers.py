"""Authentication: a user's token, checked by GoTrue, or the project's own service key."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Literal, Protocol
from uuid import UUID

from _shared.core.data import Data
from _shared.core.errors import ShopError

CallerKind = Literal["anyone", "user", "admin", "service"]


@dataclass(frozen=True)
class Caller:
    """`id` is empty for every caller but a signed-in person; `address` is set where no sign-in is needed.

    `call_id` is the same in all repetitions of a call with an Idempotency-Key, None without one.
    """

    id: str = ""
    email: str = ""
    is_admin: bool = False
    is_service: bool = False
    address: str = ""
    call_id: UUID | None = None

    def may_see(self, owner_id: str) -> bool:
        """Owners see what is theirs; admins and the service see everything."""
        return self.is_service or self.is_admin or (self.id != "" and self.id == owner_id)


def may_open_admin(caller: Caller, listed: frozenset[str]) -> bool:
    """`listed` are e-mail addresses in small letters; the account's own is one that it has confirmed."""
    return caller.is_admin or caller.email.strip().lower() in listed


@dataclass(frozen=True)
class Account:
    """A signed-in person as GoTrue knows them."""

    id: str
    email: str


class TokenCheck(Protocol):
    """`clients.accounts.Accounts`."""

    def of_token(self, token: str) -> Account: ...


class Callers:
    """`service_keys` are the project's secret keys, legacy and new."""

    def __init__(self, accounts: TokenCheck, data: Data, service_keys: tuple[str, ...]) -> None:
        self._accounts = accounts
        self._data = data
        self._service_keys = tuple(key.encode() for key in service_keys if key)

    def identify(self, authorization: str, required: CallerKind) -> Caller:
        """The caller, if it is of the required kind; 401 or 403 otherwise."""
        if required == "anyone":
            return Caller()
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise ShopError(401, "unauthenticated", "Please sign in first.")
        if any(hmac.compare_digest(token.encode(errors="surrogatepass"), key) for key in self._service_keys):
            return Caller(is_service=True)
        if required == "service":
            raise ShopError(403, "forbidden", "Only the shop's own services can do this.")
        account = self._accounts.of_token(token)
        profile = self._data.row("profiles", "is_admin", {"id": account.id})
        caller = Caller(id=account.id, email=account.email, is_admin=bool(profile and profile["is_admin"]))
        if required == "admin" and not caller.is_admin:
            raise ShopError(403, "forbidden", "Only admins can do this.")
        return caller

    @staticmethod
    def person(caller: Caller) -> Caller:
        """For what needs an account: owning, buying, importing."""
        if not caller.id:
            raise ShopError(403, "forbidden", "Only a signed-in person can do this.")
        return caller
