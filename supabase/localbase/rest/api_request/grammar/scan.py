"""The scanner under the parsers: a text and a place in it. It rejects what it cannot read; `parse_error` says why."""

from __future__ import annotations

import re

from localbase.rest.api_request.grammar.terms import Field, JsonStep

# A dash must go on with a name, unless it begins an arrow. `[^\W\d]` are letters of any script, and `_`. No match is
# shorter than it could be; possessive quantifiers, which say the same, are wrong in Python before 3.11.5 (gh-106052).
_NAME = re.compile(r"(?:[^\W\d]|[0-9 $])+(?:-(?:[^\W\d]|[0-9 $])+)*(?![^\W\d]|[0-9 $]|-(?!>))")
# A field without a path or blanks, up to what ends it: it needs no look at each sign.
_EVERYDAY_FIELD = re.compile(r"[A-Za-z_]\w*(?=[.,)]|\Z)", re.ASCII)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BLANK, _BLANKS = re.compile(r"[ \t]*"), (" ", "\t")
_INDEX = re.compile(r"-?[0-9]+(?=->|::|[.,]|\Z)")
_KEY = re.compile(r"[^(\-:.,>)]+(?:-[^(\-:.,>)]+)*(?![^(\-:.,>)]|-(?!>))")
_IDENTIFIER = re.compile(r"(?:[^\W\d]|[0-9 $])+")

MOST_LISTED = 1664
"""Postgres's own limit of a list of columns. What is longer would be read and planned in the event loop for nothing."""


class GrammarError(Exception):
    """The text does not fit. `reason` names a rule of our own, beyond upstream's grammar."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class Scanner:
    """Reads `text` from left to right. `take…` answers nothing where it does not fit; `expect…` raises."""

    __slots__ = ("_items", "place", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self._items = 0

    def begin_item(self) -> None:
        """Counts an item of the text's list; raises for one too many."""
        self._items += 1
        if self._items > MOST_LISTED:
            raise GrammarError(f"at most {MOST_LISTED} items are read")

    def at_end(self) -> bool:
        """Tell whether all was read."""
        return self.place >= len(self.text)

    def peek(self, literal: str) -> bool:
        """Tell whether `literal` comes next."""
        return self.text.startswith(literal, self.place)

    def take(self, literal: str) -> bool:
        """Steps over `literal` if it comes next."""
        if self.text.startswith(literal, self.place):
            self.place += len(literal)
            return True
        return False

    def expect(self, literal: str) -> None:
        """Steps over `literal`."""
        if not self.take(literal):
            raise GrammarError

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Steps over what fits `pattern` here."""
        match = pattern.match(self.text, self.place)
        if match:
            self.place = match.end()
        return match

    def skip_blank(self) -> None:
        """Steps over blanks."""
        if self.text.startswith(_BLANKS, self.place):
            self.match(_BLANK)

    def take_comma(self) -> bool:
        """Steps over a comma, with blanks around it. Blanks without one are an error."""
        start = self.place
        self.skip_blank()
        if self.take(","):
            self.skip_blank()
            return True
        if self.place != start:
            raise GrammarError
        return False

    def take_quoted(self) -> str | None:
        """A `"…"` with its escapes undone."""
        match = self.match(_QUOTED) if self.peek('"') else None
        return _ESCAPED.sub(r"\1", match[1]) if match else None

    def expect_name(self) -> str:
        """A field's, resource's or alias's name."""
        quoted = self.take_quoted()
        if quoted is not None:
            return quoted
        match = self.match(_NAME)
        if not match:
            raise GrammarError
        return "-".join(part.strip() for part in match[0].split("-"))

    def expect_identifier(self) -> str:
        """A type's or language's name."""
        match = self.match(_IDENTIFIER)
        if not match:
            raise GrammarError
        return match[0].strip()

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
            quoted = self.take_quoted()
            if quoted is None:
                key = None if self.peek('"') else self.match(_KEY)
                if not key:
                    raise GrammarError
                quoted = "-".join(part.strip() for part in key[0].split("-"))
            steps.append(JsonStep(arrow, quoted, False))

    def expect_field(self) -> Field:
        """A name with its JSON path, blanks around it allowed."""
        everyday = self.match(_EVERYDAY_FIELD)
        if everyday:
            return Field(everyday[0])
        self.skip_blank()
        field = Field(self.expect_name(), self.json_path())
        self.skip_blank()
        return field
