"""The policies that let a role see or write a row, or do not: each policy's condition, evaluated on that row."""

from __future__ import annotations

from typing import Any, Literal

import psycopg
from psycopg import AsyncCursor, sql
from psycopg.rows import TupleRow

from localbase.studio.session import Role, Sessions, StudioError, at_place, become

Command = Literal["select", "insert", "update", "delete"]
COMMANDS: tuple[Command, ...] = ("select", "insert", "update", "delete")
_ABOUT = """
select c.oid::int, c.relrowsecurity, c.relforcerowsecurity, pg_has_role(%(role)s, c.relowner, 'usage'),
  (select rolbypassrls or rolsuper from pg_roles where rolname = %(role)s),
  has_schema_privilege(%(role)s, n.oid, 'usage'),
  has_table_privilege(%(role)s, c.oid, %(command)s) or has_any_column_privilege(%(role)s, c.oid, %(columns)s)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = %(schema)s and c.relname = %(table)s and c.relkind in ('r', 'p')
"""
_POLICIES = """
select polname, polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid),
  polcmd in (%(letter)s, '*'),
  polroles = '{0}' or exists (select from unnest(polroles) member where pg_has_role(%(role)s, member, 'usage'))
from pg_policy where polrelid = %(table)s order by not polpermissive, polname
"""
_LETTERS = {"select": "r", "insert": "a", "update": "w", "delete": "d"}


async def check(
    sessions: Sessions, schema: str, table: str, place: str, role: Role, command: Command = "select"
) -> dict[str, Any]:
    """Return what decides about the row at `place` for `role`: rights, and each policy with its condition's answer.

    A condition is evaluated with the role's own rights, on a copy of the row that lives as long as the question: the
    policies of other tables that it reads count as they do for the role. `result` is true, false, None for NULL (which
    counts as false), or the error as `error`.
    """
    async with sessions.begin(None, rollback=True) as cursor:
        await cursor.execute(
            _ABOUT.encode(),
            {
                "role": role.name,
                "command": command,
                "columns": "select" if command == "delete" else command,
                "schema": schema,
                "table": table,
            },
        )
        about = await cursor.fetchone()
        if about is None:
            raise StudioError(f"There is no table {schema}.{table}.")
        oid, enabled, forced, owns, bypasses, reaches, may = about
        await cursor.execute(
            _POLICIES.encode(), {"letter": _LETTERS[command], "role": role.name, "table": oid}
        )
        policies = await cursor.fetchall()
        await _copy(cursor, schema, table, place, role)
        evaluations = [await _evaluated(cursor, policy, table, role, command) for policy in policies]
    applies = enabled and not bypasses and (forced or not owns)
    counting = [each for each in evaluations if each["applies"]]
    allowed = any(each["result"] for each in counting if each["permissive"]) and all(
        each["result"] for each in counting if not each["permissive"]
    )
    return {
        "schema_usage": reaches,
        "privilege": may,
        "rls": enabled,
        "rls_applies": applies,
        "policies": evaluations,
        "allowed": reaches and may and (allowed or not applies),
    }


async def _copy(cursor: AsyncCursor[TupleRow], schema: str, table: str, place: str, role: Role) -> None:
    await cursor.execute(
        sql.SQL("create temporary table studio_row on commit drop as select * from {} where {}").format(
            sql.Identifier(schema, table), at_place(place)
        )
    )
    if cursor.rowcount != 1:
        raise StudioError("The row has been changed or deleted meanwhile.", hint="Load the table again.")
    await cursor.execute(
        sql.SQL("grant select on pg_temp.studio_row to {}").format(sql.Identifier(role.name))
    )


async def _evaluated(
    cursor: AsyncCursor[TupleRow], policy: TupleRow, table: str, role: Role, command: Command
) -> dict[str, Any]:
    name, permissive, using, with_check, for_command, for_role = policy
    condition = (with_check or using) if command == "insert" else using
    evaluation: dict[str, Any] = {
        "name": name,
        "permissive": permissive,
        "condition": condition,
        "applies": for_command and for_role,
        "for_command": for_command,
        "for_role": for_role,
        "result": None,
        "error": None,
    }
    try:
        async with cursor.connection.transaction(force_rollback=True):
            await become(cursor, role)
            # The condition is the policy's own text, which names its table where a subquery needs it.
            await cursor.execute(
                sql.SQL("select ({}) from pg_temp.studio_row as {}").format(
                    sql.SQL(condition or "true"), sql.Identifier(table)
                )
            )
            row = await cursor.fetchone()
            evaluation["result"] = row[0] if row else None
    except psycopg.Error as error:
        evaluation["error"] = error.diag.message_primary or str(error)
    return evaluation
