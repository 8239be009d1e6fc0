"""The messages that a door is sent: each kind that it reads, in each hostile shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
_IN_FIELDS = ("one letter", "dots", "at signs", "digits")


class Row(NamedTuple):
    """A shape, its largest size, and what makes the message of a size."""

    name: str
    most: int
    make: Callable[[int], Message]
    # The server looks at it in parts, and at other requests between them.
    streamed: bool = False


def rows_of(door: Door) -> Iterator[Row]:
    """All that a door is sent."""
    for name, shape in door.queries.items():
        yield Row(f"query of {name}", _HEAD_BYTES, _query(door, shape))
    for name, shape in shapes.PATHS.items():
        yield Row(f"path of {name}", _PATH_BYTES - len(door.path), _path(door, shape))
    for kind, most in door.bodies.items():
        media, of_kind = _KINDS[kind]
        for name, shape in of_kind.items():
            make = _body(door, shape, media, chunked=kind == "chunked")
            yield Row(f"{kind} of {name}", most, make, streamed=kind in _STREAMED)
            if kind == "json" and (read := shapes.most_read(shape, door.marks, most)) < most:
                yield Row(f"{kind} of {name}, as many as are read", read, make)
    if "json" in door.bodies:
        for each in door.fields:
            for name in _IN_FIELDS:
                shape = shapes.within(each, door.others, shapes.TEXTS[name])
                most = door.bodies["json"] // _SHARE_OF_FIELD
                yield Row(f"{each} of {name}", most, _body(door, shape, "application/json"))
    for header in door.headers:
        for name, shape in shapes.TEXTS.items():
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
