"""The wishes that the local artist cannot meet, told before it draws.

The code at an error's end is what the shop reads.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from emulators.artist.faces import missing
from emulators.artist.icons import Icons
from emulators.artist.lexicon import COLOURS, NUMBERS, PLACES, RELATIONS, STOP, stem, words_of
from emulators.assets import Assets
from emulators.core.word_lists import read_word_lists, words_in

_MOST_NAMED = 12
_LISTS = read_word_lists(Path(__file__).parent / "data" / "languages.toml")
_ENGLISH = frozenset((*STOP, *NUMBERS, *COLOURS, *PLACES, *RELATIONS, *words_in(_LISTS["english"])))
# one letter is a word of too many languages, and of none: "L O V E"
_FOREIGN = {
    word
    for words in _LISTS["others"].values()
    for each in words_in(words)
    for word in words_of(each)
    if len(word) > 1
} - _ENGLISH
_SHARED = frozenset(words_in(_LISTS["shared"]))
# so many words in a row are no name any more
_SENTENCE = 5


class UndrawableError(ValueError):
    """The brief asks for what this artist cannot draw."""

    @classmethod
    def not_english(cls) -> UndrawableError:
        return cls("The local renderer reads English. (code: SAMPLE-LANGUAGE)")

    @classmethod
    def no_letters(cls, signs: list[str]) -> UndrawableError:
        return cls(f"No face holds: {' '.join(signs[:_MOST_NAMED])} (code: SAMPLE-SIGNS)")


def refuse_undrawable(words: str, lettering: str, icons: Icons, assets: Assets) -> None:
    """Raises `UndrawableError` for `words` that are not in English, and for signs of `lettering` without a face."""
    if not is_english(words, icons):
        raise UndrawableError.not_english()
    if signs := missing(assets, lettering):
        raise UndrawableError.no_letters(signs)


def is_english(text: str, icons: Icons) -> bool:
    """Tell whether `text` may be English.

    It is not where most letters are of another script, where small words of other languages stand among few English
    ones, or where nothing of a whole sentence is known. Names and coined words pass.
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    letters = [sign for sign in text if sign.isalpha()]
    if sum("LATIN" not in unicodedata.name(letter, "") for letter in letters) * 2 > len(letters):
        return False
    words = [word for word in words_of(re.sub("['’]", " ", text)) if len(word) > 1]
    foreign = len(_FOREIGN.intersection(words))
    english = [
        word
        for word in words
        if word in _ENGLISH
        or (word not in _FOREIGN and (icons.best(word) or icons.best(stem(word))) is not None)
    ]
    if foreign > 1:
        return foreign <= 2 * sum(word not in _SHARED for word in english)
    return bool(english) or len(words) < _SENTENCE
