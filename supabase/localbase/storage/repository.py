"""The statements on `storage.buckets` and `storage.objects` that more than one endpoint runs.

What a statement finds depends on the transaction: a caller's policies decide, or the service sees all.
"""

from __future__ import annotations

from localbase.postgres.service_pool import Cursor
from localbase.storage import errors
from localbase.storage.rows import (
    BUCKET_COLUMNS,
    OBJECT_COLUMNS,
    Bucket,
    StoredObject,
    bucket_of,
    object_of,
)

_BUCKET = f"select {BUCKET_COLUMNS} from storage.buckets where id = %s".encode()  # noqa: S608
_OBJECT = f"select {OBJECT_COLUMNS} from storage.objects where bucket_id = %s and name = %s"  # noqa: S608


async def find_bucket(cursor: Cursor, bucket: str) -> Bucket:
    """The bucket. Raises 404."""
    await cursor.execute(_BUCKET, [bucket])
    row = await cursor.fetchone()
    if row is None:
        raise errors.bucket_not_found()
    return bucket_of(row)


async def find_object(
    cursor: Cursor, bucket: str, key: str, *, for_update: bool = False
) -> StoredObject | None:
    """The object; `for_update` locks its row."""
    await cursor.execute((_OBJECT + (" for update" if for_update else "")).encode(), [bucket, key])
    row = await cursor.fetchone()
    return object_of(row) if row else None


async def require_object(cursor: Cursor, bucket: str, key: str) -> StoredObject:
    """The object. Raises 404."""
    stored = await find_object(cursor, bucket, key)
    if stored is None:
        raise errors.object_not_found()
    return stored


async def lock_object(cursor: Cursor, bucket: str, key: str) -> None:
    """Waits until no other transaction writes this object, whether it exists or not.

    Raises Postgres's 55P03 after five seconds, which is answered as `errors.resource_locked`.
    """
    await cursor.execute("set local lock_timeout = '5s'")
    await cursor.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{bucket}/{key}"])
