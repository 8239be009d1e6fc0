"""Looks for mistakes in functions without running them.

Postgres's own validators compile each body. In PL/pgSQL they do not look at the SQL in it, so every static statement is
prepared with its variables as parameters: that finds relations and columns that do not exist. Fields of NEW and OLD are
compared with the tables of the function's triggers. Dynamic SQL (EXECUTE) is not looked at, nor are types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from psycopg.rows import dict_row

from localbase.postgres.checks.plpgsql import Body, Statement, read_body
from localbase.postgres.schema.scope import chosen_schemas

Level = Literal["warning", "error"]
# A relation, a column or a schema that does not exist. Other errors may come from parameters that have no type here.
_CERTAIN = {"42P01", "42703", "3F000"}
_FUNCTIONS = """
select p.oid::bigint, n.nspname || '.' || p.proname as name, p.proname as function,
  l.lanname as language, p.prosrc as body,
  coalesce(p.proargnames, '{}') as arguments, p.prorettype = 'trigger'::regtype as is_trigger,
  (select split_part(setting, '=', 2) from unnest(p.proconfig) setting where setting like 'search_path=%%') as path,
  (select coalesce(array_agg(x), '{}') from pg_trigger t, unnest(array[t.tgoldtable, t.tgnewtable]) x
    where t.tgfoid = p.oid and x is not null)::text[] as transition_tables,
  (select json_agg(json_build_object('relation', t.tgrelid::regclass::text, 'columns',
      (select json_agg(a.attname) from pg_attribute a where a.attrelid = t.tgrelid and a.attnum > 0
        and not a.attisdropped)))
    from pg_trigger t where t.tgfoid = p.oid and not t.tgisinternal) as tables
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_language l on l.oid = p.prolang
where p.prokind in ('f', 'p') and l.lanname in ('plpgsql', 'sql')
  and n.nspname = any (%s)
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
order by 2
"""
_VALIDATORS = {"plpgsql": "select plpgsql_validator(%s)", "sql": "select fmgr_sql_validator(%s)"}
_USUAL_PATH = '"$user", public, extensions'


@dataclass(frozen=True, slots=True)
class Issue:
    """A mistake in a function; `line` is counted in its body, from 1."""

    level: Level
    message: str
    line: int
    text: str
    sqlstate: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A function with its mistakes."""

    function: str
    issues: tuple[Issue, ...]


def check_functions(connection: psycopg.Connection[Any], schemas: Sequence[str] = ()) -> list[Finding]:
    """The functions of `schemas`, or of all of the project's, that have mistakes. Nothing is changed."""
    names = [str(row[0]) for row in connection.execute("select nspname from pg_namespace").fetchall()]
    chosen = sorted(chosen_schemas(names, schemas))
    with connection.transaction(force_rollback=True), connection.cursor(row_factory=dict_row) as cursor:
        connection.execute("set local check_function_bodies = on")
        rows = cursor.execute(_FUNCTIONS, [chosen]).fetchall()
        checked = ((row["name"], tuple(_issues(connection, row))) for row in rows)
        return [Finding(name, issues) for name, issues in checked if issues]


def _issues(connection: psycopg.Connection[Any], row: dict[str, Any]) -> Iterator[Issue]:
    path = row["path"] if row["path"] is not None else _USUAL_PATH
    connection.execute("select set_config('search_path', %s, true)", ['""' if path.strip() == "" else path])
    error = _failure(connection, _VALIDATORS[row["language"]], [row["oid"]])
    if error is not None:
        place = int(error.diag.internal_position or error.diag.statement_position or 0)
        line = row["body"].count("\n", 0, place) + 1 if place else _line_of_context(error)
        yield Issue("error", str(error.diag.message_primary), line, "", error.sqlstate or "")
    elif row["language"] == "plpgsql":
        body = read_body(row["body"], row["function"], row["arguments"])
        for statement in body.statements:
            yield from _statement_issues(
                connection, statement, body.temporary.union(row["transition_tables"])
            )
        yield from _field_issues(row, body)
        yield from _unused(body)


def _failure(connection: psycopg.Connection[Any], query: str, values: Sequence[Any]) -> psycopg.Error | None:
    try:
        with connection.transaction():
            # With parameters, even none, the protocol takes one statement only.
            connection.execute(query.encode(), values)
    except psycopg.Error as error:
        if error.sqlstate is None:
            raise  # the connection is gone
        return error
    return None


def _line_of_context(error: psycopg.Error) -> int:
    match = re.search(r"line (\d+)", error.diag.context or "")
    return int(match[1]) if match else 1


def _statement_issues(
    connection: psycopg.Connection[Any], statement: Statement, passing: frozenset[str]
) -> Iterator[Issue]:
    """`passing` are relations that are there only while the function runs."""
    error = _failure(connection, f"prepare localbase_check as {statement.sql}".replace("%", "%%"), ())
    if error is None:
        connection.execute("deallocate localbase_check")
        return
    message = str(error.diag.message_primary)
    # A record of a kind that is not read here looks like a table that FROM does not name.
    certain = error.sqlstate in _CERTAIN and not message.startswith("missing FROM-clause entry")
    if certain and message not in {f'relation "{name}" does not exist' for name in passing}:
        yield Issue("error", message, statement.line, statement.text, error.sqlstate or "")


def _field_issues(row: dict[str, Any], body: Body) -> Iterator[Issue]:
    for table in (row["tables"] or ()) if row["is_trigger"] else ():
        for record, field, line in body.fields:
            if field not in table["columns"]:
                message = f'record "{record}" has no field "{field}" on table {table["relation"]}'
                yield Issue("error", message, line, f"{record}.{field}", "42703")


def _unused(body: Body) -> Iterator[Issue]:
    for name, line in body.unused:
        yield Issue("warning", f'unused variable "{name}"', line, name, "00000")
