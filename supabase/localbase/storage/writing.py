"""Writing objects: permission, then bytes, then the row (supabase/storage, `src/storage/uploader.ts`).

Permission is asked of the policies before a byte is read, by an insert under the caller's role that is rolled back: no
right to read is needed. The row is written by the service under a lock of the object, after its bytes are on disk.
Whatever happens in between, rows decide which bytes count.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg

from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import Cursor
from localbase.postgres.transaction import Statement
from localbase.storage import errors
from localbase.storage.backend.disk import StoredFile
from localbase.storage.context import Call, Context
from localbase.storage.names import is_placeholder
from localbase.storage.rows import (
    OBJECT_COLUMNS,
    Bucket,
    StoredObject,
    find_object,
    lock_object,
    locking,
    object_in,
    object_of,
    read_bucket,
)

# Forms, TUS and JSON can bring line ends and other letters, with which the object could not be read (RFC 9110, 5.5).
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
# Columns that the caller names, in the order of `_values`.
_COLUMNS = "bucket_id, name, owner, owner_id, version, metadata, user_metadata"
_REPLACE = """
on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
  version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata"""
_ASK = f"insert into storage.objects ({_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)"  # noqa: S608
_WRITE = (
    f"insert into storage.objects ({_COLUMNS}) values (%s, %s, %s, %s, %s, %s, %s) {_REPLACE}"  # noqa: S608
    f" returning {OBJECT_COLUMNS}"
).encode()
# Waits for who changes the row without the object's lock, and tells the next statement what version it will replace.
_NOTE_REPLACED = """
select pg_catalog.set_config('storage.replaced_version', coalesce(
  (select version from storage.objects where bucket_id = $1 and name = $2 for update), ''), true)"""


def _document_of(insert: str, replaced: str) -> str:
    return (
        f"with written as ({insert} returning {OBJECT_COLUMNS})"  # noqa: S608
        f" select to_json(r) from (select written.*, {replaced} as replaced from written) r"
    )


_ADD = _document_of(_ASK, "''")
_PUT = _document_of(_ASK + _REPLACE, "pg_catalog.current_setting('storage.replaced_version')")

# Ends the upload that bytes came by, in the transaction that writes their row; false where it has ended already.
EndUpload = Callable[[Cursor], Awaitable[bool]]


class UploadEnded(Exception):
    """The upload that the bytes came by was ended, or completed by another request, before their row was written."""


@dataclass(frozen=True, slots=True)
class NewObject:
    """An object that is to be written. `size` is what is announced, in bytes, as far as it is known beforehand."""

    bucket: str
    key: str
    owner: str | None
    mime: str
    cache_control: str
    upsert: bool
    size: int | None = None
    user_metadata: dict[str, Any] | None = None
    robots: str | None = None


def check_limits(context: Context, bucket: Bucket, new: NewObject) -> int:
    """Return how many bytes the object may have. Raises 413 for an announced size over it, 415 for a type not allowed.

    Raises 400 and 415 for values that no header of a response could carry.
    """
    if not _HEADER_VALUE.fullmatch(new.mime):
        raise errors.bad_mime_type(new.mime)
    if not _HEADER_VALUE.fullmatch(new.cache_control):
        raise errors.invalid_request("cacheControl must be a header's value")
    limit = size_limit(context, bucket, new.key)
    if bucket.allowed_mime_types and not is_placeholder(new.key):
        check_mime(new.mime, bucket.allowed_mime_types)
    if new.size is not None and new.size > limit:
        raise errors.too_large()
    return limit


def size_limit(context: Context, bucket: Bucket, key: str) -> int:
    """Return how many bytes an object may have.

    The bucket's or the project's limit, none for a folder's placeholder.
    """
    if is_placeholder(key):
        return 0
    return min(bucket.file_size_limit or context.size_limit, context.size_limit)


def check_mime(mime: str, allowed: list[str]) -> None:
    """Raises 415 for a media type that is not among `allowed`, in which `image/*` stands for a family."""
    kind = mime.split(";")[0].strip().lower()
    if not any(
        kind == pattern.lower()
        or pattern == "*"
        or (pattern.endswith("/*") and kind.startswith(pattern[:-1].lower()))
        for pattern in allowed
    ):
        raise errors.bad_mime_type(mime)


async def require_bucket(call: Call, bucket: str) -> Bucket:
    """The bucket, whether the caller may see it or not. Raises 404."""
    return await read_bucket(call.context.db, bucket)


async def check_permission(call: Call, new: NewObject) -> None:
    """Raises 403 where the caller's policies do not let this object be written, 409 where its name is taken.

    Policies see the media type and the announced size in `metadata`.
    """
    metadata: dict[str, Any] = {"mimetype": new.mime}
    if new.size is not None:
        metadata["contentLength"] = new.size
    try:
        await call.document(
            _ASK + _REPLACE if new.upsert else _ASK, _values(new, "1", metadata), rollback=True
        )
    except psycopg.errors.UniqueViolation as error:
        raise errors.duplicate() from error


async def store(call: Call, new: NewObject, chunks: AsyncIterator[bytes], limit: int) -> StoredObject:
    """Writes bytes and row. Permission has been asked. Raises 413, 409, 404 for a bucket that has gone meanwhile."""
    async with call.upload_slot():
        stored = await call.context.files.write(chunks, limit)
    # As upstream: an object that came in one request has metadata of its own, be it none.
    return await complete(call, replace(new, user_metadata=new.user_metadata or {}), stored)


async def complete(
    call: Call, new: NewObject, stored: StoredFile, end_upload: EndUpload | None = None
) -> StoredObject:
    """Writes the row of bytes that are stored already, and removes those of the version before.

    Raises as `write_row` does.
    """
    metadata = object_metadata(stored, new.mime, new.cache_control)
    if new.robots:
        metadata["xRobotsTag"] = new.robots
    return await write_row(call, new, stored.version, metadata, end_upload)


async def write_row(
    call: Call,
    new: NewObject,
    version: str,
    metadata: dict[str, Any],
    end_upload: EndUpload | None = None,
) -> StoredObject:
    """The row of `version`, written by the service under the object's lock.

    Raises 409 where the name is taken, 404 for a bucket that has gone meanwhile, and removes the bytes then. With
    `end_upload` they stay, for the upload to remove: another request may be completing it. Raises `UploadEnded`.
    """
    files = call.context.files
    try:
        if end_upload is None:
            row, replaced = await _write_at_once(call, new, version, metadata)
        else:
            row, replaced = await _write_uploaded(call, new, version, metadata, end_upload)
    except psycopg.OperationalError:
        # Whether it was committed is not known, nor after what is not caught here: where no row names the bytes, the
        # sweep removes them.
        raise
    except psycopg.errors.ForeignKeyViolation as error:
        if end_upload is None:
            await files.remove(version)
        raise errors.bucket_not_found() from error
    except (psycopg.Error, errors.StorageError, PoolExhausted):
        if end_upload is None:
            await files.remove(version)
        raise
    if replaced != version:
        await files.remove(replaced)
    return row


async def _write_at_once(
    call: Call, new: NewObject, version: str, metadata: dict[str, Any]
) -> tuple[StoredObject, str]:
    """The row, and the version that it had before or ''. In one way to the server, for nothing is decided here."""
    place = [new.bucket.encode(), new.key.encode()]
    noting = [Statement(_NOTE_REPLACED, place)] if new.upsert else []
    try:
        row = await call.document_as_service(
            _PUT if new.upsert else _ADD,
            _values(new, version, metadata),
            [locking(new.bucket, new.key), *noting],
        )
    except psycopg.errors.UniqueViolation as error:
        if new.upsert:
            raise
        # Another one was faster.
        raise errors.duplicate() from error
    if row is None:
        raise errors.access_denied("A trigger leaves the object out")
    replaced = row.pop("replaced")
    return object_in(row), replaced


async def _write_uploaded(
    call: Call, new: NewObject, version: str, metadata: dict[str, Any], end_upload: EndUpload
) -> tuple[StoredObject, str]:
    """The same for an upload's end, in the transaction that ends it."""
    async with call.begin_as_service() as cursor:
        await lock_object(cursor, new.bucket, new.key)
        before = await find_object(cursor, new.bucket, new.key, for_update=True)
        has_upload = await end_upload(cursor)
        if before is not None and before.version == version:
            # Two requests completed one resumable upload: this is the later one.
            return before, version
        if not has_upload:
            raise UploadEnded
        if before is not None and not new.upsert:
            raise errors.duplicate()
        return await _write(cursor, new, version, metadata), before.version if before is not None else ""


async def _write(cursor: Cursor, new: NewObject, version: str, metadata: dict[str, Any]) -> StoredObject:
    await cursor.execute(_WRITE, _values(new, version, metadata))
    row = await cursor.fetchone()
    if row is None:
        raise errors.access_denied("A trigger leaves the object out")
    return object_of(row)


def _values(new: NewObject, version: str, metadata: dict[str, Any]) -> list[Any]:
    return [
        *(new.bucket, new.key, uuid_or_none(new.owner), new.owner, version, json.dumps(metadata)),
        json.dumps(new.user_metadata) if new.user_metadata is not None else None,
    ]


def uuid_or_none(owner: str | None) -> str | None:
    """The owner as the older column takes it, which has the type uuid."""
    try:
        return str(UUID(owner)) if owner else None
    except ValueError:
        # Users of another issuer have ids of any form: they stand in `owner_id` only.
        return None


def object_metadata(stored: StoredFile, mime: str, cache_control: str) -> dict[str, Any]:
    """Return what `storage.objects.metadata` holds."""
    return {
        "eTag": stored.etag,
        "size": stored.size,
        "mimetype": mime,
        "cacheControl": cache_control,
        "lastModified": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "contentLength": stored.size,
        "httpStatusCode": 200,
    }
