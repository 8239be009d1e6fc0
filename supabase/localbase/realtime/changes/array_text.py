"""Arrays in Postgres's text form, as parameters of statements that work on many rows at once."""

from __future__ import annotations

from collections.abc import Iterable


def text_array(items: Iterable[bytes | None]) -> bytes:
    """The literal of a `text[]`."""
    return b"{" + b",".join([b"NULL" if item is None else _quoted(item) for item in items]) + b"}"


def _quoted(item: bytes) -> bytes:
    return b'"' + item.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def read_places(text: bytes | None) -> frozenset[int]:
    """Places that a statement counted from 1 and joined by commas, counted from 0."""
    return frozenset([int(place) - 1 for place in text.split(b",")]) if text else frozenset()
