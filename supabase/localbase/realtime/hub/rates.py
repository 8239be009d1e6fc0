"""Limits of addresses: rates, and shares of the sockets."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

from localbase.core.clock import Clock

_WINDOW_SECONDS = 5


class Rate:
    """A limit per second, on the average of the last five seconds: a moment may have more.

    One address may use it up alone. Then it gets nothing more, while others still get what would be theirs if all who
    use it had the same.
    """

    def __init__(self, per_second: int, clock: Clock) -> None:
        """`clock` is a monotonic one."""
        self._most = per_second * _WINDOW_SECONDS
        self._clock = clock
        # Counts of whole seconds by address, and their sums.
        self._counts: deque[tuple[int, Counter[str]]] = deque()
        self._sums: Counter[str] = Counter()
        self._sum = 0

    def room_for(self, address: str, times: int) -> bool:
        """Tell whether it may happen so many times more now."""
        self._expire()
        return self._sum + times <= self._most or self._sums[address] + times <= self._share(address)

    def count(self, address: str, times: int = 1) -> bool:
        """Counts. Whether there are too many now, of this address too."""
        self._expire()
        second = int(self._clock())
        if not self._counts or self._counts[-1][0] != second:
            self._counts.append((second, Counter()))
        self._counts[-1][1][address] += times
        self._sums[address] += times
        self._sum += times
        return self._sum > self._most and self._sums[address] > self._share(address)

    def _share(self, address: str) -> float:
        return self._most / (len(self._sums) + (address not in self._sums))

    def _expire(self) -> None:
        first = int(self._clock()) - _WINDOW_SECONDS
        while self._counts and self._counts[0][0] <= first:
            _, counts = self._counts.popleft()
            self._sum -= counts.total()
            for address, times in counts.items():
                self._sums[address] -= times
                if not self._sums[address]:
                    del self._sums[address]


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


class SocketShares:
    """The number of sockets of each address: one may hold all until another wants one.

    `give_way` ends a socket of an address in favour of another's.
    """

    def __init__(self, most: int, give_way: Callable[[str], None]) -> None:
        self._most = most
        self._give_way = give_way
        self._counts: Counter[str] = Counter()

    def admit(self, address: str) -> bool:
        """Counts a new socket. False if there is no room, and no address that has more than its share."""
        if self._counts.total() >= self._most and not self._evict_from_greatest(address):
            return False
        self._counts[address] += 1
        return True

    def release(self, address: str) -> None:
        """Forgets a socket that has ended."""
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    def _evict_from_greatest(self, address: str) -> bool:
        """Lets the address with the most sockets give way, unless the two would only change places."""
        greatest, most = max(self._counts.items(), key=lambda item: item[1], default=(address, 0))
        if most <= self._counts[address] + 1:
            return False
        self._give_way(greatest)
        return True
