"""Commands on objects: reading, writing, copying and removing them."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from urllib.parse import unquote_to_bytes

from starlette.responses import Response

from localbase.storage import errors as storage_errors
from localbase.storage.aws import errors
from localbase.storage.aws.documents import read_document
from localbase.storage.conditions import Span, Unsatisfiable, has_changed, http_date, is_unchanged, span_of
from localbase.storage.endpoints.copying import copy_to
from localbase.storage.endpoints.download import object_headers
from localbase.storage.names import checked_key
from localbase.storage.reading import version_bytes, with_bytes
from localbase.storage.removal import remove
from localbase.storage.rows import (
    StoredObject,
    find_bucket,
    find_object,
    iso_time,
    require_shown,
)
from localbase.storage.s3.request import S3Request
from localbase.storage.s3.responses import is_header_value, metadata_headers, xml_response
from localbase.storage.writing import NewObject, check_limits, check_permission, require_bucket, store

_MOST_DELETED = 1000
_OVERRIDES = (
    *("content-type", "content-disposition", "cache-control", "content-encoding", "content-language"),
    "expires",
)
_DEFAULT_MIME = "application/octet-stream"


async def get_object(request: S3Request) -> Response:
    """GetObject: the bytes or a range of them."""

    async def respond(stored: StoredObject) -> Response:
        async with version_bytes(request.call.context.files, stored.version) as found:
            described, span = _described(request, stored, found.size)
            if described.status_code == 304:
                return described
            return await found.response(span, described.status_code, described.headers)

    return await with_bytes(partial(_find, request), respond)


async def head_object(request: S3Request) -> Response:
    """HeadObject: what GetObject would answer, without the bytes."""

    async def respond(stored: StoredObject) -> Response:
        async with version_bytes(request.call.context.files, stored.version) as found:
            return _described(request, stored, found.size)[0]

    return await with_bytes(partial(_find, request), respond)


async def get_object_tagging(request: S3Request) -> Response:
    """GetObjectTagging: objects have no tags."""
    await _find(request)
    return xml_response("Tagging", {"TagSet": {}})


async def put_object(request: S3Request) -> Response:
    """PutObject. `If-None-Match: *` writes only where there is none."""
    plan = request.plan()
    # A folder, as the dashboard shows one that is empty.
    name = request.key + ".emptyFolderPlaceholder" if _is_folder(request.key, plan.length) else request.key
    new = NewObject(
        bucket=request.bucket,
        key=checked_key(name),
        owner=request.call.owner,
        mime=request.header("content-type") or _DEFAULT_MIME,
        cache_control=request.header("cache-control") or "no-cache",
        upsert=may_replace(request),
        size=plan.length,
        user_metadata=request.user_metadata(),
    )
    limit = check_limits(request.call.context, await require_bucket(request.call, request.bucket), new)
    try:
        await check_permission(request.call, new)
        written = await store(request.call, new, request.body(plan), limit)
    except storage_errors.StorageError as error:
        raise _unmet(error, new) from error
    return Response(headers={"etag": written.etag})


async def delete_object(request: S3Request) -> Response:
    """DeleteObject: 204 also for an object that is not there."""
    if not await remove(request.call, request.bucket, [request.key]):
        async with request.call.begin_as_service() as cursor:
            await find_bucket(cursor, request.bucket)
            if await find_object(cursor, request.bucket, request.key) is not None:
                raise errors.access_denied()
    return Response(status_code=204)


async def delete_objects(request: S3Request) -> Response:
    """DeleteObjects: what the caller's policies let go or was not there is deleted, the rest are errors."""
    document = await read_document(await request.document(), "Delete", "Object", _MOST_DELETED)
    names = [record["Key"] for record in document.records if "Key" in record]
    if not names or len(names) < len(document.records):
        raise errors.malformed_xml("An object has no Key" if document.records else "There is no object")
    async with request.call.begin_as_service() as cursor:
        await find_bucket(cursor, request.bucket)
    gone = {each.name for each in await remove(request.call, request.bucket, names)}
    async with request.call.begin_as_service() as cursor:
        await cursor.execute(
            "select name from storage.objects where bucket_id = %s and name = any(%s)",
            [request.bucket, [name for name in names if name not in gone]],
        )
        denied = {row["name"] for row in await cursor.fetchall()}
    quiet = document.fields.get("Quiet", "").strip().lower() == "true"
    deleted = [{"Key": name} for name in names if name not in denied and not quiet]
    failed = [
        {"Key": name, "Code": "AccessDenied", "Message": "Access Denied"} for name in names if name in denied
    ]
    return xml_response("DeleteResult", {"Deleted": deleted, "Error": failed})


async def copy_object(request: S3Request) -> Response:
    """CopyObject: the caller must be allowed to read the source and to write the copy."""
    source = await find_source(request)
    directive = (request.header("x-amz-metadata-directive") or "COPY").upper()
    if directive not in ("COPY", "REPLACE"):
        raise errors.invalid_parameter("x-amz-metadata-directive")
    copies = directive == "COPY"
    new = NewObject(
        bucket=request.bucket,
        key=checked_key(request.key),
        owner=request.call.owner,
        mime=source.mime if copies else request.header("content-type") or _DEFAULT_MIME,
        cache_control=source.cache_control if copies else request.header("cache-control") or "no-cache",
        upsert=may_replace(request),
        size=source.size,
        user_metadata=source.user_metadata if copies else request.user_metadata(),
        robots=source.metadata.get("xRobotsTag"),
    )
    try:
        written = await copy_to(request.call, source, new)
    except storage_errors.StorageError as error:
        raise _unmet(error, new) from error
    modified = iso_time(written.updated_at or datetime.now(UTC))
    return xml_response("CopyObjectResult", {"ETag": written.etag, "LastModified": modified})


async def find_source(request: S3Request) -> StoredObject:
    """The object of `x-amz-copy-source`, if its conditions hold. Raises 404 and 412."""
    copy_source = (request.header("x-amz-copy-source") or "").partition("?")[0]
    try:
        source = unquote_to_bytes(copy_source).decode().removeprefix("/")
    except UnicodeDecodeError as error:
        raise errors.invalid_parameter("CopySource") from error
    bucket, _, key = source.partition("/")
    if not bucket or not key:
        raise errors.missing_parameter("CopySource")
    if "versionId" in (request.header("x-amz-copy-source") or ""):
        raise errors.not_implemented("versionId")
    source_object = await require_shown(request.call.document, bucket, key)
    conditions = request.conditions("x-amz-copy-source-")
    if has_changed(conditions, source_object.etag, source_object.updated_at) or is_unchanged(
        conditions, source_object.etag, source_object.updated_at
    ):
        raise errors.precondition_failed()
    return source_object


def may_replace(request: S3Request) -> bool:
    """Tell whether an object of this name may be replaced. Raises 501 for conditions that are not served."""
    if request.header("if-match") is not None:
        raise errors.not_implemented("If-Match")
    condition = request.header("if-none-match")
    if condition not in (None, "*"):
        raise errors.not_implemented("If-None-Match")
    return condition is None


def _unmet(
    error: storage_errors.StorageError, new: NewObject
) -> storage_errors.StorageError | errors.S3Error:
    """`If-None-Match: *` where there is one already."""
    return error if new.upsert or error.status != 409 else errors.precondition_failed()


async def _find(request: S3Request) -> StoredObject:
    return await require_shown(request.call.document, request.bucket, request.key)


def _described(request: S3Request, stored: StoredObject, size: int) -> tuple[Response, Span]:
    """The response without its body, and which bytes it speaks of. Raises 412 and 416."""
    conditions = request.conditions()
    headers = object_headers(stored) | metadata_headers(stored.user_metadata) | _overrides(request)
    if has_changed(conditions, stored.etag, stored.updated_at):
        raise errors.precondition_failed()
    if is_unchanged(conditions, stored.etag, stored.updated_at):
        return Response(status_code=304, headers=headers), Span(0, 0)
    try:
        span = span_of(conditions, size, stored.etag)
    except Unsatisfiable as error:
        raise errors.range_not_satisfiable(size) from error
    if span is not None:
        headers["content-range"] = f"bytes {span.start}-{span.start + span.length - 1}/{size}"
    response = Response(status_code=206 if span else 200)
    response.headers.update({**headers, "content-length": str(span.length if span else size)})
    return response, span or Span(0, size)


def _overrides(request: S3Request) -> dict[str, str]:
    """`response-content-type` and its like: they are signed, so the address's maker has chosen them."""
    overrides: dict[str, str] = {}
    for name in _OVERRIDES:
        value = request.parameters.get(f"response-{name}")
        if not value or not is_header_value(value):
            continue
        overrides[name] = _as_date(value) if name == "expires" else value
    return overrides


def _as_date(text: str) -> str:
    """An HTTP date, from one or from ISO 8601. Raises 400 for a text that is neither."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError as error:
            raise errors.invalid_parameter("response-expires") from error
    return http_date(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _is_folder(key: str, length: int | None) -> bool:
    return key.endswith("/") and length == 0
