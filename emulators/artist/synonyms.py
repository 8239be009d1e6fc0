"""Words that people use → what the icon sets have (`data/synonyms.toml`)."""

from __future__ import annotations

from pathlib import Path

from emulators.word_lists import read_word_lists, words_in

_LISTS = read_word_lists(Path(__file__).parent / "data" / "synonyms.toml")

SYNONYMS: dict[str, str] = {
    word: target
    for target, words in (line.rsplit(": ", 1) for line in _LISTS["synonyms"].strip().splitlines())
    for word in words_in(words)
}
# An activity → the thing that it needs, and the relation between that thing and the person.
ACTIVITIES: dict[str, tuple[str, str]] = {
    name: (thing, relation) for name, (thing, relation) in _LISTS["activities"].items()
}
FIGURATIVE = frozenset(words_in(_LISTS["figurative"]))
