"""Uploads that are under way: their rows (`_localbase.storage_resumable_uploads`), and their ends.

The row says how many bytes are on disk for certain. Its object is made when all are there: by the request that brings
the last of them or, where a crash came in between, by the next one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.storage.context import Call
from localbase.storage.errors import StorageError
from localbase.storage.files import Files
from localbase.storage.repository import find_object
from localbase.storage.rows import StoredObject
from localbase.storage.tus.protocol import TusError, UploadId
from localbase.storage.uploader import NewObject, complete

_TABLE = "_localbase.storage_resumable_uploads"
_COLUMNS = (
    "version, bucket_id, name, owner_id, upsert, length, received, metadata, user_metadata, expires_at,"
    " expires_at < now() as expired"
)
# Of one owner, and of all callers without a user together.
_MOST_OPEN = 1000


@dataclass(frozen=True, slots=True)
class OpenUpload:
    """A row. `metadata` has `mimetype`, `cacheControl`, and `header`: what the client gave as `Upload-Metadata`."""

    version: UUID
    bucket_id: str
    name: str
    owner_id: str | None
    upsert: bool
    length: int
    received: int
    metadata: dict[str, Any]
    user_metadata: dict[str, Any] | None
    expires_at: datetime
    expired: bool

    @property
    def id(self) -> UploadId:
        """As addresses carry it."""
        return UploadId(self.bucket_id, self.name, str(self.version))

    def as_object(self) -> NewObject:
        """What it will be."""
        return NewObject(
            *(self.bucket_id, self.name, self.owner_id, self.metadata["mimetype"]),
            *(self.metadata["cacheControl"], self.upsert),
            size=self.length,
            user_metadata=self.user_metadata,
        )


async def open_upload(call: Call, version: str, new: NewObject, header: str, seconds: float) -> OpenUpload:
    """Makes the row of a new upload, good for `seconds`. Raises 429 where the owner has too many open ones."""
    metadata = {"mimetype": new.mime, "cacheControl": new.cache_control, "header": header}
    async with call.begin_as_service() as cursor:
        await cursor.execute(
            f"select count(*) from {_TABLE} where owner_id is not distinct from %s and expires_at > now()".encode(),  # noqa: S608
            [new.owner],
        )
        counted = await cursor.fetchone()
        if counted is not None and counted["count"] >= _MOST_OPEN:
            raise TusError(429, "Too many uploads are open: end some of them first")
        await cursor.execute(
            f"""
            insert into {_TABLE} (
              version, bucket_id, name, owner_id, upsert, length, metadata, user_metadata, expires_at
            ) values (%s, %s, %s, %s, %s, %s, %s, %s, now() + %s * interval '1 s') returning {_COLUMNS}
            """.encode(),  # noqa: S608
            [
                *(version, new.bucket, new.key, new.owner, new.upsert, new.size, json.dumps(metadata)),
                *(json.dumps(new.user_metadata) if new.user_metadata is not None else None, seconds),
            ],
        )
        return _only(await cursor.fetchall())


async def find_upload(cursor: Cursor, id: UploadId) -> OpenUpload | None:
    """The upload; None for one that has ended or never was."""
    await cursor.execute(
        f"select {_COLUMNS} from {_TABLE} where version = %s and bucket_id = %s and name = %s".encode(),  # noqa: S608
        [id.version, id.bucket, id.key],
    )
    rows = await cursor.fetchall()
    return _only(rows) if rows else None


async def find_result(cursor: Cursor, id: UploadId) -> StoredObject | None:
    """The object that the upload has become, as long as it has not been replaced."""
    found = await find_object(cursor, id.bucket, id.key)
    return found if found is not None and found.version == id.version else None


async def note_received(call: Call, upload: OpenUpload, received: int) -> None:
    """So many bytes are on disk. Raises 404 for an upload that has been ended meanwhile."""
    async with call.begin_as_service() as cursor:
        await cursor.execute(
            f"update {_TABLE} set received = %s where version = %s".encode(),  # noqa: S608
            [received, upload.version],
        )
        if cursor.rowcount == 0:
            raise TusError(404, "The file for this url was not found")


async def finish(call: Call, upload: OpenUpload) -> StoredObject:
    """Makes the object of an upload whose bytes are all there. Where that is refused, the upload ends with it."""
    stored = await call.context.files.seal(str(upload.version))
    try:
        written = await complete(call, upload.as_object(), stored)
    except StorageError:
        await forget(call, upload)
        raise
    await forget(call, upload)
    return written


async def forget(call: Call, upload: OpenUpload) -> None:
    """Ends an upload without regard to its bytes."""
    async with call.begin_as_service() as cursor:
        await cursor.execute(f"delete from {_TABLE} where version = %s".encode(), [upload.version])  # noqa: S608


async def end(call: Call, upload: OpenUpload) -> None:
    """Ends an upload and removes what has come of it."""
    await forget(call, upload)
    await call.context.files.remove(str(upload.version))


async def remove_expired(db: ServicePool, files: Files) -> int:
    """Ends the uploads whose time is over, with what has come of them; how many."""
    async with db.begin() as cursor:
        await cursor.execute(f"delete from {_TABLE} where expires_at < now() returning version".encode())  # noqa: S608
        versions = [str(row["version"]) for row in await cursor.fetchall()]
    for version in versions:
        await files.remove(version)
    return len(versions)


def _only(rows: Iterable[dict[str, Any]]) -> OpenUpload:
    [row] = rows
    return OpenUpload(**row)
