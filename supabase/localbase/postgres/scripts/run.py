"""Runs a script of the project's as its role `postgres`, in one transaction as far as Postgres and the file allow.

A statement that Postgres refuses inside a transaction runs by itself, what stands around it in one transaction before
and one after. A file that begins or ends transactions itself, or whose first line is `NO_TRANSACTION`, runs statement
by statement. An error says what stays applied.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.postgres.cluster import SUPERUSER
from localbase.postgres.privileged import run_privileged
from localbase.postgres.report import Report
from localbase.postgres.scripts.failure import (
    ConnectionLost,
    Outcome,
    ScriptError,
    commit_error,
    script_error,
)
from localbase.postgres.scripts.files import read_sql
from localbase.postgres.scripts.kinds import NO_TRANSACTION, controls_transaction, runs_alone
from localbase.postgres.scripts.meta_commands import without_meta_commands
from localbase.postgres.scripts.statements import Piece, split

if TYPE_CHECKING:
    import psycopg

_ROLE_SETTINGS = """
select pg_catalog.set_config(split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1), false)
from pg_catalog.pg_roles, unnest(rolconfig) setting where rolname = 'postgres'
"""
_ROWS_AT_ONCE = 1024 * 1024


class Script:
    """A file of SQL, read and cut. Raises `UserError` where it is no text, or holds psql's commands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = read_sql(path)
        self.pieces, self.left_out = without_meta_commands(path, list(split(text)))
        self.has_own_transactions = text.partition("\n")[0].rstrip("\r") == NO_TRANSACTION or any(
            controls_transaction(piece.sql) for piece in self.pieces
        )

    @property
    def statements(self) -> list[str]:
        """Its statements as they are recorded."""
        return [piece.text for piece in self.pieces]


def run_script(
    connection: psycopg.Connection,
    script: Script,
    report: Report,
    record: Callable[[], object] = lambda: None,
) -> None:
    """Runs `script`, and in the last transaction, as the project's role too, `record`. The connection autocommits.

    Raises `ScriptError`, and `ConnectionLost`.
    """
    if script.left_out:
        report.note(
            f"{script.path.name}: left out {', '.join(script.left_out)}, commands of psql that change no data"
        )
    _Run(connection, script, report).run(record)


class _Run:
    def __init__(self, connection: psycopg.Connection, script: Script, report: Report) -> None:
        self._connection = connection
        self._script = script
        self._report = report
        # Of another database than a project's own, the login is the caller's choice.
        self._platform = connection.info.user == SUPERUSER
        self._applied = 0

    def run(self, record: Callable[[], object]) -> None:
        import psycopg

        connection, script = self._connection, self._script
        try:
            self._begin_session()
            for index, piece in enumerate(script.pieces):
                self._run_piece(index, piece)
            if script.has_own_transactions and not self._is_idle():
                raise ScriptError(
                    f"{script.path} begins a transaction and does not end it; Postgres undoes it.",
                    "Add a `commit;` at its end and try again;",
                    self._outcome(),
                )
            self._begin()
            if self._platform:
                # The project may have put triggers on what is written.
                connection.execute("set session authorization postgres")
            record()
            connection.execute("commit")
        except psycopg.Error as error:
            if connection.closed:
                raise ConnectionLost(
                    f"{script.path}: the connection to the database is lost: {str(error).strip()}",
                    "`supabase logs` may say why.",
                ) from error
            raise commit_error(script.path, error, self._outcome()) from error
        finally:
            if not connection.closed:
                self._end_session()

    def _run_piece(self, index: int, piece: Piece) -> None:
        import psycopg

        by_itself = self._script.has_own_transactions or runs_alone(piece.sql)
        if not by_itself:
            self._begin()
        elif not self._script.has_own_transactions and not self._is_idle():
            self._connection.execute("commit")
            self._applied = index
        try:
            self._execute(piece)
        except psycopg.Error as error:
            if self._connection.closed:
                raise
            raise script_error(self._script.path, piece, error, self._outcome(), self._is_missing) from error
        if by_itself and self._is_idle():
            self._applied = index + 1

    def _execute(self, piece: Piece) -> None:
        connection = self._connection
        if piece.copies:
            with connection.cursor() as cursor, cursor.copy(piece.sql.encode()) as copy:
                if piece.copies == "in":
                    for start in range(0, len(piece.rows), _ROWS_AT_ONCE):
                        copy.write(piece.rows[start : start + _ROWS_AT_ONCE].encode())
                else:
                    for _ in copy:
                        pass
        elif not (self._platform and run_privileged(connection, piece.sql, self._report)):
            connection.execute(piece.sql.encode(), prepare=False)
        self._keep_session()

    def _keep_session(self) -> None:
        """Has what a dump sets for its own session not count: the text is UTF-8 here, and the role is the project's."""
        info = self._connection.info
        if info.parameter_status("client_encoding") != "UTF8":
            self._connection.execute("set client_encoding to utf8")
        if self._platform and info.parameter_status("session_authorization") == SUPERUSER:
            self._connection.execute("set session authorization postgres")

    def _begin_session(self) -> None:
        """As a login of `postgres` begins: a file may set the search path, and more, for the session."""
        self._connection.execute("reset all")
        if self._platform:
            self._connection.execute(_ROLE_SETTINGS)
        self._keep_session()

    def _end_session(self) -> None:
        if not self._is_idle():
            self._connection.execute("rollback")
        if self._platform:
            self._connection.execute("reset session authorization")

    def _begin(self) -> None:
        if self._is_idle():
            self._connection.execute("begin")

    def _is_idle(self) -> bool:
        import psycopg

        return self._connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE

    def _is_missing(self, extension: str) -> bool:
        """Asked of a script that has failed: what it has begun is undone."""
        if not self._is_idle():
            self._connection.execute("rollback")
        available = "select from pg_catalog.pg_available_extensions where name = %s"
        return self._connection.execute(available, [extension]).fetchone() is None

    def _outcome(self) -> Outcome:
        return Outcome(self._applied, committed_itself=self._script.has_own_transactions)
