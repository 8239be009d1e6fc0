"""Writing objects: the row first, under the caller's policies, then the bytes in place of the older version's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import psycopg
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core.authenticator import Caller
from localbase.core.configuration import parse_size
from localbase.storage import errors
from localbase.storage.context import Context, bucket_row, object_key
from localbase.storage.files import StoredFile

_CHUNK = 256 * 1024


async def upload(context: Context, request: Request) -> Response:
    """POST (new; with `x-upsert: true` also in place of an older one) and PUT (in place of an older one)."""
    caller = context.caller(request)
    bucket, key = request.path_params["bucket"], object_key(request)
    async with context.db.begin() as cursor:
        row = await bucket_row(cursor, bucket)
    limit = min(row["file_size_limit"] or context.size_limit, context.size_limit)
    chunks, mime, cache = await _read(request)
    if row["allowed_mime_types"] and not _allowed(mime, row["allowed_mime_types"]):
        raise errors.bad_mime_type(mime)
    stored = await context.files.write(chunks, limit)
    upsert = request.method == "PUT" or request.headers.get("x-upsert") == "true"
    metadata = object_metadata(stored, mime, cache)
    try:
        identity, old = await _save(context, caller, (bucket, key), stored, metadata, upsert=upsert)
    except BaseException:
        context.files.remove(stored.version)
        raise
    context.files.remove(old)
    return JSONResponse({"Id": identity, "Key": f"{bucket}/{key}"})


def object_metadata(stored: StoredFile, mime: str, cache: str) -> dict[str, Any]:
    """What `storage.objects.metadata` holds."""
    return {
        "eTag": stored.etag,
        "size": stored.size,
        "mimetype": mime,
        "cacheControl": cache,
        "lastModified": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "contentLength": stored.size,
        "httpStatusCode": 200,
    }


async def _save(
    context: Context,
    caller: Caller,
    place: tuple[str, str],
    stored: StoredFile,
    metadata: dict[str, Any],
    *,
    upsert: bool,
) -> tuple[str, str | None]:
    owner = caller.claims.get("sub")
    try:
        async with context.begin(caller) as cursor:
            await cursor.execute(
                "select version from storage.objects where bucket_id = %s and name = %s for update", place
            )
            before = await cursor.fetchone()
            if before is not None and not upsert:
                raise errors.duplicate()
            await cursor.execute(
                """
                insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
                values (%s, %s, %s, %s, %s, %s)
                on conflict (bucket_id, name) do update set version = excluded.version,
                  metadata = excluded.metadata, owner = excluded.owner, owner_id = excluded.owner_id,
                  updated_at = now()
                returning id
                """
                if upsert
                else """
                insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
                values (%s, %s, %s, %s, %s, %s) returning id
                """,
                [*place, owner, owner, stored.version, json.dumps(metadata)],
            )
            row = await cursor.fetchone()
    except psycopg.errors.InsufficientPrivilege as error:
        raise errors.unauthorized("new row violates row-level security policy") from error
    except psycopg.errors.UniqueViolation as error:
        raise errors.duplicate() from error
    return str(row["id"]) if row else "", before["version"] if before else None


async def _read(request: Request) -> tuple[AsyncIterator[bytes], str, str]:
    mime = request.headers.get("content-type", "application/octet-stream")
    if mime.startswith("multipart/form-data"):
        form = await request.form(max_files=1)
        file = next((part for part in form.values() if isinstance(part, UploadFile)), None)
        if file is None:
            raise errors.StorageError(400, "invalid_request", "The form holds no file")
        cache = form.get("cacheControl")
        kind = file.content_type or "application/octet-stream"
        return _chunks(file), kind, _cache_control(cache if isinstance(cache, str) else "")
    return request.stream(), mime, request.headers.get("cache-control", "no-cache")


async def _chunks(file: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await file.read(_CHUNK):
        yield chunk


def _cache_control(seconds: str) -> str:
    return f"max-age={seconds}" if seconds.isascii() and seconds.isdecimal() else "no-cache"


def _allowed(mime: str, patterns: list[str]) -> bool:
    kind = mime.split(";")[0].strip().lower()
    return any(
        kind == pattern.lower() or (pattern.endswith("/*") and kind.startswith(pattern[:-1].lower()))
        for pattern in patterns
    )


def bucket_limit(text: str) -> int | None:
    """A bucket's own limit in bytes; none when it has none."""
    return parse_size(text) if text else None
