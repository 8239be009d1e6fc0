"""Which rows fit which filters, compared by Postgres as values of the column's type."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Sequence

from localbase.postgres.pipeline import PostgresError
from localbase.postgres.pool import Database
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.realtime.changes.array_text import read_places, text_array
from localbase.realtime.changes.filters import Filter
from localbase.realtime.changes.rows import Row
from localbase.realtime.changes.tables import Table

_log = logging.getLogger("localbase.realtime")
Matches = dict[Filter, frozenset[int]]
"""The places of the rows that fit, by filter."""

# A pattern is a client's: the time for it is limited.
_CONTEXT = TransactionContext(None, settings=(("statement_timeout", "2s"),))
_COMPARISONS = {
    "eq": "r.v = f.v",
    "neq": "r.v <> f.v",
    "lt": "r.v < f.v",
    "lte": "r.v <= f.v",
    "gt": "r.v > f.v",
    "gte": "r.v >= f.v",
    "in": "r.v = any(f.v)",
    "like": "r.v like f.v",
    "ilike": "r.v ilike f.v",
    "match": "r.v ~ f.v",
    "imatch": "r.v ~* f.v",
    "isdistinct": "r.v is distinct from f.v",
}
_KEYWORDS = {"null", "true", "false", "unknown"}


async def match(
    database: Database, table: Table, filters: Collection[Filter], rows: Sequence[Row]
) -> Matches:
    """One statement for all filters of one column and operator. A filter that cannot be compared fits nothing."""
    groups: dict[tuple[str, str], list[Filter]] = defaultdict(list)
    matches: Matches = {}
    for item in filters:
        sql = _sql(table, item)
        if sql is None:
            matches[item] = frozenset()
        else:
            groups[item.column, sql].append(item)

    async def compare(column: str, sql: str, group: list[Filter]) -> None:
        places = [place for place, row in enumerate(rows) if column in row]
        values = text_array(rows[place][column] for place in places)
        for item, fitting in (await _compare(database, sql, group, values)).items():
            matches[item] = frozenset([places[at] for at in fitting])

    await asyncio.gather(*(compare(column, sql, group) for (column, sql), group in groups.items()))
    return matches


async def _compare(database: Database, sql: str, group: Sequence[Filter], values: bytes) -> Matches:
    operands = text_array(item.value.encode() for item in group)
    try:
        result = await database.run(Statement(sql, (values, operands)), _CONTEXT)
    except PostgresError as error:
        if len(group) > 1:
            matches: Matches = {}
            for item in group:
                matches |= await _compare(database, sql, [item], values)
            return matches
        _log.warning("the filter on %s with %s fails: %s", group[0].column, group[0].operator, error.message)
        return {group[0]: frozenset()}
    fitting = {int(place or b"0") - 1: read_places(places) for place, places in result.rows}
    return {item: fitting.get(place, frozenset()) for place, item in enumerate(group)}


def _sql(table: Table, item: Filter) -> str | None:
    """The statement for all filters of this column, operator and negation; None where it cannot be compared."""
    column = table.columns.get(item.column)
    if column is None:
        return None
    cast = operand_cast = column.cast
    if item.operator == "is":
        if item.value not in _KEYWORDS:
            return None
        comparison, operand_cast = f"r.v is {item.value}", "text"
    else:
        comparison = _COMPARISONS[item.operator]
        if item.operator == "in":
            operand_cast = f"{cast}[]"
    if item.negate:
        comparison = f"not ({comparison})"
    return f"""
with r as materialized (select v::{cast} as v, n from unnest($1::text[]) with ordinality as given(v, n)),
  f as materialized (select v::{operand_cast} as v, n from unnest($2::text[]) with ordinality as given(v, n))
select f.n, string_agg(r.n::text, ',') from r, f where {comparison} group by f.n"""  # noqa: S608
