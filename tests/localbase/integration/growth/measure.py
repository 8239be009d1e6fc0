"""The cost of one message for a server: the processor time of its process, read by the system's clock for it."""

from __future__ import annotations

import functools
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from urllib.parse import urlsplit

from tests.support.random_cases import TIMES


@functools.cache
def _steps_seconds() -> float:
    """The processor time of 300,000 steps of Python on this machine: the least of five."""
    taken = []
    for _ in range(5):
        began, number = time.process_time(), 0
        for _ in range(300_000):
            number = (number * 31 + 7) & 0xFFFF
        taken.append(time.process_time() - began)
    return min(taken)


# Where the larger message costs less, it is measured once.
LEAST_SECONDS = 0.005
# A quarter that costs less counts as this. For megabytes it is more: their pages of memory cost some milliseconds each.
_NOISE_SECONDS, _NOISE_STEPS, _NOISE_SECONDS_PER_BYTE = 0.004, 0.4, 0.002 / (1 << 20)
# Four where the cost is linear, seven where the whole leaves the processor's caches besides, sixteen where it is
# quadratic. A half would not tell the last two apart: three and four.
_MOST_GROWTH = 10
_MOST_SECONDS, _MOST_STEPS = 0.1, 12
# Other machines' work on the same processor makes a measurement longer, never shorter.
_RUNS = 20


@dataclass(frozen=True, slots=True)
class Message:
    """A whole request as bytes; `tail` is its body."""

    head: bytes
    tail: bytes = b""


@dataclass(frozen=True, slots=True)
class Server:
    """A process that listens at an address."""

    url: str
    process: int

    def cost(self, message: Message) -> tuple[float, int]:
        """Seconds of processor time, and the response's status (0 where there is none)."""
        parts = urlsplit(self.url)
        before = self.clock()
        with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=8) as connection:
            status = _exchange(connection, message)
        return self.clock() - before, status

    def clock(self) -> float:
        """The processor time that it has used."""
        # CPUCLOCK_SCHED of another process, as `clock_getcpuclockid` makes its number.
        return time.clock_gettime((~self.process << 3) | 2)


def _exchange(connection: socket.socket, message: Message) -> int:
    response = b""
    try:
        connection.sendall(message.head + message.tail)
        while part := connection.recv(1 << 16):
            response = response or part
    except (ConnectionError, TimeoutError):
        pass
    return int(response.split(b" ", 2)[1]) if response.startswith(b"HTTP/1.1 ") else 0


@dataclass(frozen=True, slots=True)
class Growth:
    """The least costs that were measured of a message and of its quarter (infinite where it makes no difference),
    the status of the response to the whole, and its size.
    """

    whole: float
    quarter: float
    status: int
    size: int

    @property
    def is_bounded(self) -> bool:
        """Tell whether four times the message costs about four times the time."""
        return self.whole <= _MOST_GROWTH * max(self.quarter, self._noise)

    @property
    def is_cheap(self) -> bool:
        """Tell whether it is bounded whatever its quarter costs. The long form asks the quarter all the same."""
        return self.whole < LEAST_SECONDS or (TIMES == 1 and self.whole <= _MOST_GROWTH * self._noise)

    @property
    def _noise(self) -> float:
        return max(_NOISE_SECONDS, _NOISE_STEPS * _steps_seconds(), _NOISE_SECONDS_PER_BYTE * self.size)


def most_seconds() -> float:
    """Of processor time in the event loop. What is streamed is looked at part by part, and may take longer in all.

    On a slower machine as many steps are allowed, which take longer there.
    """
    return max(_MOST_SECONDS, _MOST_STEPS * _steps_seconds())


def growth(cost: Callable[[int], tuple[float, int]], size: int, most: float | None = None) -> Growth:
    """The best of twenty, of fewer where they suffice, of what a message of any size costs.

    No message is sent twice: a cache would answer for the quarter.
    """
    most = most_seconds() if most is None else most
    whole, status = cost(size)
    best = Growth(whole, inf, status, size)
    for run in range(1, _RUNS + 1):
        if (best.quarter < inf or best.is_cheap) and best.is_bounded and best.whole < most:
            break
        quarter = min(best.quarter, cost(size // 4 - 16 * run)[0])
        whole = best.whole if run == 1 else min(best.whole, cost(size - 32 * run)[0])
        best = Growth(whole, quarter, status, size)
    return best
