"""Mails that tell owners what was decided on their designs, and the shop that designs were reported.

SQL writes each down with the decision or the report (sql/migrations/…_moderation.sql); the sweep sends it under a
lease, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, cast

from _shared.clients.smtp import Email
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble
from _shared.moderation.reasons import notice_of, report_of
from _shared.orders.emails import design_decision, report_alert

_MOST_ATTEMPTS = 14  # about half a day
_AT_ONCE = 50


class Mailer(Protocol):
    """`clients.smtp.Smtp`."""

    def send(self, email: Email, key: str = "") -> None: ...


class DesignNotices:
    """Sends as the service. `notice_email` is where the shop reads of reports."""

    def __init__(
        self, data: Data, mailer: Mailer, site_url: str, lease_seconds: int, *, notice_email: str
    ) -> None:
        self._data = data
        self._mailer = mailer
        self._site_url = site_url
        self._lease_seconds = lease_seconds
        self._notice_email = notice_email

    def send(self) -> dict[str, int]:
        """Sends what is due, not more than a run can. Figures."""
        figures = {"design_notices": 0, "failed_design_notices": 0}
        for _ in range(_AT_ONCE):
            claimed = self._data.value("claim_design_notice", {"lease_seconds": self._lease_seconds})
            if claimed is None:
                break
            sent = self._send(cast("Mapping[str, Any]", claimed))
            figures["design_notices" if sent else "failed_design_notices"] += 1
        return figures

    def _send(self, notice: Mapping[str, Any]) -> bool:
        try:
            self._mailer.send(self._email(notice), str(notice["id"]))
        except ShopError as problem:
            log_trouble("a mail about a design was not sent", problem.cause or problem, notice=notice["id"])
            self._data.value(
                "fail_design_notice",
                {
                    "notice": notice["id"],
                    "problem": str(problem.cause or problem),
                    "most_attempts": _MOST_ATTEMPTS,
                },
            )
            return False
        self._data.value("finish_design_notice", {"notice": notice["id"]})
        return True

    def _email(self, notice: Mapping[str, Any]) -> Email:
        reason, name = str(notice["reason"] or ""), str(notice["design_name"])
        if notice["decision"] == "report":
            return report_alert(
                self._notice_email, name, int(notice["cases"]), report_of(reason), site_url=self._site_url
            )
        return design_decision(
            str(notice["email"]),
            str(notice["name"]),
            name,
            is_restored=notice["decision"] == "restore",
            is_public=bool(notice["is_public"]),
            reason=notice_of(reason),
            note=str(notice["note"]),
            site_url=self._site_url,
        )
