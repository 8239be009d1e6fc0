"""The supervisor's judgement of hung processes: real sockets, the test's clock."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Iterator

import pytest
from localbase.cli.stack.health import HealthMonitor, HealthPolicy, Target

POLICY = HealthPolicy(every=10, timeout=5, failures=3, start=60)


class Loop:
    """A supervisor's loop with the test's clock."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.monitor = HealthMonitor(self.selector, POLICY)
        self.now = 0.0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.listening.settimeout(5)
        self.monitor.watch("gateway", Target.http(self.listening.getsockname()[1], "/live"), self.now)

    def turn(self, later: float, serve: Callable[[], None] | None = None) -> list[str]:
        """Lets time pass, and the server act between the probe's steps. Returns the hung processes."""
        self.now += later
        reported = [f"{name} {observed}" for name, observed in self.monitor.hung(self.now)]
        for _ in range(4):
            # A machine's own connections are there at once.
            if not (ready := self.selector.select(0.05)):
                break
            for key, _ in ready:
                self.monitor.handle(key, self.now)
                if serve is not None and key.events & selectors.EVENT_WRITE:
                    serve()
        return reported

    def respond(self) -> None:
        connection, _ = self.listening.accept()
        with connection:
            assert connection.recv(1000).startswith(b"GET /live HTTP/1.1\r\n")
            connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")


@pytest.fixture
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.monitor.forget("gateway")
    made.listening.close()
    made.selector.close()


def silent(loop: Loop) -> list[str]:
    """One probe without a response."""
    assert loop.turn(10) == []
    return loop.turn(5)


def test_three_missed_probes_in_a_row_mean_unhealthy(loop: Loop) -> None:
    loop.turn(1, loop.respond)
    assert silent(loop) == []
    assert silent(loop) == []
    assert silent(loop) == ["gateway has not answered 3 times in a row"]


def test_any_response_resets_the_count_of_missed_probes(loop: Loop) -> None:
    loop.turn(1, loop.respond)
    assert [silent(loop), silent(loop)] == [[], []]
    while loop.listening in selectors_ready(loop.listening):
        loop.listening.accept()[0].close()
    loop.turn(10, loop.respond)
    assert [silent(loop), silent(loop)] == [[], []]


def test_starting_process_has_more_time(loop: Loop) -> None:
    assert [loop.turn(5) for _ in range(11)] == [[]] * 11
    assert loop.turn(6) == ["gateway has not answered for 60 s after its start"]


def test_missed_probe_during_a_suspend_does_not_count(loop: Loop) -> None:
    loop.turn(1, loop.respond)
    for _ in range(6):
        assert loop.turn(10) == []
        assert loop.turn(30) == []


def test_refused_connection_is_a_missed_probe(loop: Loop) -> None:
    loop.turn(1, loop.respond)
    loop.listening.close()
    assert [loop.turn(10), loop.turn(10), loop.turn(10)] == [[], [], []]
    assert loop.turn(1) == ["gateway has not answered 3 times in a row"]


def test_ended_process_is_not_probed(loop: Loop) -> None:
    loop.monitor.forget("gateway")
    assert loop.monitor.next_event() is None
    assert loop.turn(1000) == []


def selectors_ready(listening: socket.socket) -> list[object]:
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        return [key.fileobj for key, _ in selector.select(0)]
