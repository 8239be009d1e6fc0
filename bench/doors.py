"""The time that others wait for one hostile message, and its memory.

The messages are those of `tests/localbase/integration/growth`.

Each message is sent beside a probe, a request that takes no work, over and over. The processor time that the server
takes during the probe's longest wait is how long its loop was held, whatever else the machine does. Bodies, the Data
API's queries and frames are sent; the tests hold every other part of a message to the same limit.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from bench.figures import Figure
from tests.localbase.integration.growth.doors import MIB, Door, gateway_doors, mailbox_doors, studio_doors
from tests.localbase.integration.growth.measure import Server
from tests.localbase.integration.growth.messages import Row, Turns, rows_of
from tests.localbase.integration.growth.sockets import RealtimeSocket, socket_rows
from tests.support.stacks import Stack, running_project
from tests.support.users import Users

_LIMIT_MS = 100
# The bytes of memory that a byte of a message may take meanwhile, and what a process may keep of all of them.
_MOST_TIMES_SIZE, _MOST_KEPT_MB = 32, 128
# A longer wait is measured again. What is smaller says nothing of memory.
_LONG_SECONDS, _LEAST_BYTES, _RUNS = 0.05, 64 * 1024, 3
_PROBE_SECONDS = 0.001
# These run a command of their own for each message, and read no body; the Data API's bodies have one reader.
_LEFT_OUT = (
    "studio snapshots",
    "studio functions",
    *(f"rest {action} " for action in ("call", "update", "put")),
)


class _Sent(NamedTuple):
    """One message on its way: to which process, under which name, of how many bytes."""

    service: str
    server: Server
    name: str
    size: int
    send: Callable[[], object]


@dataclass(slots=True)
class _Longest:
    """The worst of a service's messages, and which it was."""

    seconds: float = 0.0
    of_seconds: str = "none"
    times_size: float = 0.0
    of_memory: str = "none"


def door_figures() -> Iterator[Figure]:
    """The longest wait at each service and the most memory of a message, each with the message that made it."""
    worst: dict[str, _Longest] = {}
    with running_project("services", {"SUPABASE_STUDIO_ENABLED": "true"}, stack="growth") as stack:
        # It is started by its first connection.
        httpx.get(stack.studio_url, timeout=60).raise_for_status()
        processes = json.loads((stack.state / "supervisor.json").read_text())["processes"]
        gateway = Server(stack.api_url, processes["gateway"])
        studio = Server(stack.studio_url, processes["studio"])
        before = {server: _memory(server, "VmRSS") for server in (gateway, studio)}
        for sent in _messages(stack, gateway, studio):
            _measure(sent, worst.setdefault(sent.service, _Longest()))
        kept = {server: _memory(server, "VmRSS") - before[server] for server in before}
    for service, longest in worst.items():
        yield Figure(
            f"{service}: others wait ({longest.of_seconds})", longest.seconds * 1000, _LIMIT_MS, "ms"
        )
        times = longest.times_size
        yield Figure(f"{service}: memory by size ({longest.of_memory})", times, _MOST_TIMES_SIZE, "")
    yield Figure("the gateway keeps of all these messages", kept[gateway] / MIB, _MOST_KEPT_MB, "MB")
    yield Figure("Studio keeps of all these messages", kept[studio] / MIB, _MOST_KEPT_MB, "MB")


def _messages(stack: Stack, gateway: Server, studio: Server) -> Iterator[_Sent]:
    token = Users(stack).new("bench").token
    port = int(stack.studio_url.rpartition(":")[2])
    turns: dict[str, Turns] = defaultdict(Turns)
    for door in (*gateway_doors(stack, token), *mailbox_doors(), *studio_doors(port)):
        service = door.name.split(" ")[0]
        server = Server(stack.mailbox_url, gateway.process) if service == "mailbox" else gateway
        server = studio if service == "studio" else server
        if door.name.startswith(_LEFT_OUT):
            continue
        for row in rows_of(_at_its_largest(door), turns[service]):
            if row.name.partition(" of ")[0] in (*door.bodies, *(("query",) if service == "rest" else ())):
                name = f"{door.name.removeprefix(service).strip()}, {row.name}"
                yield _Sent(service, server, name, row.most, _sending(server, row))
    realtime = RealtimeSocket(stack, gateway)
    for each in (row for row in socket_rows() if row.version == "2.0.0"):
        yield _Sent("frames", gateway, each.name, each.most, partial(realtime.cost, each, each.most))


def _at_its_largest(door: Door) -> Door:
    """The Data API's bodies, of which the tests send a megabyte."""
    if door.name != "rest insert sign_ups":
        return door
    return replace(door, bodies=dict.fromkeys(("json", "form", "csv"), 4 * MIB) | {"chunked": MIB})


def _sending(server: Server, row: Row) -> Callable[[], object]:
    message = row.make(row.most)
    return lambda: server.cost(message)


def _measure(sent: _Sent, longest: _Longest) -> None:
    Path(f"/proc/{sent.server.process}/clear_refs").write_text("5")  # the peak of memory begins anew
    memory = _memory(sent.server, "VmRSS")
    waited = _longest_wait(sent)
    taken = _memory(sent.server, "VmHWM") - memory
    for _ in range(1, _RUNS):
        if waited < _LONG_SECONDS:
            break
        waited = min(waited, _longest_wait(sent))
    if waited > longest.seconds:
        longest.seconds, longest.of_seconds = waited, sent.name
    if sent.size > _LEAST_BYTES and taken / sent.size > longest.times_size:
        longest.times_size, longest.of_memory = taken / sent.size, sent.name


def _memory(server: Server, name: str) -> int:
    """Bytes."""
    for line in Path(f"/proc/{server.process}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise ValueError(name)


def _longest_wait(sent: _Sent) -> float:
    """The most processor time of the server, in seconds, for which a probe waits while the message is answered."""
    ended = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(_waits, sent.server, ended)
        try:
            sent.send()
        finally:
            ended.set()
        return max(waits.result())


def _waits(server: Server, ended: threading.Event) -> list[float]:
    parts = urlsplit(server.url)
    request = f"HEAD /nowhere HTTP/1.1\r\nhost: {parts.netloc}\r\n\r\n".encode()
    waits: list[float] = []
    with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30) as wire:
        while not waits or not ended.wait(_PROBE_SECONDS):
            began = server.clock()
            wire.sendall(request)
            wire.recv(4096)
            waits.append(server.clock() - began)
    return waits
