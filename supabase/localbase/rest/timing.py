"""`Server-Timing`: how long each stage of a request took, where the operator has enabled it.

Upstream: https://docs.postgrest.org/en/stable/references/observability.html#server-timing-header. Whether a token is
genuine the gateway finds out before; `jwt` is what is left to find out here.
"""

from __future__ import annotations

import time

STAGES = ("jwt", "parse", "plan", "transaction", "response")


class ServerTiming:
    """A stop-watch over the stages. A stage that is not ended took no time."""

    __slots__ = ("_spent", "_started")

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._spent: dict[str, float] = {}

    def end(self, stage: str) -> None:
        """The stage is over; the next begins."""
        now = time.perf_counter()
        self._spent[stage] = (now - self._started) * 1000
        self._started = now

    @property
    def header(self) -> tuple[str, str]:
        """The header, in milliseconds."""
        return "Server-Timing", ", ".join(
            f"{stage};dur={self._spent.get(stage, 0.0):.1f}" for stage in STAGES
        )
