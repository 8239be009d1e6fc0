"""The messages that doors are sent: each kind that they read, in each hostile shape.

Doors of a service whose code leads to the same parsers do the same with a shape (`readers.py`). The first of them is
sent every shape, each other one shape of each kind, in turn. What the gateway reads for all services is sent whole to
one of them. The long form sends all to all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from typing import NamedTuple

from tests.localbase.integration.growth import shapes
from tests.localbase.integration.growth.doors import Door
from tests.localbase.integration.growth.measure import Message
from tests.localbase.integration.growth.shapes import BOUNDARY, Shape
from tests.support.random_cases import TIMES

# A head has 64 kB, its path 16.
_HEAD_BYTES, _PATH_BYTES = 60_000, 16_000
# One field of many. What is quadratic in it shows at a quarter of a megabyte too; the long form takes all of it.
_SHARE_OF_FIELD = 1 if TIMES > 1 else 4
_KINDS: Mapping[str, tuple[str, Mapping[str, Shape]]] = {
    "json": ("application/json", shapes.JSON),
    "form": ("application/x-www-form-urlencoded", shapes.FORM),
    "multipart": (f"multipart/form-data; boundary={BOUNDARY}", shapes.MULTIPART),
    "csv": ("text/csv", shapes.CSV),
    "xml": ("application/xml", shapes.XML),
    "chunked": ("application/json", shapes.CHUNKS),
}
# Chunks come one by one; a table in CSV comes back from the process that reads it, several times as long, in parts.
_STREAMED = ("chunked", "csv")
_IN_FIELDS = {name: shapes.TEXTS[name] for name in ("one letter", "dots", "at signs", "digits")}


class Row(NamedTuple):
    """A shape, its largest size, and what makes the message of a size."""

    name: str
    most: int
    make: Callable[[int], Message]
    # The server looks at it in parts, and at other requests between them.
    streamed: bool = False


class Turns:
    """The shapes of each kind that the doors of one service are sent."""

    def __init__(self, elsewhere: Set[str] = frozenset()) -> None:
        """`elsewhere` are kinds of which a door of another service is sent every shape."""
        self._elsewhere = elsewhere
        self._led_to: dict[str, set[str]] = defaultdict(set)
        self._turns: dict[str, int] = {}

    def of(self, door: Door, kind: str, every: Mapping[str, Shape]) -> Mapping[str, Shape]:
        """All, where the door leads to a parser that no door before it led to, or is the first with this kind."""
        if TIMES > 1 or not every:
            return every
        if kind not in self._elsewhere:
            if door.parsers is None:
                return every
            led_to = {*door.parsers, "of every door"}
            has_new = not led_to <= self._led_to[kind]
            self._led_to[kind] |= led_to
            if has_new:
                return every
        # Each kind begins at another place, so that one door is not sent one shape of all kinds.
        turn = self._turns.setdefault(kind, len(self._turns))
        self._turns[kind] += 1
        name = list(every)[turn % len(every)]
        return {name: every[name]}


def rows_of(door: Door, turns: Turns | None = None) -> Iterator[Row]:
    """All that a door is sent: every shape, or those that the `turns` of its service leave for it."""

    def shapes_of(kind: str, every: Mapping[str, Shape]) -> Mapping[str, Shape]:
        return turns.of(door, kind, every) if turns else every

    for name, shape in shapes_of("query", door.queries).items():
        yield Row(f"query of {name}", _HEAD_BYTES, _query(door, shape))
    for name, shape in shapes_of("path", shapes.PATHS).items():
        yield Row(f"path of {name}", _PATH_BYTES - len(door.path), _path(door, shape))
    for kind, most in door.bodies.items():
        media, of_kind = _KINDS[kind]
        for name, shape in shapes_of(kind, of_kind).items():
            make = _body(door, shape, media, chunked=kind == "chunked")
            yield Row(f"{kind} of {name}", most, make, streamed=kind in _STREAMED)
            if kind == "json" and (read := shapes.most_read(shape, door.marks, most)) < most:
                yield Row(f"{kind} of {name}, as many as are read", read, make)
    if "json" in door.bodies:
        for each in door.fields:
            for name, text in shapes_of(f"field {each}", _IN_FIELDS).items():
                shape = shapes.within(each, door.others, text)
                most = door.bodies["json"] // _SHARE_OF_FIELD
                yield Row(f"{each} of {name}", most, _body(door, shape, "application/json"))
    for header in door.headers:
        for name, shape in shapes_of(header, shapes.TEXTS).items():
            yield Row(f"{header} of {name}", _HEAD_BYTES - 4000, _header(door, header, shape))


def _query(door: Door, shape: Shape) -> Callable[[int], Message]:
    return lambda size: Message(door.head(query=shape(size)))


def _path(door: Door, shape: Shape) -> Callable[[int], Message]:
    return lambda size: Message(door.head(path=door.path.partition("?")[0] + "/" + shape(size).decode()))


def _header(door: Door, name: str, shape: Shape) -> Callable[[int], Message]:
    return lambda size: Message(door.head(lines=((name, shape(size).decode()),)))


def _body(door: Door, shape: Shape, media: str, *, chunked: bool = False) -> Callable[[int], Message]:
    def make(size: int) -> Message:
        body = shape(size)
        length = ("transfer-encoding", "chunked") if chunked else ("content-length", str(len(body)))
        return Message(door.head(lines=(("content-type", media), length)), body)

    return make
