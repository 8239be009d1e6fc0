"""Numbers and durations as upstream's language reads them, with the texts of its errors, which reach clients."""

from __future__ import annotations

import re
from decimal import Decimal

_UNITS = {
    "ns": Decimal("1e-9"),
    **dict.fromkeys(("us", "µs", "μs"), Decimal("1e-6")),
    "ms": Decimal("1e-3"),
    "s": Decimal(1),
    "m": Decimal(60),
    "h": Decimal(3600),
}
_PART = re.compile(r"([0-9]*(?:\.[0-9]*)?)([^0-9.]*)")
# Go counts nanoseconds in 64 bits.
_LONGEST = Decimal(2**63 - 1) / 10**9
_GREATEST = 2**64 - 1


def parse_duration(text: str) -> float:
    """`24h`, `1h30m`, `-1.5s` in seconds. Raises `ValueError` in Go's words (`time.ParseDuration`)."""
    invalid = ValueError(f'time: invalid duration "{text}"')
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0.0
    if not rest:
        raise invalid
    seconds = Decimal(0)
    while rest:
        part = _PART.match(rest)
        number, unit = part.groups() if part else ("", "")
        if not number.strip("."):
            raise invalid
        if not unit:
            raise ValueError(f'time: missing unit in duration "{text}"')
        if unit not in _UNITS:
            raise ValueError(f'time: unknown unit "{unit}" in duration "{text}"')
        seconds += Decimal(number) * _UNITS[unit]
        rest = rest[len(number) + len(unit) :]
    if seconds > _LONGEST:
        raise invalid
    return float(-seconds if text.startswith("-") else seconds)


def parse_uint(text: str) -> int:
    """A whole number. Raises `ValueError` in Go's words (`strconv.ParseUint`)."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f'strconv.ParseUint: parsing "{text}": invalid syntax')
    # Long ones are not read at all: that takes time that grows with the square of the length.
    if len(text.lstrip("0")) > 20 or int(text) > _GREATEST:
        raise ValueError(f'strconv.ParseUint: parsing "{text}": value out of range')
    return int(text)
