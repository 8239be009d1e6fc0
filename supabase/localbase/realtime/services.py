"""The services that every channel works with."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from localbase.core.settings import RealtimeSettings
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.authorization import Authorizer
from localbase.realtime.hub.hub import Hub
from localbase.realtime.tokens import Tokens

# What one client may leave unread.
UNREAD_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of everything that a socket waits for."""

    # A client sends a heartbeat every 25 s; one that is silent has gone.
    silence: float = 60.0
    # At most so long until a token is verified again.
    token_check: float = 300.0
    # At most so long a join waits for changes of the database to arrive.
    subscribe: float = 5.0
    # Between attempts to subscribe to changes anew.
    retry: float = 5.0


class Closable(Protocol):
    """An open socket."""

    address: str

    @property
    def is_idle(self) -> bool:
        """Tell whether it has no channel."""

    def give_way(self, reason: str = ...) -> None:
        """Closes it; its client may try again."""


@dataclass(frozen=True, slots=True)
class Services:
    """Shared by all sockets."""

    settings: RealtimeSettings
    tokens: Tokens
    hub: Hub
    pool: ServicePool
    authorizer: Authorizer
    timing: Timing = field(default_factory=Timing)
    # The open sockets, the oldest first.
    sessions: dict[Closable, None] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=lambda: count(1))

    @property
    def most_payload_bytes(self) -> int:
        """Of a broadcast's or presence's payload."""
        return self.settings.max_payload_size_in_kb * 1000 + 500

    def give_way(self, address: str) -> None:
        """Closes the oldest socket of an address that has no channel, or else its oldest."""
        sockets = [session for session in self.sessions if session.address == address]
        idle = [session for session in sockets if session.is_idle]
        for session in (idle or sockets)[:1]:
            session.give_way()

    def close_sockets(self) -> None:
        """Closes all of them: another gateway serves them from now on."""
        for session in list(self.sessions):
            session.give_way("Realtime runs in another gateway now")

    def new_id(self) -> str:
        """A new channel's number."""
        return str(next(self.numbers))
