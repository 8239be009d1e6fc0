"""English, as far as t-shirt ideas need it.

Stems, numbers, colours and relations (`data/lexicon.toml`), synonyms for the names of icons (`data/synonyms.toml`), and
emoji in words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from pathlib import Path

from emulators.assets import Assets
from emulators.core.word_lists import read_word_lists, words_by_name, words_in

_DATA = Path(__file__).parent / "data"
_LISTS = read_word_lists(_DATA / "lexicon.toml")
_SYNONYM_LISTS = read_word_lists(_DATA / "synonyms.toml")

NUMBERS: dict[str, int] = _LISTS["numbers"]
COLOURS: dict[str, str] = _LISTS["colours"]
# Words that are no subject by themselves.
STOP = frozenset(words_in(_LISTS["stop"]))
# A preposition or verb → the relation of the thing behind it to the thing before it.
RELATIONS: dict[str, str] = _LISTS["relations"]
SCENES = words_by_name(_LISTS["scenes"])
# Words that a landscape shows by itself: with one behind, no icon is needed for them.
PLACES = frozenset(words_in(_LISTS["places"]))
# A word that people use → what the icon sets have.
SYNONYMS: dict[str, str] = {
    word: target
    for target, words in (line.rsplit(": ", 1) for line in _SYNONYM_LISTS["synonyms"].strip().splitlines())
    for word in words_in(words)
}
# An activity → the thing that it needs, and the relation between that thing and the person.
ACTIVITIES: dict[str, tuple[str, str]] = {
    name: (thing, relation) for name, (thing, relation) in _SYNONYM_LISTS["activities"].items()
}
FIGURATIVE = frozenset(words_in(_SYNONYM_LISTS["figurative"]))

_SERVED = re.compile(
    r"\b(?:cup|mug|glass|pint|bowl|slice|piece|bottle|bunch)s? of (?=(?:hot |fresh |cold )?"
    r"(?:tea|coffee|cocoa|wine|beer|ramen|soup|noodles|rice|pizza|cake|milk|matcha|espresso)\b)()",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:named|called)\s+\w+", re.IGNORECASE)
_PICTOGRAM = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")
# how a sign is to be shown and of which skin; it names nothing
_MODIFIER = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]")


def plain(text: str) -> str:
    """Without accents: `Zürich` → `Zurich`."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def words_of(text: str) -> list[str]:
    """The words in small letters, without accents; a `pizza-eating dog` is a dog eating pizza."""
    text = plain(text).replace("’", "'").replace("T-shirt", "tshirt").replace("t-shirt", "tshirt")
    text = _SERVED.sub(r"\1", text)
    text = _NAMED.sub(" ", re.sub(r"'s\b|'S\b", "", text))
    text = re.sub(
        r"\b(\w+)-(playing|eating|drinking|riding|reading|holding|wearing|loving)\s+(\w+)", r"\3 \2 \1", text
    )
    return re.findall(r"[a-z]+|\d+", re.sub(r"(?<=[A-Za-z])'(?=[A-Za-z])", "", text).lower())


def stem(word: str) -> str:
    """Singular, roughly: `foxes` → `fox`, `cherries` → `cherry`, `wolves` → `wolf`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word in ("wolves", "knives", "leaves", "elves", "shelves"):
        return word[:-3] + "f"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses", "zes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return {"mice": "mouse", "geese": "goose", "children": "child", "feet": "foot"}.get(word, word)


def emoji_in_words(assets: Assets, text: str) -> str:
    """`text` with each emoji replaced by its name: "🐱 on 🍕" is "cat face on pizza"."""
    if not _PICTOGRAM.search(text):
        return text
    names = _emoji_names(assets)
    return " ".join(
        _PICTOGRAM.sub(lambda match: f" {names.get(match.group(), '')} ", _MODIFIER.sub("", text)).split()
    )


@lru_cache(maxsize=2)
def _emoji_names(assets: Assets) -> dict[str, str]:
    entries = json.loads(assets.words.read_text(encoding="utf-8"))
    named = ((_MODIFIER.sub("", entry["emoji"]), entry["label"]) for entry in entries)
    return {sign: label for sign, label in named if len(sign) == 1}
