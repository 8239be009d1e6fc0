"""The limits of one connection, in size and in time."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from enum import Enum

_RESERVED_FILES = 256
_BESIDE_SOCKETS = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for each client. The figures are documented in `supabase/REFERENCE.md`."""

    # A request line with its headers: more is a 431.
    head_bytes: int = 64 * 1024
    # From the connection's opening, or a request's first byte, to the end of its headers: later is a 408.
    head_seconds: float = 15.0
    # A body has this long at first, and a second more for every so many bytes, but is never ahead by more than twice
    # the grace: later is a 408.
    body_seconds: float = 15.0
    body_bytes_per_second: float = 1000.0
    # Between an answer and the next request.
    keep_alive_seconds: float = 75.0
    # An answer that is not fetched, by the same rule as a body.
    write_seconds: float = 60.0
    # How long what a client is still sending is read after it was turned away, so that it sees why.
    linger_seconds: float = 5.0
    # And how much of it.
    linger_bytes: int = 64 * 1024 * 1024
    # Of one process and server. One more takes the place of one that has sent no whole request, or is a 503.
    connections: int = 4096
    # What the answers of one server that wait for their readers may take together.
    unsent_bytes: int = 256 * 1024 * 1024
    # How long a request goes on after its client has ended the sending side: the client may wait, or be gone.
    half_closed_seconds: float = 1.0
    # When the server ends, for a request of a client that has only just connected.
    coming_seconds: float = 0.1


class Phase(Enum):
    """A connection's phase, by the next part that its client sends."""

    IDLE = 0
    HEAD = 1
    BODY = 2


class Pace:
    """A deadline that moves with the bytes that come or go."""

    __slots__ = ("_bytes_per_second", "_grace", "deadline")

    def __init__(self, now: float, grace: float, bytes_per_second: float) -> None:
        self.deadline = now + grace
        self._grace = grace
        self._bytes_per_second = bytes_per_second

    def moved(self, size: int, now: float) -> None:
        """`size` bytes have come or gone."""
        self.deadline = min(self.deadline + size / self._bytes_per_second, now + 2 * self._grace)

    def excuse(self, now: float) -> None:
        """The other side is not to blame: it begins anew."""
        self.deadline = now + self._grace


def limits_for(sockets: int) -> Limits:
    """The limits where so many WebSockets are allowed, which leave room for other connections.

    The process's limit of open files is raised as far as needed and allowed; there are no more connections than files.
    """
    connections = max(Limits().connections, sockets + _BESIDE_SOCKETS)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed_files = connections + _RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < needed_files:
        soft = needed_files if hard == resource.RLIM_INFINITY else min(needed_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return Limits(
        connections=connections
        if soft == resource.RLIM_INFINITY
        else min(connections, soft - _RESERVED_FILES)
    )
