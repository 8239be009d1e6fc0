"""The refusals of the emulated models, as the vendor's moderation does: by words, in any spelling.

It is a list (`refused_words.toml`) and no judgement: it stops plainly typed words for what does not belong on a shirt,
and what a shop must not print because it belongs to another company. The error never says which word it was.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from emulators.core.word_lists import read_word_lists, words_in

_LISTS = read_word_lists(Path(__file__).parent / "refused_words.toml")

_LOOKALIKES = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"}
)


def _pattern(*lists: str) -> re.Pattern[str]:
    words = sorted({word for name in lists for word in words_in(_LISTS[name])}, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(re.escape(word) for word in words) + r")\b")


_REFUSED = _pattern("sexual", "violent", "hateful", "owned")
_ALLOWED = _pattern("harmless")


def is_refused(prompt: str) -> bool:
    """Tell whether the models refuse this prompt."""
    return any(_REFUSED.search(_ALLOWED.sub(" ", text)) for text in _readings(prompt))


def _readings(prompt: str) -> tuple[str, ...]:
    """The prompt in plain small letters; with digits as the letters they imitate; and with spaced-out words shut."""
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", prompt.casefold())
        if not unicodedata.combining(letter) and unicodedata.category(letter) != "Cf"
    )
    words = _words(plain)
    # "p.o.r.n" and "p o r n": single letters in a row are one word
    shut = re.sub(r"\b(?:[a-z] ){2,}[a-z]\b", lambda match: match.group().replace(" ", ""), words)
    return words, _words(plain.translate(_LOOKALIKES)), shut


def _words(text: str) -> str:
    """Words apart by one space; apostrophes belong to nothing."""
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"['’]", "", text)).strip()
