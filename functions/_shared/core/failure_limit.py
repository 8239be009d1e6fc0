"""A limit on failed attempts from one address, in this process: for functions that are open to everyone.

Only failures count, so many visitors behind one proxy are not shut out by each other's success.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from _shared.core.errors import ShopError


class FailureLimit:
    """At most `most` failures in `seconds` from one address. Remembers `most_addresses`, the newest."""

    def __init__(
        self,
        most: int,
        seconds: float,
        *,
        most_addresses: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._most_addresses = most_addresses
        self._clock = clock
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """429 with `retry_at` after too many failures."""
        with self._lock:
            began, failures = self._windows.get(address, (0.0, 0))
        left = began + self._seconds - self._clock()
        if failures >= self._most and left > 0:
            raise ShopError(
                429,
                "too_many_attempts",
                "Too many attempts. Please wait a minute.",
                retry_at=datetime.now(UTC) + timedelta(seconds=left),
            )

    def record(self, address: str) -> None:
        """One more failure."""
        now = self._clock()
        with self._lock:
            began, failures = self._windows.pop(address, (now, 0))
            if now - began >= self._seconds:
                began, failures = now, 0
            self._windows[address] = (began, failures + 1)
            while len(self._windows) > self._most_addresses:
                self._windows.popitem(last=False)
