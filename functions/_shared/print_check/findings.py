"""What the print check finds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

Kind = Literal[
    "low_resolution",
    "swallowed_ink",
    "thin_lines",
    "half_transparent",
    "box_around_photo",
    "outside_area",
    "specks",
]
Severity = Literal["stop", "warn"]
Mend = Literal["thicken", "harden", "cut_out", "remove_specks", "enlarge", "shrink"]

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge, as shares of the print area."""


@dataclass(frozen=True)
class Place:
    """A layer's place that mends it: its centre and its width, as shares of the print area."""

    x: float
    y: float
    scale: float


@dataclass(frozen=True)
class Finding:
    """`stop` is what would disappoint whoever opens the parcel; `warn` is what may be meant so.

    `mend` is what one click does about it; `shrink` moves the layer to `place`, the others make a new picture of it.
    """

    kind: Kind
    severity: Severity
    sentence: str
    box: Box
    mend: Mend | None = None
    layer: str | None = None
    place: Place | None = None

    def on(self, layer: str | None, mend: Mend | None) -> Self:
        """Say which layer it is of, and what can be done about that kind of layer."""
        return replace(self, layer=layer, mend=mend)
