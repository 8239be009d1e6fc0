"""sql/orders.toml: what each event does to an order in each state (docs/decisions/0065-table-of-orders.md)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

TABLE = Path(__file__).resolve().parents[1] / "sql" / "orders.toml"


@dataclass(frozen=True)
class State:
    """A status, and the facts besides that decide what an event does."""

    status: str
    facts: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return " ".join([self.status, *sorted(self.facts)])


@dataclass(frozen=True)
class Row:
    """An event's effect in some states. A row is refused, does nothing, or has effects."""

    where: str
    to: str = ""
    jobs: str = ""
    sends: str = ""
    flags: str = ""
    answer: str | None = None
    refused: str = ""
    nothing: str = ""
    why: str = ""

    def matches(self, state: State) -> bool:
        """Statuses of `where` are alternatives, its facts all hold, or do not behind `!`."""
        words = self.where.split()
        statuses = [word for word in words if word in table().statuses]
        facts = [word for word in words if word not in table().statuses]
        return (not statuses or state.status in statuses) and all(
            (word.lstrip("!") in state.facts) is not word.startswith("!") for word in facts
        )

    def next_state(self, state: State) -> State:
        """The state after it."""
        status, facts = state.status, set(state.facts)
        for word in self.to.split():
            if word.startswith("+"):
                facts.add(word[1:])
            elif word.startswith("-"):
                facts.discard(word[1:])
            else:
                status = word
        return table().state(status, facts)


@dataclass(frozen=True)
class Event:
    """An event of an order; `does` is how a test makes it happen."""

    name: str
    group: str
    means: str
    does: dict[str, Any]
    rows: tuple[Row, ...]

    def row(self, state: State) -> Row:
        """The one row for a state."""
        rows = [row for row in self.rows if row.matches(state)]
        if len(rows) != 1:
            raise LookupError(f"{self.name} has {len(rows)} rows for '{state}'")
        return rows[0]


@dataclass(frozen=True)
class Table:
    """`steps` are the statuses that may follow each status."""

    statuses: dict[str, str]
    facts: dict[str, str]
    facts_of: dict[str, list[str]]
    steps: dict[str, list[str]]
    events: tuple[Event, ...]
    states: tuple[State, ...] = field(default=(), compare=False)

    def later(self, status: str) -> frozenset[str]:
        """The statuses that an order of this one may still come to."""
        following = self.steps[status]
        return frozenset(following).union(*(self.later(one) for one in following))

    def state(self, status: str, facts: set[str]) -> State:
        """Facts that decide nothing in this status are left out."""
        return State(status, frozenset(facts & {*self.facts_of[status]}))


@cache
def table() -> Table:
    """The whole of it."""
    read = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    facts_of = {status: entry["facts"] for status, entry in read["statuses"].items()}
    return Table(
        statuses={status: entry["means"] for status, entry in read["statuses"].items()},
        facts=read["facts"],
        facts_of=facts_of,
        steps={status: entry["next"] for status, entry in read["statuses"].items()},
        events=tuple(_event(name, entry) for name, entry in read["events"].items()),
        states=tuple(
            State(status, frozenset(fact for fact, holds in zip(facts, chosen, strict=True) if holds))
            for status, facts in facts_of.items()
            for chosen in product((False, True), repeat=len(facts))
            if not ("unpaid" in facts and chosen[facts.index("unpaid")] and sum(chosen) > 1)
        ),
    )


def _event(name: str, entry: dict[str, Any]) -> Event:
    rows = tuple(Row(row["in"], **{key: row[key] for key in row if key != "in"}) for row in entry["rows"])
    does = {key: entry[key] for key in entry if key not in ("group", "means", "rows")}
    return Event(name, entry["group"], entry["means"], does, rows)
