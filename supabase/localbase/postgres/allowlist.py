"""Permissions of the role `postgres` beyond those that Postgres gives it: the lists of `platform/allowlist.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ALLOWLIST = Path(__file__).parent / "platform" / "allowlist.toml"
# In the folder of ours beside a cluster's data: `06_privileges.sql` reads it there.
ALLOWLIST_FILE = "allowlist.json"


@cache
def allowlist() -> dict[str, Any]:
    """The lists by their names."""
    return tomllib.loads(ALLOWLIST.read_text(encoding="utf-8"))
