"""What every channel of this process works with."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from localbase.core.clock import Clock
from localbase.core.settings import RealtimeSettings
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.authorization import Authorizer
from localbase.realtime.hub import Hub
from localbase.realtime.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of everything that a socket waits for."""

    # A client sends a heartbeat every 25 s; one that is silent has gone.
    silence: float = 60.0
    # At most so long until a token is verified again.
    token_check: float = 300.0
    # Between attempts to subscribe to changes.
    retry: float = 5.0


class Closable(Protocol):
    """An open socket."""

    def restart(self) -> None:
        """Closes it: its client is to come again."""


@dataclass(frozen=True, slots=True)
class Services:
    """Shared by all sockets. `prefix` begins the ids of this process's channels."""

    settings: RealtimeSettings
    tokens: Tokens
    hub: Hub
    pool: ServicePool
    authorizer: Authorizer
    prefix: str = "0:"
    timing: Timing = field(default_factory=Timing)
    monotonic: Clock = time.monotonic
    # What one client may leave unread, in bytes.
    unread_bytes: int = 4 * 1024 * 1024
    # The open sockets.
    sessions: set[Closable] = field(default_factory=set)
    numbers: count[int] = field(default_factory=lambda: count(1))

    @property
    def most_payload_bytes(self) -> int:
        """Of a broadcast's or presence's payload."""
        return self.settings.max_payload_size_in_kb * 1000 + 500

    def restart_sockets(self) -> None:
        """Closes all sockets: what the hub knew of them is gone, and their clients come again."""
        for session in list(self.sessions):
            session.restart()

    def new_id(self) -> str:
        """A new channel's number."""
        return f"{self.prefix}{next(self.numbers)}"
