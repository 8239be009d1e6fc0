"""The buckets of `[storage.buckets]`, made at start. One that is empty is filled from its `objects_path`.

As upstream's command line: the files go where the data is new (`internal/start/start.go`, `buckets.Run`). What people
have changed or removed since is theirs; `supabase seed buckets` uploads all again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import mimetypes
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from localbase.core.configuration import parse_size
from localbase.core.project import Project
from localbase.postgres.service_pool import ServicePool
from localbase.storage.backend.disk import CHUNK, Files
from localbase.storage.errors import BytesUnavailable
from localbase.storage.writing import object_metadata

_log = logging.getLogger("localbase.storage")
_WRITES_AT_ONCE = 16
_IS_FILLED = "select exists (select 1 from storage.objects where bucket_id = %s) as filled"


async def make_buckets(project: Project, db: ServicePool, files: Files) -> None:
    """Makes and fills them. One that exists gets the settings of the configuration."""
    for name, bucket in project.settings.storage.buckets.items():
        folder = (project.supabase / bucket.objects_path).resolve() if bucket.objects_path else None
        objects = await _stored(folder, name, db, files) if folder else []
        async with db.begin() as cursor:
            await cursor.execute(
                """
                insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
                values (%s, %s, %s, %s, %s)
                on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
                  allowed_mime_types = excluded.allowed_mime_types
                """,
                [
                    *(name, name, bucket.public),
                    parse_size(bucket.file_size_limit) if bucket.file_size_limit else None,
                    list(bucket.allowed_mime_types) or None,
                ],
            )
            # All or none: an end in between leaves the bucket empty, and the next start fills it.
            await cursor.executemany(
                """
                insert into storage.objects (bucket_id, name, version, metadata) values (%s, %s, %s, %s)
                on conflict (bucket_id, name) do nothing
                """,
                objects,
            )


async def _stored(folder: Path, bucket: str, db: ServicePool, files: Files) -> list[list[Any]]:
    """Stores the bytes of all files below the folder, if the bucket is empty; the rows of its objects."""
    paths = _files_below(folder)
    if paths is None:
        _log.warning("storage.buckets.%s: there is no folder %s", bucket, folder)
        return []
    row = await db.one(_IS_FILLED, [bucket])
    if row and row["filled"]:
        return []
    slots = asyncio.Semaphore(_WRITES_AT_ONCE)

    async def store(file: Path) -> list[Any]:
        async with slots:
            stored = await files.write(_contents(file), sys.maxsize)
        mime = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        metadata = json.dumps(object_metadata(stored, mime, "max-age=3600"))
        return [bucket, file.relative_to(folder).as_posix(), stored.version, metadata]

    try:
        return await asyncio.gather(*map(store, paths))
    except BytesUnavailable:
        # All else can be served.
        _log.error("storage.buckets.%s: cannot be filled now, the next start tries again", bucket)
        return []


def _files_below(folder: Path) -> list[Path] | None:
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else None


async def _contents(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
