"""The limits of all connections of one server together, and the choice of the one that gives way.

A limit on each connection alone lets one client hold all of them. So when there are too many, the address with the most
connections loses its oldest one that still owes a request; when unread answers fill the memory, the one that has been
waiting for its reader longest is dropped.
"""

from __future__ import annotations

from typing import Any, Protocol

from localbase.gateway.http.limits import Limits

# Connections that were one too many, and stay until their clients have read so. They have files of their own beside
# the limit of connections; more of them are closed at once.
_MOST_TURNED_AWAY = 128


class Connection(Protocol):
    """A connection, as far as its admission needs it."""

    @property
    def owes_request(self) -> bool:
        """Tell whether the client has yet to send a request, or the rest of one."""

    @property
    def unsent_bytes(self) -> int:
        """Return how much of its answer the client has yet to fetch."""

    def give_way(self) -> None:
        """Ends in favour of a newer connection."""

    def abort(self) -> None:
        """Ends at once, with what is unsent."""


class Admission:
    """The connections of one server in one process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._count = 0
        # Oldest first, like every dictionary of Python.
        self._by_address: dict[str, dict[Connection, None]] = {}
        self._paused: dict[Connection, None] = {}
        self._turned_away: set[Connection] = set()

    def admit(self, connection: Connection, address: str) -> bool:
        """Counts a new connection. False if there is no room: every other one is being answered."""
        if self._count >= self._limits.connections and not self._evict_idle():
            return False
        self._by_address.setdefault(address, {})[connection] = None
        self._count += 1
        return True

    def remove(self, connection: Connection, address: str) -> None:
        """Forgets a connection that has ended."""
        self._paused.pop(connection, None)
        self._turned_away.discard(connection)
        connections = self._by_address.get(address, {})
        if connection in connections:
            del connections[connection]
            self._count -= 1
            if not connections:
                del self._by_address[address]

    def may_linger(self, connection: Connection) -> bool:
        """Tell whether a connection for which there is no room may stay until its client has read why."""
        if len(self._turned_away) < _MOST_TURNED_AWAY:
            self._turned_away.add(connection)
        return connection in self._turned_away

    def _evict_idle(self) -> bool:
        for address in sorted(self._by_address, key=lambda address: -len(self._by_address[address])):
            for connection in self._by_address[address]:
                if connection.owes_request:
                    self.remove(connection, address)
                    connection.give_way()
                    return True
        return False

    def pause(self, connection: Connection) -> None:
        """An answer waits for its reader. Drops the longest-waiting ones while all together exceed the limit."""
        self._paused[connection] = None
        unsent = sum(waiting.unsent_bytes for waiting in self._paused)
        while unsent > self._limits.unsent_bytes and len(self._paused) > 1:
            oldest = next(iter(self._paused))
            del self._paused[oldest]
            unsent -= oldest.unsent_bytes
            oldest.abort()

    def resume(self, connection: Connection) -> None:
        """The reader has caught up."""
        self._paused.pop(connection, None)


def shared_by_connections(limits: Limits) -> dict[str, Any]:
    """Return what the connections of one server have in common, as attributes of their class."""
    return {"limits": limits, "admission": Admission(limits), "linger_bytes": limits.linger_bytes}
