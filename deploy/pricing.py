"""The prices of functions/_shared/catalog/pricing.json, and those that a shop's database checks orders against."""

from __future__ import annotations

import json
from typing import Any

from deploy.environment import ROOT
from deploy.http import Api

_FILE = ROOT / "functions" / "_shared" / "catalog" / "pricing.json"


def written_prices() -> dict[str, Any]:
    prices: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return prices


def stored_prices(project: Api) -> dict[str, Any]:
    prices: dict[str, Any] = project.call("POST", "/rest/v1/rpc/get_pricing", json={})
    return prices
