"""The protocol's headers, ids and errors. Errors are plain texts with the status that is meant."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from uuid import UUID

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from localbase.storage.names import checked_bucket, checked_key

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,termination,expiration"
CONTENT_TYPE = "application/offset+octet-stream"
NOT_FOUND = "The file for this url was not found"
# What a page may read of a response.
EXPOSED = (
    "Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, Upload-Concat, Upload-Defer-Length, "
    "Tus-Version, Tus-Resumable, Tus-Max-Size, Tus-Extension, Tus-Complete"
)
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_LONGEST_METADATA = 16 * 1024


class TusError(Exception):
    """A response that is no success."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}

    def response(self) -> Response:
        """The response."""
        return PlainTextResponse(self.message, self.status, {"tus-resumable": VERSION, **self.headers})


@dataclass(frozen=True, slots=True)
class UploadId:
    """The object that an upload makes, and the version that its bytes have: a secret of who began it."""

    bucket: str
    key: str
    version: str

    def text(self) -> str:
        """As addresses carry it: base64url of `bucket/key/version`."""
        return (
            base64.urlsafe_b64encode(f"{self.bucket}/{self.key}/{self.version}".encode())
            .rstrip(b"=")
            .decode()
        )


def upload_id_of(text: str) -> UploadId:
    """The id in an address. Raises 404 for what is none."""
    try:
        parts = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split("/")
        return UploadId(parts[0], "/".join(parts[1:-1]), str(UUID(parts[-1])))
    except (ValueError, binascii.Error) as error:
        raise TusError(404, NOT_FOUND) from error


def check_version(request: Request) -> None:
    """Raises 412 for a client of another version."""
    if request.headers.get("tus-resumable") != VERSION:
        raise TusError(412, "Tus-Resumable Required", {"tus-version": VERSION})


def whole_number(request: Request, name: str) -> int:
    """A header's number. Raises 400."""
    text = request.headers.get(name, "")
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise TusError(400, f"{name} is required and must be a whole number")
    return int(text)


def metadata_of(header: str | None) -> dict[str, str]:
    """`Upload-Metadata`: names and values in base64, by commas. Raises 400 for what is none."""
    if not header:
        raise TusError(400, "Metadata header is required")
    if len(header) > _LONGEST_METADATA:
        raise TusError(400, "Upload-Metadata is too long")
    metadata: dict[str, str] = {}
    for item in header.split(","):
        name, _, value = item.strip().partition(" ")
        if not _NAME.fullmatch(name) or name in metadata:
            raise TusError(400, "Invalid Upload-Metadata header")
        try:
            metadata[name] = base64.b64decode(value.strip(), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise TusError(400, "Invalid Upload-Metadata header") from error
    return metadata


def place_of(metadata: dict[str, str]) -> tuple[str, str]:
    """Bucket and name of the object. Raises the Storage API's 400 for names that none can have."""
    return checked_bucket(metadata.get("bucketName", "")), checked_key(metadata.get("objectName", ""))
