"""What every storage endpoint works with, and how it acts as the caller."""

from __future__ import annotations

import re
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from localbase.core.authenticator import Authenticator, Caller, bearer
from localbase.core.configuration import parse_size
from localbase.core.errors import ApiError
from localbase.core.jwt import TokenError
from localbase.core.settings import Settings
from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.storage import errors
from localbase.storage.files import Files

# S3's safe characters, as the Storage API allows them.
_KEY = re.compile(r"^[\w/!.*'() &$@=;:+,?-]+$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Context:
    """The storage service's parts."""

    settings: Settings
    db: ServicePool
    files: Files
    authenticator: Authenticator

    def caller(self, request: Request) -> Caller:
        """The caller. Raises the Storage API's 403 without a valid token."""
        token = bearer(request.headers) or request.headers.get("apikey")
        if not token:
            raise errors.StorageError(400, "Error", "headers must have required property 'authorization'")
        try:
            return self.authenticator.resolve(request.headers, token)
        except TokenError as error:
            raise errors.invalid_jwt(error.message) from error
        except ApiError as error:
            raise errors.invalid_jwt("Invalid Compact JWS") from error

    def begin(self, caller: Caller) -> AbstractAsyncContextManager[Cursor]:
        """A transaction under the caller's role and policies."""
        return self.db.begin(caller.role, caller.claims_json)

    @property
    def size_limit(self) -> int:
        """The project's limit for one object, in bytes."""
        return parse_size(self.settings.storage.file_size_limit)


def object_key(request: Request) -> str:
    """The object's name in the address. Raises 400 for one that no object can have."""
    key = str(request.path_params["key"])
    parts = key.split("/")
    if not _KEY.match(key) or len(key) > 1024 or any(part in ("", ".", "..") for part in parts):
        raise errors.invalid_key(key)
    return key


async def bucket_row(cursor: Cursor, bucket: str) -> dict[str, Any]:
    """The bucket as the storage service itself sees it. Raises 404."""
    await cursor.execute("select * from storage.buckets where id = %s", [bucket])
    row = await cursor.fetchone()
    if row is None:
        raise errors.bucket_not_found()
    return row
