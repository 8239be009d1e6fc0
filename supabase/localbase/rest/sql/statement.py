"""The one statement of a request: the change or call, the read over it, the body as JSON, the counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from localbase.postgres.schema_cache.cache import Function
from localbase.rest.api_request.media_type import PLAN_OPTIONS, Media
from localbase.rest.plan.nodes import Plan, Write
from localbase.rest.sql.call import SCALAR, call_sql
from localbase.rest.sql.read import RESULT, count_sql, read_sql
from localbase.rest.sql.text import Parameters, literal, qualified
from localbase.rest.sql.write import INSERTED, write_sql

# The alias of the finished rows: a column of this name would take its place, so none may be selected.
_ROW = "_localbase_row"

# An error that Postgres raises over this text, with a number behind it, means a wrong number of rows.
WRONG_ROWS = "pgrst_rows:"

TOTAL, PAGE, BODY, HEADERS, STATUS, INSERTED_ROWS, LOCATION = range(7)
"""Columns of the answer. The last two are only there for a change."""


class CompiledSql(NamedTuple):
    """SQL with the places of its parameters, and the query for a planned count's estimate."""

    sql: str
    places: tuple[int, ...]
    explain: CompiledSql | None = None

    def bind(self, values: Sequence[bytes | None]) -> tuple[bytes | None, ...]:
        """The parameters for one request's values."""
        return tuple([values[place] for place in self.places])


def to_sql(plan: Plan, *, with_estimate: bool = False) -> CompiledSql:
    """The statement of a plan. With `with_estimate` also the one for the planner's estimated count."""
    parameters = Parameters()
    write = plan.write
    statement = _write(plan, write, parameters) if write else _read(plan, parameters)
    if plan.media.form == "plan":
        statement = _explained(plan.media, statement)
    explain = None
    if with_estimate:
        counting = Parameters()
        counted = count_sql(plan.read, counting)
        explain = CompiledSql(f"EXPLAIN (FORMAT JSON) {counted}", tuple(counting.places))
    return CompiledSql(statement, tuple(parameters.places), explain)


def _read(plan: Plan, parameters: Parameters) -> str:
    call = plan.call
    function = call.function if call else None
    ctes = [f"{RESULT} AS ({call_sql(call, parameters)})"] if call else []
    rows = read_sql(plan.read, parameters)
    page = "1" if function and not function.is_set else "count(*)"
    guarded = _guarded(plan) if page != "1" else page
    total = "NULL::bigint"
    if plan.counted and plan.windowed:
        counted = count_sql(plan.read, parameters)
        limit = f" LIMIT {plan.count_limit}" if plan.count_limit is not None else ""
        total = f"(SELECT count(*) FROM ({counted}{limit}) AS pgrst_counted)"
    elif plan.counted:
        total = page
    if _media(plan).form == "csv":
        ctes.append(f"pgrst_page AS ({rows})")
        rows = "SELECT * FROM pgrst_page"
    body = _body(_media(plan), function, "pgrst_page") if plan.shapes_body else "''"
    prefix = f"WITH {', '.join(ctes)} " if ctes else ""
    return f"{prefix}SELECT {total}, {guarded}, {body}, {_settings()} FROM ({rows}) AS {_ROW}"


def _write(plan: Plan, write: Write, parameters: Parameters) -> str:
    ctes = [f"{RESULT} AS ({write_sql(write, parameters)})"]
    rows = read_sql(plan.read, parameters) if plan.shapes_body else f"SELECT * FROM {RESULT}"
    if plan.shapes_body and _media(plan).form == "csv":
        ctes.append(f"pgrst_page AS ({rows})")
        rows = "SELECT * FROM pgrst_page"
    body = _body(_media(plan), None, "pgrst_page") if plan.shapes_body else "''"
    # Counted while rows are inserted, so it must be read after all of them: it hangs on their number.
    inserted = f"CASE WHEN count(*) >= 0 THEN {INSERTED} END" if write.counts_inserted else "NULL"
    location = "NULL"
    if write.location:
        keys = ", ".join(literal(name) for name in write.location)
        location = (
            f"(SELECT json_object_agg(pgrst_key.key, pgrst_key.value) FROM {RESULT} AS pgrst_inserted, "
            f"json_each_text(row_to_json(pgrst_inserted)) AS pgrst_key "
            f"WHERE pgrst_key.key IN ({keys}) AND (SELECT count(*) FROM {RESULT}) = 1)"
        )
    columns = f"NULL::bigint, {_guarded(plan)}, {body}, {_settings()}, {inserted}, {location}"
    return f"WITH {', '.join(ctes)} SELECT {columns} FROM ({rows}) AS {_ROW}"


def _guarded(plan: Plan) -> str:
    """The number of rows. A wrong one becomes an error here, which undoes the change in the same round trip."""
    conditions = ["count(*) = 1"] if plan.one_row else []
    conditions += [f"count(*) <= {plan.most_rows}"] if plan.most_rows is not None else []
    if not conditions:
        return "count(*)"
    return f"CASE WHEN {' AND '.join(conditions)} THEN count(*) ELSE ('{WRONG_ROWS}' || count(*))::bigint END"


def _settings() -> str:
    """Return what the database says of the response itself."""
    return (
        "nullif(current_setting('response.headers', true), ''), "
        "nullif(current_setting('response.status', true), '')"
    )


def _media(plan: Plan) -> Media:
    return plan.media.plan_of or plan.media


def _body(media: Media, function: Function | None, page: str) -> str:
    scalar = function is not None and not function.is_composite
    row = f"{_ROW}.{SCALAR}" if scalar else _ROW
    if media.form == "csv":
        header = (
            f"(SELECT coalesce(string_agg(pgrst_name, ','), '') FROM json_object_keys("
            f"(SELECT row_to_json(pgrst_first) FROM {page} AS pgrst_first LIMIT 1)) AS pgrst_name)"
        )
        line = f"substring({_ROW}::text, 2, length({_ROW}::text) - 2)"
        return f"{header} || E'\\n' || coalesce(string_agg({line}, E'\\n'), '')"
    if media.form == "geojson":
        features = f"coalesce(json_agg(ST_AsGeoJSON({_ROW})::json), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})"
    if media.handler:
        cast = f"::{qualified(media.handler_of)}" if media.handler_of and not scalar else ""
        return _written(media, f"{qualified(media.handler)}({row}{cast})")
    if media.output:
        # Of a function that makes a body itself there is one row, which nothing counts.
        return _written(media, row)
    if media.form in ("text", "bytes"):
        return f"string_agg({row}::text, '')"
    rows = f"json_agg({row})"
    if media.stripped:
        rows = f"json_strip_nulls({rows})"
    if media.form == "object" or (function is not None and not function.is_set):
        return f"coalesce(({rows}->0)::text, 'null')"
    return f"coalesce({rows}::text, '[]')"


def _written(media: Media, value: str) -> str:
    """A value as text, or its type's binary form in Postgres's hexadecimal notation."""
    return f"{media.output}({value})::text" if media.output else f"{value}::text"


def _explained(media: Media, statement: str) -> str:
    options = [option for option in PLAN_OPTIONS if option in media.plan_options]
    form = "JSON" if media.name.startswith("application/vnd.pgrst.plan+json") else "TEXT"
    return f"EXPLAIN ({', '.join([f'FORMAT {form}', *(option.upper() for option in options)])}) {statement}"
