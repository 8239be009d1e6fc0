"""sql/orders.toml by itself, and the page that is made of it. test_order_table.py runs it."""

from __future__ import annotations

from tools.order_table import table
from tools.orders_page import PAGE, page


def test_page_is_as_the_table_gives_it() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tools.orders_page"


def test_every_state_has_one_row_of_every_event() -> None:
    for event in table().events:
        for state in table().states:
            event.row(state)


def test_status_changes_only_to_one_that_may_follow() -> None:
    for event in table().events:
        for state in table().states:
            after = event.row(state).next_state(state).status
            assert after == state.status or after in table().later(state.status), (event.name, state)


def test_every_row_is_of_some_state_and_says_what_it_does() -> None:
    for event in table().events:
        for row in event.rows:
            assert any(event.row(state) is row for state in table().states), (event.name, row)
            assert row.to or row.jobs or row.sends or row.flags or row.refused or row.nothing, (
                event.name,
                row,
            )
