"""Recognizers that fail as Haskell's Parsec fails: what was unexpected where, and all that could have come instead.

Upstream shows Parsec's sentence to the client, so its bookkeeping is part of the wire protocol: errors carry the place
and messages, alternatives that got equally far put theirs together, a label stands for what it hides. This serves the
explanation of texts that do not fit; the parsers that read requests know none of it. After Parsec's own definitions
(`Text.Parsec.Prim`, `Text.Parsec.Error`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

_SYSTEM, _UNEXPECTED, _EXPECTED = 0, 1, 2
Message = tuple[int, str]


class Failure(NamedTuple):
    """Messages about one place of the text (an index). Without any it says nothing."""

    place: int
    messages: tuple[Message, ...] = ()


class Outcome(NamedTuple):
    """The outcome of a parser: read or not, fitting or not, how far, and what else could have stood at the end."""

    read: bool
    fits: bool
    end: int
    failure: Failure


Parser = Callable[[str, int], Outcome]


def merged(first: Failure, second: Failure) -> Failure:
    """The failure that got further; both, when equally far."""
    if not second.messages and first.messages:
        return first
    if not first.messages and second.messages:
        return second
    if first.place != second.place:
        return first if first.place > second.place else second
    return Failure(first.place, first.messages + second.messages)


@lru_cache(maxsize=1024)
def shown(text: str) -> str:
    """A text in quotes, as Haskell shows it."""
    return f'"{_escaped(text, chr(34))}"'


def _escaped(text: str, quote: str) -> str:
    signs = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", quote: "\\" + quote}
    return "".join(signs.get(c) or (c if " " <= c <= "~" else f"\\{ord(c)}") for c in text)


def _expecting(failure: Failure, label: str) -> Failure:
    kept = tuple(message for message in failure.messages if message[0] != _EXPECTED)
    return Failure(failure.place, ((_EXPECTED, label), *kept))


def sign(test: Callable[[str], bool], label: str | None = None) -> Parser:
    """One sign that passes the test."""

    def parse(text: str, place: int) -> Outcome:
        if place < len(text) and test(text[place]):
            return Outcome(True, True, place + 1, Failure(place + 1))
        unexpected = shown(text[place]) if place < len(text) else ""
        return Outcome(False, False, place, Failure(place, ((_SYSTEM, unexpected),)))

    return labelled(parse, label) if label else parse


def char(expected: str) -> Parser:
    """This sign."""
    return sign(lambda character: character == expected, shown(expected))


def none_of(signs: str) -> Parser:
    """Any other sign."""
    return sign(lambda character: character not in signs)


def string(expected: str) -> Parser:
    """These signs in a row; a failure speaks of the first one's place."""

    def parse(text: str, place: int) -> Outcome:
        for number, letter in enumerate(expected):
            if place + number >= len(text) or text[place + number] != letter:
                unexpected = shown(text[place + number]) if place + number < len(text) else ""
                messages = ((_EXPECTED, shown(expected)), (_SYSTEM, unexpected))
                return Outcome(number > 0, False, place, Failure(place, messages))
        end = place + len(expected)
        return Outcome(True, True, end, Failure(end))

    return parse


def nothing(_text: str, place: int) -> Outcome:
    """Always fits."""
    return Outcome(False, True, place, Failure(place))


def never(_text: str, place: int) -> Outcome:
    """Never fits, and says nothing of it."""
    return Outcome(False, False, place, Failure(place))


def end_of_input(text: str, place: int) -> Outcome:
    """The end of the text."""
    label = (_EXPECTED, "end of input")
    if place >= len(text):
        return Outcome(False, True, place, Failure(place, (label, (_SYSTEM, ""))))
    unexpected = (_UNEXPECTED, f"'{_escaped(text[place], chr(39))}'")
    return Outcome(False, False, place, Failure(place, (label, unexpected)))


def sequence(*parsers: Parser) -> Parser:
    """One after the other."""

    def parse(text: str, place: int) -> Outcome:
        read, failure = False, Failure(place)
        for parser in parsers:
            outcome = parser(text, place)
            failure = outcome.failure if outcome.read else merged(failure, outcome.failure)
            read = read or outcome.read
            place = outcome.end
            if not outcome.fits:
                return Outcome(read, False, place, failure)
        return Outcome(read, True, place, failure)

    return parse


def either(*parsers: Parser) -> Parser:
    """The first that fits, or that fails after having read something."""

    def parse(text: str, place: int) -> Outcome:
        failure = Failure(place)
        for number, parser in enumerate(parsers):
            outcome = parser(text, place)
            if outcome.read:
                return outcome
            failure = merged(failure, outcome.failure) if number else outcome.failure
            if outcome.fits:
                return Outcome(False, True, outcome.end, failure)
        return Outcome(False, False, place, failure)

    return parse


def optional(parser: Parser) -> Parser:
    """It, or nothing."""
    return either(parser, nothing)


def many(parser: Parser) -> Parser:
    """As often as it fits."""

    def parse(text: str, place: int) -> Outcome:
        read = False
        while True:
            outcome = parser(text, place)
            if not outcome.fits:
                if outcome.read:
                    return outcome
                return Outcome(read, True, place, outcome.failure)
            read, place = True, outcome.end

    return parse


def many_once(parser: Parser) -> Parser:
    """At least once."""
    return sequence(parser, many(parser))


def separated(parser: Parser, separator: Parser) -> Parser:
    """At least once, with a separator between."""
    return sequence(parser, many(sequence(separator, parser)))


def attempt(parser: Parser) -> Parser:
    """A failure counts as having read nothing."""

    def parse(text: str, place: int) -> Outcome:
        outcome = parser(text, place)
        return outcome if outcome.fits else Outcome(False, False, place, outcome.failure)

    return parse


def ahead(parser: Parser) -> Parser:
    """Looks without reading."""

    def parse(text: str, place: int) -> Outcome:
        outcome = parser(text, place)
        return Outcome(False, True, place, Failure(place)) if outcome.fits else outcome

    return parse


def not_followed_by(parser: Parser) -> Parser:
    """Fits where the one-sign parser does not."""

    def parse(text: str, place: int) -> Outcome:
        outcome = parser(text, place)
        if not outcome.fits:
            return Outcome(False, True, place, merged(outcome.failure, Failure(place)))
        unexpected = (_UNEXPECTED, f"'{_escaped(text[place], chr(39))}'")
        return Outcome(False, False, place, Failure(outcome.end, (unexpected,)))

    return parse


def labelled(parser: Parser, label: str) -> Parser:
    """Return what could have stood at the beginning gets one name."""

    def parse(text: str, place: int) -> Outcome:
        outcome = parser(text, place)
        if outcome.read or (outcome.fits and not outcome.failure.messages):
            return outcome
        return Outcome(False, outcome.fits, outcome.end, _expecting(outcome.failure, label))

    return parse


def position(text: str, place: int) -> tuple[int, int]:
    """Line and column, both from 1; a tab goes on to the next eighth column."""
    line, column = 1, 1
    for letter in text[:place]:
        if letter == "\n":
            line, column = line + 1, 1
        else:
            column += 8 - (column - 1) % 8 if letter == "\t" else 1
    return line, column


def sentence(failure: Failure) -> str:
    """The failure in words."""
    by_kind: list[list[str]] = [[], [], []]
    for kind, text in failure.messages:
        by_kind[kind].append(text)
    system, unexpected, expected = by_kind
    parts = []
    if system and not unexpected:
        parts.append(f"unexpected {system[0] or 'end of input'}")
    parts += [
        f"{word} {_listed(texts)}"
        for word, texts in (("unexpected", unexpected), ("expecting", expected))
        if any(texts)
    ]
    return " ".join(parts) or "unknown parse error"


def _listed(texts: list[str]) -> str:
    different = list(dict.fromkeys(filter(None, texts)))
    return " or ".join(filter(None, (", ".join(different[:-1]), different[-1])))
