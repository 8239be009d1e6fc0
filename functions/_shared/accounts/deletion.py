"""The end of an account, in the steps of sql/migrations/…_accounts.sql: proof, orders, closing, Auth's deletion.

Designs, likes, publications, addresses and sessions go with the user. Orders stay without one, as tax law wants them;
copies in other collections stay, and the print files of what was bought. The sweep finishes what stops in between.
"""

from __future__ import annotations

from typing import Literal, Protocol, assert_never, get_args

from _shared.core.callers import Account, Caller
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_context, log_trouble
from _shared.core.outcomes import one_of
from _shared.core.usage import Usage
from _shared.orders.order_links import number_of
from _shared.orders.orders import Orders
from _shared.orders.payments import Payments

Closing = Literal["closing", "orders", "last_admin", "gone"]
_CLOSINGS: tuple[Closing, ...] = get_args(Closing)
# An account takes a second or two: the sweep has other work.
_MOST_AT_ONCE = 10
_MOST_NAMED = 5


class Directory(Protocol):
    """`clients.accounts.Accounts`."""

    def knows_password(self, account: Account, password: str) -> bool: ...
    def has_code(self, account: Account, code: str) -> bool: ...
    def delete(self, account_id: str) -> None: ...


class Deletion:
    """Works as the service, for the caller."""

    def __init__(
        self, data: Data, accounts: Directory, orders: Orders, payments: Payments, usage: Usage
    ) -> None:
        self._data = data
        self._accounts = accounts
        self._orders = orders
        self._payments = payments
        self._usage = usage

    def delete(self, caller: Caller, password: str | None, code: str | None) -> None:
        """Deletes the caller's account, proved by its password or by the code of a mail to its address.

        403 `wrong_password` and `wrong_code`, of which few are allowed; 409 `orders_not_sent` while the shop owes the
        person a parcel, and `last_admin`.
        """
        self._unpaid(caller.id)
        self._prove(caller, password, code)
        for order_id in self._unpaid(caller.id):
            with log_context(order=order_id):
                self._close(order_id)
        self._finish(caller.id)

    def resume(self) -> dict[str, int]:
        """Deletes accounts that a process has left half deleted. Figures."""
        figures = {"accounts": 0, "failed_accounts": 0}
        for row in self._data.call("list_closing_accounts", {"most": _MOST_AT_ONCE}):
            with log_context(account=row["id"]):
                try:
                    self._finish(str(row["id"]))
                    figures["accounts"] += 1
                except ShopError as problem:
                    log_trouble("deleting an account failed", problem.cause or problem, code=problem.code)
                    figures["failed_accounts"] += 1
        return figures

    def _unpaid(self, person: str) -> list[str]:
        """The ids of orders that are not paid. 409 where others are still to be sent."""
        unfinished = self._data.call("list_unfinished_orders", {"person": person})
        paid = [str(row["id"]) for row in unfinished if row["status"] != "pending"]
        if paid:
            raise _orders_not_sent(paid)
        return [str(row["id"]) for row in unfinished]

    def _close(self, order_id: str) -> None:
        order = self._payments.close(self._orders.get(order_id))
        if order.status == "pending":  # no intent was ever made
            self._data.value("cancel_unpaid_order", {"of_order": order_id, "reason": "account deleted"})

    def _prove(self, caller: Caller, password: str | None, code: str | None) -> None:
        account = Account(id=caller.id, email=caller.email)
        with self._usage.reserve(caller, "deletion") as reservation:
            if password is not None:
                if not self._accounts.knows_password(account, password):
                    raise ShopError(403, "wrong_password", "This is not your password.", counts=True)
            elif code is None or not self._accounts.has_code(account, code):
                raise ShopError(
                    403,
                    "wrong_code",
                    "This code is wrong, used or too old. The newest mail has the one that counts.",
                    counts=True,
                )
            reservation.cancel()

    def _finish(self, person: str) -> None:
        closing = one_of(_CLOSINGS, self._data.value("close_account", {"person": person}))
        match closing:
            case "closing" | "gone":
                self._accounts.delete(person)
            case "orders":  # one that was placed or paid this very moment
                raise _orders_not_sent([])
            case "last_admin":
                raise ShopError(
                    409, "last_admin", "You are the shop's only admin. Make somebody else an admin first."
                )
            case _:
                assert_never(closing)


def _orders_not_sent(order_ids: list[str]) -> ShopError:
    numbers = ", ".join(number_of(order_id) for order_id in order_ids[:_MOST_NAMED])
    which = f" ({numbers}{', …' if len(order_ids) > _MOST_NAMED else ''})" if numbers else ""
    return ShopError(
        409,
        "orders_not_sent",
        f"We still owe you a parcel{which}. You can delete your account once it is on its way, or cancel the order.",
    )
