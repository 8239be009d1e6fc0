"""One connection in libpq's pipeline mode, driven by the event loop.

`Pipeline.submit` sends a batch of prepared commands and a Sync in one write and gives one command's result. The first
error is the batch's. Statements are prepared on first use; past a limit the one that was used longest ago is closed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from psycopg import OperationalError, pq

from localbase.postgres.descriptors import Watched, ready

if TYPE_CHECKING:
    from psycopg.pq.abc import PGcancel, PGconn, PGresult

_log = logging.getLogger("localbase.postgres")
LONGEST_PREPARED = 16_384
"""A longer statement is one of a kind: both sides would remember it for nothing."""

# Of one connection, with the characters of their texts.
_MOST_PREPARED, _MOST_CHARACTERS = 500, 1 << 20


class PostgresError(Exception):
    """An error that Postgres reports, with its fields."""

    def __init__(self, fields: dict[str, str | None]) -> None:
        super().__init__(fields["message"] or "")
        self.sqlstate = fields["sqlstate"] or ""
        self.message = fields["message"] or ""
        self.detail = fields["detail"]
        self.hint = fields["hint"]
        self.schema = fields["schema"]
        self.table = fields["table"]
        self.column = fields["column"]
        self.constraint = fields["constraint"]


class ConnectionLost(Exception):
    """Postgres could not be reached, or went away in the middle."""


class ConnectionRefused(ConnectionLost):
    """Postgres could not be reached at all."""


class Command(NamedTuple):
    """A statement to run with text parameters. Each `variant` of a text has a plan of its own; None is not prepared."""

    sql: str
    params: Sequence[bytes | None] = ()
    variant: str | None = ""


class Result(NamedTuple):
    """Rows in text form."""

    rows: list[tuple[bytes | None, ...]]


Done = Callable[[Result | None, Exception | None], None]
"""Takes what a batch came to: a result, or the error in its place."""

_Key = tuple[str, str]
_SYNC = int(pq.ExecStatus.PIPELINE_SYNC)
_FAILED = (int(pq.ExecStatus.FATAL_ERROR), int(pq.ExecStatus.PIPELINE_ABORTED))
_FIELDS = {
    "sqlstate": pq.DiagnosticField.SQLSTATE,
    "message": pq.DiagnosticField.MESSAGE_PRIMARY,
    "detail": pq.DiagnosticField.MESSAGE_DETAIL,
    "hint": pq.DiagnosticField.MESSAGE_HINT,
    "schema": pq.DiagnosticField.SCHEMA_NAME,
    "table": pq.DiagnosticField.TABLE_NAME,
    "column": pq.DiagnosticField.COLUMN_NAME,
    "constraint": pq.DiagnosticField.CONSTRAINT_NAME,
}


class Pipeline:
    """One connection. Not for two batches at a time: the pool hands it to one request after another."""

    def __init__(self, connection: PGconn) -> None:
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._prepared: OrderedDict[_Key, bytes] = OrderedDict()
        self._counter = self._characters = 0
        self._busy = self._retired = False
        # For the pool: when it was opened, and the pool's tick at which it was last given back.
        self.opened_at = self._loop.time()
        self.idle_since = 0
        self._done: Done | None = None
        self._expected: list[_Key | None] = []
        self._result_index = self._index = 0
        self._result: Result | None = None
        self._failure: PostgresError | None = None
        self._socket = Watched(connection.socket)
        self._socket.on_readable(self._on_readable)

    @classmethod
    async def connect(cls, url: str) -> Pipeline:
        """Opens a connection without blocking the loop. Raises `ConnectionRefused`."""
        connection = pq.PGconn.connect_start(url.encode())
        while connection.status != pq.ConnStatus.BAD:
            status = connection.connect_poll()
            if status == pq.PollingStatus.OK:
                connection.nonblocking = 1
                connection.enter_pipeline_mode()
                return cls(connection)
            if status == pq.PollingStatus.FAILED:
                break
            await ready(connection.socket, writing=status == pq.PollingStatus.WRITING)
        message = connection.get_error_message()
        connection.finish()
        raise ConnectionRefused(message)

    @property
    def usable(self) -> bool:
        """Tell whether the connection is whole, between two batches, and not retired."""
        return not self._busy and not self._retired and self._connection.status == pq.ConnStatus.OK

    def retire(self) -> None:
        """Takes no further batch; the one that runs is finished."""
        self._retired = True

    def close(self) -> None:
        """Ends the connection; a statement still running on it is cancelled first."""
        connection = self._connection
        self._done = None
        self._socket.close()
        if self._busy and connection.status == pq.ConnStatus.OK:
            # It sends the request over a connection of its own, and waits: not on the loop.
            self._loop.run_in_executor(None, _cancel, connection.get_cancel())
        connection.finish()

    def forget(self) -> None:
        """Drops what is prepared, so that the next batch prepares it anew."""
        self._prepared.clear()
        self._characters = 0

    def submit(self, commands: Sequence[Command], answering: int, done: Done) -> None:
        """Sends the batch. The loop calls `done` later with the result of the command at `answering`, or with
        `PostgresError` or `ConnectionLost`; never, if the connection is closed before.

        Raises `ConnectionLost` where it cannot be sent.
        """
        self._busy = True
        try:
            self._expected, self._result_index = self._send(commands, answering)
            if self._connection.flush():
                self._socket.on_writable(self._on_writable)
        except OperationalError as error:
            raise ConnectionLost(str(error)) from error
        self._index = 0
        self._result = self._failure = None
        self._done = done

    def _send(self, commands: Sequence[Command], answering: int) -> tuple[list[_Key | None], int]:
        """Queues the batch, and returns what each result to come belongs to, with the index of the one for `submit`.

        That is the key of a statement that is prepared or closed; None for a command.
        """
        connection = self._connection
        expected: list[_Key | None] = []
        result_index = 0
        for number, (sql, params, variant) in enumerate(commands):
            if variant is None or len(sql) > LONGEST_PREPARED:
                connection.send_query_params(sql.encode(), params)
            else:
                key = (variant, sql)
                name = self._prepared.get(key)
                if name is None:
                    name = self._prepare(key, expected)
                else:
                    self._prepared.move_to_end(key)
                connection.send_query_prepared(name, params)
            if number == answering:
                result_index = len(expected)
            expected.append(None)
        connection.pipeline_sync()
        return expected, result_index

    def _prepare(self, key: _Key, expected: list[_Key | None]) -> bytes:
        """Prepares a statement under a new name. The oldest goes where there are too many."""
        connection = self._connection
        self._counter += 1
        name = self._prepared[key] = b"s%d" % self._counter
        connection.send_prepare(name, key[1].encode())
        expected.append(key)
        self._characters += len(key[1])
        while len(self._prepared) > _MOST_PREPARED or self._characters > _MOST_CHARACTERS:
            oldest, old_name = self._prepared.popitem(last=False)
            self._characters -= len(oldest[1])
            connection.send_close_prepared(old_name)
            expected.append(oldest)
        return name

    def _on_writable(self) -> None:
        try:
            if self._connection.flush():
                return
        except OperationalError as error:
            self._end(None, ConnectionLost(str(error)))
        self._socket.ignore_writable()

    def _on_readable(self) -> bool:
        """Tell whether a batch has ended with it."""
        connection = self._connection
        try:
            connection.consume_input()
            if (done := self._done) is not None:
                self._take()
                return self._done is not done
            # No command is pending: a notice, or the server has gone. Reading finds out, and marks the connection.
            gone = connection.status != pq.ConnStatus.OK
        except (OperationalError, ConnectionLost) as error:
            gone = True
            self._end(None, error if isinstance(error, ConnectionLost) else ConnectionLost(str(error)))
        if gone:
            self._socket.close()
        return False

    def _take(self) -> None:
        """Takes the results that have come. The last of them is the Sync's."""
        connection = self._connection
        is_busy, get_result = connection.is_busy, connection.get_result
        while not is_busy():
            pg_result = get_result()
            if pg_result is None:
                if connection.status != pq.ConnStatus.OK:
                    raise ConnectionLost(connection.get_error_message())
                self._index += 1
                continue
            status = pg_result.status
            if status == _SYNC:
                if self._failure is not None:
                    self._busy = False
                    self._end(None, self._failure)
                elif self._result is None:
                    self._end(None, ConnectionLost("The server answered less than it was asked."))
                else:
                    self._busy = False
                    self._end(self._result, None)
                return
            if status in _FAILED:
                self._failure = self._failure or _error(pg_result)
                # A server's last words belong to none of the batch's commands.
                if self._index < len(self._expected) and (key := self._expected[self._index]) is not None:
                    self._drop(key)
            elif self._index == self._result_index:
                self._result = _result(pg_result)

    def _drop(self, key: _Key) -> None:
        if self._prepared.pop(key, None) is not None:
            self._characters -= len(key[1])

    def _end(self, result: Result | None, error: Exception | None) -> None:
        done, self._done = self._done, None
        if done is not None:
            done(result, error)


def _cancel(cancel: PGcancel) -> None:
    try:
        cancel.cancel()
    except OperationalError as error:
        _log.warning("a statement could not be cancelled: %s", error)


def _result(pg_result: PGresult) -> Result:
    get, width = pg_result.get_value, range(pg_result.nfields)
    if pg_result.ntuples == 1:
        return Result([tuple([get(0, column) for column in width])])
    return Result([tuple([get(row, column) for column in width]) for row in range(pg_result.ntuples)])


def _error(pg_result: PGresult) -> PostgresError:
    fields = {name: pg_result.error_field(code) for name, code in _FIELDS.items()}
    texts = {
        name: None if value is None else value.decode(errors="replace") for name, value in fields.items()
    }
    if texts["message"] is None:
        texts["message"] = pg_result.error_message.decode(errors="replace").strip()
    return PostgresError(texts)
