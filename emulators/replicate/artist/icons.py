"""Icons by word: an index over three open sets, kept in SQLite so that only what is drawn is in memory.

Fluent Emoji Flat (MIT) and Noto Emoji (Apache-2.0) give pictures in colour, Game Icons (CC BY 3.0)
one-colour silhouettes. Words come from emojibase (MIT) and from the icons' own names.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emulators.replicate.artist.words import stem
from emulators.replicate.assets import Assets

_FORMAT = 5
_SETS = ("fluent-emoji-flat", "noto", "game-icons")
_VARIANT = re.compile(r"-(light|medium-light|medium|medium-dark|dark)(-skin-tone)?$|-(light|dark|medium)-")
# emojibase groups: faces, people, hands, nature, food, places, fun, things, signs, flags
_GROUP_WEIGHT = {0: 0.55, 1: 0.75, 3: 1.0, 4: 1.0, 5: 0.95, 6: 0.95, 7: 0.95, 8: 0.35, 9: 0.0}
_GENERIC = {
    "face",
    "person",
    "man",
    "woman",
    "with",
    "and",
    "of",
    "the",
    "button",
    "sign",
    "eyes",
    "in",
    "on",
}


@dataclass(frozen=True)
class Icon:
    """SVG markup without its outer element, on a square of `side` units."""

    set: str
    name: str
    body: str
    side: int

    @property
    def one_colour(self) -> bool:
        return self.set == "game-icons"


class Icons:
    """Opens the index, making it first when the installed sets are new."""

    def __init__(self, assets: Assets) -> None:
        path = assets.cache / f"icons-{_stamp(assets)}.sqlite"
        if not path.exists():
            assets.cache.mkdir(parents=True, exist_ok=True)
            _build(assets, path)
        self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def knows(self, phrase: str) -> bool:
        return self.best(phrase) is not None

    def best(
        self, phrase: str, sets: tuple[str, ...] = ("fluent-emoji-flat", "noto", "game-icons")
    ) -> str | None:
        """The name of the icon that `phrase` (stemmed words) means, in the first set that has one."""
        for place, set_ in enumerate(sets):
            row = self._connection.execute(
                'select name, weight from words where phrase = ? and "set" = ? order by weight desc, name limit 1',
                (phrase, set_),
            ).fetchone()
            if row is not None and (row[1] >= 25 or place == len(sets) - 1):
                return f"{set_}:{row[0]}"
        return None

    def get(self, reference: str) -> Icon:
        set_, _, name = reference.partition(":")
        row = self._connection.execute(
            'select body, side from icons where "set" = ? and name = ?', (set_, name)
        ).fetchone()
        if row is None:
            raise KeyError(reference)
        return Icon(set_, name, row[0], row[1])

    def in_set(self, reference: str, set_: str) -> Icon | None:
        """The same thing in another set, when that has it under the same name."""
        name = reference.partition(":")[2]
        try:
            return self.get(f"{set_}:{name}")
        except KeyError:
            return None


def _stamp(assets: Assets) -> str:
    sizes = [(assets.icon_sets / name / "icons.json").stat().st_size for name in _SETS]
    return f"{_FORMAT}-" + "-".join(map(str, sizes))


def _build(assets: Assets, path: Path) -> None:
    scratch = path.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(scratch)) as connection, connection:
        connection.execute(
            'create table icons ("set" text, name text, body text, side int, primary key ("set", name))'
        )
        connection.execute('create table words (phrase text, "set" text, name text, weight real)')
        meanings = _meanings(assets)
        for set_ in _SETS:
            data = json.loads((assets.icon_sets / set_ / "icons.json").read_text(encoding="utf-8"))
            names = {name for name in data["icons"] if not _VARIANT.search(name)}
            connection.executemany(
                "insert into icons values (?, ?, ?, ?)",
                [(set_, name, data["icons"][name]["body"], data.get("width", 16)) for name in names],
            )
            rows = _words_of_set(assets, set_, names, meanings)
            connection.executemany(
                "insert into words values (?, ?, ?, ?)", [(p, set_, n, w) for p, n, w in rows]
            )
        connection.execute('create index words_by_phrase on words (phrase, "set")')
    scratch.replace(path)


def _meanings(assets: Assets) -> dict[str, dict[str, Any]]:
    entries = json.loads(assets.words.read_text(encoding="utf-8"))
    return {entry["hexcode"].lower(): entry for entry in entries if "group" in entry}


def _words_of_set(
    assets: Assets, set_: str, names: set[str], meanings: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, str, float]]:
    chars = assets.icon_sets / set_ / "chars.json"
    by_code: dict[str, str] = json.loads(chars.read_text(encoding="utf-8")) if set_ != "game-icons" else {}
    for code, name in by_code.items():
        entry = meanings.get(code) or meanings.get(f"{code}-fe0f")
        if entry is None or name not in names:
            continue
        weight = _GROUP_WEIGHT.get(entry["group"], 0.5)
        # A "hot face" is no picture of what is hot: faces answer to their whole name alone.
        part = 0.0 if entry["group"] == 0 else 38 * weight
        yield from _phrases(entry["label"], name, 100 * weight, part)
        for tag in entry.get("tags", []):
            yield " ".join(stem(word) for word in tag.lower().split()), name, 30 * weight
    if set_ == "game-icons":
        for name in names:
            yield from _phrases(name.replace("-", " "), name, 60, 14, nouns_only=True)


def _phrases(
    label: str, name: str, whole: float, part: float, *, nouns_only: bool = False
) -> Iterator[tuple[str, str, float]]:
    words = [stem(word) for word in re.findall(r"[a-z]+", label.lower())]
    yield " ".join(words), name, whole
    telling = [word for word in words if word not in _GENERIC]
    if part == 0:
        return
    if telling != words:
        yield " ".join(telling), name, whole * 0.7
    if nouns_only:
        telling = [word for word in telling[-1:] if len(telling) <= 2 and word != "alt"]
    for place, word in enumerate(telling):
        # The last word of a name is its noun: "race car" is a car before it is a race.
        yield word, name, part * (1.0 if place == len(telling) - 1 else 0.8) / (1 + 0.15 * (len(telling) - 1))
