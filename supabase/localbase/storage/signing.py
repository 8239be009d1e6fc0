"""Addresses that need no key for a while: a token names one object and when it ends.

The token is an HS256 JWT of the project's secret with the claims `url` ("bucket/key"), `iat` and `exp`
(supabase/storage, `src/http/routes/object/getSignedURL.ts`).
"""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core import jwt
from localbase.core.json_text import read_json
from localbase.storage import errors
from localbase.storage.context import Context, object_key
from localbase.storage.download import file_response

_EXISTS = b"select name from storage.objects where bucket_id = %s and name = %s"
_WHICH_EXIST = b"select name from storage.objects where bucket_id = %s and name = any(%s)"
_COLUMNS = b"select version, metadata, name from storage.objects where bucket_id = %s and name = %s"


async def sign_object(context: Context, request: Request) -> Response:
    """POST /object/sign/{bucket}/{key}: an address for what the caller's policies show."""
    caller = context.caller(request)
    bucket, key = request.path_params["bucket"], object_key(request)
    seconds = _expiry(await _body(request))
    async with context.begin(caller) as cursor:
        await cursor.execute(_EXISTS, [bucket, key])
        if await cursor.fetchone() is None:
            raise errors.object_not_found()
    return JSONResponse({"signedURL": _address(context, bucket, key, seconds)})


async def sign_objects(context: Context, request: Request) -> Response:
    """POST /object/sign/{bucket}: addresses for several objects; those that are not there say so."""
    caller = context.caller(request)
    bucket, body = request.path_params["bucket"], await _body(request)
    seconds, paths = _expiry(body), body.get("paths")
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise errors.StorageError(400, "Error", "body must have required property 'paths'")
    async with context.begin(caller) as cursor:
        await cursor.execute(_WHICH_EXIST, [bucket, paths])
        there = {row["name"] for row in await cursor.fetchall()}
    missing = "Either the object does not exist or you do not have access to it"
    return JSONResponse(
        [
            {
                "error": None if path in there else missing,
                "path": path,
                "signedURL": _address(context, bucket, path, seconds) if path in there else None,
            }
            for path in paths
        ]
    )


async def read_signed(context: Context, request: Request) -> Response:
    """GET, HEAD /object/sign/{bucket}/{key}?token=…: the object, to every holder of the address."""
    bucket, key = request.path_params["bucket"], object_key(request)
    token = request.query_params.get("token")
    if not token:
        raise errors.StorageError(400, "Error", "querystring must have required property 'token'")
    try:
        claims = jwt.verify(token, context.settings.keys.jwt_secret, time.time())
    except jwt.TokenError as error:
        message = (
            '"exp" claim timestamp check failed'
            if error.kind == "expired"
            else "signature verification failed"
        )
        raise errors.StorageError(400, "InvalidJWT", message) from error
    if claims.get("url") != f"{bucket}/{key}":
        raise errors.StorageError(400, "InvalidSignature", "Invalid signature")
    async with context.db.begin() as cursor:
        await cursor.execute(_COLUMNS, [bucket, key])
        found = await cursor.fetchone()
    return file_response(context, request, found)


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = read_json(await request.body())
    except ValueError as error:
        raise errors.StorageError(400, "Error", "Body is not valid JSON") from error
    if not isinstance(body, dict):
        raise errors.StorageError(400, "Error", "body must be object")
    return body


def _expiry(body: dict[str, Any]) -> int:
    seconds = body.get("expiresIn")
    # The Python client sends text.
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdecimal() and len(seconds) < 12:
        seconds = int(seconds)
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        raise errors.StorageError(400, "Error", "body must have required property 'expiresIn'")
    if seconds < 1:
        raise errors.StorageError(400, "Error", "body/expiresIn must be >= 1")
    return seconds


def _address(context: Context, bucket: str, key: str, seconds: int) -> str:
    """Relative to /storage/v1, as the clients expect it."""
    now = int(time.time())
    token = jwt.sign(
        {"url": f"{bucket}/{key}", "iat": now, "exp": now + seconds}, context.settings.keys.jwt_secret
    )
    return f"/object/sign/{quote(bucket)}/{quote(key)}?token={token}"
