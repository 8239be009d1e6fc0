"""Broadcasts from the database: rows inserted into `realtime.messages`, read from the log.

Upstream: `replication_connection.ex`. Permission is what the insert had: who may write a row has sent it. Probes of
permissions are rolled back, so they never appear here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from localbase.realtime.frames import Broadcast
from localbase.realtime.hub.topics import Topic
from localbase.realtime.log.pgoutput import Insert
from localbase.realtime.log.replication import CommittedChange, ReplicationStream

_log = logging.getLogger("localbase.realtime")
PUBLICATION = "supabase_realtime_messages_publication"
_READY_SECONDS, _ESTABLISHED_SECONDS = 2.0, 30.0
# Without channels for so long the connection is given up.
_IDLE_SECONDS = 10.0


class DatabaseBroadcasts:
    """Follows the log while there are channels."""

    def __init__(self, url: str, deliver: Callable[[Topic, Broadcast], None]) -> None:
        """`url` is of a role that may replicate."""
        self._url = url
        self._deliver = deliver
        self._stream: ReplicationStream | None = None
        self._started = 0.0
        self._stop: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def ready(self) -> None:
        """Begins to follow, and waits until every later commit will be seen, though not for long.

        A slot waits for the transactions that run when it is made, and Postgres may be away: later callers do not wait.
        """
        self._start()
        loop = asyncio.get_running_loop()
        if not await self._running(max(self._started + _READY_SECONDS - loop.time(), 0)):
            _log.info("ReplicationConnectionTimeout: broadcasts from the database do not come yet")

    async def established(self) -> bool:
        """Waits longer than `ready`. Whether every later commit will be seen."""
        self._start()
        return await self._running(_ESTABLISHED_SECONDS)

    async def _running(self, seconds: float) -> bool:
        assert self._stream is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stream.running()
                return True
        return False

    def _start(self) -> None:
        if self._stop is not None:
            self._stop.cancel()
            self._stop = None
        if self._stream is None:
            self._stream = ReplicationStream(
                self._url, [PUBLICATION], self._on_changes, slot_prefix="localbase_messages"
            )
            self._stream.start()
            self._started = asyncio.get_running_loop().time()

    def idle(self) -> None:
        """The last channel has gone."""
        if self._stop is None and self._stream is not None:
            self._stop = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._close_stream)

    def _close_stream(self) -> None:
        self._stop = None
        stream, self._stream = self._stream, None
        if stream is not None:
            task = asyncio.get_running_loop().create_task(stream.close())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """Ends the connection."""
        if self._stop is not None:
            self._stop.cancel()
        self._close_stream()
        while self._ending:
            await asyncio.gather(*self._ending)

    async def _on_changes(self, changes: list[CommittedChange]) -> None:
        for committed in changes:
            if isinstance(committed.change, Insert):
                sent = broadcast_of(committed.change)
                if sent is not None:
                    self._deliver(*sent)


def broadcast_of(insert: Insert) -> tuple[Topic, Broadcast] | None:
    """A row of `realtime.messages` as a broadcast; None where it is none."""
    names = [column.name for column in insert.relation.columns]
    row = {name: value for name, value in zip(names, insert.new, strict=True) if isinstance(value, bytes)}
    if row.get("extension") != b"broadcast" or not {"topic", "event", "id"} <= row.keys():
        return None
    topic = Topic(row["topic"].decode(), row.get("private") == b"t")
    event, id = row["event"].decode(), row["id"].decode()
    if "binary_payload" in row:
        data = bytes.fromhex(row["binary_payload"][2:].decode())
        return topic, Broadcast(data, event, is_json=False, id=id)
    if "payload" in row:
        return topic, Broadcast(row["payload"], event, id=id)
    return None
