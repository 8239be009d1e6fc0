"""Two gateways over a project's database: the ordinary one, and one without a fast path that caches nothing.

`python -m tests.integration.rest.differential.gateways DIR` writes a line of JSON with both ports, and then, for every
line that it reads, one with the number of requests that the fast path has taken. It ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import uvicorn
import uvloop
from localbase.app import App, Mount
from localbase.app_quick import QuickGate
from localbase.core.http import HeaderBlock
from localbase.core.http_connection import limited_protocol
from localbase.core.http_limits import Limits
from localbase.core.http_quick import Exchange, QuickProtocol, protocol_of
from localbase.core.identity import Identities
from localbase.core.project import Project, open_project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.schema_listener import listen
from localbase.postgres.session import Database
from localbase.rest.options import options_of
from localbase.rest.service import RestService
from localbase.rest.tokens import render_token_error


class _CountingGate:
    """The ordinary gate, and how many requests it has taken."""

    def __init__(self, gate: QuickGate) -> None:
        self._gate = gate
        self.taken = 0
        self.header_block = gate.header_block

    def begin(self, line: bytes, head: HeaderBlock, body: bytes, protocol: QuickProtocol) -> Exchange | None:
        exchange = self._gate.begin(line, head, body, protocol)
        self.taken += exchange is not None
        return exchange


async def _healthy() -> bool:
    return True


async def _gateway(stack: AsyncExitStack, project: Project, *, cached: bool) -> tuple[App, RestService]:
    settings, cluster = project.settings, cluster_of(project)
    database = Database(cluster.near_url("authenticator"), size=4)
    stack.push_async_callback(database.close)
    identities = Identities(
        settings.keys, verifying=project.signing.verifying, remembered=10_000 if cached else 0
    )
    options = replace(options_of(settings.api), prepared_statements=cached)
    rest = RestService(database, settings, options, identities, cached=cached)
    await rest.load_catalog()
    listening = asyncio.create_task(listen(cluster.url("authenticator"), "pgrst", rest.load_catalog))
    stack.callback(listening.cancel)
    mount = Mount("/rest/v1", values=rest.handle, token_error=render_token_error, judge=rest.judge)
    return App([mount], identities, _healthy, cached=cached), rest


async def _start(stack: AsyncExitStack, app: App, protocol: type[asyncio.Protocol]) -> int:
    config = uvicorn.Config(
        app,
        http=protocol,
        port=0,
        ws="none",
        lifespan="off",
        access_log=False,
        log_level="error",
        server_header=False,
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn tells nobody
        await asyncio.sleep(0.01)

    async def stop() -> None:
        server.should_exit = True
        await running

    stack.push_async_callback(stop)
    return int(server.servers[0].sockets[0].getsockname()[1])


async def _serve(project: Project) -> None:
    async with AsyncExitStack() as stack:
        plain, _ = await _gateway(stack, project, cached=False)
        app, rest = await _gateway(stack, project, cached=True)
        gate = _CountingGate(app.gate("/rest/v1", rest))
        ports = {
            "plain": await _start(stack, plain, limited_protocol(Limits())),
            "ordinary": await _start(stack, app, protocol_of(gate)),
        }
        sys.stdout.write(json.dumps(ports) + "\n")
        sys.stdout.flush()
        while await asyncio.to_thread(sys.stdin.readline):
            sys.stdout.write(f"{gate.taken}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(_serve(open_project(Path(sys.argv[1]))))
