"""Buckets, under the caller's policies (supabase/storage, `src/http/routes/bucket`)."""

from __future__ import annotations

import re
from typing import Any

import psycopg
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.postgres.service_pool import set_locally
from localbase.storage import errors
from localbase.storage.bodies import read_object
from localbase.storage.context import Call, Context
from localbase.storage.names import checked_bucket
from localbase.storage.removal import remove
from localbase.storage.rows import BUCKET_COLUMNS, Bucket, find_bucket
from localbase.storage.writing import uuid_or_none

_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)(gb|mb|kb|b)", re.IGNORECASE | re.ASCII)
_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9}
_MIME = re.compile(r"[a-zA-Z0-9+.-]+/(?:[a-zA-Z0-9+.-]+(?:;\s*charset=[a-zA-Z0-9-]+)?|\*)|\*", re.ASCII)
_LONGEST_MIME, _MOST_MIMES = 1000, 1000
_SORTABLE = ("id", "name", "created_at", "updated_at")
# The service's own limit, so that one call ends within its time.
_MOST_EMPTIED = 200_000
_AT_ONCE = 1000
_EMPTIED = "Empty bucket has been queued. Completion may take up to an hour."


async def list_buckets(context: Context, request: Request) -> Response:
    """GET /bucket."""
    call, query = context.call(request), request.query_params
    column, order = query.get("sortColumn", "name"), query.get("sortOrder", "asc")
    if column not in _SORTABLE:
        raise errors.invalid_request("querystring/sortColumn must be equal to one of the allowed values")
    if order not in ("asc", "desc"):
        raise errors.invalid_request("querystring/sortOrder must be equal to one of the allowed values")
    sql = f"""
        select {BUCKET_COLUMNS} from storage.buckets where strpos(lower(name), lower(%s)) > 0
        order by {column} {order}, id limit %s offset %s
    """  # noqa: S608 - column and order are chosen from fixed sets
    limit, offset = _number(request, "limit", 1), _number(request, "offset", 0)
    async with call.begin() as cursor:
        await cursor.execute(sql.encode(), [query.get("search", ""), limit, offset or 0])
        buckets = [Bucket(**row) for row in await cursor.fetchall()]
    return JSONResponse([bucket.shown() | {"type": bucket.type} for bucket in buckets])


async def read_bucket(context: Context, request: Request) -> Response:
    """GET /bucket/{bucket}."""
    async with context.call(request).begin() as cursor:
        return JSONResponse((await find_bucket(cursor, request.path_params["bucket"])).shown())


async def create_bucket(context: Context, request: Request) -> Response:
    """POST /bucket."""
    call = context.call(request)
    body = await read_object(request)
    name = body.get("name")
    if not isinstance(name, str):
        raise errors.invalid_request("body must have required property 'name'")
    identity = body.get("id") or name
    if not isinstance(identity, str):
        raise errors.invalid_request("body/id must be string")
    if body.get("type", "STANDARD") != "STANDARD":
        raise errors.StorageError(409, "FeatureNotEnabled", "The feature is not enabled for this resource")
    checked_bucket(identity)
    public, size, mimes = _flag(body, "public") or False, _size(context, body), _mimes(body)
    await insert_bucket(call, identity, checked_bucket(name), public=public, size=size, mimes=mimes)
    return JSONResponse({"name": name})


async def insert_bucket(
    call: Call,
    identity: str,
    name: str,
    *,
    public: bool,
    size: int | None = None,
    mimes: list[str] | None = None,
) -> None:
    """Makes a bucket that the caller will own, under the caller's policies. Raises 403, and 409 where it exists."""
    try:
        async with call.begin() as cursor:
            await cursor.execute(
                """
                insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
                values (%s, %s, %s, %s, %s, %s, %s)
                """,
                [identity, name, public, size, mimes, uuid_or_none(call.owner), call.owner],
            )
    except psycopg.errors.UniqueViolation as error:
        raise errors.duplicate("BucketAlreadyExists") from error


async def update_bucket(context: Context, request: Request) -> Response:
    """PUT /bucket/{bucket}: what the body names; the rest stays."""
    call = context.call(request)
    body = await read_object(request)
    changes: dict[str, Any] = {}
    if (public := _flag(body, "public")) is not None:
        changes["public"] = public
    if "file_size_limit" in body:
        changes["file_size_limit"] = _size(context, body)
    if "allowed_mime_types" in body:
        changes["allowed_mime_types"] = _mimes(body)
    if not changes:
        raise errors.invalid_request("body must NOT have fewer than 1 properties")
    assignments = ", ".join(f"{column} = %s" for column in changes)
    async with call.begin() as cursor:
        await cursor.execute(
            f"update storage.buckets set {assignments}, updated_at = now() where id = %s".encode(),  # noqa: S608
            [*changes.values(), request.path_params["bucket"]],
        )
        if cursor.rowcount == 0:
            raise errors.bucket_not_found()
    return JSONResponse({"message": "Successfully updated"})


async def empty_bucket(context: Context, request: Request) -> Response:
    """POST /bucket/{bucket}/empty. Unlike upstream's the objects go that the caller may delete, and at once."""
    call, bucket = context.call(request), request.path_params["bucket"]
    async with call.begin() as cursor:
        await find_bucket(cursor, bucket)
        await cursor.execute(
            "select count(*) from (select from storage.objects where bucket_id = %s limit %s) as held",
            [bucket, _MOST_EMPTIED + 1],
        )
        counted = await cursor.fetchone()
    if counted is not None and counted["count"] > _MOST_EMPTIED:
        raise errors.StorageError(
            409, "InvalidRequest", "Unable to empty the bucket because it contains too many objects"
        )
    after = ""
    while names := await _next_names(call, bucket, after):
        await remove(call, bucket, names)
        after = names[-1]
    return JSONResponse({"message": _EMPTIED})


async def _next_names(call: Call, bucket: str, after: str) -> list[str]:
    async with call.begin() as cursor:
        await cursor.execute(
            """
            select name from storage.objects where bucket_id = %s and name collate "C" > %s
            order by name collate "C" limit %s
            """,
            [bucket, after, _AT_ONCE],
        )
        return [row["name"] for row in await cursor.fetchall()]


async def delete_bucket(context: Context, request: Request) -> Response:
    """DELETE /bucket/{bucket}: an empty one; others are 409."""
    await drop_bucket(context.call(request), request.path_params["bucket"])
    return JSONResponse({"message": "Successfully deleted"})


async def drop_bucket(call: Call, bucket: str) -> None:
    """Deletes an empty bucket under the caller's policies. Raises 404, and 409 for one that holds objects."""
    async with call.begin_as_service(deletes=True) as cursor:
        await cursor.execute("select id from storage.buckets where id = %s for update", [bucket])
        await find_bucket(cursor, bucket)
        await cursor.execute("select 1 from storage.objects where bucket_id = %s limit 1", [bucket])
        holds = await cursor.fetchone()
        await set_locally(
            cursor,
            {"request.jwt.claims": call.caller.claims_json.decode(), "role": call.caller.role},
        )
        # Policies first: who may not see the bucket does not hear what it holds.
        await find_bucket(cursor, bucket)
        if holds is not None:
            raise errors.bucket_not_empty()
        await cursor.execute("delete from storage.buckets where id = %s", [bucket])
        if cursor.rowcount == 0:
            raise errors.bucket_not_found()


def _number(request: Request, name: str, least: int) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise errors.invalid_request(f"querystring/{name} must be integer")
    if int(text) < least:
        raise errors.invalid_request(f"querystring/{name} must be >= {least}")
    return int(text)


def _flag(body: dict[str, Any], name: str) -> bool | None:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise errors.invalid_request(f"body/{name} must be boolean")
    return value


def _size(context: Context, body: dict[str, Any]) -> int | None:
    """The limit in bytes, from a number or a text such as `20MB`, whose units are powers of ten."""
    value = body.get("file_size_limit")
    if value is None:
        return None
    if isinstance(value, str):
        match = _SIZE.fullmatch(value)
        if match is None:
            raise errors.invalid_size()
        size = int(float(match[1]) * _UNITS[match[2].lower()])
    elif isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        size = value
    else:
        raise errors.invalid_size()
    if size > context.size_limit:
        raise errors.too_large()
    return size


def _mimes(body: dict[str, Any]) -> list[str] | None:
    value = body.get("allowed_mime_types")
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(mime, str) for mime in value):
        raise errors.invalid_request("body/allowed_mime_types must be array")
    mimes = [mime for mime in value if mime]
    for mime in mimes[:_MOST_MIMES]:
        if len(mime) > _LONGEST_MIME or not _MIME.fullmatch(mime):
            raise errors.bad_mime_type(mime[:_LONGEST_MIME])
    if len(mimes) > _MOST_MIMES:
        raise errors.invalid_request(f"body/allowed_mime_types must NOT have more than {_MOST_MIMES} items")
    return mimes
