"""The Storage API's errors (supabase/storage, `src/internal/errors/codes.ts`).

The body has the status that is meant; the response's own status is 400 for nearly all, as clients know it
(`src/http/error-handler.ts`). S3's and TUS's responses carry the status that is meant.
"""

from __future__ import annotations

import logging

import psycopg
from starlette.responses import JSONResponse

from localbase.core.errors import ApiError
from localbase.postgres.pool import PoolExhausted

_log = logging.getLogger("localbase.storage")


class StorageError(ApiError):
    """`status` is the one in the body, `http_status` the response's, `error` the older name of `code`."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        error: str | None = None,
        http_status: int | None = None,
    ) -> None:
        super().__init__(status, code, message)
        self.error = error or code
        self.http_status = http_status or (500 if status == 500 else 400)

    def body(self) -> dict[str, str]:
        """The body that clients read."""
        return {
            "statusCode": str(self.status),
            "code": self.code,
            "error": self.error,
            "message": self.message,
        }

    def response(self) -> JSONResponse:
        """The response."""
        return JSONResponse(self.body(), self.http_status)


def invalid_request(message: str) -> StorageError:
    """A body or a parameter that is not as it must be (the schema validator's response)."""
    return StorageError(400, "InvalidRequest", message, error="Error")


def object_not_found() -> StorageError:
    """No such object, or none that the caller may see."""
    return StorageError(404, "NoSuchKey", "Object not found", error="not_found")


def bucket_not_found() -> StorageError:
    """No such bucket, or none that the caller may see."""
    return StorageError(404, "NoSuchBucket", "Bucket not found", error="Bucket not found")


def duplicate(code: str = "ResourceAlreadyExists") -> StorageError:
    """The name is taken and `x-upsert` was not set."""
    return StorageError(409, code, "The resource already exists", error="Duplicate")


def bucket_not_empty() -> StorageError:
    """A bucket that is to be deleted holds objects."""
    return StorageError(409, "ResourceNotEmpty", "The bucket you tried to delete is not empty")


def access_denied(message: str) -> StorageError:
    """A policy refuses, or the token does not verify."""
    return StorageError(403, "AccessDenied", message, error="Unauthorized")


def too_large(what: str = "object") -> StorageError:
    """Over the bucket's or the project's limit."""
    return StorageError(
        413,
        "EntityTooLarge",
        f"The {what} exceeded the maximum allowed size",
        error="Payload too large",
    )


def bad_mime_type(mime: str) -> StorageError:
    """Not among the bucket's types, or no type at all."""
    return StorageError(
        415, "InvalidMimeType", f"mime type {mime} is not supported", error="invalid_mime_type"
    )


def invalid_bucket_name() -> StorageError:
    """A bucket's name outside its characters or its length."""
    return StorageError(400, "InvalidBucketName", "Bucket name invalid", error="Invalid Input")


def invalid_key(key: str) -> StorageError:
    """An object's name outside the characters that S3 keys may hold, or with empty or dot segments."""
    return StorageError(400, "InvalidKey", f"Invalid key: {key}")


def invalid_size() -> StorageError:
    """A bucket's size limit that is no size."""
    return StorageError(400, "InvalidRequest", "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")


def no_content(message: str = "No content provided") -> StorageError:
    """An upload without a file, or whose body ended early."""
    return StorageError(400, "InvalidRequest", message)


def invalid_signature(message: str = "Invalid signature") -> StorageError:
    """A signed address for another object or another use."""
    return StorageError(400, "InvalidSignature", message)


def invalid_token(message: str) -> StorageError:
    """A signed address whose token does not verify."""
    return StorageError(400, "InvalidJWT", message)


def resource_locked() -> StorageError:
    """Another request holds the object's lock for too long."""
    return StorageError(503, "LockTimeout", "acquiring lock timeout", error="acquiring_lock_timeout")


def too_many_uploads() -> StorageError:
    """One caller's uploads take all the places there are for them."""
    return StorageError(
        429,
        "SlowDown",
        "Too many uploads at once, please try again",
        error="too_many_uploads",
        http_status=429,
    )


class BytesUnavailable(StorageError):
    """The service that holds the objects' bytes does not answer, or refuses. The log says which, and why."""

    def __init__(self) -> None:
        super().__init__(
            503,
            "ServiceUnavailable",
            "The storage of the objects' bytes is unavailable, please try again",
            error="service_unavailable",
            http_status=503,
        )


def to_storage_error(error: psycopg.Error | PoolExhausted) -> StorageError:
    """The error that the caller gets; what the database says of itself goes to the log.

    Upstream: supabase/storage, `src/storage/database/errors.ts`.
    """
    text = str(error).split("\n")[0]
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        hidden = "row-level security" in text
        return access_denied("new row violates row-level security policy" if hidden else text)
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return resource_locked()
    if isinstance(error, psycopg.errors.QueryCanceled | PoolExhausted):
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
