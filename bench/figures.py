"""A figure beside its limit: the ratio is what to compare between machines and days."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value in `unit` with the limit that it should stay below."""

    name: str
    value: float
    limit: float
    unit: str

    def __str__(self) -> str:
        ratio = self.value / self.limit
        return f"  {self.name:<58} {self.value:>9.1f} {self.unit:<3} of {self.limit:>7.0f}  {ratio:>5.2f}"
