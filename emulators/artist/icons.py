"""Icons by word: an index over three open sets, stored in SQLite so that only what is drawn is in memory.

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

from emulators.artist.lexicon import stem
from emulators.assets import Assets

_FORMAT = 11
_SETS = ("noto", "fluent-emoji-flat", "game-icons")
_VARIANT = re.compile(r"-(light|medium-light|medium|medium-dark|dark)(-skin-tone)?$|-(light|dark|medium)-")
# emojibase groups: faces, people, hands, nature, food, places, fun, things, signs, flags
_GROUP_WEIGHT = {0: 0.55, 1: 0.75, 3: 1.0, 4: 1.0, 5: 0.95, 6: 0.95, 7: 0.95, 8: 0.2, 9: 0.0}
# emojibase subgroups by what a picture needs to know of them
_KINDS = {
    **dict.fromkeys(range(23, 32), "person"), 11: "person", 26: "person", 34: "furry", 35: "furry",
    **dict.fromkeys(range(36, 40), "animal"),
    40: "plant", 41: "plant", **dict.fromkeys(range(42, 49), "food"), **dict.fromkeys(range(50, 54), "place"),
    **dict.fromkeys(range(54, 57), "vehicle"), 59: "sky",
}  # fmt: skip
_HEAVENLY = ("moon", "sun", "star", "comet", "cloud", "planet", "rainbow", "galaxy", "milky")
_BALD = ("elephant", "hippopotamus", "rhinoceros", "pig", "pig-face", "pig-nose", "penguin", "feather")
_BEASTS = (
    "sasquatch", "capybara", "axolotl", "kangaroo", "seahorse", "jellyfish", "hummingbird", "pangolin", "tapir",
    "toucan", "vulture", "centaur", "minotaur", "cyclops", "pegasus", "hydra", "triceratops-head", "diplodocus",
    "sea-serpent", "scarecrow", "robot-golem", "ninja-head", "witch-flight", "pirate-captain",
    "schrodingers-cat-alive", "manta-ray", "sperm-whale",
)  # fmt: skip
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
    kind: str = "thing"

    @property
    def one_colour(self) -> bool:
        return self.set == "game-icons"


# How sure a word must be: the silhouettes answer to their whole name alone.
_SURELY = {"noto": 25, "fluent-emoji-flat": 25, "game-icons": 55}


class Icons:
    """Opens the index, making it first when the installed sets are new."""

    def __init__(self, assets: Assets) -> None:
        path = assets.cache / f"icons-{_stamp(assets)}.sqlite"
        if not path.exists():
            assets.cache.mkdir(parents=True, exist_ok=True)
            _build(assets, path)
        self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def best(self, phrase: str) -> str | None:
        """The icon that `phrase` (stemmed words) means, in the first set that has one surely enough."""
        if ":" in phrase:
            return phrase if self._row(phrase) else None
        for set_, surely in _SURELY.items():
            row = self._connection.execute(
                'select name, weight from words where phrase = ? and "set" = ? order by weight desc, name limit 1',
                (phrase, set_),
            ).fetchone()
            if row is not None and row[1] >= surely:
                return f"{set_}:{row[0]}"
        return None

    def get(self, reference: str) -> Icon:
        row = self._row(reference)
        if row is None:
            raise KeyError(reference)
        set_, _, name = reference.partition(":")
        return Icon(set_, name, row[0], row[1], row[2])

    def _row(self, reference: str) -> tuple[str, int, str] | None:
        set_, _, name = reference.partition(":")
        row: tuple[str, int, str] | None = self._connection.execute(
            'select body, side, kind from icons where "set" = ? and name = ?', (set_, name)
        ).fetchone()
        return row

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
            'create table icons ("set" text, name text, body text, side int, kind text, primary key ("set", name))'
        )
        connection.execute('create table words (phrase text, "set" text, name text, weight real)')
        meanings = _meanings(assets)
        for set_ in _SETS:
            data = json.loads((assets.icon_sets / set_ / "icons.json").read_text(encoding="utf-8"))
            names = {name for name in data["icons"] if not _VARIANT.search(name)}
            kinds = _kinds(assets, set_, meanings)
            connection.executemany(
                "insert into icons values (?, ?, ?, ?, ?)",
                [
                    (set_, name, data["icons"][name]["body"], data.get("width", 16), kinds.get(name, "thing"))
                    for name in names
                ],
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


def _codes(assets: Assets, set_: str) -> dict[str, str]:
    """Unicode → name; the silhouettes have none."""
    chars = assets.icon_sets / set_ / "chars.json"
    names: dict[str, str] = json.loads(chars.read_text(encoding="utf-8")) if set_ != "game-icons" else {}
    return names


def _kinds(assets: Assets, set_: str, meanings: dict[str, dict[str, Any]]) -> dict[str, str]:
    if set_ == "game-icons":
        return dict.fromkeys(_BEASTS, "animal")
    kinds = {}
    for code, name in _codes(assets, set_).items():
        entry = meanings.get(code) or meanings.get(f"{code}-fe0f") or {}
        kind = _KINDS.get(entry.get("subgroup", -1), "thing")
        kind = "animal" if kind == "furry" and name in _BALD else kind
        # The group of the sky holds the weather too: a wave and a fire stand on the ground.
        kinds[name] = kind if kind != "sky" or any(part in name for part in _HEAVENLY) else "thing"
    return kinds


def _words_of_set(
    assets: Assets, set_: str, names: set[str], meanings: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, str, float]]:
    for code, name in _codes(assets, set_).items():
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
