"""The figures as lines of the terminal, and as the table in docs/scale.md."""

from __future__ import annotations

from collections.abc import Iterable

from bench.large.contention import Contention
from bench.large.measure import Measured
from bench.marked_page import with_part

_MOST_INDEXES = 4


def line_of(found: Measured) -> str:
    """One query: its figures, its indexes, and what is wrong."""
    wrong = f"  !! {', '.join(found.faults)}" if found.faults else ""
    return (
        f"{found.query.name:<40} {found.query.caller:<8} {found.ms:8.1f} ms {found.buffers:8,} buffers "
        f"{found.rows_read:7,} rows  {_plan(found)}{wrong}"
    )


def written(page: str, measured: Iterable[Measured], contention: Iterable[Contention]) -> str:
    """The page with the tables between its marks."""
    rows = [
        "| query | as | ms | buffers | rows read | by |",
        "| --- | --- | ---: | ---: | ---: | --- |",
        *(
            f"| {found.query.name} | {found.query.caller} | {found.ms:.1f} | {found.buffers:,} | {found.rows_read:,} "
            f"| {_plan(found)}{' **' + ', '.join(found.faults) + '**' if found.faults else ''} |"
            for found in measured
        ),
    ]
    likes = [
        "| likes and unlikes by 32 connections | a second | ms each |",
        "| --- | ---: | ---: |",
        *(f"| {_load(found)} | {found.per_second:,.0f} | {found.ms:.1f} |" for found in contention),
    ]
    return with_part(page, "measured", [*rows, "", *likes])


def _load(found: Contention) -> str:
    return f"of {found.over}{'' if found.with_totals else ', without totals'}"


def _plan(found: Measured) -> str:
    """The indexes that were scanned most often, with how often."""
    often = sorted(found.indexes.items(), key=lambda item: -item[1])
    shown = [
        f"{name.removesuffix('_idx')}{f' × {count}' if count > 1 else ''}"
        for name, count in often[:_MOST_INDEXES]
    ]
    more = [f"{len(often) - _MOST_INDEXES} more"] if len(often) > _MOST_INDEXES else []
    return ", ".join(shown + more)
