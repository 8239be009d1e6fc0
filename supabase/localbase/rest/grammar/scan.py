"""The scanner under the parsers: a text, a place in it, and an error that says where and what was expected.

Errors have the wording of PostgREST's parser library: `unexpected "x" expecting …`.
"""

from __future__ import annotations

import re

from localbase.rest.grammar.terms import Field, JsonStep

_NAME = re.compile(r"[\w $]+(?:-(?!>)[\w $]+)*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BLANK = re.compile(r"[ \t]*")
_INDEX = re.compile(r"-?[0-9]+(?=->|::|[.,)]|\Z)")
_KEY = re.compile(r"[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*")
_IDENTIFIER = re.compile(r"[\w $]+")

FIELD_NAME = "field name (* or [a..z0..9_$])"


class GrammarError(Exception):
    """The text does not fit. `place` counts from 1."""

    def __init__(self, place: int, unexpected: str, expecting: str) -> None:
        super().__init__(expecting)
        self.place = place
        self.unexpected = unexpected
        self.expecting = expecting

    @property
    def details(self) -> str:
        """The parser library's sentence."""
        return f"unexpected {self.unexpected} expecting {self.expecting}"


class Scanner:
    """Reads `text` from left to right. `take…` answers nothing where it does not fit; `expect…` raises."""

    __slots__ = ("place", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def at_end(self) -> bool:
        """Whether all was read."""
        return self.place >= len(self.text)

    def error(self, expecting: str) -> GrammarError:
        """What stands here is not what was expected."""
        found = "end of input" if self.at_end() else f'"{self.text[self.place]}"'
        return GrammarError(self.place + 1, found, expecting)

    def peek(self, literal: str) -> bool:
        """Whether `literal` stands here."""
        return self.text.startswith(literal, self.place)

    def take(self, literal: str) -> bool:
        """Steps over `literal` if it stands here."""
        if self.text.startswith(literal, self.place):
            self.place += len(literal)
            return True
        return False

    def expect(self, literal: str, expecting: str = "") -> None:
        """Steps over `literal`."""
        if not self.take(literal):
            raise self.error(expecting or f'"{literal}"')

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Steps over what fits `pattern` here."""
        found = pattern.match(self.text, self.place)
        if found:
            self.place = found.end()
        return found

    def skip_blank(self) -> None:
        """Steps over blanks."""
        self.match(_BLANK)

    def take_quoted(self) -> str | None:
        """A `"…"` with its escapes undone."""
        found = self.match(_QUOTED)
        return _ESCAPED.sub(r"\1", found[1]) if found else None

    def expect_name(self) -> str:
        """A field's, resource's or alias's name."""
        quoted = self.take_quoted()
        if quoted is not None:
            return quoted
        found = self.match(_NAME)
        if not found:
            raise self.error(FIELD_NAME)
        return "-".join(part.strip() for part in found[0].split("-"))

    def expect_identifier(self) -> str:
        """A type's or language's name."""
        found = self.match(_IDENTIFIER)
        if not found:
            raise self.error("letter or digit")
        return found[0].strip()

    def json_path(self) -> tuple[JsonStep, ...]:
        """`->key->>0…`, possibly empty."""
        steps: list[JsonStep] = []
        while True:
            if self.take("->>"):
                arrow = "->>"
            elif self.take("->"):
                arrow = "->"
            else:
                return tuple(steps)
            index = self.match(_INDEX)
            if index:
                steps.append(JsonStep(arrow, index[0], True))
                continue
            if self.peek("-"):
                self.place += 1
                raise self.error("digit")
            quoted = self.take_quoted()
            if quoted is None:
                key = self.match(_KEY)
                if not key:
                    raise self.error("any non reserved character different from: .,>()")
                quoted = "-".join(part.strip() for part in key[0].split("-"))
            steps.append(JsonStep(arrow, quoted, False))

    def expect_field(self) -> Field:
        """A name with its JSON path, blanks around it allowed."""
        self.skip_blank()
        field = Field(self.expect_name(), self.json_path())
        self.skip_blank()
        return field
