"""US states, territories and military regions that are shipped to: us_regions.json, which the web client reads too.

`zips` are the first three digits of a region's ZIP codes (USPS, labeling list L002). A few prefixes belong to several
regions. Palau, Micronesia and the Marshall Islands have ZIP codes but are countries, and the printer ships to none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

_LIST: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("us_regions.json").read_text(encoding="utf-8")
)


def _prefixes(ranges: str) -> Iterator[str]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from (f"{number:03d}" for number in range(int(first), int(last or first) + 1))


_CODES = {entry["name"].casefold(): code for code, entry in _LIST.items()}
_PREFIXES = {code: frozenset(_prefixes(entry["zips"])) for code, entry in _LIST.items()}


def region_code(text: str) -> str:
    """`ca`, `CA` and `California` are `CA`; empty for what is no region."""
    return text.upper() if text.upper() in _LIST else _CODES.get(text.casefold(), "")


def region_name(code: str) -> str:
    return _LIST[code]["name"]


def regions_of_zip(zip_code: str) -> list[str]:
    """The regions in which a ZIP code may lie: one for nearly all, none for a prefix that is not in use."""
    return [code for code, prefixes in _PREFIXES.items() if zip_code[:3] in prefixes]
