"""The simulation's time. It stands still until the scheduler, or a wait in the shop's own code, moves it."""

from __future__ import annotations

import math
from collections.abc import Callable

from _shared.core.clock import Clock


class SimulatedClock(Clock):
    """`tell` is told after every jump how many seconds have passed in all."""

    def __init__(self, began: float, tell: Callable[[float], None]) -> None:
        self._began = began
        self._tell = tell
        self.elapsed = 0.0

    def time(self) -> float:
        return self._began + self.elapsed

    def monotonic(self) -> float:
        return self.elapsed

    def sleep(self, seconds: float) -> None:
        # whole ones: what a library adds to its pauses by chance is no part of a trace
        self.elapsed += math.ceil(seconds)
        self._tell(self.elapsed)
