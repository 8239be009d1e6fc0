"""The input of every vendor's door: JSON and numbers from the network, or a ValueError for the vendor's own 400.

The standard library takes more than JSON: `NaN`, brackets until its stack ends, half of a surrogate pair. Each of these
passes the parser and raises later, where the value is stored or sent on.
"""

from __future__ import annotations

import json
import math
from typing import Any
from urllib.parse import SplitResult, urlsplit

_DEEPEST = 64
# SQLite's integers, and more than any vendor counts
_INTEGER_BITS = 63


def read_json(content: bytes) -> Any:
    """The value of a JSON text. Raises ValueError for anything that could not be written as JSON in UTF-8 again."""
    try:
        value = json.loads(content)
    except RecursionError as error:
        raise ValueError("The JSON is nested too deeply.") from error
    _check(value)
    return value


def read_number(text: str, largest: int) -> int | None:
    """A number of ASCII digits, at most `largest`; None for other texts. `isdigit` takes `²`, which `int` does not."""
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") or "0"
    return min(int(digits), largest) if len(digits) <= 18 else largest


def is_web_address(text: object) -> bool:
    """Tell whether it is an absolute http(s) address that can be read."""
    parts = split_address(text)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.netloc)


def split_address(text: object) -> SplitResult | None:
    """An address in its parts; None for what is none, such as `http://[`, at which `urlsplit` raises."""
    if not isinstance(text, str):
        return None
    try:
        parts = urlsplit(text)
        _ = parts.hostname, parts.port
    except ValueError:
        return None
    return parts


def _check(value: Any) -> None:
    waiting = [(value, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError("The JSON is nested too deeply.")
        if isinstance(node, str):
            if not node.isascii():
                node.encode()  # half of a surrogate pair is a UnicodeEncodeError, which is a ValueError
        elif isinstance(node, float):
            if not math.isfinite(node):
                raise ValueError("NaN and infinity are not JSON.")
        elif isinstance(node, int):
            if node.bit_length() > _INTEGER_BITS:
                raise ValueError("A number is too large.")
        elif isinstance(node, dict):
            waiting += [(child, depth + 1) for pair in node.items() for child in pair]
        elif isinstance(node, list):
            waiting += [(child, depth + 1) for child in node]
