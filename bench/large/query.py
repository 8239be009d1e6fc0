"""A request of the shop, and the limits that hold for it among a million designs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SPECIFIED = "specification"
SHARED = "functions/_shared/"
SITEMAP = SHARED + "pages/sitemap.py"
Caller = Literal["visitor", "shopper", "busy", "admin", "service"]
Method = Literal["GET", "HEAD", "POST", "PATCH", "DELETE"]


@dataclass(frozen=True, slots=True)
class Query:
    """One request. `caller` busy is the person who has more of everything than all others."""

    name: str
    caller: Caller
    source: str
    path: str
    method: Method = "GET"
    body: str = ""
    prefer: str = ""

    @property
    def target(self) -> str:
        """The table or function."""
        return self.path.removeprefix("/rpc/").removeprefix("/").partition("?")[0]

    @property
    def is_for_shoppers(self) -> bool:
        """Under the limits of what a page of the shop waits for.

        What the specification calls and the web client no longer does has those of the admin panel.
        """
        return self.caller != "admin" and self.source != SPECIFIED

    @property
    def is_for_robots(self) -> bool:
        """A file of 50,000 addresses, which caches keep for an hour."""
        return self.source == SITEMAP

    @property
    def most_ms(self) -> float:
        if self.is_for_robots:
            return 2_000
        return 50 if self.is_for_shoppers else 500

    @property
    def most_buffers(self) -> int:
        if self.is_for_robots:
            return 110_000
        return 5_000 if self.is_for_shoppers else 10_000
