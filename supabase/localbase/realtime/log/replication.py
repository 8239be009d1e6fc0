"""A replication connection: a temporary slot, read by the event loop.

psycopg has no replication protocol, but its `psycopg.pq` suffices. The slot goes with the connection, so a gateway that
dies never retains WAL. What is read is handed on in batches; while the handler works, reading goes on up to a limit and
then stops, so that Postgres waits and the memory is bounded.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from psycopg import OperationalError

from localbase.core.cancellation import pause
from localbase.postgres.descriptors import Watched
from localbase.realtime.log.pgoutput import (
    Begin,
    Commit,
    Decoder,
    Delete,
    Insert,
    KeepAlive,
    ProtocolError,
    RowChange,
    Update,
    parse_frame,
    status_update,
)
from localbase.realtime.log.replication_connection import ReplicationLost, last_error, replicate

if TYPE_CHECKING:
    from psycopg.pq.abc import PGconn

_log = logging.getLogger("localbase.realtime")
State = Literal["running", "interrupted"]
_NAME = re.compile(r"[a-z0-9_]{1,40}")


@dataclass(frozen=True, slots=True)
class CommittedChange:
    """A row's change with the time of its commit, and the number of its transaction.

    The log is ahead of the database: for a moment other transactions do not see yet what has been committed.
    """

    change: RowChange
    committed_at: datetime
    transaction: int


Handler = Callable[[list[CommittedChange]], Awaitable[None]]
"""Takes changes in the order of their commits. It must not raise."""


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """Rows and bytes of one batch, seconds between status updates, and the pauses before a new connection."""

    batch_rows: int = 2000
    batch_bytes: int = 4 << 20
    status_seconds: float = 10.0
    connect_seconds: float = 30.0
    first_pause: float = 0.1
    longest_pause: float = 5.0


class ReplicationStream:
    """Changes of the tables in `publications`, from a time after `start` on, for as long as it is not closed.

    `url` is of a role that may replicate. `on_state` hears that changes come, and that they do not for now: a lost
    connection is made again, with growing pauses, and what commits meanwhile is not seen.
    """

    def __init__(
        self,
        url: str,
        publications: Sequence[str],
        on_changes: Handler,
        on_state: Callable[[State], None] = lambda _: None,
        *,
        slot_prefix: str = "localbase_realtime",
        limits: StreamLimits | None = None,
    ) -> None:
        """`slot_prefix` is what the slot's name begins with: lower-case letters, digits and `_`."""
        if _NAME.fullmatch(slot_prefix) is None:
            raise ValueError(f"{slot_prefix!r} cannot begin a slot's name")
        self._url = url
        self._publications = tuple(publications)
        self._on_changes = on_changes
        self._on_state = on_state
        self._slot_prefix = slot_prefix
        self._limits = limits or StreamLimits()
        self._task: asyncio.Task[None] | None = None
        self._running = asyncio.Event()

    def start(self) -> None:
        """Begins to connect, unless it has begun."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def running(self) -> None:
        """Returns once every later commit will be seen."""
        await self._running.wait()

    async def close(self) -> None:
        """Ends the connection, and the slot with it."""
        task, self._task = self._task, None
        self._running.clear()
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        limits = self._limits
        seconds = limits.first_pause
        while True:
            try:
                async with asyncio.timeout(limits.connect_seconds):
                    connection = await replicate(self._url, self._publications, self._slot_prefix)
            except (ReplicationLost, OperationalError, TimeoutError) as error:
                _log.warning(
                    "replication could not begin (%s); trying again", str(error).strip() or "timeout"
                )
            else:
                seconds = limits.first_pause
                self._running.set()
                self._on_state("running")
                reader = _Reader(connection, limits)
                try:
                    await self._serve(reader)
                except (ReplicationLost, OperationalError, ProtocolError) as error:
                    _log.warning("replication was cut off (%s); trying again", str(error).strip())
                finally:
                    self._running.clear()
                    reader.close()
                self._on_state("interrupted")
            await pause(seconds)
            seconds = min(seconds * 2, limits.longest_pause)

    async def _serve(self, reader: _Reader) -> None:
        while True:
            await self._on_changes(await reader.next_batch())


class _Reader:
    """Reads the stream into batches, and answers keep-alives while the handler works."""

    def __init__(self, connection: PGconn, limits: StreamLimits) -> None:
        self._connection = connection
        self._socket = Watched(connection.socket)
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._decoder = Decoder()
        self._batch: list[CommittedChange] = []
        self._bytes = 0
        self._committed_at = datetime.fromtimestamp(0, UTC)
        self._lsn = self._transaction = 0
        self._failure: Exception | None = None
        self._arrived = asyncio.Event()
        self._reading = self._closed = False
        self._resume()
        self._timer = self._loop.call_later(limits.status_seconds, self._on_timer)

    async def next_batch(self) -> list[CommittedChange]:
        """Return what has arrived, at least one change. Raises the error that ended the stream."""
        while not self._batch:
            if self._failure is not None:
                raise self._failure
            self._arrived.clear()
            await self._arrived.wait()
        batch, self._batch, self._bytes = self._batch, [], 0
        if self._failure is None:
            self._resume()
            # libpq may hold messages that the socket will not announce again.
            self._loop.call_soon(self._on_readable)
        return batch

    def close(self) -> None:
        """Ends the connection."""
        self._closed = True
        self._timer.cancel()
        self._socket.close()
        self._connection.finish()

    def _resume(self) -> None:
        if not self._reading:
            self._reading = True
            self._socket.on_readable(self._on_readable)

    def _pause(self) -> None:
        if self._reading:
            self._reading = False
            self._socket.ignore_readable()

    @property
    def _full(self) -> bool:
        return len(self._batch) >= self._limits.batch_rows or self._bytes >= self._limits.batch_bytes

    def _on_readable(self) -> None:
        if self._closed or self._failure is not None:
            return
        try:
            self._take()
            if self._full:
                self._pause()
                return
            self._connection.consume_input()
            self._take()
            if self._full:
                self._pause()
        except (OperationalError, ProtocolError, ReplicationLost) as error:
            self._fail(error)

    def _take(self) -> None:
        """Decodes what libpq holds, up to the limits of a batch."""
        get = self._connection.get_copy_data
        while not self._full:
            count, data = get(1)
            if count == 0:
                return
            if count < 0:
                raise ReplicationLost(last_error(self._connection) or "the server has ended it")
            self._on_frame(bytes(data))

    def _on_frame(self, data: bytes) -> None:
        frame = parse_frame(data)
        self._lsn = max(self._lsn, frame.end_lsn)
        if isinstance(frame, KeepAlive):
            if frame.reply:
                self._send_status()
            return
        message = self._decoder.decode(frame.message)
        if isinstance(message, Begin):
            self._committed_at, self._transaction = message.committed_at, message.transaction
        elif isinstance(message, Commit):
            self._lsn = max(self._lsn, message.end_lsn)
        elif isinstance(message, Insert | Update | Delete):
            self._batch.append(CommittedChange(message, self._committed_at, self._transaction))
            self._bytes += len(data)
            self._arrived.set()

    def _fail(self, error: Exception) -> None:
        self._failure = error
        self._pause()
        self._timer.cancel()
        self._arrived.set()

    def _on_timer(self) -> None:
        try:
            self._send_status()
        except OperationalError as error:
            self._fail(error)
        else:
            self._timer = self._loop.call_later(self._limits.status_seconds, self._on_timer)

    def _send_status(self) -> None:
        """Everything received counts as done: the slot dies with the connection, so nothing is ever sent again."""
        self._connection.put_copy_data(status_update(self._lsn, datetime.now(UTC)))
        self._flush()

    def _flush(self) -> None:
        if self._connection.flush():
            self._socket.on_writable(self._on_writable)
        else:
            self._socket.ignore_writable()

    def _on_writable(self) -> None:
        try:
            self._flush()
        except OperationalError as error:
            self._socket.ignore_writable()
            self._fail(error)
