"""Rows of the `storage` schema: their columns, how the API shows them, and how more than one endpoint finds them.

What a statement finds depends on the transaction: a caller's policies decide, or the service sees all.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID

from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.postgres.transaction import Statement
from localbase.storage import errors

AskDocument = Callable[[str, list[str]], Awaitable[Any]]
"""`Call.document` for the caller, `ServicePool.document` for the service."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """`storage.buckets`. `file_size_limit` is in bytes; None leaves the project's limit."""

    id: str
    name: str
    owner: str | None
    owner_id: str | None
    public: bool
    type: str
    file_size_limit: int | None
    allowed_mime_types: list[str] | None
    created_at: datetime | None
    updated_at: datetime | None

    def shown(self) -> dict[str, Any]:
        """The bucket as the API answers it."""
        return {
            "id": self.id,
            "name": self.name,
            "owner": self.owner or "",
            "public": self.public,
            "file_size_limit": self.file_size_limit,
            "allowed_mime_types": self.allowed_mime_types,
            "created_at": iso_time(self.created_at),
            "updated_at": iso_time(self.updated_at),
        }


@dataclass(frozen=True, slots=True)
class StoredObject:
    """`storage.objects`. `version` names its bytes."""

    id: UUID | str
    bucket_id: str
    name: str
    owner_id: str | None
    version: str
    metadata: dict[str, Any]
    user_metadata: dict[str, Any] | None
    created_at: datetime | None
    updated_at: datetime | None
    last_accessed_at: datetime | None

    @property
    def size(self) -> int:
        """In bytes; 0 where the row has no number for it."""
        size = self.metadata.get("size") or self.metadata.get("contentLength")
        return int(size) if isinstance(size, int | float) else 0

    @property
    def etag(self) -> str:
        """The entity tag, quoted."""
        return str(self.metadata.get("eTag") or "")

    @property
    def mime(self) -> str:
        """The media type."""
        return str(self.metadata.get("mimetype") or "application/octet-stream")

    @property
    def cache_control(self) -> str:
        """Return how long clients may keep it: a header's value."""
        return str(self.metadata.get("cacheControl") or "no-cache")

    def shown(self) -> dict[str, Any]:
        """The object as the API answers it."""
        return {
            "name": self.name,
            "bucket_id": self.bucket_id,
            "owner": self.owner_id or "",
            "owner_id": self.owner_id or "",
            "version": self.version,
            "id": str(self.id),
            "updated_at": iso_time(self.updated_at),
            "created_at": iso_time(self.created_at),
            "last_accessed_at": iso_time(self.last_accessed_at),
            "metadata": self.metadata,
            "user_metadata": self.user_metadata,
        }


BUCKET_COLUMNS = (
    "id, name, owner::text as owner, owner_id, coalesce(public, false) as public, type::text as type, file_size_limit,"
    " allowed_mime_types, created_at, updated_at"
)
OBJECT_COLUMNS = (
    "id, bucket_id, name, owner_id, coalesce(version, '') as version, coalesce(metadata, '{}') as metadata,"
    " user_metadata, created_at, updated_at, last_accessed_at"
)
_BUCKET = f"select {BUCKET_COLUMNS} from storage.buckets where id = %s"  # noqa: S608
_OBJECT = f"select {OBJECT_COLUMNS} from storage.objects where bucket_id = %s and name = %s"  # noqa: S608
_IN_PUBLIC = (
    "select coalesce(b.public, false) as is_public, o.* from storage.buckets b left join lateral ("  # noqa: S608
    f"select {OBJECT_COLUMNS} from storage.objects where bucket_id = b.id and name = %s) o on true where b.id = %s"
)
_TIMES = ("created_at", "updated_at", "last_accessed_at")


def as_document(sql: str) -> str:
    """The statement of which each row is JSON, for `ServicePool.document`."""
    numbers = count(1)
    return f"select to_json(r) from ({re.sub('%s', lambda _: f'${next(numbers)}', sql)}) r"  # noqa: S608


_BUCKET_DOCUMENT, _OBJECT_DOCUMENT, IN_PUBLIC_DOCUMENT = map(as_document, (_BUCKET, _OBJECT, _IN_PUBLIC))


def _typed(document: dict[str, Any]) -> dict[str, Any]:
    """A row as psycopg would have returned it."""
    times = {
        name: datetime.fromisoformat(document[name]) for name in _TIMES if document.get(name) is not None
    }
    return {**document, **times}


def object_of(row: dict[str, Any]) -> StoredObject:
    """The object in a row of `OBJECT_COLUMNS`."""
    # SQL can put any JSON there.
    objects = {
        name: row[name] if isinstance(row[name], dict) else None for name in ("metadata", "user_metadata")
    }
    return StoredObject(**{**row, **objects, "metadata": objects["metadata"] or {}})


def iso_time(moment: datetime | None) -> str | None:
    """In milliseconds, with `Z`."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def find_in_public(db: ServicePool, bucket: str, key: str) -> StoredObject | None:
    """The object, if the bucket is public; None if it is not. One statement, for this is what pages of a site ask most.

    Raises 404.
    """
    return public_object_of(await db.document(IN_PUBLIC_DOCUMENT, [key, bucket]))


def object_in(document: dict[str, Any]) -> StoredObject:
    """The object in a row of `OBJECT_COLUMNS` that came as JSON."""
    return object_of(_typed(document))


def public_object_of(row: dict[str, Any] | None) -> StoredObject | None:
    """The object in the row of `IN_PUBLIC_DOCUMENT`, as `find_in_public` returns it. Raises 404."""
    if row is None:
        raise errors.bucket_not_found()
    if not row.pop("is_public"):
        return None
    if row["id"] is None:
        raise errors.object_not_found()
    return object_in(row)


async def read_bucket(db: ServicePool, bucket: str) -> Bucket:
    """The bucket, by the service, which sees all. Raises 404."""
    row = await db.document(_BUCKET_DOCUMENT, [bucket])
    if row is None:
        raise errors.bucket_not_found()
    return Bucket(**_typed(row))


async def require_shown(document: AskDocument, bucket: str, key: str) -> StoredObject:
    """The object, if the one as whom `document` asks may see it. Raises 404."""
    row = await document(_OBJECT_DOCUMENT, [bucket, key])
    if row is None:
        raise errors.object_not_found()
    return object_in(row)


async def find_bucket(cursor: Cursor, bucket: str) -> Bucket:
    """The bucket. Raises 404."""
    await cursor.execute(_BUCKET.encode(), [bucket])
    row = await cursor.fetchone()
    if row is None:
        raise errors.bucket_not_found()
    return Bucket(**row)


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


_LOCK = "select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 0))"
LOCK_TIMEOUT = "5s"


def locking(bucket: str, key: str) -> Statement:
    """What `lock_object` does, where `lock_timeout` is set already."""
    return Statement(_LOCK, [f"{bucket}/{key}".encode()])


async def lock_object(cursor: Cursor, bucket: str, key: str) -> None:
    """Waits until no other transaction writes this object, whether it exists or not.

    Raises Postgres's 55P03 after five seconds, which is answered as `errors.resource_locked`.
    """
    await cursor.execute(
        "select set_config('lock_timeout', %s, true), pg_advisory_xact_lock(hashtextextended(%s, 0))",
        [LOCK_TIMEOUT, f"{bucket}/{key}"],
    )
