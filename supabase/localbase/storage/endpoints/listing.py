"""Lists of objects: v1 by offset, v2 by cursor. What is listed is what the caller's policies show."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.postgres.service_pool import Cursor
from localbase.storage import errors
from localbase.storage.bodies import read_object
from localbase.storage.context import Context
from localbase.storage.names import checked_bucket
from localbase.storage.rows import iso_time

_DEFAULT, _MOST = 100, 1000
_V1_COLUMNS = ("name", "updated_at", "created_at", "last_accessed_at")
_V2_COLUMNS = ("name", "updated_at", "created_at")
_TIMES = ("updated_at", "created_at", "last_accessed_at")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sorting:
    """By which column, and which way."""

    column: str
    order: Literal["asc", "desc"]


@dataclass(frozen=True, slots=True)
class Cursor2:
    """The end of a page of list v2: a name, a folder's with a slash at its end, and its time where that sorts."""

    after: str
    sorting: Sorting
    time: str = ""

    def token(self) -> str:
        """As clients carry it: upstream's form, lines of a letter and a value in base64."""
        lines = [f"l:{self.after}", f"o:{self.sorting.order}"]
        if self.sorting.column != "name":
            lines += [f"c:{self.sorting.column}", f"a:{self.time}"]
        return base64.b64encode("\n".join(lines).encode()).decode()


async def list_objects(context: Context, request: Request) -> Response:
    """POST /object/list/{bucket}: one level below the folder `prefix`; folders have null ids."""
    call = context.call(request)
    bucket, body = checked_bucket(request.path_params["bucket"]), await read_object(request)
    prefix = _text(body, "prefix")
    if prefix and not prefix.endswith("/"):
        prefix += "/"
    sorting = _sorting(body, _V1_COLUMNS)
    params = [
        *(prefix, bucket, min(_number(body, "limit", _DEFAULT, 1), _MOST), prefix.count("/") + 1),
        *(_number(body, "offset", 0, 0), _text(body, "search"), sorting.column, sorting.order),
    ]
    async with call.begin() as cursor:
        await cursor.execute("select * from storage.search(%s, %s, %s, %s, %s, %s, %s, %s)", params)
        rows = await cursor.fetchall()
    return JSONResponse([_shown(row) | {"name": row["name"]} for row in rows])


async def list_objects_v2(context: Context, request: Request) -> Response:
    """POST /object/list-v2/{bucket}: names that begin with `prefix`, all or (`with_delimiter`) one level of them."""
    call = context.call(request)
    bucket, body = checked_bucket(request.path_params["bucket"]), await read_object(request)
    limit = min(_number(body, "limit", _MOST, 1), _MOST)
    prefix, token = _text(body, "prefix"), _text(body, "cursor")
    place = _cursor_of(token) if token else Cursor2("", _sorting(body, _V2_COLUMNS))
    async with call.begin() as cursor:
        if body.get("with_delimiter") is True:
            rows = await _level(cursor, bucket, prefix, place, limit + 1)
        else:
            rows = await _all(cursor, bucket, prefix, place, limit + 1)
    page = rows[:limit]
    response_body: dict[str, Any] = {"hasNext": len(rows) > limit}
    if len(rows) > limit:
        last = page[-1]
        time = iso_time(last[place.sorting.column]) if place.sorting.column in _TIMES else ""
        name = last["name"] if last["id"] else f"{last['name']}/"
        response_body |= {
            "nextCursor": Cursor2(name, place.sorting, time or "").token(),
            "nextCursorKey": name,
        }
    response_body["folders"] = [
        {**_shown(row), "name": f"{row['name']}/", "key": row.get("key")} for row in page if not row["id"]
    ]
    response_body["objects"] = [
        {**_shown(row), "name": row["name"], "key": row.get("key")} for row in page if row["id"]
    ]
    return JSONResponse(response_body)


async def _level(cursor: Cursor, bucket: str, prefix: str, place: Cursor2, limit: int) -> list[Row]:
    level = prefix.count("/") + 1
    if place.sorting.column == "name":
        await cursor.execute(
            """
            select split_part(name, '/', %s) as key, * from
              storage.list_objects_with_delimiter(%s, %s, '/', %s, '', %s, %s)
            """,
            [level, bucket, prefix, limit, place.after, place.sorting.order],
        )
    else:
        await cursor.execute(
            "select * from storage.search_by_timestamp(%s, %s, %s, %s, %s, %s, %s, %s)",
            [
                *(prefix, bucket, limit, level, place.after.rstrip("/"), place.sorting.order),
                *(place.sorting.column, place.time),
            ],
        )
    return await cursor.fetchall()


async def _all(cursor: Cursor, bucket: str, prefix: str, place: Cursor2, limit: int) -> list[Row]:
    order, column = place.sorting.order, place.sorting.column
    behind = ">" if order == "asc" else "<"
    if column == "name":
        after, sorted_by = f'name collate "C" {behind} %(after)s', ""
    else:
        # In milliseconds, as cursors carry times.
        time = f"coalesce(date_trunc('milliseconds', {column}), 'epoch')"
        cursor_time = "coalesce(nullif(%(time)s, ''), 'epoch')::timestamptz"
        after, sorted_by = (
            f'({time}, name collate "C") {behind} ({cursor_time}, %(after)s)',
            f"{time} {order}, ",
        )
    sql = f"""
        select id, name, metadata, updated_at, created_at, last_accessed_at from storage.objects
        where bucket_id = %(bucket)s and name collate "C" >= %(prefix)s
          and name collate "C" < %(prefix)s || chr(1114111) and (%(after)s = '' or {after})
        order by {sorted_by}name collate "C" {order} limit %(limit)s
    """  # noqa: S608 - column and order are chosen from fixed sets
    await cursor.execute(
        sql.encode(),
        {"bucket": bucket, "prefix": prefix, "after": place.after, "time": place.time, "limit": limit},
    )
    return await cursor.fetchall()


def _cursor_of(token: str) -> Cursor2:
    try:
        lines = base64.b64decode(token, validate=True).decode().split("\n")
        parts = dict(line.split(":", 1) for line in lines)
    except (binascii.Error, ValueError) as error:
        raise errors.StorageError(400, "InvalidParameter", "Invalid Parameter continuation token") from error
    column, order = parts.get("c", "name"), parts.get("o", "asc")
    if column not in _V2_COLUMNS or order not in ("asc", "desc") or not parts.get("l"):
        raise errors.StorageError(400, "InvalidParameter", "Invalid Parameter continuation token")
    return Cursor2(parts["l"], Sorting(column, "desc" if order == "desc" else "asc"), parts.get("a", ""))


def _sorting(body: dict[str, Any], columns: tuple[str, ...]) -> Sorting:
    sort_by = body.get("sortBy")
    if sort_by is None:
        return Sorting("name", "asc")
    if not isinstance(sort_by, dict):
        raise errors.invalid_request("body/sortBy must be object")
    column, order = sort_by.get("column") or "name", sort_by.get("order") or "asc"
    if column not in columns:
        raise errors.invalid_request("body/sortBy/column must be equal to one of the allowed values")
    if order not in ("asc", "desc"):
        raise errors.invalid_request("body/sortBy/order must be equal to one of the allowed values")
    return Sorting(column, "desc" if order == "desc" else "asc")


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise errors.invalid_request(f"body/{name} must be string")
    return value


def _number(body: dict[str, Any], name: str, default: int, least: int) -> int:
    value = body.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise errors.invalid_request(f"body/{name} must be integer")
    if value < least:
        raise errors.invalid_request(f"body/{name} must be >= {least}")
    # Postgres's integers end there.
    return min(value, 2**31 - 1)


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": str(row["id"]) if row["id"] else None,
        **{name: iso_time(row[name]) for name in _TIMES},
        "metadata": row["metadata"],
    }
