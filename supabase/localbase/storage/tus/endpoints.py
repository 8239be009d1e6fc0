"""/upload/resumable: begin, continue, look, end. Below /sign a token in `x-signature` takes the place of policies."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import psycopg
from starlette.requests import Request
from starlette.responses import Response

from localbase.core.authenticator import caller_of
from localbase.storage.backend.disk import Busy
from localbase.storage.bodies import announced_size, metadata_object
from localbase.storage.conditions import http_date
from localbase.storage.context import Call, Context, call_of
from localbase.storage.endpoints.signing import read_upload_token
from localbase.storage.errors import StorageError, to_storage_error
from localbase.storage.tus import uploads
from localbase.storage.tus.protocol import (
    CONTENT_TYPE,
    EXPOSED,
    EXTENSIONS,
    NOT_FOUND,
    VERSION,
    TusError,
    UploadId,
    check_version,
    metadata_of,
    place_of,
    upload_id_of,
    whole_number,
)
from localbase.storage.tus.uploads import OpenUpload
from localbase.storage.writing import NewObject, check_limits, check_permission, require_bucket, size_limit

Endpoint = Callable[[Context, Request], Awaitable[Response]]


def as_tus(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with the protocol's headers on its responses and its form of errors."""

    async def tus_endpoint(context: Context, request: Request) -> Response:
        try:
            if request.method not in ("OPTIONS", "GET"):
                check_version(request)
            response = await endpoint(context, request)
        except TusError as error:
            response = error.response()
        except Busy:
            response = TusError(423, "The upload is being written by another request").response()
        except StorageError as error:
            response = TusError(error.status, error.message).response()
        except psycopg.Error as error:
            storage_error = to_storage_error(error)
            response = TusError(storage_error.status, storage_error.message).response()
        response.headers["tus-resumable"] = VERSION
        response.headers["access-control-expose-headers"] = EXPOSED
        return response

    return tus_endpoint


async def describe(context: Context, request: Request) -> Response:  # noqa: ARG001
    """OPTIONS: what is spoken here."""
    return Response(
        status_code=204,
        headers={
            "tus-version": VERSION,
            "tus-extension": EXTENSIONS,
            "tus-max-size": str(context.size_limit),
        },
    )


async def create_upload(context: Context, request: Request) -> Response:
    """POST: a new upload, and its first bytes where the request has a body."""
    length = whole_number(request, "upload-length")
    header = request.headers.get("upload-metadata", "")
    metadata = metadata_of(header)
    bucket, key = place_of(metadata)
    call, owner, upsert = _rights(context, request, f"{bucket}/{key}")
    seconds = metadata.get("cacheControl", "")
    new = NewObject(
        *(bucket, key, owner, metadata.get("contentType") or "application/octet-stream"),
        f"max-age={seconds}" if seconds.isascii() and seconds.isdecimal() else "no-cache",
        upsert,
        size=length,
        user_metadata=metadata_object(metadata.get("metadata", "").encode()),
    )
    row = await require_bucket(call, bucket)
    if length > size_limit(context, row, key):
        # in the protocol's own words (`@tus/server`, `ERRORS`)
        raise TusError(413, "Maximum size exceeded\n")
    check_limits(context, row, new)
    if not _is_signed(request):
        await check_permission(call, new)
    expiry = context.settings.storage.upload_expiry
    upload = await uploads.open_upload(call, str(uuid.uuid4()), new, header, expiry)
    headers = {"location": _address(request, upload.id), "upload-expires": http_date(upload.expires_at)}
    if length == 0:
        # There is nothing to wait for.
        await call.context.files.append(str(upload.version), 0, _chunks(request), 0, _ignore, _agree)
        await _finish(call, upload)
        headers["upload-offset"] = "0"
    elif request.headers.get("content-type") == CONTENT_TYPE:
        headers["upload-offset"] = str(await _receive(call, request, upload, 0))
    return Response(status_code=201, headers=headers)


async def resume(context: Context, request: Request) -> Response:
    """PATCH: more bytes, from where the last ones ended."""
    if request.headers.get("content-type") != CONTENT_TYPE:
        raise TusError(415, f"Content-Type must be {CONTENT_TYPE}")
    offset = whole_number(request, "upload-offset")
    call, upload = await _require(context, request)
    _require_offset(upload, offset)
    if not _is_signed(request):
        await check_permission(call, upload.as_object())
    headers = {"upload-expires": http_date(upload.expires_at)}
    return Response(
        status_code=204,
        headers={**headers, "upload-offset": str(await _receive(call, request, upload, offset))},
    )


async def look(context: Context, request: Request) -> Response:
    """HEAD: how far it is. Who knows the address may ask."""
    id = upload_id_of(request.path_params["id"])
    call = call_of(context, request, caller_of({}, "service_role"))
    async with call.begin_as_service() as cursor:
        upload = await uploads.find_upload(cursor, id)
        done = await uploads.find_result(cursor, id) if upload is None else None
    headers = {"cache-control": "no-store"}
    if upload is not None and upload.expired:
        raise TusError(410, "The file for this url has expired")
    if upload is not None and upload.received == upload.length:
        # A crash came between the last byte and the object. A request that is writing completes it by itself.
        with suppress(Busy):
            await _finish(call, upload)
    if upload is not None:
        headers |= {
            "upload-offset": str(upload.received),
            "upload-length": str(upload.length),
            "upload-metadata": str(upload.metadata["header"]),
            "upload-expires": http_date(upload.expires_at),
        }
    elif done is not None:
        size = str(done.size)
        headers |= {"upload-offset": size, "upload-length": size, "tus-complete": "1"}
    else:
        raise TusError(404, NOT_FOUND)
    return Response(status_code=200, headers=headers)


async def terminate(context: Context, request: Request) -> Response:
    """DELETE: ends an upload; what has come of it goes."""
    call, upload = await _require(context, request)
    if not _is_signed(request):
        await check_permission(call, upload.as_object())
    if not await uploads.end(call, upload):
        # Its last bytes have come meanwhile, or another request has ended it.
        raise TusError(404, NOT_FOUND)
    return Response(status_code=204)


async def _require(context: Context, request: Request) -> tuple[Call, OpenUpload]:
    """The caller's own upload. Raises 404, 410 for one whose time is over, 400 for one that is complete."""
    id = upload_id_of(request.path_params["id"])
    call, owner, _ = _rights(context, request, f"{id.bucket}/{id.key}")
    async with call.begin_as_service() as cursor:
        upload = await uploads.find_upload(cursor, id)
        done = await uploads.find_result(cursor, id) if upload is None else None
    if done is not None and done.owner_id == owner:
        raise TusError(400, "The upload is complete already")
    if upload is None or upload.owner_id != owner:
        raise TusError(404, NOT_FOUND)
    if upload.expired:
        raise TusError(410, "The file for this url has expired")
    return call, upload


def _require_offset(upload: OpenUpload, offset: int) -> None:
    if upload.received != offset:
        raise TusError(409, "Upload-Offset conflict", {"upload-offset": str(upload.received)})


def _rights(context: Context, request: Request, place: str) -> tuple[Call, str | None, bool]:
    """Return who calls, who will own the object, and whether it may replace another."""
    if not _is_signed(request):
        call = context.call(request)
        return call, call.owner, request.headers.get("x-upsert") == "true"
    claims = read_upload_token(context, request.headers.get("x-signature"), place)
    return call_of(context, request, caller_of({}, "service_role")), claims.owner, claims.upsert


def _is_signed(request: Request) -> bool:
    return request.url.path.partition("/upload/resumable")[2].startswith("/sign")


async def _receive(call: Call, request: Request, upload: OpenUpload, offset: int) -> int:
    """Takes the body's bytes, and makes the object when they were the last. How many bytes there are now."""
    announced = announced_size(request)
    if announced is not None and offset + announced > upload.length:
        raise TusError(413, "Upload's size exceeded")

    async def note(received: int) -> None:
        await uploads.note_received(call, upload, received)

    async def check() -> None:
        # Since the row was read, a request of before may have brought more.
        async with call.begin_as_service() as cursor:
            now = await uploads.find_upload(cursor, upload.id)
        if now is None:
            raise TusError(404, NOT_FOUND)
        _require_offset(now, offset)

    if offset == upload.length:
        # A crash came between the last byte and the object.
        await _finish(call, upload)
        return offset
    async with call.upload_slot():
        try:
            received = await call.context.files.append(
                str(upload.version), offset, _chunks(request), upload.length, note, check
            )
        except FileNotFoundError as error:
            # Either another request has all the bytes and completes them, or they are lost.
            await check()
            await uploads.forget(call, upload)
            raise TusError(404, NOT_FOUND) from error
    if received == upload.length:
        await _finish(call, upload)
    return received


async def _finish(call: Call, upload: OpenUpload) -> None:
    try:
        await uploads.finish(call, upload)
    except FileNotFoundError as error:
        # Another request has finished it, or it was ended.
        async with call.begin_as_service() as cursor:
            if await uploads.find_result(cursor, upload.id) is None:
                raise TusError(404, NOT_FOUND) from error


async def _ignore(received: int) -> None:
    """Of an upload without bytes there is nothing to note."""


async def _agree() -> None:
    """Nor can another request have been faster."""


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    async for chunk in request.stream():
        yield chunk


def _address(request: Request, id: UploadId) -> str:
    signed = "/sign" if _is_signed(request) else ""
    base = f"{request.url.scheme}://{request.url.netloc}{request.scope.get('root_path', '')}"
    return f"{base}/upload/resumable{signed}/{id.text()}"
