"""The prices of shop.toml, and those that a shop's database checks orders against."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from deploy.errors import CommandError
from deploy.http import Api
from deploy.shop_settings import SHOP_SETTINGS

_NAMES = ("shirt_cents", "regular_shirt_cents", "shipping_cents", "free_shipping_countries", "most_per_size")
# a file from before has no price for it
_SECOND_SIDE = "second_side_cents"


def written_prices(settings: Path = SHOP_SETTINGS) -> dict[str, Any]:
    """[prices] as the file has it: cents, ISO 3166 codes."""
    prices: dict[str, Any] = tomllib.loads(settings.read_text(encoding="utf-8")).get("prices", {})
    if missing := [name for name in _NAMES if name not in prices]:
        raise CommandError(f"{settings.name}: [prices] lacks {', '.join(missing)}")
    return {name: prices[name] for name in _NAMES} | {_SECOND_SIDE: prices.get(_SECOND_SIDE, 0)}


def stored_prices(project: Api) -> dict[str, Any]:
    prices: dict[str, Any] = project.call("POST", "/rest/v1/rpc/get_pricing", json={})
    return prices


def store_prices(project: Api, prices: dict[str, Any]) -> None:
    project.call("POST", "/rest/v1/rpc/set_pricing", json={"prices": prices})
