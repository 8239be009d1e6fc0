"""Changes of single rows, as the role that is looked at: its policies decide."""

from __future__ import annotations

import csv
import io
from typing import Any

from psycopg import sql

from localbase.studio.session import Role, Sessions, StudioError, at_place, become


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
        sql.Identifier(schema, table), changes, at_place(place), unchanged
    )
    async with sessions.begin(role) as cursor:
        await cursor.execute(statement)
        if cursor.rowcount == 0:
            raise StudioError(
                "Nothing was changed: the row has been changed meanwhile, or a policy does not allow it.",
                hint="Load the table again.",
            )
        return cursor.rowcount


async def delete(sessions: Sessions, schema: str, table: str, places: list[str], role: Role) -> int:
    """Deletes the rows at these places. Returns how many: a row may have been changed, and has another place then."""
    target = sql.Identifier(schema, table)
    count = 0
    async with sessions.begin(role) as cursor:
        for place in places:
            await cursor.execute(sql.SQL("delete from {} where {}").format(target, at_place(place)))
            count += cursor.rowcount
    return count


async def import_csv(sessions: Sessions, schema: str, table: str, text: str, role: Role) -> int:
    """Adds the rows of a CSV whose first line names columns, all or none. An empty cell is NULL, `""` an empty text.

    Postgres itself reads it, into a temporary table, for which the role's policies are no obstacle; they decide about
    the rows that go from there into the table.
    """
    try:
        header = next(csv.reader(io.StringIO(text)), [])
    except csv.Error:
        header = []
    if not header or not all(header) or len(set(header)) < len(header):
        raise StudioError("The first line of the CSV names the columns, each once.")
    target, columns = sql.Identifier(schema, table), sql.SQL(", ").join(map(sql.Identifier, header))
    async with sessions.begin(None) as cursor:
        await cursor.execute(
            sql.SQL(
                "create temporary table studio_rows on commit drop as select {} from {} with no data"
            ).format(columns, target)
        )
        copying = sql.SQL("copy pg_temp.studio_rows from stdin with (format csv, header true)")
        async with cursor.copy(copying) as copy:
            await copy.write(text)
        await cursor.execute(
            sql.SQL("grant select on pg_temp.studio_rows to {}").format(sql.Identifier(role.name))
        )
        await become(cursor, role)
        await cursor.execute(
            sql.SQL("insert into {} ({}) select {} from pg_temp.studio_rows").format(target, columns, columns)
        )
        return cursor.rowcount
