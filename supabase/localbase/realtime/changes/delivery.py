"""One batch of changes on its way to the subscribers: read, compared, permitted, delivered in order."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from localbase.postgres.pool import Database
from localbase.realtime.changes.filters import Filter
from localbase.realtime.changes.matching import Matches, match
from localbase.realtime.changes.model import Change, ChangeRequest, Notice
from localbase.realtime.changes.payload import (
    NO_KEY,
    UNAUTHORIZED,
    ShownChange,
    data_of,
    error_of,
    is_too_large,
    short_values,
)
from localbase.realtime.changes.rows import ChangedRow, Row, changed_row
from localbase.realtime.changes.tables import Table, read_table
from localbase.realtime.changes.values import json_rows
from localbase.realtime.changes.visibility import Identity, Key, visible
from localbase.realtime.pgoutput import Action, Relation
from localbase.realtime.replication import CommittedChange

# Deliveries in one turn of the loop.
_WITHOUT_PAUSE = 200


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """One request of a subscriber, with its filters read."""

    request: ChangeRequest
    filters: tuple[Filter, ...]
    select: frozenset[str] | None

    def covers(self, relation: Relation) -> bool:
        """Whether it is for this table."""
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
        """The changes that a request is for, by its event and its filters.

        Empty if a filter reads a column that `role` may not read any more: a match would reveal its value.
        """
        indices = self.of_event(request)
        readable = self.table.readable.get(role, frozenset())
        for item in request.filters:
            if item.column not in readable:
                return frozenset()
            indices &= self.matches[item]
        return indices

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
        """What subscribers of `role` with these columns get, made once for all of them."""
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
        """Why `role` gets no new row of this table at all, if it does not."""
        if not self.table.key:
            return NO_KEY
        return None if self.table.may_read_key(role) else UNAUTHORIZED


async def deliver_batch(
    database: Database, batch: Sequence[CommittedChange], subscribers: Iterable[Subscriber], *, at_once: int
) -> None:
    """Delivers what each subscriber may see, in the order of the log. `at_once` questions run side by side.

    Raises what `Database.run` raises.
    """
    lots = await _read(database, batch, tuple(subscribers))
    identities = dict.fromkeys(identity for lot in lots for identity in lot.requests)
    waiting = iter(identities)

    async def work() -> None:
        for identity in waiting:
            await _deliver_to(database, lots, identity)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(at_once, len(identities))):
            group.create_task(work())


async def _read(
    database: Database, batch: Sequence[CommittedChange], subscribers: Sequence[Subscriber]
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
            reading.append(_read_table(database, relation, tuple(table_places), rows, requests, transactions))
    return [lot for lot in await asyncio.gather(*reading) if lot is not None]


async def _read_table(
    database: Database,
    relation: Relation,
    places: tuple[int, ...],
    rows: Sequence[ChangedRow],
    requests: dict[Identity, list[tuple[Subscriber, ParsedRequest]]],
    transactions: set[int],
) -> TableChanges | None:
    roles = {identity.role for identity in requests}
    table = await read_table(database, relation.id, roles, transactions)
    if table is None:
        return None
    parsed = [request for pairs in requests.values() for _, request in pairs]
    filters = {item for request in parsed for item in request.filters}
    shown, matches = await asyncio.gather(
        _show(database, table, rows, _requested_columns(table, parsed)),
        match(database, table, filters, [row.compared for row in rows]),
    )
    by_action: dict[Action, set[int]] = defaultdict(set)
    for index, row in enumerate(rows):
        by_action[row.action].add(index)
    frozen = {action: frozenset(indices) for action, indices in by_action.items()}
    return TableChanges(relation, table, places, shown, matches, frozen, requests)


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


async def _deliver_to(database: Database, lots: Sequence[TableChanges], identity: Identity) -> None:
    """What one role with its claims may see, to all who subscribed under it."""
    due: list[tuple[int, TableChanges, int, Subscriber, list[ParsedRequest]]] = []
    for lot in lots:
        permitted = await _permitted(database, lot, identity)
        due.extend(
            (lot.places[index], lot, index, subscriber, target_requests)
            for (index, subscriber), target_requests in permitted.items()
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


async def _permitted(
    database: Database, lot: TableChanges, identity: Identity
) -> dict[tuple[int, Subscriber], list[ParsedRequest]]:
    """The changes of a table that go to each subscriber of `identity`, with the requests that they answer."""
    requests = lot.requests.get(identity, [])
    refused = lot.error(identity.role) is not None
    permitted: dict[tuple[int, Subscriber], list[ParsedRequest]] = defaultdict(list)
    for subscriber, request in requests:
        fitting = lot.fitting(request, identity.role)
        if refused:
            # An error has no values that a filter could hide.
            fitting = (lot.of_event(request) - lot.deleted) | (fitting & lot.deleted)
        for index in fitting:
            permitted[index, subscriber].append(request)
    if lot.table.policies and not refused:
        indices = sorted({index for index, _ in permitted} - lot.deleted)
        seen = (
            await visible(database, lot.table, identity, [lot.key_of(index) for index in indices])
            if indices
            else ()
        )
        hidden = set(indices) - {indices[at] for at in seen}
        permitted = {
            target: target_requests
            for target, target_requests in permitted.items()
            if target[0] not in hidden
        }
    return permitted
