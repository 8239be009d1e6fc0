"""Errors of the database as callers see them (supabase/storage, `src/storage/database/errors.ts`)."""

from __future__ import annotations

import logging

import psycopg

from localbase.storage import errors
from localbase.storage.errors import StorageError

_log = logging.getLogger("localbase.storage")


def to_storage_error(error: psycopg.Error) -> StorageError:
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
        if "is still referenced from table" in (error.diag.message_detail or ""):
            return StorageError(409, "ResourceReferenced", _references(error.diag.constraint_name or ""))
        return StorageError(404, "InvalidRequest", "The related resource does not exist")
    if isinstance(error, psycopg.errors.RaiseException):
        # A trigger of the project's own refuses.
        return StorageError(400, "InvalidRequest", text)
    _log.error("database error: %s", text)
    return StorageError(500, "DatabaseError", f"database error, code: {error.sqlstate or 'connection'}")


def _references(constraint: str) -> str:
    if constraint.startswith("s3_multipart_uploads_"):
        return "The bucket could not be updated because it is referenced by a pending multipart upload."
    return "The resource could not be updated or removed due to a foreign key constraint"
