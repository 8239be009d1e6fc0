"""Word lists in TOML: tables, and blocks of words in which underscores join a phrase."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_word_lists(path: Path) -> dict[str, Any]:
    """The file's tables and texts."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def words_in(text: str) -> tuple[str, ...]:
    """The words and phrases of a block, in its order."""
    return tuple(word.replace("_", " ") for word in text.split())


def words_by_name(table: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """A table of blocks."""
    return {name: words_in(text) for name, text in table.items()}
