"""A database that is lost and returns: 503 with upstream's errors, then everything as before."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace

import pytest
from localbase.core.authenticator import Caller
from localbase.core.http import Request
from localbase.core.settings import ApiSettings, Settings
from localbase.postgres.pool import Database
from localbase.rest.service import RestService

from tests.support.stacks import Stack

SERVICE = Caller("service_role", {"role": "service_role"}, b'{"role":"service_role"}')


class Gate:
    """A TCP proxy to Postgres that can be shut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._ways: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def shut(self) -> None:
        """Refuses new connections and closes the open ones."""
        assert self._server is not None
        self._server.close()
        for way in list(self._ways):
            way.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", self._port)
        self._ways |= {writer, outer}
        await asyncio.gather(_hand_on(reader, outer), _hand_on(inner, writer))


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
    writer.close()


def _port_of(stack: Stack) -> int:
    return int(stack.db_url.rsplit(":", 1)[1].split("/")[0])


def test_lost_database_is_503_until_it_returns(library: Stack) -> None:
    async def steps() -> list[tuple[int, str | None]]:
        gate = Gate(_port_of(library))
        await gate.open()
        database = Database(f"postgresql://authenticator:postgres@127.0.0.1:{gate.port}/postgres", size=2)
        service = RestService(database, replace(Settings(), api=ApiSettings(schemas=("public",))))
        await service.load_catalog()
        seen: list[tuple[int, str | None]] = []

        async def ask(path: str, query: bytes = b"") -> None:
            answer = await service.handle(Request("GET", path, query, {}), SERVICE)
            body = json.loads(answer.body) if answer.body else None
            seen.append((answer.status, body["code"] if isinstance(body, dict) else None))

        await ask("/genres")
        # In the middle of a statement; then the port refuses connections; then all works again.
        waiting = asyncio.create_task(ask("/rpc/wait_stably", b"seconds=2"))
        await asyncio.sleep(0.3)
        await gate.shut()
        await waiting
        await ask("/genres")
        await gate.open()
        await ask("/genres")
        assert database.in_use == 0
        await database.close()
        await gate.shut()
        return seen

    assert asyncio.run(steps()) == [(200, None), (503, "PGRST001"), (503, "PGRST000"), (200, None)]


@pytest.mark.parametrize("times", [30])
def test_dead_pooled_connections_are_not_used(library: Stack, times: int) -> None:
    async def steps() -> set[int]:
        gate = Gate(_port_of(library))
        await gate.open()
        database = Database(f"postgresql://authenticator:postgres@127.0.0.1:{gate.port}/postgres", size=4)
        service = RestService(database, replace(Settings(), api=ApiSettings(schemas=("public",))))
        await service.load_catalog()

        async def ask() -> int:
            return (await service.handle(Request("GET", "/genres", b"", {}), SERVICE)).status

        found = set(await asyncio.gather(*(ask() for _ in range(times))))
        await gate.shut()
        await gate.open()
        await asyncio.sleep(0.1)
        found |= set(await asyncio.gather(*(ask() for _ in range(times))))
        await database.close()
        await gate.shut()
        return found

    assert asyncio.run(steps()) == {200}
