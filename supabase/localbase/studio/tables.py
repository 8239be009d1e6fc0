"""Tables: what there is, their rows as a role sees them, and changes of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncCursor, sql
from psycopg.rows import TupleRow

from localbase.studio.session import Role, Sessions, StudioError, become

MOST_ROWS = 500
OPERATORS = {
    "equals": "=",
    "differs": "<>",
    "less": "<",
    "less or equal": "<=",
    "greater": ">",
    "greater or equal": ">=",
    "contains": "ilike",
    "is empty": "is null",
    "is not empty": "is not null",
}
_TABLES = """
select c.oid::int, n.nspname, c.relname, c.relkind::text, c.relrowsecurity, c.relforcerowsecurity,
  obj_description(c.oid, 'pg_class'), greatest(c.reltuples, 0)::bigint,
  pg_total_relation_size(c.oid)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
order by n.nspname, c.relname
"""
_COLUMNS = """
select a.attrelid::int, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
  pg_get_expr(d.adbin, d.adrelid), a.attidentity::text, a.attgenerated::text, col_description(a.attrelid, a.attnum),
  exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'p' and a.attnum = any(k.conkey)),
  (select array_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid)
from pg_attribute a
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = any(%s) and a.attnum > 0 and not a.attisdropped
order by a.attrelid, a.attnum
"""
_FOREIGN_KEYS = """
select k.conrelid::int, k.conname,
  (select array_agg(a.attname order by p.at) from unnest(k.conkey) with ordinality p(num, at)
   join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.num),
  n.nspname, c.relname,
  (select array_agg(a.attname order by p.at) from unnest(k.confkey) with ordinality p(num, at)
   join pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.num)
from pg_constraint k join pg_class c on c.oid = k.confrelid join pg_namespace n on n.oid = c.relnamespace
where k.contype = 'f' and k.conrelid = any(%s)
order by k.conrelid, k.conname
"""
_POLICIES = """
select polrelid::int, polname, polpermissive,
  case polcmd
    when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all'
  end,
  coalesce((select array_agg(rolname order by rolname) from pg_roles where oid = any(polroles)), '{public}'),
  pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)
from pg_policy where polrelid = any(%s) order by polrelid, polname
"""
_PARTS = (
    (
        "columns",
        _COLUMNS,
        ("name", "type", "not_null", "default", "identity", "generated", "comment", "key", "values"),
    ),
    ("foreign_keys", _FOREIGN_KEYS, ("name", "columns", "schema", "table", "referenced")),
    ("policies", _POLICIES, ("name", "permissive", "command", "roles", "using", "check")),
)
_KINDS = {"r": "table", "p": "table", "v": "view", "m": "materialized view", "f": "foreign table"}


async def all_tables(sessions: Sessions) -> list[dict[str, Any]]:
    """Every table and view outside Postgres's own schemas, with columns, keys and policies."""
    async with sessions.begin(None, read_only=True) as cursor:
        tables = {
            row[0]: {
                "schema": row[1],
                "name": row[2],
                "kind": _KINDS[row[3]],
                "rls": row[4],
                "forced": row[5],
                "comment": row[6],
                "estimate": row[7],
                "bytes": row[8],
                "columns": [],
                "foreign_keys": [],
                "policies": [],
            }
            for row in await _all(cursor, _TABLES)
        }
        for part, query, names in _PARTS:
            for oid, *rest in await _all(cursor, query, [list(tables)]):
                tables[oid][part].append(dict(zip(names, rest, strict=True)))
    return list(tables.values())


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of a table that are wanted."""

    schema: str
    table: str
    filters: tuple[tuple[str, str, str], ...] = ()
    order: tuple[tuple[str, bool], ...] = ()
    limit: int = 100
    offset: int = 0

    @classmethod
    def of(cls, body: dict[str, Any]) -> Page:
        """From a call's body. Raises `StudioError` for what is none."""
        try:
            filters = tuple(
                (str(each["column"]), str(each["operator"]), str(each.get("value", "")))
                for each in body.get("filters", [])
            )
            order = tuple(
                (str(each["column"]), bool(each.get("descending"))) for each in body.get("order", [])
            )
            page = cls(
                str(body["schema"]),
                str(body["table"]),
                filters,
                order,
                min(int(body.get("limit", 100)), MOST_ROWS),
                int(body.get("offset", 0)),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise StudioError("A page of rows has a schema, a table, filters and an order.") from error
        if page.limit < 1 or page.offset < 0:
            raise StudioError("A page of rows begins at 0 or later, and has at least one.")
        if unknown := [operator for _, operator, _ in filters if operator not in OPERATORS]:
            raise StudioError(f"There is no comparison {unknown[0]!r}.")
        return page


async def rows(sessions: Sessions, page: Page, role: Role) -> dict[str, Any]:
    """A page of a table's rows, all of them; with a role, which of them that role sees.

    `ids` are the rows' places (`ctid`), by which they are changed; a view has none. `visible` is None where the role
    may not read the table at all. Both questions are put to one snapshot.
    """
    target = sql.Identifier(page.schema, page.table)
    async with sessions.begin(None, rollback=True) as cursor:
        await cursor.execute("set transaction isolation level repeatable read")
        stored = await _is_stored(cursor, page)
        place = sql.SQL("t.tableoid::text || ':' || t.ctid::text") if stored else sql.SQL("null::text")
        where, operands = _where(page)
        order = sql.SQL(", ").join(
            sql.SQL("t.{} {}").format(
                sql.Identifier(name), sql.SQL("desc nulls last" if down else "asc nulls first")
            )
            for name, down in page.order
        )
        query = sql.SQL("select {}, t.* from {} t where {} {} limit {} offset {}").format(
            place,
            target,
            where,
            sql.SQL("order by {}").format(order) if page.order else sql.SQL(""),
            sql.Literal(page.limit + 1),
            sql.Literal(page.offset),
        )
        await cursor.execute(query, operands)
        pg_result, description = cursor.pgresult, cursor.description or []
        assert pg_result is not None
        more = pg_result.ntuples > page.limit
        page_rows = [
            [_text(pg_result.get_value(row, column)) for column in range(pg_result.nfields)]
            for row in range(min(pg_result.ntuples, page.limit))
        ]
        ids = [row[0] for row in page_rows]
        visible = await _visible(cursor, target, ids, role) if stored else []
    return {
        "columns": [column.name for column in description[1:]],
        "rows": [row[1:] for row in page_rows],
        "ids": ids if stored else None,
        "visible": visible if role.name != "postgres" and stored else None,
        "readable": visible is not None,
        "more": more,
    }


async def _visible(
    cursor: AsyncCursor[TupleRow], target: sql.Identifier, ids: list[str | None], role: Role
) -> list[str] | None:
    if role.name == "postgres":
        return []
    await become(cursor, role)
    try:
        # By their places: the filter may be on columns that the role may not read.
        await cursor.execute(
            sql.SQL(
                "select t.tableoid::text || ':' || t.ctid::text from {} t where t.ctid = any(%s::tid[])"
            ).format(target),
            ([(each or "").partition(":")[2] for each in ids],),
        )
    except psycopg.errors.InsufficientPrivilege:
        return None
    page_ids = set(ids)
    return [row[0] for row in await cursor.fetchall() if row[0] in page_ids]


def _where(page: Page) -> tuple[sql.Composable, list[str]]:
    parts: list[sql.Composable] = [sql.SQL("true")]
    operands: list[str] = []
    for column, operator, value in page.filters:
        name = sql.Identifier(column)
        if operator.startswith("is "):
            parts.append(sql.SQL("t.{} " + OPERATORS[operator]).format(name))
        elif operator == "contains":
            parts.append(sql.SQL("t.{}::text ilike '%%' || %s || '%%'").format(name))
            operands.append(value)
        else:
            parts.append(sql.SQL("t.{} " + OPERATORS[operator] + " {}").format(name, sql.Literal(value)))
    return sql.SQL(" and ").join(parts), operands


async def _is_stored(cursor: AsyncCursor[TupleRow], page: Page) -> bool:
    await cursor.execute(
        "select c.relkind::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname = %s and c.relname = %s and c.relkind in ('r', 'p', 'v', 'm', 'f')",
        (page.schema, page.table),
    )
    row = await cursor.fetchone()
    if row is None:
        raise StudioError(f"There is no table {page.schema}.{page.table}.")
    return row[0] in {"r", "p"}


async def _all(
    cursor: AsyncCursor[TupleRow], query: str, operands: list[Any] | None = None
) -> list[TupleRow]:
    await cursor.execute(query.encode(), operands)
    return await cursor.fetchall()


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")
