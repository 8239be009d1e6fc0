"""One batch of changes on its way to the subscribers: read, compared, permitted, delivered in order."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from localbase.postgres.pool import Database
from localbase.realtime.changes.filters import Filter
from localbase.realtime.changes.matching import Budget, Matches, MatchLimits, match
from localbase.realtime.changes.model import Change, ChangeRequest, Notice
from localbase.realtime.changes.payload import (
    NO_KEY,
    UNAUTHORIZED,
    ShownChange,
    data_of,
    error_of,
    is_too_large,
    json_rows,
    short_values,
)
from localbase.realtime.changes.rows import ChangedRow, Row, changed_row
from localbase.realtime.changes.tables import Table, read_table
from localbase.realtime.changes.visibility import Identity, Key, visible
from localbase.realtime.log.pgoutput import Action, Relation
from localbase.realtime.log.replication import CommittedChange

# Deliveries in one turn of the loop.
_WITHOUT_PAUSE = 200


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """One request of a subscriber, with its filters read."""

    request: ChangeRequest
    filters: tuple[Filter, ...]
    select: frozenset[str] | None
    patterns: tuple[Filter, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Finds the filters that may cost more than a comparison of two values."""
        patterns = tuple([item for item in self.filters if item.is_pattern])
        object.__setattr__(self, "patterns", patterns)

    def covers(self, relation: Relation) -> bool:
        """Tell whether it is for this table."""
        schema, table = self.request.schema, self.request.table or "*"
        return schema in ("*", relation.schema) and table in ("*", relation.table)


@dataclass(eq=False, slots=True)
class Subscriber:
    """A channel's subscription as the feed holds it."""

    identity: Identity
    requests: tuple[ParsedRequest, ...]
    deliver: Callable[[Change], None]
    notice: Callable[[Notice], None]
    closed: bool = False
    has_patterns: bool = field(init=False)

    def __post_init__(self) -> None:
        """Finds out whether a request has a pattern."""
        self.has_patterns = any(request.patterns for request in self.requests)


Permitted = list[tuple[Subscriber, ParsedRequest, frozenset[int]]]
"""The changes of a table, by their indices, that answer a request of a subscriber."""


@dataclass(eq=False, slots=True)
class TableChanges:
    """The changes of one table in a batch, and the requests for them."""

    relation: Relation
    table: Table
    # The changes' places in the batch.
    places: tuple[int, ...]
    shown: tuple[ShownChange, ...]
    matches: Matches
    by_action: dict[Action, frozenset[int]]
    requests: dict[Identity, list[tuple[Subscriber, ParsedRequest]]]
    _data: dict[tuple[int, str, frozenset[str] | None], bytes] = field(default_factory=dict)

    def fitting(self, request: ParsedRequest, role: str) -> frozenset[int]:
        """The changes that a request is for, by its event and its filters without a pattern.

        Empty if a filter reads a column that `role` may not read any more: a match would reveal its value.
        """
        indices = self.of_event(request)
        readable = self.table.readable.get(role, frozenset())
        for item in request.filters:
            if item.column not in readable:
                return frozenset()
            if not item.is_pattern:
                indices &= self.matches.get(item, frozenset())
        return indices

    def compared(self, indices: frozenset[int], role: str) -> frozenset[int]:
        """The changes with values that patterns look at: an error has none."""
        return indices if self.error(role) is None else indices & self.deleted

    def fitting_patterns(self, indices: frozenset[int], request: ParsedRequest, role: str) -> frozenset[int]:
        """Those of a request's permitted changes that its patterns fit."""
        if not request.patterns:
            return indices
        fitting = self.compared(indices, role)
        errors = indices - fitting
        for item in request.patterns:
            fitting &= self.matches.get(item, frozenset())
        return fitting | errors

    def of_event(self, request: ParsedRequest) -> frozenset[int]:
        """The changes of a request's event."""
        event = request.request.event
        if event == "*":
            return frozenset(range(len(self.shown)))
        return self.by_action.get(event, frozenset())

    @property
    def deleted(self) -> frozenset[int]:
        """The changes of which no row is left to be read."""
        return self.by_action.get("DELETE", frozenset())

    def key_of(self, index: int) -> Key:
        """The primary key of the row as it is now."""
        row = self.shown[index].row.new
        return tuple([row.get(column.name) for column in self.table.key])

    def data(self, index: int, role: str, select: frozenset[str] | None) -> bytes:
        """Return what subscribers of `role` with these columns get, made once for all of them."""
        key = (index, role, select)
        data = self._data.get(key)
        if data is None:
            change = self.shown[index]
            error = None if index in self.deleted else self.error(role)
            if error is not None:
                data = error_of(change.row, self.table, error)
            else:
                data = data_of(change, self.table, role, select)
            self._data[key] = data
        return data

    def error(self, role: str) -> str | None:
        """Return why `role` gets no new row of this table at all, if it does not."""
        if not self.table.key:
            return NO_KEY
        return None if self.table.may_read_key(role) else UNAUTHORIZED


@dataclass(frozen=True, slots=True)
class Line:
    """The line of deliveries: `at_once` roles side by side, the filters of each table within `limits`.

    `comparisons` of filters run side by side. `out_of_time` ends a subscriber with a filter that takes too long.
    """

    database: Database
    at_once: int
    comparisons: int
    limits: MatchLimits
    out_of_time: Callable[[Subscriber], None]


async def deliver_batch(
    line: Line, batch: Sequence[CommittedChange], subscribers: Iterable[Subscriber]
) -> None:
    """Delivers what each subscriber may see, in the order of the log. Raises what `Database.run` raises.

    Patterns are compared only with rows that their subscribers may see.
    """
    lots = await _read(line, batch, tuple(subscribers))
    identities = dict.fromkeys(identity for lot in lots for identity in lot.requests)
    waiting = iter(identities)
    patterned: dict[Identity, list[Permitted]] = {}

    async def work() -> None:
        for identity in waiting:
            permitted = [await _permitted(line.database, lot, identity) for lot in lots]
            if any(request.patterns for one in permitted for _, request, _ in one):
                patterned[identity] = permitted
            else:
                await _deliver_to(lots, permitted, identity)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(line.at_once, len(identities))):
            group.create_task(work())
    for place, lot in enumerate(lots):
        of_lot = {identity: permitted[place] for identity, permitted in patterned.items()}
        await _match_patterns(line, lot, of_lot)
    for identity, permitted in patterned.items():
        await _deliver_to(lots, permitted, identity)


async def _match_patterns(line: Line, lot: TableChanges, permitted: Mapping[Identity, Permitted]) -> None:
    """Compares each pattern with the changes that those who have it may see."""
    changes: dict[Filter, frozenset[int]] = {}
    holders: dict[Filter, dict[Subscriber, None]] = defaultdict(dict)
    for identity, of_identity in permitted.items():
        for subscriber, request, indices in of_identity:
            compared = lot.compared(indices, identity.role) if request.patterns else frozenset[int]()
            for item in request.patterns if compared else ():
                changes[item] = changes.get(item, frozenset()) | compared
                holders[item][subscriber] = None
    places_by_filter = {item: tuple(sorted(changes[item])) for item in _modest_first(holders)}
    rows = [shown.row.compared for shown in lot.shown]
    lot.matches.update(
        await match(line.database, lot.table, places_by_filter, rows, Budget(line.limits, line.comparisons))
    )
    _end_unanswered(line, lot, holders)


def _modest_first(holders: Mapping[Filter, Iterable[Subscriber]]) -> list[Filter]:
    """The filters of those who have few before those of who has many: the first are compared while there is time."""
    counts: Counter[Identity] = Counter()
    for subscribers in holders.values():
        counts.update({subscriber.identity for subscriber in subscribers})
    return sorted(holders, key=lambda item: min(counts[subscriber.identity] for subscriber in holders[item]))


def _end_unanswered(line: Line, lot: TableChanges, holders: Mapping[Filter, Iterable[Subscriber]]) -> None:
    unanswered = [item for item in holders if item not in lot.matches]
    for subscriber in dict.fromkeys(subscriber for item in unanswered for subscriber in holders[item]):
        line.out_of_time(subscriber)


async def _read(
    line: Line, batch: Sequence[CommittedChange], subscribers: Sequence[Subscriber]
) -> list[TableChanges]:
    """The batch by tables, without the tables that have no subscriber."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, item in enumerate(batch):
        # A relation that has changed in between is another object.
        places[id(item.change.relation)].append(place)
    reading = []
    for table_places in places.values():
        relation = batch[table_places[0]].change.relation
        requests: dict[Identity, list[tuple[Subscriber, ParsedRequest]]] = defaultdict(list)
        for subscriber in subscribers:
            for request in subscriber.requests:
                if request.covers(relation):
                    requests[subscriber.identity].append((subscriber, request))
        if requests:
            rows = [changed_row(batch[place].change, batch[place].committed_at) for place in table_places]
            transactions = {batch[place].transaction for place in table_places}
            reading.append(_read_table(line, relation, tuple(table_places), rows, requests, transactions))
    return [lot for lot in await asyncio.gather(*reading) if lot is not None]


async def _read_table(
    line: Line,
    relation: Relation,
    places: tuple[int, ...],
    rows: Sequence[ChangedRow],
    requests: dict[Identity, list[tuple[Subscriber, ParsedRequest]]],
    transactions: set[int],
) -> TableChanges | None:
    roles = {identity.role for identity in requests}
    table = await read_table(line.database, relation.id, roles, transactions)
    if table is None:
        return None
    parsed = [request for pairs in requests.values() for _, request in pairs]
    holders: dict[Filter, dict[Subscriber, None]] = defaultdict(dict)
    for pairs in requests.values():
        for subscriber, request in pairs:
            for item in request.filters:
                if not item.is_pattern:
                    holders[item][subscriber] = None
    everywhere = tuple(range(len(rows)))
    places_by_filter = dict.fromkeys(_modest_first(holders), everywhere)
    budget = Budget(line.limits, line.comparisons)
    shown, matches = await asyncio.gather(
        _show(line.database, table, rows, _requested_columns(table, parsed)),
        match(line.database, table, places_by_filter, [row.compared for row in rows], budget),
    )
    by_action: dict[Action, set[int]] = defaultdict(set)
    for index, row in enumerate(rows):
        by_action[row.action].add(index)
    frozen = {action: frozenset(indices) for action, indices in by_action.items()}
    lot = TableChanges(relation, table, places, shown, matches, frozen, requests)
    _end_unanswered(line, lot, holders)
    return lot


def _requested_columns(table: Table, requests: Iterable[ParsedRequest]) -> frozenset[str]:
    """The columns that at least one request gets: a picture that all leave out need not be read."""
    chosen: set[str] = {column.name for column in table.key}
    for request in requests:
        chosen.update(table.columns if request.select is None else request.select)
    return frozenset(chosen)


async def _show(
    database: Database, table: Table, rows: Sequence[ChangedRow], names: frozenset[str]
) -> tuple[ShownChange, ...]:
    """The rows with their values as JSON, in one round trip."""
    plain: list[Row] = []
    for row in rows:
        for values in (row.new, row.old):
            shown = short_values(values) if is_too_large(row) else values
            plain.append({name: value for name, value in shown.items() if name in names})
    json_values = await json_rows(database, table, plain)
    return tuple(
        [
            ShownChange(row, json_values[2 * index], json_values[2 * index + 1])
            for index, row in enumerate(rows)
        ]
    )


async def _deliver_to(
    lots: Sequence[TableChanges], permitted: Sequence[Permitted], identity: Identity
) -> None:
    """Return what one role with its claims may see, to all who subscribed under it."""
    due: list[tuple[int, TableChanges, int, Subscriber, list[ParsedRequest]]] = []
    for lot, of_lot in zip(lots, permitted, strict=True):
        answered: dict[tuple[int, Subscriber], list[ParsedRequest]] = defaultdict(list)
        for subscriber, request, indices in of_lot:
            for index in lot.fitting_patterns(indices, request, identity.role):
                answered[index, subscriber].append(request)
        due.extend(
            (lot.places[index], lot, index, subscriber, requests)
            for (index, subscriber), requests in answered.items()
        )
    due.sort(key=lambda item: item[0])
    for number, (_, lot, index, subscriber, requests) in enumerate(due, 1):
        if number % _WITHOUT_PAUSE == 0:
            await asyncio.sleep(0)  # a large commit must not hold up the process's other clients
        by_select: dict[frozenset[str] | None, list[int]] = defaultdict(list)
        for request in requests:
            by_select[request.select].append(request.request.id)
        for select, ids in by_select.items():
            if not subscriber.closed:
                subscriber.deliver(Change(tuple(dict.fromkeys(ids)), lot.data(index, identity.role, select)))


async def _permitted(database: Database, lot: TableChanges, identity: Identity) -> Permitted:
    """The changes of a table that go to each subscriber of `identity`, but for patterns."""
    refused = lot.error(identity.role) is not None
    permitted: Permitted = []
    for subscriber, request in lot.requests.get(identity, []):
        fitting = lot.fitting(request, identity.role)
        if refused:
            # An error has no values that a filter could hide.
            fitting = (lot.of_event(request) - lot.deleted) | (fitting & lot.deleted)
        if fitting:
            permitted.append((subscriber, request, fitting))
    if lot.table.policies and not refused:
        indices = sorted(frozenset[int]().union(*(fitting for _, _, fitting in permitted)) - lot.deleted)
        seen = (
            await visible(database, lot.table, identity, [lot.key_of(index) for index in indices])
            if indices
            else frozenset[int]()
        )
        hidden = frozenset(indices) - {indices[at] for at in seen}
        permitted = [(subscriber, request, fitting - hidden) for subscriber, request, fitting in permitted]
    return permitted
