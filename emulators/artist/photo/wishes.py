"""The wishes in the shopper's own words: ground, colour, light, crop and things to add.

Unknown words change nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from emulators.core.word_lists import read_word_lists, words_by_name

_LISTS = read_word_lists(Path(__file__).parent.parent / "data" / "photo_wishes.toml")

TINTS: dict[str, str] = _LISTS["tints"]
GROUNDS = words_by_name(_LISTS["backgrounds"])
THINGS = words_by_name(_LISTS["things"])
WORN = words_by_name(_LISTS["worn"])

_NO_GROUND = re.compile(
    r"\b(?:remove|no|without|delete|erase|drop|get rid of|take out|take away|cut out|clear)\b[^.;,]*\bback\s?-?ground\b"
    r"|\bback\s?-?ground\b[^.;,]*\b(?:removed|transparent|away|gone|out|off)\b|\btransparent\b|\bcut\s?-?out\b"
    r"|\bisolate[ds]?\b|\bjust the (?:subject|person|pet|face|dog|cat|object)\b"
)
_KEEP_GROUND = re.compile(
    r"\b(?:keep|leave|preserve|retain|with)\b[^.;,]*\b(?:the|its|original|whole|full|entire|same)\b[^.;,]*"
    r"\b(?:back\s?-?ground|scene|scenery|photo|picture)\b|\b(?:don'?t|do not|never) (?:remove|change|touch)\b[^.;,]*"
    r"\bback\s?-?ground\b"
)
_GREY = re.compile(
    r"\b(?:black (?:and|&|n) white|black-and-white|b\s?&\s?w|monochrome|gr[ae]y\s?-?scale|grayscale)\b"
)
_NEGATED = re.compile(r"\b(?:no|without|not|remove|don'?t add|do not add|never)\s+(?:any\s+|the\s+|a\s+)?$")


@dataclass(frozen=True)
class Wishes:
    """`light`, `contrast` and `colour` are steps from -2 to 2; `ground` is a name of GROUNDS, "none", "keep" or ""."""

    ground: str = ""
    ground_tint: str = ""
    tint: str = ""
    grey: bool = False
    sepia: bool = False
    light: int = 0
    contrast: int = 0
    colour: int = 0
    close: bool = False
    mirrored: bool = False
    frame: str = ""
    things: tuple[str, ...] = ()
    worn: tuple[str, ...] = ()


_MORE_LIGHT = r"bright(?:er|en)?|light(?:er|en)|sunnier"
_LESS_LIGHT = r"dark(?:er|en)|dimmer|moodier|moody"
_MORE_CONTRAST = r"(?:more|higher|high|stronger|boost|increase)[^.;,]{0,12}contrast|punch(?:y|ier)|crisper"
_LESS_CONTRAST = r"(?:less|lower|low|reduce)[^.;,]{0,12}contrast|softer"
_MORE_COLOUR = (
    r"(?:more|extra|very) (?:colou?rful|colou?r|vivid|saturat\w+|vibrant)|vivid|vibrant|colou?rful|saturated"
    r"|brighter colou?rs"
)
_LESS_COLOUR = r"(?:less|fewer) (?:colou?r\w*|saturat\w+)|muted|desaturat\w+|faded"
_CLOSE = re.compile(
    r"\b(?:zoom(?:ed)? in|close[\s-]?up|closer|(?:just|only) the (?:face|head)|head\s?shot|crop to"
    r"|focus on (?:the|her|his|their|my) (?:face|head))\b"
)
_CLAUSES = re.compile(r"[.;,!\n]+|\b(?:and|then|but|plus)\b")
_BEHIND = re.compile(r"\bback\s?-?ground|\bbackdrop|\bbehind\b")
_PLACED = re.compile(r"\b(?:in|on|at|into|onto)\b(?: (?:a|an|the|outer|deep|some))?( .*)")
_PLACES = {name: GROUNDS[name] for name in ("sunset", "space", "forest", "beach", "mountains", "city")}


def read_wishes(text: str) -> Wishes:
    """The wishes in `text`, which is any English."""
    words = " ".join(text.lower().split())
    ground, ground_tint = _ground(words)
    rest = ". ".join(clause for clause in _CLAUSES.split(words) if not _BEHIND.search(clause))
    return Wishes(
        ground=ground,
        ground_tint=ground_tint,
        tint=_tint(rest),
        grey=bool(_GREY.search(words)),
        sepia=bool(re.search(r"\bsepia\b", words)),
        light=_steps(words, _MORE_LIGHT, _LESS_LIGHT),
        contrast=_steps(words, _MORE_CONTRAST, _LESS_CONTRAST),
        colour=_steps(words, _MORE_COLOUR, _LESS_COLOUR),
        close=bool(_CLOSE.search(words)),
        mirrored=bool(re.search(r"\b(?:flip|flipped|mirror|mirrored)\b", words)),
        frame=_frame(words),
        things=_named(words, THINGS),
        worn=_named(words, WORN),
    )


def _steps(words: str, up: str, down: str) -> int:
    more = re.search(rf"\b(much |a lot |way |really )?(?:{up})\b", words)
    less = re.search(rf"\b(much |a lot |way |really )?(?:{down})\b", words)
    return (2 if more and more.group(1) else 1 if more else 0) - (
        2 if less and less.group(1) else 1 if less else 0
    )


def _named(words: str, table: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The entries of `table` that the words name, in their order; "no stars" means none."""
    entries = []
    for name, synonyms in table.items():
        for synonym in sorted(synonyms, key=len, reverse=True):
            match = re.search(rf"\b{re.escape(synonym)}\b", words)
            if match and not _NEGATED.search(words[: match.start()]):
                entries.append((match.start(), name))
                break
    return tuple(name for _, name in sorted(entries))


def _ground(words: str) -> tuple[str, str]:
    if _KEEP_GROUND.search(words):
        return "keep", ""
    if _NO_GROUND.search(words):
        return "none", ""
    for clause in _CLAUSES.split(words):
        if _BEHIND.search(clause):
            names, tint = _named(clause, GROUNDS), _colour(clause)
            if names and names[0] != "plain":
                return names[0], tint
            if tint or names:
                return "plain", tint
        elif placed := _PLACED.search(clause):
            names = _named(placed.group(1), _PLACES)
            if names:
                return names[0], ""
    return "", ""


def _colour(words: str) -> str:
    tints = [
        (match.start(), tint) for name, tint in TINTS.items() if (match := re.search(rf"\b{name}\b", words))
    ]
    return min(tints)[1] if tints else ""


def _tint(words: str) -> str:
    """The colour that the whole is to take: "make it blue", "in red tones", "purple hair" as near as can be."""
    verbs = (
        r"\b(?:make|turn|paint|colou?r|tint|recolou?r|change|dye|in|with|use|all|shades? of|tones? of|more)\b"
    )
    match = re.search(rf"{verbs}[^.;,]*", words)
    said = match.group(0) if match else ""
    hue = re.search(
        r"\b([a-z]+) (?:tones?|tint|hues?|shades?|colou?rs?|palette|hair|fur|theme|version|filter|only)\b",
        words,
    )
    if hue and hue.group(1) in TINTS:
        return TINTS[hue.group(1)]
    said = re.sub(
        r"\bwith (?:a |an |some |many |lots of )?(?:\w+ )?(?:stars?|hearts?|flowers?|roses?|crown|bubbles?|leaves)\b",
        "",
        said,
    )
    said = re.sub(
        r"\b\w+ (?:stars?|hearts?|flowers?|roses?|crown|sunglasses|glasses|bubbles?|leaves|hat)\b", "", said
    )
    bare = re.fullmatch(r"\W*(\w+)\W*", words)
    if bare and bare.group(1) in TINTS:
        return TINTS[bare.group(1)]
    return _colour(said)


def _frame(words: str) -> str:
    if re.search(r"\b(?:circle|circular|round|badge|oval)\b", words):
        return "circle"
    if re.search(r"\b(?:arch|arched|window)\b", words):
        return "arch"
    if re.search(r"\b(?:frame|framed|border|square|polaroid|postcard|rectangle)\b", words):
        return "panel"
    return ""
