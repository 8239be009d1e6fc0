"""English, as far as t-shirt ideas need it: stems, numbers, colours, relations (`data/lexicon.toml`)."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from emulators.word_lists import read_word_lists, words_by_name, words_in

_LISTS = read_word_lists(Path(__file__).parent / "data" / "lexicon.toml")

NUMBERS: dict[str, int] = _LISTS["numbers"]
COLOURS: dict[str, str] = _LISTS["colours"]
# Words that are no subject by themselves.
STOP = frozenset(words_in(_LISTS["stop"]))
# A preposition or verb → the relation of the thing behind it to the thing before it.
RELATIONS: dict[str, str] = _LISTS["relations"]
SCENES = words_by_name(_LISTS["scenes"])
# Words that a landscape shows by itself: with one behind, no icon is needed for them.
PLACES = frozenset(words_in(_LISTS["places"]))

_SERVED = re.compile(
    r"\b(?:cup|mug|glass|pint|bowl|slice|piece|bottle|bunch)s? of (?=(?:hot |fresh |cold )?"
    r"(?:tea|coffee|cocoa|wine|beer|ramen|soup|noodles|rice|pizza|cake|milk|matcha|espresso)\b)()",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:named|called)\s+\w+", re.IGNORECASE)


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
