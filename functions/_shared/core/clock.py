"""Time, as the shop takes it: the system's. A simulation has a clock of its own."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """`time` are seconds since 1970, `monotonic` seconds since some moment."""

    def time(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
