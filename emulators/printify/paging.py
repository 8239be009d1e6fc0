"""Printify's list responses (Laravel's paginator) and its date format."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emulators.core.inputs import read_number
from emulators.core.store import Document
from emulators.core.system import system


def moment(at: float | None = None) -> str:
    """`2019-07-25 13:40:41+00:00`; now when `at` (seconds since 1970) is not given."""
    when = datetime.datetime.fromtimestamp(system.time() if at is None else at, datetime.UTC)
    return when.strftime("%Y-%m-%d %H:%M:%S+00:00")


_MOST = 1_000_000_000


@dataclass(frozen=True)
class Page:
    path: str
    number: int
    limit: int

    @classmethod
    def of(cls, query: Mapping[str, str], path: str, largest: int = 50) -> Page:
        def positive(name: str, default: int) -> int:
            number = read_number(query.get(name, ""), _MOST)
            return default if number is None else max(1, number)

        return cls(path, positive("page", 1), min(positive("limit", 10), largest))

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.limit

    def body(self, rows: list[Document], total: int) -> dict[str, Any]:
        last = max(1, -(-total // self.limit))

        def link(number: int) -> str | None:
            return f"/?page={number}" if 1 <= number <= last else None

        return {
            "current_page": self.number,
            "data": rows,
            "first_page_url": "/?page=1",
            "from": self.offset + 1 if rows else None,
            "last_page": last,
            "last_page_url": f"/?page={last}",
            "next_page_url": link(self.number + 1),
            "path": self.path,
            "per_page": self.limit,
            "prev_page_url": link(self.number - 1),
            "to": self.offset + len(rows) if rows else None,
            "total": total,
        }
