"""Connected parts of a mask, by runs of pixels: fast where little is set, refused where too much is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

PART, ROOTED = 128, 255
"""A mask's values: of a part, and where that part hangs on something larger."""

# a picture that is all grain has millions, which says enough
_MOST_RUNS = 60_000
_RUN = re.compile(rb"[^\x00]+")


@dataclass
class Component:
    """`box` in pixels (left, upper, right, lower); `is_rooted` says that it hangs on something larger."""

    box: tuple[int, int, int, int]
    pixels: int
    is_rooted: bool

    @property
    def length(self) -> int:
        left, upper, right, lower = self.box
        return max(right - left, lower - upper)


class TooManyParts(Exception):
    """The mask is grain all over."""


def components(mask: Image.Image) -> list[Component]:
    """The parts of a mask of `PART` and `ROOTED`; also diagonal neighbours are one part. Raises `TooManyParts`."""
    parents: list[int] = []
    found: list[Component] = []
    above: list[tuple[int, int, int]] = []
    for row, runs in _runs(mask):
        here: list[tuple[int, int, int]] = []
        at = 0
        for left, right, is_rooted in runs:
            mine = len(parents)
            if mine >= _MOST_RUNS:
                raise TooManyParts
            parents.append(mine)
            found.append(Component((left, row, right, row + 1), right - left, is_rooted))
            while at < len(above) and above[at][1] < left:
                at += 1
            near = at
            while near < len(above) and above[near][0] <= right:
                _join(parents, found, mine, above[near][2])
                near += 1
            here.append((left, right, mine))
        above = here
    return [found[number] for number, parent in enumerate(parents) if number == parent]


def _runs(mask: Image.Image) -> Iterator[tuple[int, list[tuple[int, int, bool]]]]:
    width, data = mask.width, mask.tobytes()
    for row in range(mask.height):
        line = data[row * width : (row + 1) * width]
        yield (
            row,
            [(run.start(), run.end(), ROOTED in run.group()) for run in _RUN.finditer(line)],
        )


def _join(parents: list[int], found: list[Component], one: int, other: int) -> None:
    first, second = sorted((_root(parents, one), _root(parents, other)))
    if first == second:
        return
    parents[second] = first
    kept, merged = found[first], found[second]
    kept.box = (
        min(kept.box[0], merged.box[0]),
        min(kept.box[1], merged.box[1]),
        max(kept.box[2], merged.box[2]),
        max(kept.box[3], merged.box[3]),
    )
    kept.pixels += merged.pixels
    kept.is_rooted = kept.is_rooted or merged.is_rooted


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number
