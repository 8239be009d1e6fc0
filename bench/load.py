"""Load over HTTP, keep-alive: in a closed loop (`measure`), or by arrivals at random (`measure_arrivals`).

The closed loop is `wrk`'s where it is on the path, else that of Python processes on bare sockets: each connection sends
a request, waits for the whole response and sends the next one of `requests`.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import re
import selectors
import shutil
import socket
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.process_memory import descending


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One HTTP request; `path` holds the query."""

    path: str
    method: str = "GET"
    body: str | bytes = ""
    headers: dict[str, str] = field(default_factory=dict)

    def wire(self, host: str) -> bytes:
        """As it goes over the wire."""
        headers = {"Host": host, **self.headers}
        body = self.body.encode() if isinstance(self.body, str) else self.body
        if body:
            headers["Content-Length"] = str(len(body))
        lines = [f"{self.method} {self.path} HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


@dataclass(frozen=True, slots=True)
class Load:
    """A server's performance: answers a second, milliseconds, and how many answers were no success.

    `processor` is the server's own processor time for one answer, in microseconds, where it is measured.
    """

    rps: float
    p50: float
    p99: float
    failures: int
    processor: float | None = None


def generator() -> str:
    """Return what makes the load, in a few words."""
    if shutil.which("wrk"):
        return "wrk"
    return "Python processes, which take a larger part of the processors than pgbench does: install wrk"


def measure(port: int, requests: Sequence[HttpRequest], *, connections: int, seconds: int) -> Load:
    """Puts `connections` on 127.0.0.1:`port` for `seconds`; wrk takes whole ones alone."""
    if shutil.which("wrk"):
        return _by_wrk(port, requests, connections, seconds)
    return _by_processes(port, requests, connections, seconds)


_LUA = """
local asks, file = {}, io.open("REQUESTS", "rb")
for size in string.gmatch("SIZES", "%d+") do asks[#asks + 1] = file:read(tonumber(size)) end
local place = math.random(#asks)
request = function()
  place = place % #asks + 1
  return asks[place]
end
done = function(summary, latency)
  io.write(string.format('{"n":%d,"us":%d,"p50":%d,"p99":%d,"bad":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), summary.errors.status + summary.errors.timeout
    + summary.errors.connect + summary.errors.read + summary.errors.write))
end
"""


def _by_wrk(port: int, requests: Sequence[HttpRequest], connections: int, seconds: int) -> Load:
    wires = [request.wire(f"127.0.0.1:{port}") for request in requests]
    with tempfile.TemporaryDirectory() as folder:
        asks, script = Path(folder) / "requests", Path(folder) / "load.lua"
        asks.write_bytes(b"".join(wires))
        sizes = " ".join(str(len(wire)) for wire in wires)
        script.write_text(_LUA.replace("REQUESTS", str(asks)).replace("SIZES", sizes))
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script)]
        done = subprocess.run(
            [*command, f"http://127.0.0.1:{port}/"], capture_output=True, text=True, check=True
        )
    figures = json.loads(done.stdout.strip().splitlines()[-1])
    return Load(
        figures["n"] / (figures["us"] / 1e6), figures["p50"] / 1000, figures["p99"] / 1000, figures["bad"]
    )


def _by_processes(port: int, requests: Sequence[HttpRequest], connections: int, seconds: int) -> Load:
    wires = [request.wire(f"127.0.0.1:{port}") for request in requests]
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        parts = pool.starmap(_drive, [(port, wires, connections // 2, seconds, place) for place in range(2)])
    times = [time_ for part, _ in parts for time_ in part]
    return _load(times, seconds, sum(failures for _, failures in parts))


def measure_arrivals(
    port: int, requests: Sequence[HttpRequest], *, per_second: float, connections: int, seconds: float
) -> Load:
    """Requests arrive at random (Poisson), earlier ones answered or not; the wait for a connection counts."""
    wires = itertools.cycle([request.wire(f"127.0.0.1:{port}") for request in requests])
    # Its pauses are exact to the microsecond, and those of epoll to the millisecond.
    selector = selectors.SelectSelector()
    free = [_connected(port) for _ in range(connections)]
    waiting: deque[float] = deque()
    times: list[float] = []
    failures = in_flight = 0
    chance = Random(1)
    arrival = time.perf_counter()
    end = arrival + seconds
    while arrival < end or in_flight or waiting:
        now = time.perf_counter()
        while arrival < min(now, end):
            waiting.append(arrival)
            arrival += chance.expovariate(per_second)
        while waiting and free:
            client = free.pop()
            client.sendall(next(wires))
            selector.register(client, selectors.EVENT_READ, [waiting.popleft(), b""])
            in_flight += 1
        for key, _ in selector.select(max(arrival - time.perf_counter(), 0) if arrival < end else 1):
            assert isinstance(key.fileobj, socket.socket)
            key.data[1] += key.fileobj.recv(262_144)
            if _whole(key.data[1]):
                times.append(time.perf_counter() - key.data[0])
                failures += not key.data[1].startswith(b"HTTP/1.1 2")
                selector.unregister(key.fileobj)
                free.append(key.fileobj)
                in_flight -= 1
    for client in free:
        client.close()
    return _load(times, seconds, failures)


def _load(times: list[float], seconds: float, failures: int) -> Load:
    times.sort()
    half, late = (times[int((len(times) - 1) * share)] * 1000 for share in (0.5, 0.99))
    return Load(len(times) / seconds, half, late, failures)


def _connected(port: int) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port))
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


def _drive(
    port: int, wires: list[bytes], connections: int, seconds: float, place: int
) -> tuple[list[float], int]:
    """One process's share: a selector over its connections, the least work that can be done in Python."""
    selector = selectors.DefaultSelector()
    times: list[float] = []
    failures = 0
    place = place * len(wires) // 2
    end = time.perf_counter() + seconds
    for _ in range(connections):
        client = _connected(port)
        client.sendall(wires[place % len(wires)])
        place += 1
        selector.register(client, selectors.EVENT_READ, [time.perf_counter(), b""])
    while time.perf_counter() < end:
        for key, _ in selector.select(0.1):
            assert isinstance(key.fileobj, socket.socket)
            client, state = key.fileobj, key.data
            state[1] += client.recv(262_144)
            if not _whole(state[1]):
                continue
            now = time.perf_counter()
            times.append(now - state[0])
            failures += not state[1].startswith(b"HTTP/1.1 2")
            client.sendall(wires[place % len(wires)])
            place += 1
            state[0], state[1] = now, b""
    for left in list(selector.get_map().values()):
        assert isinstance(left.fileobj, socket.socket)
        left.fileobj.close()
    return times, failures


def _whole(received: bytes) -> bool:
    head, separator, body = received.partition(b"\r\n\r\n")
    if not separator:
        return False
    length = _LENGTH.search(head)
    if length is not None:
        return len(body) >= int(length[1])
    return b"\r\n0\r\n\r\n" in received or b" 204 " in head[:16] or body.endswith(b"0\r\n\r\n")


def processor_seconds(pid: int) -> float:
    """Processor time that a process and its children have used so far."""
    return sum(_own_seconds(each) for each in descending([pid]))


def _own_seconds(pid: int) -> float:
    # The name, in brackets, may hold blanks: the fields behind it are counted. Two are of children that have ended.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """Megabytes of a process's memory."""
    text = Path(f"/proc/{pid}/status").read_text()
    match = re.search(r"VmRSS:\s+(\d+)", text)
    return int(match[1]) / 1024 if match else 0.0
