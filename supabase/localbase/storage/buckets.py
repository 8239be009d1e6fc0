"""Buckets: listing and making them under the caller's policies, and the configured ones, made at start."""

from __future__ import annotations

import json
import logging
import mimetypes
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core.configuration import parse_size
from localbase.core.json_text import read_json
from localbase.core.project import Project
from localbase.postgres.service_pool import ServicePool
from localbase.storage import errors
from localbase.storage.context import Context
from localbase.storage.files import Files
from localbase.storage.upload import bucket_limit, object_metadata

_log = logging.getLogger("localbase.storage")


async def list_buckets(context: Context, request: Request) -> Response:
    """GET /bucket."""
    async with context.begin(context.caller(request)) as cursor:
        await cursor.execute("select * from storage.buckets order by name")
        return JSONResponse([_shown(row) for row in await cursor.fetchall()])


async def read_bucket(context: Context, request: Request) -> Response:
    """GET /bucket/{bucket}."""
    async with context.begin(context.caller(request)) as cursor:
        await cursor.execute("select * from storage.buckets where id = %s", [request.path_params["bucket"]])
        row = await cursor.fetchone()
    if row is None:
        raise errors.bucket_not_found()
    return JSONResponse(_shown(row))


async def create_bucket(context: Context, request: Request) -> Response:
    """POST /bucket."""
    caller = context.caller(request)
    try:
        body = read_json(await request.body() or b"{}")
        name = body["name"]
    except (ValueError, KeyError, TypeError) as error:
        raise errors.StorageError(
            400, "invalid_request", "body must have required property 'name'"
        ) from error
    limit = body.get("file_size_limit")
    try:
        async with context.begin(caller) as cursor:
            await cursor.execute(
                """
                insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
                values (%s, %s, %s, %s, %s, %s, %s)
                """,
                [
                    *(body.get("id") or name, name, bool(body.get("public"))),
                    parse_size(str(limit)) if limit else None,
                    body.get("allowed_mime_types"),
                    *(caller.claims.get("sub"), caller.claims.get("sub")),
                ],
            )
    except psycopg.errors.InsufficientPrivilege as error:
        raise errors.unauthorized("new row violates row-level security policy") from error
    except psycopg.errors.UniqueViolation as error:
        raise errors.duplicate() from error
    return JSONResponse({"name": name})


async def make_buckets(project: Project, db: ServicePool, files: Files) -> None:
    """Makes the buckets of `[storage.buckets]` and fills them from their `objects_path`, what has changed only."""
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
                    *(name, name, bucket.public, bucket_limit(bucket.file_size_limit)),
                    list(bucket.allowed_mime_types) or None,
                ],
            )
        if not bucket.objects_path:
            continue
        folder = (project.supabase / bucket.objects_path).resolve()
        if not folder.is_dir():
            _log.warning("storage.buckets.%s: there is no folder %s", name, folder)
            continue
        for path in sorted(part for part in folder.rglob("*") if part.is_file()):
            await _put(db, files, name, path.relative_to(folder).as_posix(), path)


async def _put(db: ServicePool, files: Files, bucket: str, key: str, path: Path) -> None:
    found = await db.one(
        "select version, metadata from storage.objects where bucket_id = %s and name = %s", [bucket, key]
    )
    stored = await files.write(_contents(path), sys.maxsize)
    if found and found["metadata"].get("eTag") == stored.etag and files.path(found["version"]).is_file():
        files.remove(stored.version)
        return
    mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    async with db.begin() as cursor:
        await cursor.execute(
            """
            insert into storage.objects (bucket_id, name, version, metadata) values (%s, %s, %s, %s)
            on conflict (bucket_id, name) do update
              set version = excluded.version, metadata = excluded.metadata, updated_at = now()
            """,
            [bucket, key, stored.version, json.dumps(object_metadata(stored, mime, "max-age=3600"))],
        )
    files.remove(found["version"] if found else None)


async def _contents(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            yield chunk


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "name": row["name"],
        "owner": row["owner_id"] or "",
        "public": row["public"],
        "type": "STANDARD",
        "file_size_limit": row["file_size_limit"],
        "allowed_mime_types": row["allowed_mime_types"],
        "created_at": row["created_at"].isoformat(),
        "updated_at": row["updated_at"].isoformat(),
    }
