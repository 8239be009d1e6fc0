"""The Storage API's errors: HTTP 400 for nearly all, with the status that is meant inside the body (upstream's way)."""

from __future__ import annotations

from starlette.responses import JSONResponse

from localbase.core.errors import ApiError


class StorageError(ApiError):
    """`status` is the one in the body; `http_status` the answer's."""

    def __init__(self, status: int, code: str, message: str, *, http_status: int = 400) -> None:
        super().__init__(status, code, message)
        self.http_status = http_status

    def response(self) -> JSONResponse:
        """The body that clients read."""
        body = {"statusCode": str(self.status), "error": self.code, "message": self.message}
        return JSONResponse(body, self.http_status)


def object_not_found() -> StorageError:
    """No such object, or none that the caller may see."""
    return StorageError(404, "not_found", "Object not found")


def bucket_not_found() -> StorageError:
    """No such bucket, or none that the caller may see."""
    return StorageError(404, "Bucket not found", "Bucket not found")


def duplicate(message: str = "The resource already exists") -> StorageError:
    """The name is taken and `x-upsert` was not set."""
    return StorageError(409, "Duplicate", message)


def unauthorized(message: str) -> StorageError:
    """A policy refuses."""
    return StorageError(403, "Unauthorized", message)


def invalid_jwt(message: str) -> StorageError:
    """The bearer token does not verify."""
    return StorageError(403, "Unauthorized", message)


def too_large() -> StorageError:
    """Over the bucket's or the project's limit."""
    return StorageError(413, "Payload too large", "The object exceeded the maximum allowed size")


def bad_mime_type(mime: str) -> StorageError:
    """Not among the bucket's types."""
    return StorageError(415, "invalid_mime_type", f"mime type {mime} is not supported")


def invalid_key(key: str) -> StorageError:
    """A name outside the characters that S3 keys may hold."""
    return StorageError(400, "InvalidKey", f"Invalid key: {key}")
