"""shop.toml as the commands read it: what the owner decides."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from deploy.environment import ROOT
from deploy.errors import CommandError

SHOP_SETTINGS = ROOT / "shop.toml"
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")


@dataclass(frozen=True)
class CatalogueChoice:
    """What is sold of the printer's shirt. `colours`: the printer's name → the colour shown, '#RRGGBB'."""

    sizes: tuple[str, ...]
    colours: dict[str, str]


def read_catalogue(path: Path = SHOP_SETTINGS) -> CatalogueChoice:
    content = tomllib.loads(path.read_text(encoding="utf-8"))["catalogue"]
    colours = {str(name): str(value) for name, value in content["colours"].items()}
    wrong = [name for name, value in colours.items() if not _HEX.fullmatch(value)]
    if wrong:
        raise CommandError(f"{path.name}: a colour is written '#RRGGBB'; these are not: {', '.join(wrong)}")
    return CatalogueChoice(tuple(str(size) for size in content["sizes"]), colours)
