"""A figure beside its limit: the ratio is what to compare between machines and days."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value in `unit` with the limit that it should stay below, or, for a score, reach at least."""

    name: str
    value: float
    limit: float
    unit: str
    at_least: bool = False

    def __str__(self) -> str:
        ratio = self.value / self.limit
        bound = "≥" if self.at_least else "≤"
        return (
            f"  {self.name:<58} {self.value:>9.1f} {self.unit:<3} {bound} {self.limit:>8.0f}  {ratio:>5.2f}"
        )
