"""JSON as clients send it: every fault in it is a `ValueError`, and its values can be written again."""

from __future__ import annotations

import json
from typing import Any

MOST_MARKS = 50_000
"""Commas and colons of one text, which has as many values, and halves of surrogate pairs: what takes time in it."""


def read_json(text: bytes | str, most_marks: int | None = None) -> Any:
    """The value of `text`. Raises `ValueError` for what is no JSON, is nested too deeply, or has more marks.

    Half of a surrogate pair, which JSON may hold and UTF-8 may not, becomes U+FFFD.
    """
    if most_marks is not None:
        limit_marks(text, most_marks)
    try:
        value = json.loads(text)
        return _encodable(value) if _may_hold_halves(text) else value
    except RecursionError as error:
        raise ValueError("JSON is nested too deeply") from error


def limit_marks(text: bytes | str, most: int) -> None:
    """Raises `ValueError` for a text with more marks."""
    if len(text) > most and _marks(text) > most:
        raise ValueError("JSON has too many values")


def _marks(text: bytes | str) -> int:
    marks = (",", ":", "\\ud", "\\uD")
    return sum(text.count(mark.encode()) if isinstance(text, bytes) else text.count(mark) for mark in marks)


def _may_hold_halves(text: bytes | str) -> bool:
    return b"\\ud" in text.lower() if isinstance(text, bytes) else "\\ud" in text.lower()


def _encodable(value: Any) -> Any:
    """The value with no half of a pair. Visiting its parts one by one would take ten times as long."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return value
