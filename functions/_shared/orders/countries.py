"""Where we ship: countries.json, which the web client's form reads too."""

from __future__ import annotations

import json
from pathlib import Path

_ROWS: list[dict[str, str]] = json.loads(
    Path(__file__).with_name("countries.json").read_text(encoding="utf-8")
)
_NAMES = {row["code"]: row["name"] for row in _ROWS}


def country_name(code: str) -> str:
    """The country's English name; the code itself for an unknown one."""
    return _NAMES.get(code, code)


def is_shipped_to(code: str) -> bool:
    """Whether the printer takes parcels there; `code` is ISO 3166-1 alpha-2."""
    return code in _NAMES
