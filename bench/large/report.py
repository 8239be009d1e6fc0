"""The figures as lines of the terminal, and as the table in docs/scale.md."""

from __future__ import annotations

from collections.abc import Iterable

from bench.large.contention import Contention
from bench.large.measure import Measured
from bench.marked_page import with_part

_MOST_INDEXES = 4


def line_of(measurement: Measured) -> str:
    """One query: its figures, its indexes, and what is wrong."""
    wrong = f"  !! {', '.join(measurement.faults)}" if measurement.faults else ""
    return (
        f"{measurement.query.name:<40} {measurement.query.caller:<8} {measurement.ms:8.1f} ms "
        f"{measurement.buffers:8,} buffers {measurement.rows_read:7,} rows  {_plan(measurement)}{wrong}"
    )


def written(page: str, measured: Iterable[Measured], contention: Iterable[Contention]) -> str:
    """The page with the tables between its marks."""
    rows = [
        "| query | as | ms | buffers | rows read | by |",
        "| --- | --- | ---: | ---: | ---: | --- |",
        *(
            f"| {measurement.query.name} | {measurement.query.caller} | {measurement.ms:.1f} "
            f"| {measurement.buffers:,} | {measurement.rows_read:,} "
            f"| {_plan(measurement)}{' **' + ', '.join(measurement.faults) + '**' if measurement.faults else ''} |"
            for measurement in measured
        ),
    ]
    likes = [
        "| likes and unlikes by 32 connections | a second | ms each |",
        "| --- | ---: | ---: |",
        *(f"| {_load(case)} | {case.per_second:,.0f} | {case.ms:.1f} |" for case in contention),
    ]
    return with_part(page, "measured", [*rows, "", *likes])


def _load(case: Contention) -> str:
    return f"of {case.over}{'' if case.with_totals else ', without totals'}"


def _plan(measurement: Measured) -> str:
    """The indexes that were scanned most often, with how often."""
    often = sorted(measurement.indexes.items(), key=lambda item: -item[1])
    shown = [
        f"{name.removesuffix('_idx')}{f' × {count}' if count > 1 else ''}"
        for name, count in often[:_MOST_INDEXES]
    ]
    more = [f"{len(often) - _MOST_INDEXES} more"] if len(often) > _MOST_INDEXES else []
    return ", ".join(shown + more)
