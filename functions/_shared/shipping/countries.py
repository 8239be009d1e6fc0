"""The countries that we ship to: countries.json, which the web client's form reads too.

Territories of the United States are countries of their own here, as in ISO 3166: `us_zips` is a regular expression of
how their ZIP codes begin.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

_ROWS: list[dict[str, str]] = json.loads(
    Path(__file__).with_name("countries.json").read_text(encoding="utf-8")
)
_NAMES = {row["code"]: row["name"] for row in _ROWS}
# the first of those that share a code: numbers are written alike in them
_OF_PHONE_CODES = {row["phone_code"]: row["code"] for row in reversed(_ROWS)}
US_TERRITORIES = {row["code"]: row["us_zips"] for row in _ROWS if "us_zips" in row}


def country_name(code: str) -> str:
    """The country's English name; the code itself for an unknown one."""
    return _NAMES.get(code, code)


def is_shipped_to(code: str) -> bool:
    """Tell whether the printer takes parcels there; `code` is ISO 3166-1 alpha-2."""
    return code in _NAMES


def country_of_phone_code(phone_code: str) -> str | None:
    """A country whose telephone numbers begin with `+49`; `None` for a code of no country in the list."""
    return _OF_PHONE_CODES.get(phone_code)


def shipped_to() -> list[str]:
    """Their codes."""
    return list(_NAMES)


def us_territory(region: str, zip_code: str) -> str:
    """The country that a US address with this region, or without one and with this ZIP code, lies in; or empty."""
    wanted = region.strip().casefold()
    if not wanted:
        return next((code for code, zips in US_TERRITORIES.items() if re.match(zips, zip_code.strip())), "")
    names = (wanted, f"u.s. {wanted}")
    return next(
        (code for code in US_TERRITORIES if wanted == code.casefold() or _NAMES[code].casefold() in names), ""
    )
