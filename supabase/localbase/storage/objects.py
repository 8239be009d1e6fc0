"""Listing and removing objects, under the caller's policies."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.core.authenticator import Caller
from localbase.core.json_text import read_json
from localbase.storage import errors
from localbase.storage.context import Context, object_key

_DEFAULT_LIMIT, _MOST = 100, 1000
_SORTABLE = {"name", "created_at", "updated_at", "last_accessed_at"}


async def list_objects(context: Context, request: Request) -> Response:
    """POST /object/list/{bucket}: one folder level below `prefix`; folders have null ids."""
    caller = context.caller(request)
    body = await _json(request)
    prefix = str(body.get("prefix") or "").strip("/")
    base = f"{prefix}/" if prefix else ""
    given = body.get("sortBy")
    sort: dict[str, Any] = given if isinstance(given, dict) else {}
    column = sort.get("column") if sort.get("column") in _SORTABLE else "name"
    direction = "desc" if str(sort.get("order", "asc")).lower() == "desc" else "asc"
    limit = min(_number(body, "limit", _DEFAULT_LIMIT), _MOST)
    offset = _number(body, "offset", 0)
    search = str(body.get("search") or "")
    async with context.begin(caller) as cursor:
        await cursor.execute(
            f"""
            with below as (
              select substr(name, %(start)s) as rest, id, updated_at, created_at, last_accessed_at, metadata
              from storage.objects where bucket_id = %(bucket)s and starts_with(name, %(base)s)
            ), level as (
              select split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
                null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
              from below where strpos(rest, '/') > 0 group by 1
              union all
              select rest, id, updated_at, created_at, last_accessed_at, metadata from below where strpos(rest, '/') = 0
            )
            select * from level where strpos(lower(name), lower(%(search)s)) > 0 and name <> ''
            order by {column} {direction} nulls first, name limit %(limit)s offset %(offset)s
            """.encode(),  # noqa: S608 - column and direction are chosen from fixed sets above
            {
                "start": len(base) + 1,
                "bucket": request.path_params["bucket"],
                "base": base,
                "search": search,
                "limit": limit,
                "offset": offset,
            },
        )
        rows = await cursor.fetchall()
    return JSONResponse([_shown(row) for row in rows])


async def remove_objects(context: Context, request: Request) -> Response:
    """DELETE /object/{bucket}: every name in `prefixes`; answers those that went."""
    caller = context.caller(request)
    body = await _json(request)
    names = body.get("prefixes")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise errors.StorageError(400, "invalid_request", "body must have required property 'prefixes'")
    return JSONResponse(await _remove(context, caller, request.path_params["bucket"], names))


async def remove_object(context: Context, request: Request) -> Response:
    """DELETE /object/{bucket}/{key}."""
    gone = await _remove(
        context, context.caller(request), request.path_params["bucket"], [object_key(request)]
    )
    if not gone:
        raise errors.object_not_found()
    return JSONResponse({"message": "Successfully deleted"})


async def _remove(context: Context, caller: Caller, bucket: str, names: list[str]) -> list[dict[str, Any]]:
    async with context.begin(caller) as cursor:
        await cursor.execute(
            "delete from storage.objects where bucket_id = %s and name = any(%s) returning *", [bucket, names]
        )
        rows = await cursor.fetchall()
    for row in rows:
        context.files.remove(row["version"])
    return [_shown(row) | {"bucket_id": row["bucket_id"], "owner_id": row["owner_id"]} for row in rows]


async def _json(request: Request) -> dict[str, Any]:
    try:
        body = read_json(await request.body() or b"{}")
    except ValueError as error:
        raise errors.StorageError(400, "invalid_request", "The body is not JSON") from error
    if not isinstance(body, dict):
        raise errors.StorageError(400, "invalid_request", "body must be object")
    return body


def _number(body: dict[str, Any], name: str, default: int) -> int:
    value = body.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise errors.StorageError(400, "invalid_request", f"body/{name} must be integer")
    return value


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": row["name"],
        "id": str(row["id"]) if row["id"] else None,
        **{name: _time(row[name]) for name in ("updated_at", "created_at", "last_accessed_at")},
        "metadata": row["metadata"],
    }


def _time(moment: datetime | None) -> str | None:
    return (
        moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else None
    )
