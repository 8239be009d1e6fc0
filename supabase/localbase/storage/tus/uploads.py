"""Uploads that are under way: their rows (`_localbase.storage_resumable_uploads`), and their ends.

The row says how many bytes are on disk for certain. Its object is made when all are there: by the request that brings
the last of them or, where a crash came in between, by the next one. One transaction writes the object's row and deletes
the upload's. Who deletes that row decides on the bytes: they are the object's, or go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg

from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.storage.backend.disk import Files
from localbase.storage.context import Call
from localbase.storage.errors import StorageError
from localbase.storage.rows import StoredObject, find_object
from localbase.storage.tus.protocol import NOT_FOUND, TusError, UploadId
from localbase.storage.writing import NewObject, UploadEnded, complete

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
        """The object that the upload will be."""
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
    stored = await find_object(cursor, id.bucket, id.key)
    return stored if stored is not None and stored.version == id.version else None


async def note_received(call: Call, upload: OpenUpload, received: int) -> None:
    """So many bytes are on disk. Raises 404 for an upload that has been ended meanwhile."""
    async with call.begin_as_service() as cursor:
        await cursor.execute(
            f"update {_TABLE} set received = %s where version = %s".encode(),  # noqa: S608
            [received, upload.version],
        )
        if cursor.rowcount == 0:
            raise TusError(404, NOT_FOUND)


async def finish(call: Call, upload: OpenUpload) -> StoredObject:
    """Makes the object of an upload whose bytes are all there. Where that is refused, the upload ends with it.

    Raises 404 for an upload that has ended meanwhile, `FileNotFoundError` where the bytes are not there.
    """

    async def end_upload(cursor: Cursor) -> bool:
        return await _delete(cursor, upload)

    stored = await call.context.files.complete(str(upload.version), upload.length)
    try:
        return await complete(call, upload.as_object(), stored, end_upload)
    except UploadEnded as error:
        raise TusError(404, NOT_FOUND) from error
    except psycopg.OperationalError:
        # Whether it was committed is not known: object and upload are one transaction, the next request sees.
        raise
    except (StorageError, psycopg.DatabaseError):
        await end(call, upload)
        raise


async def forget(call: Call, upload: OpenUpload) -> None:
    """Ends an upload whose bytes are lost, unless another request has brought more of them since it was read."""
    async with call.begin_as_service() as cursor:
        await cursor.execute(
            f"delete from {_TABLE} where version = %s and received = %s".encode(),  # noqa: S608
            [upload.version, upload.received],
        )


async def end(call: Call, upload: OpenUpload) -> bool:
    """Ends an upload and removes what has come of it. False where it has ended already: its bytes may be an object."""
    async with call.begin_as_service() as cursor:
        deleted = await _delete(cursor, upload)
        named = await _versions_of_objects(cursor, [str(upload.version)])
    if deleted and not named:
        await call.context.files.remove(str(upload.version))
    return deleted


async def remove_expired(db: ServicePool, files: Files) -> int:
    """Ends the uploads whose time is over, with what has come of them but for objects; how many."""
    async with db.begin() as cursor:
        await cursor.execute(f"delete from {_TABLE} where expires_at < now() returning version".encode())  # noqa: S608
        versions = [str(row["version"]) for row in await cursor.fetchall()]
        named = await _versions_of_objects(cursor, versions)
    for version in versions:
        if version not in named:
            await files.remove(version)
    return len(versions)


async def _versions_of_objects(cursor: Cursor, versions: list[str]) -> set[str]:
    """Those that objects have. Releases of before wrote the object first: killed then, they left the upload as well."""
    await cursor.execute("select version from storage.objects where version = any(%s)", [versions])
    return {row["version"] for row in await cursor.fetchall()}


async def _delete(cursor: Cursor, upload: OpenUpload) -> bool:
    """Waits for a transaction that ends the upload as well. False where it has ended already."""
    await cursor.execute(f"delete from {_TABLE} where version = %s".encode(), [upload.version])  # noqa: S608
    return cursor.rowcount > 0


def _only(rows: Iterable[dict[str, Any]]) -> OpenUpload:
    [row] = rows
    return OpenUpload(**row)
