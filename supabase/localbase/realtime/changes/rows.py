"""A change as rows of named values, ready to be compared and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from localbase.realtime.log.pgoutput import (
    Action,
    Delete,
    Insert,
    Relation,
    RowChange,
    Unchanged,
    Update,
    Values,
    action_of,
)

Row = Mapping[str, bytes | None]
"""Values by column in Postgres's text form. What the log does not have is not in it."""


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row's change. `old` is its replica identity before; `new` is empty for a deleted row."""

    action: Action
    new: Row
    old: Row
    committed_at: datetime
    size: int

    @property
    def compared(self) -> Row:
        """The row that filters look at."""
        return self.old if self.action == "DELETE" else self.new


def changed_row(change: RowChange, committed_at: datetime) -> ChangedRow:
    """The change with its values by name."""
    relation = change.relation
    if isinstance(change, Insert):
        new, old = _present(relation, change.new), {}
    elif isinstance(change, Delete):
        new, old = {}, _identity(relation, change.old, key_only=change.old_is_key)
    else:
        new, old = _updated(change)
    size = sum(len(name) + len(value or b"null") for row in (new, old) for name, value in row.items())
    return ChangedRow(action_of(change), new, old, committed_at, size)


def _updated(change: Update) -> tuple[dict[str, bytes | None], dict[str, bytes | None]]:
    relation = change.relation
    new = _present(relation, change.new)
    if change.old is None:
        # The identity did not change: the new row has it.
        return new, {
            column.name: new[column.name] for column in relation.columns if column.key and column.name in new
        }
    old = _identity(relation, change.old, key_only=change.old_is_key)
    return {**{name: value for name, value in old.items() if name not in new}, **new}, old


def _present(relation: Relation, values: Values) -> dict[str, bytes | None]:
    return {
        column.name: value
        for column, value in zip(relation.columns, values, strict=True)
        if not isinstance(value, Unchanged)
    }


def _identity(relation: Relation, values: Values, *, key_only: bool) -> dict[str, bytes | None]:
    row = _present(relation, values)
    return {
        column.name: row[column.name]
        for column in relation.columns
        if column.name in row and (column.key or not key_only)
    }
