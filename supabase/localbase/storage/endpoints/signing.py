"""Addresses that need no key for a while: a token names one object, one use and when it ends.

The token is an HS256 JWT of the project's secret with the claims `url` ("bucket/key"), `scope`, `iat` and `exp`; that
of an upload also has `owner` and `upsert`, that of an image its `transformations` (supabase/storage,
`src/internal/auth/jwt.ts`). Unlike upstream a token without a scope is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core.tokens import jwt
from localbase.storage import errors
from localbase.storage.bodies import read_object
from localbase.storage.context import Context
from localbase.storage.endpoints.download import find_signed, object_response
from localbase.storage.images.options import from_body
from localbase.storage.names import checked_bucket, place_in
from localbase.storage.rows import require_shown

Scope = Literal["download", "upload"]
# As far as a JavaScript client can count in milliseconds.
_LATEST = (2**53 - 1) // 1000
_MOST_PATHS = 1000
_EXPIRED = '"exp" claim timestamp check failed'


@dataclass(frozen=True, slots=True)
class UploadClaims:
    """The owner of an upload by a signed address, and whether it may replace an object."""

    owner: str | None
    upsert: bool


async def sign_object(context: Context, request: Request) -> Response:
    """POST /object/sign/{bucket}/{key}: an address for what the caller's policies show."""
    call = context.call(request)
    bucket, key = place_in(request)
    body = await read_object(request)
    seconds, transformation = _expiry(context, body), from_body(body.get("transform"))
    await require_shown(call.document, bucket, key)
    if transformation is None:
        return JSONResponse({"signedURL": _download_address(context, bucket, key, seconds)})
    claims = {"transformations": transformation.claim()}
    token = _sign(context, claims, f"{bucket}/{key}", "download", seconds)
    return JSONResponse({"signedURL": f"/render/image/sign/{quote(bucket)}/{quote(key)}?token={token}"})


async def sign_objects(context: Context, request: Request) -> Response:
    """POST /object/sign/{bucket}: addresses for several objects; those that are not there say so."""
    call = context.call(request)
    bucket, body = checked_bucket(request.path_params["bucket"]), await read_object(request)
    seconds, paths = _expiry(context, body), body.get("paths")
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        raise errors.invalid_request("body must have required property 'paths'")
    if len(paths) > _MOST_PATHS:
        raise errors.invalid_request(f"body/paths must NOT have more than {_MOST_PATHS} items")
    async with call.begin() as cursor:
        await cursor.execute(
            "select name from storage.objects where bucket_id = %s and name = any(%s)", [bucket, paths]
        )
        there = {row["name"] for row in await cursor.fetchall()}
    missing = "Either the object does not exist or you do not have access to it"
    return JSONResponse(
        [
            {
                "error": None if path in there else missing,
                "path": path,
                "signedURL": _download_address(context, bucket, path, seconds) if path in there else None,
            }
            for path in paths
        ]
    )


async def read_signed(context: Context, request: Request) -> Response:
    """GET, HEAD /object/sign/{bucket}/{key}?token=…: the object, to every holder of the address."""
    bucket, key = place_in(request)
    claims = read_token(context, token_in(request), f"{bucket}/{key}", "download")
    if "transformations" in claims:
        # It shows a copy, maybe a small one: the original is more than was signed.
        raise errors.invalid_signature("Token is signed for an image")
    return await object_response(context, request, find_signed, claims["exp"])


def token_in(request: Request) -> str:
    """The token in an address. Raises 400 for an address without one."""
    token = request.query_params.get("token")
    if not token:
        raise errors.invalid_request("querystring must have required property 'token'")
    return token


def read_token(context: Context, token: str, place: str, scope: Scope) -> dict[str, Any]:
    """The claims of a token. Raises 400 for one that is bad, for another use or for another object."""
    try:
        claims = jwt.verify(token, context.settings.keys.jwt_secret, context.clock())
    except jwt.TokenError as error:
        raise errors.invalid_token(
            _EXPIRED if error.kind == "expired" else "signature verification failed"
        ) from error
    if claims.get("scope") != scope or claims.get("exp") is None:
        raise errors.invalid_signature(f"Token is not scoped for {scope}")
    if claims["exp"] <= context.clock():
        # Both ends of it are this clock's: no leeway, as access tokens have it.
        raise errors.invalid_token(_EXPIRED)
    if claims.get("url") != place:
        raise errors.invalid_signature()
    return claims


def upload_token(context: Context, place: str, owner: str | None, *, upsert: bool) -> str:
    """A token that uploads `place` ("bucket/key")."""
    claims = {"owner": owner} if owner else {}
    seconds = int(context.settings.storage.signed_upload_expiry)
    return _sign(context, {**claims, "upsert": upsert}, place, "upload", seconds)


def read_upload_token(context: Context, token: str | None, place: str) -> UploadClaims:
    """Return what a token lets upload. Raises 400."""
    if not token:
        raise errors.invalid_signature("Missing x-signature header")
    claims = read_token(context, token, place, "upload")
    owner = claims.get("owner")
    return UploadClaims(owner if isinstance(owner, str) else None, claims.get("upsert") is True)


def _expiry(context: Context, body: dict[str, Any]) -> int:
    seconds = body.get("expiresIn")
    # The Python client sends text.
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdecimal() and len(seconds) < 20:
        seconds = int(seconds)
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        raise errors.invalid_request("body must have required property 'expiresIn'")
    if seconds < 1:
        raise errors.invalid_request("body/expiresIn must be >= 1")
    if seconds > _LATEST - context.clock():
        raise errors.StorageError(400, "InvalidParameter", "Invalid Parameter expiresIn")
    return seconds


def _download_address(context: Context, bucket: str, key: str, seconds: int) -> str:
    """Relative to /storage/v1, as the clients expect it."""
    token = _sign(context, {}, f"{bucket}/{key}", "download", seconds)
    return f"/object/sign/{quote(bucket)}/{quote(key)}?token={token}"


def _sign(context: Context, claims: dict[str, Any], place: str, scope: Scope, seconds: int) -> str:
    now = int(context.clock())
    # Last, so that nothing of a caller's stands in their place.
    fixed = {"url": place, "scope": scope, "iat": now, "exp": now + seconds}
    return jwt.sign({**claims, **fixed}, context.settings.keys.jwt_secret)
