"""Commands on multipart uploads. The caller's policies decide at the begin, at every part and at the end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from starlette.responses import Response

from localbase.storage import errors as storage_errors
from localbase.storage.aws import errors
from localbase.storage.aws.documents import read_document
from localbase.storage.backend.disk import StoredFile, join
from localbase.storage.names import checked_key
from localbase.storage.rows import iso_time
from localbase.storage.s3 import checksums, uploads
from localbase.storage.s3.objects import find_source, may_replace
from localbase.storage.s3.request import S3Request
from localbase.storage.s3.responses import xml_response
from localbase.storage.s3.uploads import Part, Upload
from localbase.storage.writing import (
    NewObject,
    check_limits,
    check_permission,
    complete,
    require_bucket,
    size_limit,
)

_MOST_PARTS = 10_000
_RANGE = re.compile(r"bytes=([0-9]{1,18})-([0-9]{1,18})")


async def create_multipart_upload(request: S3Request) -> Response:
    """CreateMultipartUpload."""
    metadata = {
        "mimetype": request.header("content-type") or "application/octet-stream",
        "cacheControl": request.header("cache-control") or "no-cache",
    }
    user_metadata = request.user_metadata()
    new = NewObject(
        bucket=request.bucket,
        key=checked_key(request.key),
        owner=request.call.owner,
        mime=metadata["mimetype"],
        cache_control=metadata["cacheControl"],
        upsert=True,
        user_metadata=user_metadata,
    )
    check_limits(request.call.context, await require_bucket(request.call, request.bucket), new)
    await check_permission(request.call, new)
    identity = await uploads.create_upload(request.call, new.bucket, new.key, metadata, user_metadata)
    return xml_response(
        "InitiateMultipartUploadResult", {"Bucket": new.bucket, "Key": new.key, "UploadId": identity}
    )


async def upload_part(request: S3Request) -> Response:
    """UploadPart."""
    plan = request.plan()
    if plan.length is None:
        raise errors.missing_content_length()
    place = await _place_of_part(request, plan.length)
    stored = await _store_part(request, place, request.body(plan))
    return Response(headers={"etag": stored.etag})


async def upload_part_copy(request: S3Request) -> Response:
    """UploadPartCopy: a part of bytes that another object has."""
    source = await find_source(request)
    size = await request.call.context.files.size(source.version)
    if size is None:
        raise storage_errors.object_not_found()
    start, length = _copied_range(request, size)
    place = await _place_of_part(request, length)
    stored = await _store_part(request, place, request.call.context.files.read(source.version, start, length))
    async with request.call.begin_as_service() as cursor:
        [part] = await uploads.list_parts(cursor, place.upload.id, after=place.number - 1, limit=1)
    return xml_response("CopyPartResult", {"ETag": stored.etag, "LastModified": iso_time(part.created_at)})


async def complete_multipart_upload(request: S3Request) -> Response:
    """CompleteMultipartUpload: the parts that the body names, or all, become the object."""
    document = await request.document(of_object=True)
    upsert = may_replace(request)
    async with request.call.begin_as_service() as cursor:
        # Locked, so that its parts do not go between these two.
        upload = await uploads.upload_of(request, cursor, lock=True)
        stored_parts = await uploads.list_parts(cursor, upload.id)
    parts = await _named_parts(document, stored_parts, upload.id)
    new = replace(_as_object(request, upload, sum(part.size for part in parts)), upsert=upsert)
    check_limits(request.call.context, await require_bucket(request.call, upload.bucket), new)
    try:
        await check_permission(request.call, new)
        stored = await _join(request, parts)
        written = await complete(request.call, new, stored)
    except storage_errors.StorageError as error:
        raise (error if upsert or error.status != 409 else errors.precondition_failed()) from error
    await uploads.end_upload(request.call, upload)
    return xml_response(
        "CompleteMultipartUploadResult",
        {
            "Location": f"{upload.bucket}/{upload.key}",
            "Bucket": upload.bucket,
            "Key": upload.key,
            "ETag": written.etag,
        },
    )


async def abort_multipart_upload(request: S3Request) -> Response:
    """AbortMultipartUpload. Upstream answers 200; S3 and its clients have 204."""
    async with request.call.begin_as_service() as cursor:
        upload = await uploads.upload_of(request, cursor)
    await check_permission(request.call, _as_object(request, upload, None))
    await uploads.end_upload(request.call, upload)
    return Response(status_code=204)


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a part, and the number of bytes that it may have."""

    upload: Upload
    number: int
    limit: int
    room: int


async def _place_of_part(request: S3Request, size: int) -> _Place:
    """Checks room and permission before a byte is read. Raises 400, 403, 404 and 413."""
    number = request.number("partNumber", 1, _MOST_PARTS + 1)
    if number is None or number > _MOST_PARTS:
        raise errors.invalid_parameter("partNumber")
    bucket = await require_bucket(request.call, request.bucket)
    limit = size_limit(request.call.context, bucket, request.key)
    async with request.call.begin_as_service() as cursor:
        upload = await uploads.upload_of(request, cursor)
        room = await uploads.check_room(cursor, upload, number, size, limit)
    # Policies that bound an object's length see that of all parts so far.
    await check_permission(request.call, _as_object(request, upload, limit - room + size))
    return _Place(upload, number, limit, room)


async def _store_part(request: S3Request, place: _Place, chunks: AsyncIterator[bytes]) -> StoredFile:
    call = request.call
    async with call.upload_slot():
        try:
            stored = await call.context.files.write(chunks, place.room)
        except FileNotFoundError as error:
            # The source of a copy has gone meanwhile.
            raise storage_errors.object_not_found() from error
    await uploads.save_part(call, place.upload, place.number, stored, place.limit)
    return stored


def _copied_range(request: S3Request, size: int) -> tuple[int, int]:
    """First byte and length of `x-amz-copy-source-range`; all of it without one. Raises 400 for what is not there."""
    range_header = request.header("x-amz-copy-source-range")
    if range_header is None:
        return 0, size
    match = _RANGE.fullmatch(range_header)
    if match is None or not int(match[1]) <= int(match[2]) < size:
        raise errors.invalid_range()
    return int(match[1]), int(match[2]) - int(match[1]) + 1


def _as_object(request: S3Request, upload: Upload, size: int | None) -> NewObject:
    """The object that the upload is to become, as policies see it."""
    return NewObject(
        *(upload.bucket, upload.key, request.call.owner, upload.mime, upload.cache_control, True),
        size=size,
        user_metadata=upload.user_metadata,
    )


async def _named_parts(document: bytes, stored: list[Part], upload: str) -> list[Part]:
    """The parts that the body names, checked against those that are stored; all of these for an empty body."""
    everything = [{"PartNumber": str(part.number), "ETag": part.etag} for part in stored]
    records: list[dict[str, str]] = []
    if document:
        records = (await read_document(document, "CompleteMultipartUpload", "Part", _MOST_PARTS)).records
    by_number = {part.number: part for part in stored}
    parts: list[Part] = []
    for record in records or everything:
        text = record.get("PartNumber", "").strip()
        if not text.isascii() or not text.isdecimal() or len(text) > 5 or "ETag" not in record:
            raise errors.malformed_xml("A part needs PartNumber and ETag")
        number = int(text)
        if parts and number <= parts[-1].number:
            raise errors.invalid_part_order()
        part = by_number.get(number)
        if part is None:
            raise errors.missing_part(number, upload)
        if part.etag.strip('"') != record["ETag"].strip().strip('"'):
            raise errors.invalid_part(number)
        parts.append(part)
    if not parts:
        raise errors.malformed_xml("There are no parts")
    return parts


async def _join(request: S3Request, parts: list[Part]) -> StoredFile:
    """The parts' bytes as one version. Raises 404 if the upload has ended meanwhile, 400 for another checksum."""
    files = request.call.context.files
    try:
        for name, create in checksums.ALGORITHMS.items():
            expected = request.header(name)
            # One with a hyphen is of the parts' checksums, not of the object's bytes.
            if expected is None or "-" in expected:
                continue
            checksum = create()
            for part in parts:
                async for chunk in files.read(part.version):
                    checksum.update(chunk)
            if checksums.decoded(expected, len(checksum.digest())) != checksum.digest():
                raise errors.bad_digest(name)
        return await join(files, [part.version for part in parts])
    except FileNotFoundError as error:
        raise errors.no_such_upload() from error
