"""The nightly check of the shop's totals (sql/migrations/…_total_checks.sql): the admin gets a mail about what differs.

One kind of total with each run of the sweep; after the last one the database has none due until the next night.
"""

from __future__ import annotations

from typing import Protocol

from _shared.clients.smtp import Email
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.orders.emails import total_alert


class Mailer(Protocol):
    """`clients.smtp.Smtp`."""

    def send(self, email: Email, key: str = "") -> None: ...


class TotalChecks:
    """Checks as the service."""

    def __init__(self, data: Data, mailer: Mailer, *, notice_email: str) -> None:
        self._data = data
        self._mailer = mailer
        self._notice_email = notice_email

    def check_next(self) -> int:
        """Return how many totals of the kind that was due are wrong.

        A report that fails is tried again after an hour.
        """
        try:
            return self._check_next()
        except ShopError as problem:
            log_trouble("check of the totals", problem.cause or problem)
            return 0

    def _check_next(self) -> int:
        rows = self._data.call("check_next_total", {})
        if not rows:
            return 0
        kind, wrong_rows = str(rows[0]["kind"]), int(rows[0]["wrong_rows"])
        if wrong_rows:
            row, held, counted = (str(rows[0][name]) for name in ("of_row", "held", "counted"))
            log_trouble(
                "totals are wrong", f"{wrong_rows}, the first of row {row}: {held}, not {counted}", kind=kind
            )
            self._mailer.send(total_alert(self._notice_email, kind, wrong_rows, row, held, counted))
        self._data.value("finish_total_check", {"of_kind": kind})
        return wrong_rows
