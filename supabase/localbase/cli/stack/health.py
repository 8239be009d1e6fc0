"""Finds processes that hang: alive, so that nothing restarts them, but without an answer.

Each process with an address is probed now and then, in the background, over a connection of its own. Any answer counts:
a server that answers an error is not hung. Only one that stays silent several times in a row is reported. One that has
not answered since its start is starting, and has far longer. When this process itself was kept waiting (a busy or a
suspended machine), a silence says nothing about the other and does not count.
"""

from __future__ import annotations

import selectors
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass, fields

# Asks for encryption, as every client of Postgres may: the server answers one letter before any log-in.
_SSL_REQUEST = struct.pack("!ii", 8, 80877103)
_LATE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class HealthPolicy:
    """Seconds, and how many silences in a row are too many. The only place of these numbers."""

    every: float = 10.0
    timeout: float = 10.0
    failures: int = 3
    # How long a process may take to its first answer.
    start: float = 180.0
    # How long it has to end by itself, after SIGTERM or any other signal.
    grace: float = 10.0

    def arguments(self) -> list[str]:
        """These values as arguments of the supervisor's command line."""
        return [f"--health-{field.name}={getattr(self, field.name)}" for field in fields(self)]


@dataclass(frozen=True, slots=True)
class Target:
    """A probe: bytes sent to a port of this machine; any response is a good one."""

    port: int
    request: bytes

    @classmethod
    def http(cls, port: int, path: str) -> Target:
        """A GET request."""
        return cls(
            port,
            f"GET {path or '/'} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode(),
        )

    @classmethod
    def postgres(cls, port: int) -> Target:
        """A connection's first packet."""
        return cls(port, _SSL_REQUEST)


class _Watched:
    def __init__(self, name: str, target: Target, now: float, policy: HealthPolicy) -> None:
        self.name = name
        self.target = target
        self.started = now
        self.due = now + min(policy.every, 1.0)
        self.answered = False
        self.failures = 0
        self.probe: socket.socket | None = None
        self.deadline = 0.0


class HealthMonitor:
    """The probes of a supervisor, driven by its loop: `handle` what `selector` reports, then ask `hung`."""

    def __init__(self, selector: selectors.BaseSelector, policy: HealthPolicy) -> None:
        self._selector = selector
        self._policy = policy
        self._watched: dict[str, _Watched] = {}

    def watch(self, name: str, target: Target, now: float) -> None:
        """Watches a process that has just been started."""
        self.forget(name)
        self._watched[name] = _Watched(name, target, now, self._policy)

    def forget(self, name: str) -> None:
        """Watches it no longer."""
        watched = self._watched.pop(name, None)
        if watched is not None:
            self._close(watched)

    def next_event(self) -> float | None:
        """Return when there is something to do next."""
        return min((w.deadline if w.probe else w.due for w in self._watched.values()), default=None)

    def handle(self, key: selectors.SelectorKey, now: float) -> None:
        """Goes on with a probe that has a ready socket."""
        watched = key.data
        assert isinstance(watched, _Watched)
        if watched.probe is None:
            return
        try:
            if key.events & selectors.EVENT_WRITE:
                watched.probe.send(watched.target.request)
                self._selector.modify(watched.probe, selectors.EVENT_READ, watched)
                return
            received = watched.probe.recv(64)
        except OSError:
            received = b""
        if received:
            watched.answered, watched.failures = True, 0
            self._rest(watched, now)
        else:
            self._failed(watched, now)

    def hung(self, now: float) -> Iterator[tuple[str, str]]:
        """Begins and ends probes that are due. Yields processes that hang, with what was observed."""
        for watched in list(self._watched.values()):
            if watched.probe is not None and now >= watched.deadline:
                # Woken late, this process may itself be the cause of the silence.
                if now - watched.deadline > _LATE_SECONDS:
                    self._rest(watched, now)
                else:
                    self._failed(watched, now)
            elif watched.probe is None and now >= watched.due:
                self._begin(watched, now)
            if watched.failures >= self._policy.failures:
                yield watched.name, f"has not answered {watched.failures} times in a row"
            elif not watched.answered and now - watched.started > self._policy.start:
                yield watched.name, f"has not answered for {self._policy.start:.0f} s after its start"

    def _begin(self, watched: _Watched, now: float) -> None:
        watched.probe = socket.socket()
        watched.probe.setblocking(False)
        watched.deadline = now + self._policy.timeout
        watched.probe.connect_ex(("127.0.0.1", watched.target.port))
        self._selector.register(watched.probe, selectors.EVENT_WRITE, watched)

    def _failed(self, watched: _Watched, now: float) -> None:
        if watched.answered:
            watched.failures += 1
        self._rest(watched, now)

    def _rest(self, watched: _Watched, now: float) -> None:
        self._close(watched)
        # One that is starting is probed more often, so that it counts as started soon.
        watched.due = now + (self._policy.every if watched.answered else min(self._policy.every, 1.0))

    def _close(self, watched: _Watched) -> None:
        if watched.probe is not None:
            self._selector.unregister(watched.probe)
            watched.probe.close()
            watched.probe = None
