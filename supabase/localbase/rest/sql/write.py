"""Inserts, updates, upserts and deletes. The payload is one JSON parameter that Postgres turns into rows."""

from __future__ import annotations

from localbase.rest.api_request.request import BODY
from localbase.rest.plan.nodes import NullEmbed, Write, WriteColumn
from localbase.rest.sql.fields import column_sql, condition_sql
from localbase.rest.sql.text import Parameters, identifier, literal, qualified

_BODY = "pgrst_body"

# Inserted rows less updated ones, counted while the statement runs: it decides between 201 and 200 after an upsert.
INSERTED = "nullif(current_setting('pgrst.inserted', true), '')"


def _counting(step: str) -> str:
    count = f"(coalesce({INSERTED}, '0')::int {step})::text"
    return f"set_config('pgrst.inserted', {count}, true) IS NOT NULL"


def write_sql(write: Write, parameters: Parameters) -> str:
    """The change with its `returning`."""
    if write.action == "delete":
        return f"DELETE FROM {_table(write)}{_where(write, parameters)} {_returning(write)}"
    if write.action == "update":
        return _update_sql(write, parameters)
    return _insert_sql(write, parameters)


def _update_sql(write: Write, parameters: Parameters) -> str:
    if not write.columns:
        # Nothing to set is no update. The empty result still has the columns that are to be read from it.
        columns = ", ".join(column_sql(write.relation.name, name) for name in write.returning) or "NULL"
        return f"SELECT {columns} FROM {_table(write)} WHERE false"
    assignments = ", ".join(f"{identifier(c.name)} = {_BODY}.{identifier(c.name)}" for c in write.columns)
    rows = _rows(write, parameters)
    return (
        f"UPDATE {_table(write)} SET {assignments} FROM {rows}{_where(write, parameters)} {_returning(write)}"
    )


def _insert_sql(write: Write, parameters: Parameters) -> str:
    columns = ", ".join(identifier(column.name) for column in write.columns)
    values = ", ".join(f"{_BODY}.{identifier(column.name)}" for column in write.columns)
    target = f"{_table(write)} ({columns})" if columns else _table(write)
    conditions = [_counting("+ 1")] if write.counts_inserted else []
    if write.action == "put":
        # A payload with a key other than the URL's inserts nothing, and is rejected for that.
        conditions += [
            condition_sql(_BODY, write.relation, item, parameters, _no_embed) for item in write.conditions
        ]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"INSERT INTO {target} SELECT {values} FROM {_rows(write, parameters)}{where}"
    return f"{sql}{_on_conflict(write)} {_returning(write)}"


def _on_conflict(write: Write) -> str:
    if not write.conflict:
        return ""
    columns = ", ".join(identifier(name) for name in write.conflict)
    if write.ignore_conflicts or not write.columns:
        return f" ON CONFLICT ({columns}) DO NOTHING"
    assignments = ", ".join(
        f"{identifier(column.name)} = EXCLUDED.{identifier(column.name)}" for column in write.columns
    )
    return f" ON CONFLICT ({columns}) DO UPDATE SET {assignments} WHERE {_counting('- 1')}"


def _rows(write: Write, parameters: Parameters) -> str:
    """The payload as rows called `pgrst_body`."""
    if not write.columns and write.is_object:
        return f"(VALUES (1)) AS {_BODY}"
    body = parameters.use(BODY)
    if not write.columns:
        return f"json_array_elements({body}::json) AS {_BODY}"
    if not write.apply_defaults:
        call = "json_to_record" if write.is_object else "json_to_recordset"
        return _read(write, f"{call}({body}::json)")
    defaults = ", ".join(
        f"{literal(column.name)}, {column.default}" for column in write.columns if column.default is not None
    )
    defaults_object = f"jsonb_build_object({defaults})"
    if write.is_object:
        return _read(write, f"jsonb_to_record({defaults_object} || {body}::jsonb)")
    items = f"jsonb_array_elements({body}::jsonb) AS pgrst_item"
    return f"{items}, LATERAL {_read(write, f'jsonb_to_record({defaults_object} || pgrst_item.value)')}"


def _read(write: Write, source: str) -> str:
    """The records of `source` with the types that the catalog names, domains read by their own functions."""
    listed = ", ".join(f"{identifier(column.name)} {column.type}" for column in write.columns)
    if not any(column.reads for column in write.columns):
        return f"{source} AS {_BODY} ({listed})"
    columns = ", ".join(_read_column(column) for column in write.columns)
    return f"(SELECT {columns} FROM {source} AS _ ({listed})) AS {_BODY}"


def _read_column(column: WriteColumn) -> str:
    name = identifier(column.name)
    return f"{column.reads}({name}) AS {name}" if column.reads else name


def _table(write: Write) -> str:
    return f"{qualified((write.relation.schema, write.relation.name))} AS {identifier(write.relation.name)}"


def _where(write: Write, parameters: Parameters) -> str:
    conditions = [
        condition_sql(write.relation.name, write.relation, item, parameters, _no_embed)
        for item in write.conditions
    ]
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _no_embed(item: NullEmbed) -> str:
    raise AssertionError(f"a change joins nothing, yet asks for {item.alias}")


def _returning(write: Write) -> str:
    columns = ", ".join(column_sql(write.relation.name, name) for name in write.returning)
    return f"RETURNING {columns or '1'}"
