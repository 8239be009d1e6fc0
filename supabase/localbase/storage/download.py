"""Reading objects: public ones without a token, others under the caller's policies. Ranges and conditions: RFC 9110."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from localbase.storage import errors
from localbase.storage.context import Context, bucket_row, object_key

_COLUMNS = "select version, metadata, name from storage.objects where bucket_id = %s and name = %s"


async def read_public(context: Context, request: Request) -> Response:
    """GET, HEAD /object/public/{bucket}/{key}: no key, no token."""
    bucket, key = request.path_params["bucket"], object_key(request)
    async with context.db.begin() as cursor:
        if not (await bucket_row(cursor, bucket))["public"]:
            raise errors.bucket_not_found()
        await cursor.execute(_COLUMNS.encode(), [bucket, key])
        found = await cursor.fetchone()
    return file_response(context, request, found)


async def read_authenticated(context: Context, request: Request) -> Response:
    """GET, HEAD /object/{bucket}/{key} and /object/authenticated/…: what the caller's policies show."""
    caller = context.caller(request)
    bucket, key = request.path_params["bucket"], object_key(request)
    async with context.begin(caller) as cursor:
        await cursor.execute(_COLUMNS.encode(), [bucket, key])
        found = await cursor.fetchone()
    return file_response(context, request, found)


def file_response(context: Context, request: Request, found: dict[str, Any] | None) -> Response:
    """The object of this row (version, metadata, name), or 304. Raises 404 without one."""
    if found is None:
        raise errors.object_not_found()
    path = context.files.path(found["version"])
    if not path.is_file():
        raise errors.object_not_found()
    metadata = found["metadata"] or {}
    headers = {"cache-control": metadata.get("cacheControl", "no-cache"), "etag": metadata.get("eTag", "")}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if "download" in request.query_params:
        name = request.query_params["download"] or found["name"].rsplit("/", 1)[-1]
        headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    # What a visitor uploaded must not run as a page of this origin.
    headers["x-content-type-options"] = "nosniff"
    headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return FileResponse(
        path, media_type=metadata.get("mimetype", "application/octet-stream"), headers=headers
    )
