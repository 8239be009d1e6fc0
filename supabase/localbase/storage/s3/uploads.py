"""Rows of multipart uploads: `storage.s3_multipart_uploads` and their parts.

Each part is a version of its own in `Files`, named by its row, so that the sweep knows it. The service writes these
rows; an upload is its owner's alone, which upstream does not check.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.storage.aws import errors
from localbase.storage.backend.disk import Files, StoredFile
from localbase.storage.context import Call
from localbase.storage.s3.request import S3Request

_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload under way. `metadata` holds the media type and the cache control of the object to be."""

    id: str
    bucket: str
    key: str
    owner: str | None
    mime: str
    cache_control: str
    user_metadata: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Part:
    """A part that has been stored; `etag` is quoted."""

    number: int
    size: int
    etag: str
    version: str
    created_at: datetime


async def create_upload(
    call: Call, bucket: str, key: str, metadata: dict[str, str], user_metadata: dict[str, str] | None
) -> str:
    """A new upload's id."""
    identity = str(uuid.uuid4())
    async with call.begin_as_service() as cursor:
        await cursor.execute(
            """
            insert into storage.s3_multipart_uploads
              (id, upload_signature, bucket_id, key, version, owner_id, metadata, user_metadata)
            values (%s, '', %s, %s, %s, %s, %s, %s)
            """,
            [
                *(identity, bucket, key, str(uuid.uuid4()), call.owner, json.dumps(metadata)),
                json.dumps(user_metadata) if user_metadata is not None else None,
            ],
        )
    return identity


async def find_upload(
    cursor: Cursor, call: Call, identity: str, bucket: str, key: str, *, lock: bool = False
) -> Upload:
    """The upload of this bucket and key. Raises 404, also for another owner's."""
    await cursor.execute(
        f"""
        select id, bucket_id, key, owner_id, metadata, user_metadata from storage.s3_multipart_uploads
        where id = %s and bucket_id = %s and key = %s {"for update" if lock else ""}
        """.encode(),  # noqa: S608 - one of two fixed texts
        [identity, bucket, key],
    )
    row = await cursor.fetchone()
    if row is None or (row["owner_id"] != call.owner and call.caller.role != "service_role"):
        raise errors.no_such_upload()
    metadata = row["metadata"] or {}
    return Upload(
        *(row["id"], row["bucket_id"], row["key"], row["owner_id"]),
        mime=metadata.get("mimetype") or "application/octet-stream",
        cache_control=metadata.get("cacheControl") or "no-cache",
        user_metadata=row["user_metadata"],
    )


async def upload_of(request: S3Request, cursor: Cursor, *, lock: bool = False) -> Upload:
    """The upload that a request names."""
    identity = request.parameters["uploadId"]
    return await find_upload(cursor, request.call, identity, request.bucket, request.key, lock=lock)


async def list_parts(cursor: Cursor, identity: str, *, after: int = 0, limit: int = 10_000) -> list[Part]:
    """The upload's parts in order."""
    await cursor.execute(
        """
        select part_number, size, etag, version, created_at from storage.s3_multipart_uploads_parts
        where upload_id = %s and part_number > %s order by part_number limit %s
        """,
        [identity, after, limit],
    )
    return [
        Part(row["part_number"], row["size"], row["etag"], row["version"], row["created_at"])
        for row in await cursor.fetchall()
    ]


async def check_room(cursor: Cursor, upload: Upload, number: int, size: int, limit: int) -> int:
    """Return how many bytes the other parts leave for this one. Raises 413 if it is announced larger."""
    await cursor.execute(
        """
        select coalesce(sum(size), 0)::bigint as taken from storage.s3_multipart_uploads_parts
        where upload_id = %s and part_number <> %s
        """,
        [upload.id, number],
    )
    row = await cursor.fetchone()
    room = limit - (row["taken"] if row else 0)
    if size > room:
        raise errors.entity_too_large()
    return room


async def save_part(call: Call, upload: Upload, number: int, stored: StoredFile, limit: int) -> None:
    """Writes the row of a part that is stored, in place of an older one of its number.

    Raises 404 if the upload has ended meanwhile, 413 if its other parts have taken the room; then the bytes are gone.
    """
    try:
        async with call.begin_as_service() as cursor:
            await find_upload(cursor, call, upload.id, upload.bucket, upload.key, lock=True)
            room = await check_room(cursor, upload, number, stored.size, limit)
            await cursor.execute(
                """
                delete from storage.s3_multipart_uploads_parts where upload_id = %s and part_number = %s
                returning version
                """,
                [upload.id, number],
            )
            replaced = [row["version"] for row in await cursor.fetchall()]
            await cursor.execute(
                """
                insert into storage.s3_multipart_uploads_parts
                  (upload_id, size, part_number, bucket_id, key, etag, owner_id, version)
                values (%s, %s, %s, %s, %s, %s, %s, %s)
                """,
                [
                    *(upload.id, stored.size, number, upload.bucket, upload.key, stored.etag),
                    *(call.owner, stored.version),
                ],
            )
            await cursor.execute(
                "update storage.s3_multipart_uploads set in_progress_size = %s where id = %s",
                [limit - room + stored.size, upload.id],
            )
    except psycopg.OperationalError:
        # Whether it was committed is not known: where no row names the bytes, the sweep removes them.
        raise
    except Exception:
        await call.context.files.remove(stored.version)
        raise
    await _remove_files(call.context.files, replaced)


async def end_upload(call: Call, upload: Upload) -> None:
    """Removes the upload and its parts, first the rows, then the bytes. Raises 404 if it has ended already."""
    async with call.begin_as_service() as cursor:
        await find_upload(cursor, call, upload.id, upload.bucket, upload.key, lock=True)
        versions = await _delete(cursor, [upload.id])
    await _remove_files(call.context.files, versions)


async def remove_expired(db: ServicePool, files: Files, seconds: float) -> int:
    """Removes uploads that were begun more than `seconds` ago; how many."""
    removed = 0
    while True:
        async with db.begin() as cursor:
            await cursor.execute(
                """
                select id from storage.s3_multipart_uploads where created_at < now() - make_interval(secs => %s)
                order by created_at limit %s for update skip locked
                """,
                [seconds, _AT_ONCE],
            )
            identities = [row["id"] for row in await cursor.fetchall()]
            versions = await _delete(cursor, identities)
        await _remove_files(files, versions)
        removed += len(identities)
        if len(identities) < _AT_ONCE:
            return removed


async def _delete(cursor: Cursor, identities: Sequence[str]) -> list[str]:
    await cursor.execute(
        "delete from storage.s3_multipart_uploads_parts where upload_id = any(%s) returning version",
        [list(identities)],
    )
    versions = [row["version"] for row in await cursor.fetchall()]
    await cursor.execute("delete from storage.s3_multipart_uploads where id = any(%s)", [list(identities)])
    return versions


async def _remove_files(files: Files, versions: Sequence[str]) -> None:
    for version in versions:
        await files.remove(version)
