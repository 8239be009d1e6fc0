"""The cost of sockets: `python -m bench.realtime.sockets`.

On a small scratch stack: 1,000 idle sockets with a channel each, their memory and processor time in the gateway, and
how long a broadcast takes to all of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import uvloop
from localbase.cli.stack.stack import report
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from websockets.asyncio.client import ClientConnection, connect

from bench.figures import Figure
from bench.scratch import scratch_stack

_SOCKETS, _IDLE_SECONDS, _HEARTBEAT_SECONDS, _BROADCASTS = 1000, 30.0, 25.0, 20
_CONFIG = f"""
project_id = "sockets"
[api]
port = 24361
[db]
port = 24362
[local_smtp]
port = 24364
smtp_port = 24365
[edge_runtime]
enabled = false
[realtime]
max_concurrent_users = {_SOCKETS + 1}
max_joins_per_second = 100000
max_events_per_second = 1000000
"""
_FILES = 4096


def socket_figures() -> Iterator[Figure]:
    """Memory, processor time and latency."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with scratch_stack(_CONFIG, "select 1;") as project, Progress().step("sockets"):
        figures = uvloop.run(_measure(project))
    yield from figures


async def _measure(project: Project) -> list[Figure]:
    pid = report(project)["processes"]["gateway"]
    first = await _open(project, 0)
    before = _resident_bytes(pid)
    clients = [await _open(project, number) for number in range(1, _SOCKETS)]
    memory = _resident_bytes(pid) - before
    used = _processor_seconds(pid)
    beating = [asyncio.create_task(_beat(client, number)) for number, client in enumerate(clients)]
    await asyncio.sleep(_IDLE_SECONDS)
    share = (_processor_seconds(pid) - used) / _IDLE_SECONDS
    for task in beating:
        task.cancel()
    milliseconds = [await _broadcast(first, clients) for _ in range(_BROADCASTS)]
    for client in (first, *clients):
        client.transport.abort()
    return [
        Figure("1,000 idle sockets, memory", memory / 1_000_000, 100, "MB"),
        Figure("1,000 idle sockets, of a core", share * 100, 5, "%"),
        Figure("broadcast to 1,000 sockets, all, median", sorted(milliseconds)[_BROADCASTS // 2], 150, "ms"),
    ]


async def _open(project: Project, number: int) -> ClientConnection:
    key = project.settings.keys.publishable
    address = f"ws://127.0.0.1:{project.settings.api.port}/realtime/v1/websocket?apikey={key}&vsn=2.0.0"
    client = await connect(address, compression=None, ping_interval=None, max_queue=None)
    config = {"presence": {"enabled": False, "key": str(number)}}
    await client.send(json.dumps(["1", "1", "realtime:everywhere", "phx_join", {"config": config}]))
    await client.recv()
    return client


async def _beat(client: ClientConnection, number: int) -> None:
    await asyncio.sleep(_HEARTBEAT_SECONDS * number / _SOCKETS)  # clients come at different times
    while True:
        await client.send('[null,"2","phoenix","heartbeat",{}]')
        await client.recv()
        await asyncio.sleep(_HEARTBEAT_SECONDS)


async def _broadcast(sender: ClientConnection, clients: list[ClientConnection]) -> float:
    """Milliseconds until the last has it."""
    began = time.perf_counter()
    message = {"type": "broadcast", "event": "e", "payload": {"text": "x" * 200}}
    await sender.send(json.dumps(["1", "3", "realtime:everywhere", "broadcast", message]))
    for client in clients:
        while json.loads(await client.recv())[3] != "broadcast":
            continue
    return (time.perf_counter() - began) * 1000


def _resident_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Prints the figures."""
    for figure in socket_figures():
        sys.stdout.write(f"{figure}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
