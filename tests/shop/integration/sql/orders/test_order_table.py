"""Each event of sql/orders.toml in each state: the new state, jobs, messages, flags and answers are the table's."""

from __future__ import annotations

import pytest

from tests.shop.integration.sql.conftest import DATABASES
from tests.shop.integration.sql.orders.order_events import Db, door_code, happen, happenings, make, seen
from tests.support.random_cases import TIMES
from tools.order_table import Event, Row, State, table

Outcome = dict[str, object]
_BOOKS = """
  select array(select kind from public.order_jobs where order_id = o.id and done_at is null) as jobs,
    array(select kind from public.order_messages where order_id = o.id) as messages,
    array(select reason from public.order_flags where order_id = o.id and resolved_at is null) as flags
  from public.orders o where o.id = %s
"""
# Another version of Postgres is asked of every fourth state: every event calls the same functions in each of them.
_STATES = [
    (database, state)
    for database in DATABASES
    for state in table().states[:: 1 if TIMES > 1 or database == "localbase" else 4]
]


def _books(db: Db, order: str) -> Outcome:
    (row,) = db.run(_BOOKS, order)
    return {"state": str(seen(db, order))} | {name: {*listed} for name, listed in row.items()}


def _signed(words: str, sign: str) -> set[str]:
    return {word[1:] for word in words.split() if word[0] == sign}


def _expected(event: Event, row: Row, state: State, before: Outcome) -> Outcome:
    was_due, was_sent = before["jobs"], before["messages"]
    assert isinstance(was_due, set)
    assert isinstance(was_sent, set)
    after = row.next_state(state)
    raised = {f"{job}_failed" for job in was_due} if row.flags == "*" else {*row.flags.split()}
    answer = row.answer or event.does.get("answer")
    if row.refused and "door" not in event.does:
        answer = None
    return {
        "state": str(after),
        "jobs": (was_due | _signed(row.jobs, "+")) - _signed(row.jobs, "-"),
        "messages": was_sent | {*row.sends.split()} | {f"notice_{reason}" for reason in raised},
        "flags": raised,
        "answer": after.status if answer == "status" else answer,
        "refused": row.refused,
    }


def _differences(db: Db, order: str, state: State, event: Event, before: Outcome) -> list[str]:
    row = event.row(state)
    wanted = _expected(event, row, state, before)
    code, answer = happen(db, order, event)
    found = _books(db, order) | {"answer": answer}
    # of a word of SQL's its caller makes the error
    found["refused"] = code or (door_code(db, order, event) if row.refused and "door" in event.does else "")
    return [
        f"{state} × {event.name} {event.does}: {name} {found[name]}, not {wanted[name]}"
        for name in wanted
        if found[name] != wanted[name]
    ]


@pytest.mark.parametrize(("db", "state"), _STATES, indirect=["db"], ids=str)
def test_every_event_does_to_an_order_what_the_table_says(db: Db, state: State) -> None:
    order = make(db, state)
    before = _books(db, order)
    assert before["state"] == str(state)
    found: list[str] = []
    for event in table().events:
        for happening in happenings(event):
            with db.undone():
                found += _differences(db, order, state, happening, before)
    assert found == []


def test_unknown_order_is_an_error_of_every_transition(db: Db) -> None:
    for event in table().events:
        if "call" in event.does and "as" not in event.does:
            assert happen(db, "00000000-0000-4000-8000-000000000000", event) == ("P0002", None), event.name
