"""How often something may happen."""

from __future__ import annotations

from collections import deque

from localbase.core.clock import Clock

_WINDOW_SECONDS = 5


class Rate:
    """A limit per second, on the average of the last five seconds: a moment may have more."""

    def __init__(self, per_second: int, clock: Clock) -> None:
        """`clock` is a monotonic one."""
        self._most = per_second * _WINDOW_SECONDS
        self._clock = clock
        # Counts of whole seconds, and their sum.
        self._counts: deque[tuple[int, int]] = deque()
        self._sum = 0

    def room_for(self, times: int) -> bool:
        """Whether it may happen so many times more now."""
        self._expire()
        return self._sum + times <= self._most

    def count(self, times: int = 1) -> bool:
        """Counts. Whether there are too many now."""
        self._expire()
        second = int(self._clock())
        if self._counts and self._counts[-1][0] == second:
            times_before = self._counts.pop()[1]
            self._counts.append((second, times_before + times))
        else:
            self._counts.append((second, times))
        self._sum += times
        return self._sum > self._most

    def _expire(self) -> None:
        first = int(self._clock()) - _WINDOW_SECONDS
        while self._counts and self._counts[0][0] <= first:
            self._sum -= self._counts.popleft()[1]


class Window:
    """At most so many times within a window, which begins with the first."""

    def __init__(self, most: int, seconds: float, clock: Clock) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._count = 0
        self._ends = 0.0

    def take(self) -> bool:
        """Counts once more. Whether it was within the limit."""
        now = self._clock()
        if now > self._ends:
            self._count, self._ends = 0, now + self._seconds
        self._count += 1
        return self._count <= self._most
