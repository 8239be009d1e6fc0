"""The matching of rows and filters, by Postgres, as values of the column's type."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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

_CANCELED = "57014"
_NEVER = frozenset[int]()


@dataclass(frozen=True, slots=True)
class MatchLimits:
    """Seconds: of one statement for many filters, of one for a filter alone, and of all that run out of time."""

    many: float
    one: float
    all: float


# What a comparison of two values costs is not the client's choice: only rows and filters by the thousand take so long.
PLAIN = MatchLimits(many=2.0, one=0.5, all=4.0)
PATTERNS = MatchLimits(many=0.5, one=0.25, all=1.5)


class _Comparison(NamedTuple):
    sql: str
    column: str
    places: tuple[int, ...]


class Budget:
    """The time that the filters of one table may take in a batch, `at_once` statements side by side.

    Statements for many filters count where they fail, those for one always: filters that are compared together at once,
    as nearly all are, cost nothing.
    """

    def __init__(self, limits: MatchLimits, at_once: int) -> None:
        self.limits = limits
        self.turn = asyncio.Semaphore(at_once)
        self.left = limits.all

    @property
    def for_many(self) -> float:
        """Seconds for a statement for many filters: the other half is for filters alone."""
        return self.limits.many if self.left > self.limits.all / 2 else 0.0

    @property
    def for_one(self) -> float:
        """Seconds for a filter alone."""
        return max(min(self.limits.one, self.left), 0.0)


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
    database: Database,
    table: Table,
    places_by_filter: Mapping[Filter, tuple[int, ...]],
    rows: Sequence[Row],
    budget: Budget,
) -> Matches:
    """Compares each filter with the rows at its places. A filter that cannot be compared fits nothing.

    There is one statement for all filters of one column, operator and choice of rows. Where that takes too long, the
    filters are compared one by one, in the order in which they come here, as long as `budget` lasts. What has no answer
    then is not among the matches.
    """
    groups: dict[_Comparison, list[Filter]] = defaultdict(list)
    matches: Matches = {}
    for item, places in places_by_filter.items():
        sql = _sql(table, item)
        if sql is None:
            matches[item] = _NEVER
        else:
            groups[_Comparison(sql, item.column, places)].append(item)

    async def compare(comparison: _Comparison, group: list[Filter], *, many: bool) -> None:
        sql, column, places = comparison
        places = tuple([place for place in places if column in rows[place]])
        values = text_array(rows[place][column] for place in places)
        async with budget.turn:
            seconds = budget.for_many if many else budget.for_one
            if not seconds:
                return
            fitting = await _compare(database, sql, group, values, seconds, budget, many=many)
        if fitting is not None:
            matches.update({item: frozenset([places[at] for at in fitting[item]]) for item in group})

    await asyncio.gather(*(compare(comparison, group, many=True) for comparison, group in groups.items()))
    if len(matches) < len(places_by_filter):
        comparisons = {item: comparison for comparison, group in groups.items() for item in group}
        for item in places_by_filter:
            if item not in matches:
                await compare(comparisons[item], [item], many=False)
    return matches


async def _compare(
    database: Database,
    sql: str,
    group: Sequence[Filter],
    values: bytes,
    seconds: float,
    budget: Budget,
    *,
    many: bool,
) -> Matches | None:
    """The matches; None where they are not known: out of time, or one of many that cannot be compared."""
    operands = text_array(item.value.encode() for item in group)
    # A pattern is a client's: the time for it is limited.
    context = TransactionContext(None, settings=(("statement_timeout", f"{max(int(seconds * 1000), 1)}ms"),))
    began = time.monotonic()
    failed = False
    try:
        result = await database.run(Statement(sql, (values, operands)), context)
    except PostgresError as error:
        failed = True
        if many or error.sqlstate == _CANCELED:
            return None
        _log.warning("the filter on %s with %s fails: %s", group[0].column, group[0].operator, error.message)
        return {group[0]: _NEVER}
    finally:
        if failed or not many:
            budget.left -= time.monotonic() - began
    fitting = {int(place or b"0") - 1: read_places(places) for place, places in result.rows}
    return {item: fitting.get(place, _NEVER) for place, item in enumerate(group)}


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
