"""`python -m tools.orders_page` writes `docs/orders.md`: what becomes of an order, from sql/orders.toml."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools.order_table import Event, Row, table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "orders.md"
_HEAD = """# The life of an order

Made by `python -m tools.orders_page` from [sql/orders.toml](../sql/orders.toml); a test says when it is stale. Every
state has one row of every event, and `tests/shop/integration/sql/orders/test_order_table.py` runs each against the SQL
([decision 65](decisions/0065-table-of-orders.md)).
"""
_GROUPS = {
    "payment": "Payment",
    "money": "Money that goes back",
    "people": "Shopper and admin",
    "printing": "Printing",
    "printer": "What the printer says",
    "sweep": "The sweep",
}


def page() -> str:
    """The whole page."""
    read = table()
    states = [
        f"| {status} | {means} | {', '.join(read.steps[status])} |" for status, means in read.statuses.items()
    ]
    facts = [
        f"| {fact} | {means} | {', '.join(status for status in read.statuses if fact in read.facts_of[status])} |"
        for fact, means in read.facts.items()
    ]
    parts = [
        _HEAD + "\n```mermaid\n" + "\n".join(_diagram()) + "\n```",
        "## States\n\n| status | what it means | what may follow |\n| --- | --- | --- |\n"
        + "\n".join(states),
        "Besides the status these decide what an event does:\n\n| fact | what it means | of |\n| --- | --- | --- |\n"
        + "\n".join(facts),
        "## Events\n\nJobs are asked for (+) or ended (-). A flag calls a person, by a mail to the admin.\n"
        "What is refused is an error that whoever asked for it gets.",
        *(_group(group, [event for event in read.events if event.group == group]) for group in _GROUPS),
    ]
    return "\n\n".join(parts) + "\n"


def _diagram() -> Iterator[str]:
    """Statuses, and the events that lead from one to another."""
    yield "stateDiagram-v2"
    yield "    [*] --> pending: placed"
    steps: dict[tuple[str, str], list[str]] = {}
    for event in table().events:
        for old in table().states:
            new = event.row(old).next_state(old)
            if new.status != old.status:
                named = steps.setdefault((old.status, new.status), [])
                if event.name not in named:
                    named.append(event.name)
    for (before, after), names in steps.items():
        yield f"    {before} --> {after}: {', '.join(names)}"


def _group(group: str, events: list[Event]) -> str:
    lines = [
        f"| {f'**{event.name}**: {event.means}' if row is event.rows[0] else ''} | {_where(row)} | {_effect(row)} |"
        for event in events
        for row in event.rows
    ]
    return (
        f"### {_GROUPS[group]}\n\n| event | of an order that is | what it does |\n| --- | --- | --- |\n"
        + "\n".join(lines)
    )


def _where(row: Row) -> str:
    statuses = [word for word in row.where.split() if word in table().statuses]
    facts = [
        f"not {word[1:]}" if word.startswith("!") else word
        for word in row.where.split()
        if word not in statuses
    ]
    return ", ".join([*([" or ".join(statuses)] if statuses else []), *facts]) or "in any state"


def _effect(row: Row) -> str:
    said = [
        f"→ {row.to}" if row.to else "",
        f"jobs {row.jobs}" if row.jobs else "",
        f"sends {', '.join(row.sends.split())}" if row.sends else "",
        "flags each job that fails"
        if row.flags == "*"
        else f"flags {', '.join(row.flags.split())}"
        if row.flags
        else "",
        f"refused: `{row.refused}`" if row.refused else "",
        row.nothing and f"nothing. {row.nothing}",
    ]
    return "; ".join(part for part in said if part) + (f". {row.why}" if row.why else "")


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
