"""The buckets of `[storage.buckets]`, made at start and filled from their `objects_path`, what has changed only."""

from __future__ import annotations

import json
import logging
import mimetypes
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from localbase.core.configuration import parse_size
from localbase.core.project import Project
from localbase.postgres.service_pool import ServicePool
from localbase.storage.errors import BytesUnavailable
from localbase.storage.files import CHUNK, Files
from localbase.storage.uploader import object_metadata

_log = logging.getLogger("localbase.storage")


async def make_buckets(project: Project, db: ServicePool, files: Files) -> None:
    """Makes and fills them. One that exists gets the settings of the configuration."""
    for name, bucket in project.settings.storage.buckets.items():
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
        if not bucket.objects_path:
            continue
        folder = (project.supabase / bucket.objects_path).resolve()
        if not folder.is_dir():
            _log.warning("storage.buckets.%s: there is no folder %s", name, folder)
            continue
        try:
            for path in sorted(part for part in folder.rglob("*") if part.is_file()):
                await _put(db, files, name, path.relative_to(folder).as_posix(), path)
        except BytesUnavailable:
            # All else can be served.
            _log.error("storage.buckets.%s: cannot be filled now, the next start tries again", name)


async def _put(db: ServicePool, files: Files, bucket: str, key: str, path: Path) -> None:
    row = await db.one(
        "select version, metadata from storage.objects where bucket_id = %s and name = %s", [bucket, key]
    )
    stored = await files.write(_contents(path), sys.maxsize)
    if row and row["metadata"].get("eTag") == stored.etag and await files.size(row["version"]) == stored.size:
        await files.remove(stored.version)
        return
    mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    async with db.begin() as cursor:
        await cursor.execute(
            """
            insert into storage.objects (bucket_id, name, version, metadata) values (%s, %s, %s, %s)
            on conflict (bucket_id, name) do update
              set version = excluded.version, metadata = excluded.metadata
            """,
            [bucket, key, stored.version, json.dumps(object_metadata(stored, mime, "max-age=3600"))],
        )
    await files.remove(row["version"] if row else None)


async def _contents(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
