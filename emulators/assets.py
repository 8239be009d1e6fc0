"""The places of the artist's open materials: icon sets, their words, and fonts, installed by npm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Assets:
    """`modules` is a node_modules folder; `cache` a folder for the index that is made from it once."""

    modules: Path
    cache: Path

    @property
    def icon_sets(self) -> Path:
        return self.modules / "@iconify-json"

    @property
    def words(self) -> Path:
        return self.modules / "emojibase-data" / "en" / "data.json"

    def font(self, package: str, file: str) -> Path:
        return self.modules / package / "files" / file
