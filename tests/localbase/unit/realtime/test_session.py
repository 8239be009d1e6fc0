"""One socket, with a connection that a test holds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.settings import RealtimeSettings, Settings
from localbase.core.tokens.jwks import Jwks
from localbase.core.web.http import Request, Response
from localbase.postgres.pool import Database
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.authorization import Authorizer
from localbase.realtime.changes.feed import ChangeFeed
from localbase.realtime.hub.hub import Hub
from localbase.realtime.service import RealtimeService
from localbase.realtime.services import Services, Timing
from localbase.realtime.session import Session
from localbase.realtime.tokens import Tokens

# Nothing listens there: these tests come to no query.
ANONYMOUS = Caller("anon", {}, b"{}")
NOWHERE = "postgresql://nowhere@127.0.0.1:9/none"


class Connection:
    """A client's connection."""

    def __init__(self, *messages: str) -> None:
        self.incoming: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        for message in messages:
            self.incoming.put_nowait(message)
        self.sent: list[Any] = []
        self.closed: tuple[int, str] | None = None
        self.aborted = False
        self.unsent_bytes = 0

    async def receive(self) -> str | bytes | None:
        return await self.incoming.get()

    def write(self, frame: bytes) -> None:
        head = 2 if frame[1] < 126 else 4
        self.sent.append(json.loads(frame[head:]))

    def close(self, code: int, reason: str = "") -> None:
        self.closed = code, reason
        self.incoming.put_nowait(None)

    def abort(self) -> None:
        self.aborted = True
        self.incoming.put_nowait(None)


def session_of(settings: RealtimeSettings, timing: Timing | None = None) -> Session:
    keys = Settings().keys
    tokens = Tokens(Authenticator(keys, verifying=Jwks()))
    hub = Hub(settings, ChangeFeed(NOWHERE, Database(NOWHERE)), NOWHERE)
    pool = ServicePool(NOWHERE)
    services = Services(settings, tokens, hub, pool, Authorizer(pool), timing=timing or Timing())
    return Session(services, "2.0.0", tokens.verify(keys.publishable), {})


def test_realtime_may_be_switched_off() -> None:
    async def test() -> None:
        settings = RealtimeSettings(enabled=False)
        hub = Hub(settings, ChangeFeed(NOWHERE, Database(NOWHERE)), NOWHERE)
        authenticator = Authenticator(Settings().keys, verifying=Jwks())
        service = RealtimeService(settings, authenticator, ServicePool(NOWHERE), hub)
        query = f"apikey={Settings().keys.publishable}".encode()
        refused = await service.connect(Request("GET", "/websocket", query, {}))
        assert isinstance(refused, Response)
        assert (refused.status, refused.body) == (403, b'{"error":"Realtime was disabled for this tenant"}')
        response = await service.handle(Request("POST", "/api/broadcast", b"", {}), ANONYMOUS)
        assert (response.status, response.body) == (
            403,
            b'{"message":"Realtime was disabled for this tenant"}',
        )

    run(test())


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 10))


def test_silent_client_is_sent_away() -> None:
    async def test() -> None:
        connection = Connection()
        session = session_of(RealtimeSettings(), Timing(silence=0.05))
        await session.run(connection)
        session.end()
        assert connection.closed == (1001, "no heartbeat")

    run(test())


def test_client_with_a_heartbeat_stays() -> None:
    async def test() -> None:
        connection = Connection()
        session = session_of(RealtimeSettings(), Timing(silence=0.4))
        serving = asyncio.create_task(session.run(connection))
        for number in range(6):
            connection.incoming.put_nowait(f'[null,"{number}","phoenix","heartbeat",{{}}]')
            await asyncio.sleep(0.1)  # a client's pause between two heartbeats
        assert connection.closed is None
        assert len(connection.sent) == 6
        connection.incoming.put_nowait(None)
        await serving
        session.end()

    run(test())


def test_project_may_want_private_channels_only() -> None:
    async def test() -> None:
        connection = Connection('["1","1","realtime:room","phx_join",{"config":{}}]')
        connection.incoming.put_nowait(None)
        session = session_of(RealtimeSettings(private_only=True))
        await session.run(connection)
        session.end()
        reason = "PrivateOnly: This project only allows private channels"
        response = {"status": "error", "response": {"reason": reason}}
        assert connection.sent == [["1", "1", "realtime:room", "phx_reply", response]]

    run(test())


def test_client_with_too_much_unread_is_cut_off() -> None:
    async def test() -> None:
        connection = Connection('[null,"1","phoenix","heartbeat",{}]')
        connection.unsent_bytes = 4 * 1024 * 1024
        session = session_of(RealtimeSettings())
        await session.run(connection)
        session.end()
        assert (connection.aborted, connection.sent) == (True, [])

    run(test())
