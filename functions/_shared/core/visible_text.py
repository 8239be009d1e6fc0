"""Characters that are not seen: hidden_characters.json, which the web client reads too and SQL repeats.

`hidden` characters (controls, zero width, direction, fillers) are refused in one-line texts that a parcel or another
person shows: names, addresses. `blank` ones are seen as nothing, but belong between others (spaces, joiners, variation
selectors of emoji). A text of these two alone is empty. `stripped` ones are taken out of longer texts, which may have
lines, flags and emoji: controls, and what turns the direction of reading. `copied` ones come along when an address is
copied from a page, a letter or an address book: they are taken out of it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from pydantic import BeforeValidator

_RANGES: Mapping[str, list[str]] = json.loads(
    Path(__file__).with_name("hidden_characters.json").read_text(encoding="utf-8")
)
_JOINERS = ("\u200c", "\u200d")
_LETTERS_AND_MARKS = ("Lo", "Mn", "Mc")


def _class(*names: str) -> str:
    """The inside of a regular expression's brackets."""
    ranges = [part.partition("-") for name in names for part in _RANGES[name]]
    return "".join(f"\\U{first:0>8}-\\U{last or first:0>8}" for first, _, last in ranges)


_HIDDEN = re.compile(f"[{_class('hidden')}]")
_VISIBLE = re.compile(f"[^{_class('hidden', 'blank')}]")
_STRIPPED = re.compile(f"[{_class('stripped')}]+")
_COPIED = re.compile(f"[{_class('copied')}]+")


def has_hidden_characters(text: str) -> bool:
    """Tell whether a one-line text holds characters that are not seen, or joiners where they join nothing."""
    return _HIDDEN.search(text) is not None or any(_is_lost_joiner(text, place) for place in range(len(text)))


def is_blank(text: str) -> bool:
    """Tell whether nothing of it is seen."""
    return _VISIBLE.search(text) is None


def without_copied_marks(text: str) -> str:
    """A one-line text without the marks that copying brings, and with ordinary blanks."""
    kept = _COPIED.sub("", text)
    return "".join(
        " " if character == "\t" or unicodedata.category(character) == "Zs" else character
        for place, character in enumerate(kept)
        if not _is_lost_joiner(kept, place)
    )


def clean_text(text: str) -> str:
    """A text of any length without controls and turned direction, trimmed; empty when nothing of it is seen."""
    cleaned = _STRIPPED.sub("", text).strip()
    return "" if is_blank(cleaned) else cleaned


def _is_lost_joiner(text: str, place: int) -> bool:
    """Joiners belong between letters of Arabic and Indic scripts; elsewhere they only make two words look alike."""
    if text[place] not in _JOINERS:
        return False
    before = text[place - 1] if place else "a"
    return before.isascii() or unicodedata.category(before) not in _LETTERS_AND_MARKS


def _cleaned(value: object) -> object:
    return clean_text(value) if isinstance(value, str) else value


Cleaned = BeforeValidator(_cleaned)
"""For fields with `StringConstraints`: lengths are those of the cleaned text."""
