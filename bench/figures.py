"""A figure beside its limit: the ratio is what to compare between machines and days."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value in `unit` with the limit that it should stay below, or, for a score, reach at least.

    Without a limit it is told only: what a peer takes, for one.
    """

    name: str
    value: float
    limit: float | None
    unit: str
    at_least: bool = False

    def __str__(self) -> str:
        # A ratio is small, and its second place counts.
        digits = 2 if not self.unit and (self.limit or 1) < 10 else 1
        shown = f"  {self.name:<58} {self.value:>9.{digits}f} {self.unit:<3}"
        if self.limit is None:
            return shown
        bound = "≥" if self.at_least else "≤"
        return f"{shown} {bound} {self.limit:>8g}  {self.value / self.limit:>5.2f}"
