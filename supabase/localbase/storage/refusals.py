"""What an error of the database is to a caller (supabase/storage, `src/storage/database/errors.ts`)."""

from __future__ import annotations

import logging

import psycopg

from localbase.storage import errors
from localbase.storage.errors import StorageError

_log = logging.getLogger("localbase.storage")


def refusal(error: psycopg.Error) -> StorageError:
    """The error that the caller gets; what the database says of itself goes to the log."""
    text = str(error).split("\n")[0]
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        hidden = "row-level security" in text
        return errors.access_denied("new row violates row-level security policy" if hidden else text)
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return errors.resource_locked()
    if isinstance(error, psycopg.errors.QueryCanceled):
        return StorageError(
            544, "DatabaseTimeout", "The connection to the database timed out", http_status=544
        )
    if isinstance(error, psycopg.DataError):
        # A value that Postgres cannot hold, such as a text with a NUL.
        return StorageError(400, "InvalidParameter", text)
    if isinstance(error, psycopg.errors.ForeignKeyViolation):
        return StorageError(404, "InvalidRequest", "The related resource does not exist")
    if isinstance(error, psycopg.errors.RaiseException):
        # A trigger of the project's own refuses.
        return StorageError(400, "InvalidRequest", text)
    _log.error("database error: %s", text)
    return StorageError(500, "DatabaseError", f"database error, code: {error.sqlstate or 'connection'}")
