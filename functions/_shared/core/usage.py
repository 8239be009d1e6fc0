"""Usage limits of one user and of the whole shop.

sql/migrations/…_usage_limits.sql counts and decides, under a lock; the limits are settings. Only what was made counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never, get_args

from _shared.core.callers import Caller
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.core.outcomes import one_of
from _shared.core.settings import Settings

Kind = Literal[
    "picture", "print_product", "import", "order", "export", "deletion", "artwork", "scene", "print_check"
]
Reached = Literal["closed", "hour", "day", "shop"]
REACHED: tuple[Reached, ...] = get_args(Reached)

# longer than any picture takes: two models, each of which a shopper waits 100 s for, and their uploads
LEASE_SECONDS = 600


@dataclass(frozen=True)
class UsageLimits:
    """The most in any 60 minutes and any 24 hours; 0 closes."""

    per_hour: int
    per_day: int
    shop_per_day: int


# No vendor is paid for these: the limits are against a person who takes the shop's bandwidth or guesses a password.
EXPORTS = UsageLimits(per_hour=3, per_day=5, shop_per_day=2000)
DELETIONS = UsageLimits(per_hour=5, per_day=10, shop_per_day=2000)


def limits_by_kind(settings: Settings) -> dict[Kind, UsageLimits]:
    """The owner's limits, and the shop's own."""
    return {
        "picture": UsageLimits(
            settings.generations_per_hour, settings.generations_per_day, settings.shop_generations_per_day
        ),
        "print_product": UsageLimits(
            settings.print_products_per_hour,
            settings.print_products_per_day,
            settings.shop_print_products_per_day,
        ),
        "scene": UsageLimits(settings.scenes_per_hour, settings.scenes_per_day, settings.shop_scenes_per_day),
        "artwork": UsageLimits(
            settings.artwork_per_hour, settings.artwork_per_day, settings.shop_artwork_per_day
        ),
        "print_check": UsageLimits(
            settings.print_checks_per_hour, settings.print_checks_per_day, settings.shop_print_checks_per_day
        ),
        "import": UsageLimits(
            settings.imports_per_hour, settings.imports_per_day, settings.shop_imports_per_day
        ),
        "order": UsageLimits(settings.orders_per_hour, settings.orders_per_day, settings.shop_orders_per_day),
        "export": EXPORTS,
        "deletion": DELETIONS,
    }


class Reservation:
    """Counts once its block ends, unless `cancel` was called inside."""

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        """Nothing new was made."""
        self.is_cancelled = True


class Usage:
    """Reserves usage before a vendor is paid."""

    def __init__(self, data: Data, limits: Mapping[Kind, UsageLimits]) -> None:
        self._data = data
        self._limits = limits

    @contextmanager
    def reserve(self, caller: Caller, kind: Kind) -> Iterator[Reservation]:
        """Counts what is made inside; an exception releases the reservation, unless it `counts`.

        429 with `retry_at` when a limit is reached, 503 when it is 0. The service's own calls count for the shop alone.
        """
        (row,) = self._data.call(
            "reserve_usage",
            {
                "of_user": caller.id or None,
                "usage_kind": kind,
                **self.limit_arguments(kind),
                "lease_seconds": LEASE_SECONDS,
            },
        )
        if row["reservation"] is None:
            raise self.limit_reached(kind, one_of(REACHED, row["reached"]), row["open_at"])
        identity, reservation = str(row["reservation"]), Reservation()
        try:
            yield reservation
        except BaseException as error:
            counts = isinstance(error, ShopError) and error.counts
            self._close("complete_usage" if counts else "release_usage", identity)
            raise
        self._close("release_usage" if reservation.is_cancelled else "complete_usage", identity)

    def limit_arguments(self, kind: Kind) -> dict[str, int]:
        """The limits as the SQL functions take them."""
        limits = self._limits[kind]
        return {
            "per_hour": limits.per_hour,
            "per_day": limits.per_day,
            "shop_per_day": limits.shop_per_day,
        }

    def limit_reached(self, kind: Kind, reached: Reached, open_at: str | None) -> ShopError:
        """The error for a limit that SQL found reached, until `open_at` (ISO)."""
        return _limit_reached(kind, self._limits[kind], reached, open_at)

    def _close(self, step: str, reservation: str) -> None:
        try:
            self._data.value(step, {"reservation": reservation})
        except ShopError as problem:
            # The shopper gets the picture, or reads the real problem; the reservation ends with its lease.
            log_trouble(f"{step} {reservation}", problem.cause)


_SUBJECTS: Mapping[Kind, str] = {
    "picture": "new designs",
    "print_product": "designs made ready to print",
    "import": "imported designs",
    "order": "new orders",
    "export": "copies of an account",
    "deletion": "attempts to delete an account",
    "artwork": "pictures brought along",
    "scene": "designs made ready to print",
    "print_check": "print checks",
}


def _limit_reached(kind: Kind, limits: UsageLimits, reached: Reached, open_at: str | None) -> ShopError:
    subject = _SUBJECTS[kind]
    match reached:
        case "closed":
            return ShopError(
                503, "usage_closed", f"There are no {subject} at the moment. Please come back later."
            )
        case "hour":
            sentence = f"You've reached our limit for {subject}: {limits.per_hour} an hour for one person."
        case "day":
            sentence = f"You've reached our limit for {subject}: {limits.per_day} a day for one person."
        case "shop":
            sentence = f"We've reached our limit for {subject} in a day, for everybody together."
        case _:
            assert_never(reached)
    return ShopError(429, "usage_limit", sentence, retry_at=datetime.fromisoformat(open_at or ""))
