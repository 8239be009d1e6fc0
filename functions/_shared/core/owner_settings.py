"""What the shop's owner decides: shop.toml, which web pages read too; `_shared` has a link to the root's."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).resolve().parent.parent / "shop.toml"


@dataclass(frozen=True)
class Delivery:
    """Estimates, as customers read them."""

    home: str
    abroad: str


@dataclass(frozen=True)
class Policies:
    """`refund_time`: how long a refund takes to reach the card, as customers read it."""

    refund_time: str


@dataclass(frozen=True)
class OwnerSettings:
    """What functions and mails use of the file."""

    delivery: Delivery
    policies: Policies


def read_owner_settings(file: Path) -> OwnerSettings:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    delivery, policies = tables["delivery"], tables["policies"]
    return OwnerSettings(
        Delivery(home=str(delivery["home"]), abroad=str(delivery["abroad"])),
        Policies(refund_time=str(policies["refund_time"])),
    )


@cache
def owner_settings() -> OwnerSettings:
    """Those of the file beside the functions, read once."""
    return read_owner_settings(_FILE)
