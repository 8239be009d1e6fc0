"""Removing objects, under the caller's policies: first the row, then the bytes."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.storage import errors
from localbase.storage.bodies import read_object
from localbase.storage.context import Call, Context
from localbase.storage.names import checked_bucket, place_in
from localbase.storage.rows import OBJECT_COLUMNS, StoredObject, object_of

_MOST = 1000
_DELETE = f"delete from storage.objects where bucket_id = %s and name = any(%s) returning {OBJECT_COLUMNS}"  # noqa: S608


async def remove_objects(context: Context, request: Request) -> Response:
    """DELETE /object/{bucket}: every name in `prefixes`; answers those that went."""
    call = context.call(request)
    bucket, body = checked_bucket(request.path_params["bucket"]), await read_object(request)
    names = _names(body.get("prefixes"))
    return JSONResponse([gone.shown() for gone in await remove(call, bucket, names)])


async def remove_object(context: Context, request: Request) -> Response:
    """DELETE /object/{bucket}/{key}."""
    call = context.call(request)
    bucket, key = place_in(request)
    if not await remove(call, bucket, [key]):
        raise errors.object_not_found()
    return JSONResponse({"message": "Successfully deleted"})


async def remove(call: Call, bucket: str, names: list[str]) -> list[StoredObject]:
    """Removes the objects that the caller's policies let go; answers them."""
    async with call.begin(deletes=True) as cursor:
        await cursor.execute(_DELETE.encode(), [bucket, names])
        gone = [object_of(row) for row in await cursor.fetchall()]
    for each in gone:
        await call.context.files.remove(each.version)
    return gone


def _names(prefixes: Any) -> list[str]:
    if not isinstance(prefixes, list) or not all(isinstance(name, str) for name in prefixes):
        raise errors.invalid_request("body must have required property 'prefixes'")
    if not prefixes:
        raise errors.invalid_request("body/prefixes must NOT have fewer than 1 items")
    if len(prefixes) > _MOST:
        raise errors.StorageError(
            400, "InvalidRequest", f"Bulk object requests are limited to {_MOST} objects per request."
        )
    return prefixes
