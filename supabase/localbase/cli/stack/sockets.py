"""Listening sockets that outlive the processes that accept on them.

The supervisor holds them and hands them down by descriptor. While a process restarts, its clients wait in the socket's
queue instead of being refused. `exec` carries them over into the supervisor's next image.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType

_BACKLOG = 2048


@dataclass(frozen=True, slots=True)
class Listener:
    """A socket that a process finds as a descriptor, under a name in its environment."""

    variable: str
    port: int
    host: str = "127.0.0.1"


class HeldSockets:
    """The supervisor's listening sockets, by address. `inherited` are descriptors from its image before."""

    def __init__(self, inherited: Iterable[int] = ()) -> None:
        self._held: dict[tuple[str, int], socket.socket] = {}
        self._pair: tuple[socket.socket, socket.socket] | None = None
        for descriptor in inherited:
            inherited_socket = socket.socket(fileno=descriptor)
            inherited_socket.set_inheritable(False)
            self._held[inherited_socket.getsockname()[:2]] = inherited_socket

    def __enter__(self) -> HeldSockets:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of all of them. A process that has inherited them goes on holding them."""
        self.release_all_but(())

    def open_private(self) -> int:
        """A new socket on a port that the system chooses; the port."""
        made = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        port: int = made.getsockname()[1]
        self._held["127.0.0.1", port] = made
        return port

    def descriptor(self, listener: Listener) -> int:
        """The socket for `listener`, opened if need be. Raises `OSError` when another program has the port."""
        address = listener.host, listener.port
        if address not in self._held:
            self._held[address] = socket.create_server(address, backlog=_BACKLOG)
        return self._held[address].fileno()

    def handover(self, *, takes: bool) -> int:
        """An end of the pair by which gateway processes hand over connections (`gateway/http/handover.py`)."""
        if self._pair is None:
            self._pair = socket.socketpair()
        return self._pair[takes].fileno()

    def ports(self) -> list[int]:
        """All ports that are held."""
        return sorted(port for _, port in self._held)

    def release_all_but(self, listeners: Iterable[Listener]) -> None:
        """Closes what none of `listeners` uses."""
        used = {(listener.host, listener.port) for listener in listeners}
        for address in set(self._held) - used:
            self._held.pop(address).close()

    def inheritable(self) -> list[int]:
        """Their descriptors, which survive `exec`."""
        for held in self._held.values():
            held.set_inheritable(True)
        return [held.fileno() for held in self._held.values()]


def is_free(port: int) -> bool:
    """Tell whether no program listens on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def is_served(port: int) -> bool:
    """Tell whether a program accepts connections on a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
