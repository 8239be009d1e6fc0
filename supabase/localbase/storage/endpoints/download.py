"""Reading objects, their bytes or what is known of them: public ones without a token, others under policies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.storage import errors
from localbase.storage.conditions import Span, Unsatisfiable, has_changed, http_date, is_unchanged, span_of
from localbase.storage.context import Context
from localbase.storage.names import place_in
from localbase.storage.reading import VersionBytes, version_bytes, with_bytes
from localbase.storage.rows import StoredObject, find_in_public, iso_time, require_shown

# What a visitor uploaded must not run as a page of this origin.
_CONTAINED = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

Find = Callable[[Context, Request], Awaitable[StoredObject]]


async def read_public(context: Context, request: Request) -> Response:
    """GET, HEAD /object/public/{bucket}/{key}: no key, no token."""
    return await object_response(context, request, find_public)


async def read_authenticated(context: Context, request: Request) -> Response:
    """GET, HEAD /object/authenticated/{bucket}/{key}: what the caller's policies show."""
    context.call(request)
    return await object_response(context, request, find_readable)


async def read_any(context: Context, request: Request) -> Response:
    """GET, HEAD /object/{bucket}/{key}: the same, and what lies in a public bucket for all."""
    return await object_response(context, request, find_readable)


async def read_public_info(context: Context, request: Request) -> Response:
    """GET /object/info/public/{bucket}/{key}."""
    return _info(await find_public(context, request))


async def read_info(context: Context, request: Request) -> Response:
    """GET /object/info/{bucket}/{key}, /object/info/authenticated/…: the object without its bytes."""
    return _info(await find_readable(context, request))


async def find_public(context: Context, request: Request) -> StoredObject:
    """The object of a public bucket that the path names. Raises 404."""
    stored = await find_in_public(context.db, *place_in(request))
    if stored is None:
        raise errors.bucket_not_found()
    return stored


async def find_readable(context: Context, request: Request) -> StoredObject:
    """The object that the path names, if the bucket is public or the caller's policies show it. Raises 404."""
    bucket, key = place_in(request)
    call = context.call_or_none(request)
    stored = await find_in_public(context.db, bucket, key)
    if stored is not None:
        return stored
    if call is None:
        if request.headers.get("authorization"):
            # A bad token is a better reason than a bucket that seems not to be there.
            context.call(request)
        raise errors.bucket_not_found()
    return await require_shown(call.document, bucket, key)


async def find_signed(context: Context, request: Request) -> StoredObject:
    """The object that the path names, which the address's token shows. Raises 404."""
    return await require_shown(context.db.document, *place_in(request))


async def object_response(
    context: Context, request: Request, find: Find, expires: float | None = None
) -> Response:
    """The bytes of the object that `find` finds, or a range of them; 304, 412 or 416 where conditions say so.

    `expires` is the end of a signed address, in seconds since 1970.
    """
    return await with_bytes(partial(find, context, request), partial(_response, context, request, expires))


async def _response(
    context: Context, request: Request, expires: float | None, stored: StoredObject
) -> Response:
    async with version_bytes(context.files, stored.version) as found:
        return await _response_of(request, expires, stored, found)


async def _response_of(
    request: Request, expires: float | None, stored: StoredObject, found: VersionBytes
) -> Response:
    headers = shown_headers(stored, expires) | disposition(request)
    if has_changed(request.headers, stored.etag, stored.updated_at):
        return Response(status_code=412, headers={"etag": stored.etag})
    if is_unchanged(request.headers, stored.etag, stored.updated_at):
        return Response(status_code=304, headers=unchanged_headers(headers))
    try:
        span = span_of(request.headers, found.size, stored.etag)
    except Unsatisfiable:
        return Response(status_code=416, headers={"content-range": f"bytes */{found.size}"})
    if span is not None:
        headers["content-range"] = f"bytes {span.start}-{span.start + span.length - 1}/{found.size}"
    headers["content-length"] = str(span.length if span else found.size)
    status = 206 if span else 200
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers)
    return await found.response(span or Span(0, found.size), status, headers)


def object_headers(stored: StoredObject) -> dict[str, str]:
    """The headers that go with the object's bytes."""
    headers = {
        "content-type": stored.mime,
        "etag": stored.etag,
        "cache-control": stored.cache_control,
        "accept-ranges": "bytes",
        "x-robots-tag": str(stored.metadata.get("xRobotsTag") or "none"),
        **_CONTAINED,
    }
    if stored.updated_at is not None:
        headers["last-modified"] = http_date(stored.updated_at)
    return headers


def shown_headers(stored: StoredObject, expires: float | None) -> dict[str, str]:
    """Those of the Storage API, where S3 shows an object as it is (`src/storage/renderer/renderer.ts`)."""
    headers = object_headers(stored)
    if "text/html" in stored.mime:
        headers["content-type"] = "text/plain"
    if expires is not None:
        # As long as the address holds, whatever the object says.
        del headers["cache-control"]
        headers["expires"] = http_date(datetime.fromtimestamp(expires, UTC))
    return headers


def disposition(request: Request) -> dict[str, str]:
    """`Content-Disposition` by `?download`, which names the file or is empty, with the `filename=` of older clients."""
    name = request.query_params.get("download")
    if name is None:
        return {}
    if not name:
        return {"content-disposition": "attachment;"}
    name = quote(name, safe="!~*'()")
    return {"content-disposition": f"attachment; filename={name}; filename*=UTF-8''{name}"}


def unchanged_headers(headers: dict[str, str]) -> dict[str, str]:
    """Those of a response that go with 304 too (RFC 9110, 15.4.5)."""
    names = ("etag", "cache-control", "expires", "last-modified", "vary")
    return {name: headers[name] for name in names if name in headers}


def _info(stored: StoredObject) -> Response:
    return JSONResponse(
        {
            "id": str(stored.id),
            "name": stored.name,
            "version": stored.version,
            "bucket_id": stored.bucket_id,
            "size": stored.size,
            "content_type": stored.metadata.get("mimetype"),
            "cache_control": stored.metadata.get("cacheControl"),
            "etag": stored.metadata.get("eTag"),
            "metadata": stored.user_metadata,
            "last_modified": iso_time(stored.updated_at),
            "created_at": iso_time(stored.created_at),
        },
        headers={"etag": stored.etag},
    )
