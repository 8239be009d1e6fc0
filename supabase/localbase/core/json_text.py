"""JSON as clients send it: every fault in it is a `ValueError`, and its values can be written again."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: bytes | str) -> Any:
    """The value of `text`. Raises `ValueError` for what is no JSON, and for JSON that is nested too deeply.

    Half of a surrogate pair, which JSON may hold and UTF-8 may not, becomes U+FFFD.
    """
    try:
        value = json.loads(text)
        return _encodable(value) if _may_hold_halves(text) else value
    except RecursionError as error:
        raise ValueError("JSON is nested too deeply") from error


def _may_hold_halves(text: bytes | str) -> bool:
    return b"\\ud" in text.lower() if isinstance(text, bytes) else "\\ud" in text.lower()


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(item) for name, item in value.items()}
    return value
