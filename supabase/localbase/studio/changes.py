"""Changes of single rows, as the role that is looked at: its policies decide."""

from __future__ import annotations

from typing import Any

from psycopg import sql

from localbase.studio.session import Role, Sessions, StudioError


async def insert(
    sessions: Sessions, schema: str, table: str, values: dict[str, str | None], role: Role
) -> int:
    """Adds a row; what is not given has its default. Returns how many rows there are more."""
    target = sql.Identifier(schema, table)
    if values:
        statement = sql.SQL("insert into {} ({}) values ({})").format(
            target,
            sql.SQL(", ").join(map(sql.Identifier, values)),
            sql.SQL(", ").join(map(sql.Literal, values.values())),
        )
    else:
        statement = sql.SQL("insert into {} default values").format(target)
    async with sessions.begin(role) as cursor:
        await cursor.execute(statement)
        return cursor.rowcount


async def update(
    sessions: Sessions,
    schema: str,
    table: str,
    place: str,
    before: dict[str, Any],
    values: dict[str, Any],
    role: Role,
) -> int:
    """Changes the row at `place`, if `values`' columns are still as in `before`. Raises `StudioError` otherwise."""
    changes = sql.SQL(", ").join(
        sql.SQL("{} = {}").format(sql.Identifier(name), sql.Literal(value)) for name, value in values.items()
    )
    unchanged = sql.SQL(" and ").join(
        sql.SQL("{}::text is not distinct from {}").format(
            sql.Identifier(name), sql.Literal(before.get(name))
        )
        for name in values
    )
    statement = sql.SQL("update {} set {} where {} and {}").format(
        sql.Identifier(schema, table), changes, _at(place), unchanged
    )
    return await _changed(sessions, statement, role)


async def delete(sessions: Sessions, schema: str, table: str, places: list[str], role: Role) -> int:
    """Deletes the rows at these places. Returns how many: a row may have been changed, and has another place then."""
    target = sql.Identifier(schema, table)
    count = 0
    async with sessions.begin(role) as cursor:
        for place in places:
            await cursor.execute(sql.SQL("delete from {} where {}").format(target, _at(place)))
            count += cursor.rowcount
    return count


async def _changed(sessions: Sessions, statement: sql.Composed, role: Role) -> int:
    async with sessions.begin(role) as cursor:
        await cursor.execute(statement)
        if cursor.rowcount == 0:
            raise StudioError(
                "Nothing was changed: the row has been changed meanwhile, or a policy does not allow it.",
                hint="Load the table again.",
            )
        return cursor.rowcount


def _at(place: str) -> sql.Composed:
    table, _, tid = place.partition(":")
    if not table.isdecimal() or not tid:
        raise StudioError("A row is named by its place.")
    return sql.SQL("tableoid = {} and ctid = {}::tid").format(sql.Literal(int(table)), sql.Literal(tid))
