"""Numbers as text, the same to the character in web/src/shop/scene/numbers.ts."""

from __future__ import annotations

import math


def fixed(value: float, places: int = 2) -> str:
    """`value` with at most so many decimals: halves rounded up, no zeros at the end."""
    unit = 10**places
    rounded = math.floor(value * unit + 0.5)
    whole, rest = divmod(abs(rounded), unit)
    decimals = str(rest).rjust(places, "0").rstrip("0")
    sign = "-" if rounded < 0 else ""
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
