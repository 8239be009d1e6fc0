"""Uploads: POST for a new object, PUT or `x-upsert: true` also in place of an older one, and by a signed address."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core.authenticator import caller_of
from localbase.storage.bodies import incoming_file, user_metadata_of
from localbase.storage.context import Call, Context, call_of
from localbase.storage.endpoints.signing import read_upload_token, token_in, upload_token
from localbase.storage.errors import StorageError
from localbase.storage.names import place_in
from localbase.storage.rows import StoredObject
from localbase.storage.writing import NewObject, check_limits, check_permission, require_bucket, store

_ROBOTS_RULES = frozenset(
    ("all", "noindex", "nofollow", "none", "nosnippet", "indexifembedded", "notranslate", "noimageindex")
)
_ROBOTS_LIMIT = re.compile(r"-1|\d{1,9}", re.ASCII)
_ROBOTS_AGENT = re.compile(r"[A-Za-z0-9_.*-]{1,100}")
_LONGEST_ROBOTS = 1000


async def upload(context: Context, request: Request) -> Response:
    """POST and PUT /object/{bucket}/{key}."""
    call = context.call(request)
    upsert = request.method == "PUT" or request.headers.get("x-upsert") == "true"
    written = await _receive(call, request, call.owner, upsert=upsert, permitted=False)
    return JSONResponse({"Id": str(written.id), "Key": _path(request)})


async def sign_upload(context: Context, request: Request) -> Response:
    """POST /object/upload/sign/{bucket}/{key}: an address for one upload that the caller may make."""
    call = context.call(request)
    bucket, key = place_in(request)
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
    bucket, key = place_in(request)
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


def checked_robots(value: str | None) -> str | None:
    """The value of `X-Robots-Tag` as it came. Raises 400 for a rule that neither Google nor MDN lists."""
    if value is None:
        return None
    if not value.strip() or len(value) > _LONGEST_ROBOTS:
        raise _invalid("X-Robots-Tag header value must be a non-empty string")
    for rule in re.split(r",(?![^:,]*\d{4})", value):
        _check_rule(rule.strip())
    return value


def _check_rule(rule: str) -> None:
    name, colon, rest = rule.partition(":")
    value = rest.strip()
    if not colon:
        if rule not in _ROBOTS_RULES:
            raise _invalid(f'Invalid X-Robots-Tag rule: "{rule}"')
    elif name in ("max-snippet", "max-video-preview"):
        if not _ROBOTS_LIMIT.fullmatch(value):
            raise _invalid(f'X-Robots-Tag "{name}" value must be an integer >= -1, got: "{value}"')
    elif name == "max-image-preview":
        if value not in ("none", "standard", "large"):
            raise _invalid(
                f'X-Robots-Tag "max-image-preview" value must be one of: none, standard, large, got: "{value}"'
            )
    elif name == "unavailable_after":
        if not re.search(r"\d{4}", value):
            raise _invalid(f'X-Robots-Tag "unavailable_after" value must be a valid date, got: "{value}"')
    elif not value or not _ROBOTS_AGENT.fullmatch(name):
        raise _invalid(f'X-Robots-Tag user agent "{name}" has no rules specified')
    else:
        _check_rule(value)


def _invalid(message: str) -> StorageError:
    return StorageError(
        400, "InvalidRequest", f"Invalid X-Robots-Tag header: {message}", error="invalid_x_robots_tag"
    )
