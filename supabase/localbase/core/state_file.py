"""A SQLite file of local state, opened so that a damaged one stops nothing and loses nothing.

A file that SQLite cannot read is put aside under another name and a new one begun: it holds test state alone. What a
person must mend (a folder in its place, rights, a full disk) is an error with advice.
"""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

# SQLite's primary result codes: https://www.sqlite.org/rescode.html
_ERROR, _PERM, _READONLY, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 1, 3, 8, 11, 13, 14, 26
# _ERROR is SQL that does not fit: the tables are those of another program or version
_DAMAGED = (_ERROR, _CORRUPT, _NOTADB)
_COMPANIONS = ("", "-wal", "-shm", "-journal")


class StateFileError(Exception):
    """A file that a person must see to; the message names it and says what helps."""


def open_state_file(path: Path, schema: str) -> tuple[sqlite3.Connection, str]:
    """A connection in autocommit that other threads may use, and a warning, empty unless the file was put aside."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise StateFileError(f"{path} is a folder, not a file. Move it away and try again.")
        try:
            return _connect(path, schema), ""
        except sqlite3.DatabaseError as error:
            if _code(error) not in _DAMAGED:
                raise
            aside = _put_aside(path)
            warning = (
                f"{path} is damaged ({error}). It was put aside as {aside.name}, and a new one was begun."
            )
            return _connect(path, schema), warning
    except sqlite3.Error as error:
        raise StateFileError(explain(path, error)) from error
    except OSError as error:
        raise StateFileError(f"Cannot open {path}: {error.strerror}. Check who may write there.") from error


def explain(path: Path, error: sqlite3.Error) -> str:
    """Return why SQLite cannot use the file, and what helps."""
    code = _code(error)
    if code == _FULL:
        return f"Cannot write {path}: the disk is full. Free some space on it and try again."
    if code in (_PERM, _READONLY, _CANTOPEN):
        return f"Cannot open {path}: {error}. Give the file and its folder back to this user (chown) and try again."
    return f"Cannot open {path}: {error}. Move the file away and try again."


def _code(error: sqlite3.Error) -> int:
    """The primary result code, without SQLite's extension in the higher bits."""
    return int(getattr(error, "sqlite_errorcode", _ERROR)) & 0xFF


def _connect(path: Path, schema: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        # a file that was cut short opens, and fails at the first page that is missing
        (report,) = connection.execute("pragma quick_check(1)").fetchone()
        if report != "ok":
            raise _damage(str(report).splitlines()[-1])
        connection.executescript(schema)
        # last: it writes to the file's header, and a file that is put aside stays as it was
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
    except BaseException:
        connection.close()
        raise
    return connection


def _damage(report: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(report)
    error.sqlite_errorcode = _CORRUPT
    return error


def _put_aside(path: Path) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
    aside = path.with_name(f"{path.name}.damaged-{stamp}-{os.getpid()}")
    for companion in _COMPANIONS:
        source = path.with_name(path.name + companion)
        if source.exists():
            source.rename(aside.with_name(aside.name + companion))
    return aside
