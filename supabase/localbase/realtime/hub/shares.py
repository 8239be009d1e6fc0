"""The sockets of all addresses: one may hold all until another wants one (see `gateway/http/admission.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


class SocketShares:
    """The number of sockets of each address. `give_way` ends a socket of an address in favour of another's."""

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
