"""Uploads: POST for a new object, PUT or `x-upsert: true` also in place of an older one, and by a signed address."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core.authenticator import caller_of
from localbase.storage.bodies import incoming_file, user_metadata_of
from localbase.storage.context import Call, Context, call_of
from localbase.storage.names import checked_bucket, checked_key
from localbase.storage.robots import checked_robots
from localbase.storage.rows import StoredObject
from localbase.storage.signing import read_upload_token, token_in, upload_token
from localbase.storage.uploader import (
    NewObject,
    check_limits,
    check_permission,
    require_bucket,
    store,
)


async def upload(context: Context, request: Request) -> Response:
    """POST and PUT /object/{bucket}/{key}."""
    call = context.call(request)
    upsert = request.method == "PUT" or request.headers.get("x-upsert") == "true"
    written = await _receive(call, request, call.owner, upsert=upsert, permitted=False)
    return JSONResponse({"Id": str(written.id), "Key": _path(request)})


async def sign_upload(context: Context, request: Request) -> Response:
    """POST /object/upload/sign/{bucket}/{key}: an address for one upload that the caller may make."""
    call = context.call(request)
    bucket, key = checked_bucket(request.path_params["bucket"]), checked_key(request.path_params["key"])
    upsert = request.headers.get("x-upsert") == "true"
    await require_bucket(call, bucket)
    await check_permission(
        call,
        NewObject(
            *(bucket, key, call.owner, request.headers.get("content-type", ""), "no-cache", upsert),
            user_metadata=user_metadata_of(request.headers.get("x-metadata")),
        ),
    )
    token = upload_token(context, f"{bucket}/{key}", call.owner, upsert=upsert)
    return JSONResponse({"url": f"/object/upload/sign/{bucket}/{key}?token={token}", "token": token})


async def upload_signed(context: Context, request: Request) -> Response:
    """PUT /object/upload/sign/{bucket}/{key}?token=…: no other permission is needed than the token."""
    claims = read_upload_token(context, token_in(request), _path(request))
    service = call_of(context, request, caller_of({}, "service_role"))
    await _receive(service, request, claims.owner, upsert=claims.upsert, permitted=True)
    return JSONResponse({"Key": _path(request)})


async def _receive(
    call: Call, request: Request, owner: str | None, *, upsert: bool, permitted: bool
) -> StoredObject:
    """Name, bucket, size and type; then permission; then bytes; then the row."""
    bucket = checked_bucket(request.path_params["bucket"])
    key = checked_key(request.path_params["key"])
    robots = checked_robots(request.headers.get("x-robots-tag"))
    row = await require_bucket(call, bucket)
    file = await incoming_file(request)
    is_form = request.headers.get("content-type", "").lower().startswith("multipart/form-data")
    new = NewObject(
        *(bucket, key, owner, file.mime, file.cache_control, upsert),
        # A form is longer than its file: its own length is no reason to refuse.
        size=None if is_form else file.size,
        user_metadata=file.user_metadata,
        robots=robots,
    )
    limit = check_limits(call.context, row, new)
    if not permitted:
        await check_permission(call, new)
    return await store(call, new, file.chunks, limit)


def _path(request: Request) -> str:
    return f"{request.path_params['bucket']}/{request.path_params['key']}"
