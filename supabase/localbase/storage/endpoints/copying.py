"""Copying and moving objects, within a bucket or to another."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.postgres.service_pool import Cursor
from localbase.storage import errors
from localbase.storage.bodies import read_object, user_metadata_of
from localbase.storage.context import Call, Context
from localbase.storage.names import checked_bucket, checked_key
from localbase.storage.rows import (
    StoredObject,
    find_object,
    iso_time,
    lock_object,
    require_object,
    require_shown,
)
from localbase.storage.writing import (
    NewObject,
    check_limits,
    check_permission,
    require_bucket,
    uuid_or_none,
    write_row,
)


async def copy_object(context: Context, request: Request) -> Response:
    """POST /object/copy: the caller must be allowed to read the source and to write the copy."""
    call = context.call(request)
    body = await read_object(request)
    source, target = _places(body)
    keeps = body.get("copyMetadata", True)
    if not isinstance(keeps, bool):
        raise errors.invalid_request("body/copyMetadata must be boolean")
    original = await require_shown(call.document, *source)
    metadata = {} if keeps else _file_metadata(body.get("metadata"))
    new = NewObject(
        *target,
        owner=call.owner,
        mime=metadata.get("mimetype", original.mime),
        cache_control=metadata.get("cacheControl", original.cache_control),
        upsert=request.headers.get("x-upsert") == "true",
        size=original.size,
        user_metadata=original.user_metadata
        if keeps
        else user_metadata_of(request.headers.get("x-metadata")),
        robots=original.metadata.get("xRobotsTag"),
    )
    written = await copy_to(call, original, new)
    return JSONResponse({**written.shown(), "Id": str(written.id), "Key": f"{new.bucket}/{new.key}"})


async def copy_to(call: Call, source: StoredObject, new: NewObject) -> StoredObject:
    """Copies `source` to `new`, with permission and within the limits of its bucket."""
    check_limits(call.context, await require_bucket(call, new.bucket), new)
    await check_permission(call, new)
    try:
        version = await call.context.files.copy(source.version)
    except (FileNotFoundError, ValueError) as error:
        raise errors.object_not_found() from error
    metadata = {
        **source.metadata,
        "mimetype": new.mime,
        "cacheControl": new.cache_control,
        "lastModified": iso_time(datetime.now(UTC)),
    }
    return await write_row(call, new, version, metadata)


async def move_object(context: Context, request: Request) -> Response:
    """POST /object/move: a new name for the same bytes. A name that is taken is 409."""
    call = context.call(request)
    source, target = _places(await read_object(request))
    bucket = await require_bucket(call, target[0])
    try:
        async with call.begin(rollback=True) as cursor:
            original = await require_object(cursor, *source)
            await _rename(cursor, source, target, call.owner, original.owner_id)
            if cursor.rowcount == 0:
                raise errors.object_not_found()
        check_limits(
            context,
            bucket,
            NewObject(*target, None, original.mime, original.cache_control, upsert=False, size=original.size),
        )
        async with call.begin_as_service() as cursor:
            for place in sorted({source, target}):
                await lock_object(cursor, *place)
            moved = await find_object(cursor, *source, for_update=True)
            if moved is None:
                raise errors.object_not_found()
            await _rename(cursor, source, target, call.owner, moved.owner_id)
    except psycopg.errors.UniqueViolation as error:
        raise errors.duplicate() from error
    return JSONResponse({"message": "Successfully moved"})


async def _rename(
    cursor: Cursor, source: tuple[str, str], target: tuple[str, str], owner: str | None, owned_by: str | None
) -> None:
    await cursor.execute(
        """
        update storage.objects set bucket_id = %s, name = %s, owner = %s, owner_id = %s
        where bucket_id = %s and name = %s
        """,
        [*target, uuid_or_none(owner or owned_by), owner or owned_by, *source],
    )


def _places(body: dict[str, Any]) -> tuple[tuple[str, str], tuple[str, str]]:
    for name in ("bucketId", "sourceKey", "destinationKey"):
        if not isinstance(body.get(name), str):
            raise errors.invalid_request(f"body must have required property '{name}'")
    target = body.get("destinationBucket") or body["bucketId"]
    if not isinstance(target, str):
        raise errors.invalid_request("body/destinationBucket must be string")
    source = (checked_bucket(body["bucketId"]), checked_key(body["sourceKey"]))
    return source, (checked_bucket(target), checked_key(body["destinationKey"]))


def _file_metadata(metadata: Any) -> dict[str, str]:
    if metadata is None:
        return {}
    names = ("cacheControl", "mimetype")
    if not isinstance(metadata, dict) or not all(isinstance(metadata.get(name, ""), str) for name in names):
        raise errors.invalid_request("body/metadata must be object")
    return {name: metadata[name] for name in names if name in metadata}
