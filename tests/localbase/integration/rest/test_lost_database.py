"""A database that is lost and returns: 503 with upstream's errors, then everything as before."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace

import psycopg
import pytest
from localbase.core.authenticator import Caller
from localbase.core.settings import ApiSettings, Settings
from localbase.core.web.http import Request
from localbase.postgres.pool import Database
from localbase.postgres.schema_cache.listener import listen
from localbase.rest.service import RestService

from tests.support.stacks import Stack

SERVICE = Caller("service_role", {"role": "service_role"}, b'{"role":"service_role"}')


class TcpProxy:
    """A TCP proxy to Postgres that can be shut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._ways: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Refuses new connections and closes the open ones."""
        assert self._server is not None
        self._server.close()
        for way in list(self._ways):
            way.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", self._port)
        self._ways |= {writer, outer}
        await asyncio.gather(_forward(reader, outer), _forward(inner, writer))


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
    writer.close()


def _port_of(stack: Stack) -> int:
    return int(stack.db_url.rsplit(":", 1)[1].split("/")[0])


def test_lost_database_is_503_until_it_returns(library: Stack) -> None:
    async def steps() -> list[tuple[int, str | None]]:
        proxy = TcpProxy(_port_of(library))
        await proxy.open()
        database = Database(f"postgresql://authenticator:postgres@127.0.0.1:{proxy.port}/postgres", size=2)
        service = RestService(database, replace(Settings(), api=ApiSettings(schemas=("public",))))
        await service.load_catalog()
        seen: list[tuple[int, str | None]] = []

        async def send_request(path: str, query: bytes = b"") -> None:
            response = await service.handle(Request("GET", path, query, {}), SERVICE)
            body = json.loads(response.body) if response.body else None
            seen.append((response.status, body["code"] if isinstance(body, dict) else None))

        await send_request("/genres")
        # In the middle of a statement; then the port refuses connections; then all works again.
        waiting = asyncio.create_task(send_request("/rpc/wait_stably", b"seconds=2"))
        await asyncio.sleep(0.3)
        await proxy.close()
        await waiting
        await send_request("/genres")
        await proxy.open()
        await send_request("/genres")
        assert database.in_use == 0
        await database.close()
        await proxy.close()
        return seen

    assert asyncio.run(steps()) == [(200, None), (503, "PGRST001"), (503, "PGRST000"), (200, None)]


@pytest.mark.parametrize("times", [30])
def test_dead_pooled_connections_are_not_used(library: Stack, times: int) -> None:
    async def steps() -> set[int]:
        proxy = TcpProxy(_port_of(library))
        await proxy.open()
        database = Database(f"postgresql://authenticator:postgres@127.0.0.1:{proxy.port}/postgres", size=4)
        service = RestService(database, replace(Settings(), api=ApiSettings(schemas=("public",))))
        await service.load_catalog()

        async def send_request() -> int:
            return (await service.handle(Request("GET", "/genres", b"", {}), SERVICE)).status

        statuses = set(await asyncio.gather(*(send_request() for _ in range(times))))
        await proxy.close()
        await proxy.open()
        await asyncio.sleep(0.1)
        statuses |= set(await asyncio.gather(*(send_request() for _ in range(times))))
        await database.close()
        await proxy.close()
        return statuses

    assert asyncio.run(steps()) == {200}


@pytest.mark.parametrize("lost", [False, True])
def test_listening_ends_when_its_cancellation_was_swallowed(library: Stack, lost: bool) -> None:
    """Return what it awaits may go on, or fail in another way: the gateway waits for its end."""

    async def steps() -> bool:
        called = asyncio.Event()

        async def changed() -> None:
            called.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            if lost:
                raise psycopg.OperationalError("the connection is lost")

        listening = asyncio.create_task(listen(library.db_url, "never_notified", changed))
        await called.wait()
        listening.cancel()
        await asyncio.wait([listening], timeout=10)
        return listening.cancelled()

    assert asyncio.run(steps())
