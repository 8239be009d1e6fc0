"""Reports of designs, by anybody who sees one.

Nobody can learn who reported: a report is stored without its sender. What limits senders is a digest of their address,
kept for a day beside the reports and not with them. An account would limit nobody, because none is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from datetime import datetime

from _shared.core.data import Data
from _shared.core.errors import ShopError, not_found
from _shared.core.usage import UsageLimits
from _shared.moderation.reasons import Reason

_PURPOSE = b"teesmith reports"


class Reports:
    """Stores reports as the service. The `secret` keys the digests of addresses."""

    def __init__(self, data: Data, limits: UsageLimits, secret: str) -> None:
        self._data = data
        self._limits = limits
        self._key = hmac.digest(secret.encode(), _PURPOSE, hashlib.sha256)

    def report(self, design_id: str, link_key: str | None, reason: Reason, words: str, address: str) -> None:
        """404 where the link opens nothing, 429 with `retry_at` after too many reports, 503 while there are none."""
        (row,) = self._data.call(
            "report_design",
            {
                "of_design": design_id,
                "link_key": link_key,
                "reason": reason,
                "words": words,
                "sender": f"\\x{self._sender(address).hex()}",
                "per_hour": self._limits.per_hour,
                "per_day": self._limits.per_day,
                "shop_per_day": self._limits.shop_per_day,
            },
        )
        match row["outcome"]:
            case "reported":
                return
            case "unknown":
                raise not_found("Design", "design_not_found")
            case "closed":
                raise ShopError(
                    503,
                    "reports_closed",
                    "Reports are not possible at the moment. Please write to us instead.",
                )
            case _:
                raise ShopError(
                    429,
                    "too_many_reports",
                    "That were many reports in a short time. Please come back later, or write to us.",
                    retry_at=datetime.fromisoformat(row["open_at"]),
                )

    def _sender(self, address: str) -> bytes:
        return hmac.digest(self._key, _subscriber(address).encode(), hashlib.sha256)


def _subscriber(address: str) -> str:
    """The address, or the network of an IPv6 address: one household has 2^64 of these."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address
