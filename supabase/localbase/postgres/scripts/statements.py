"""Splits an SQL script into statements, as psql does: quotes, comments, parentheses and BEGIN ATOMIC bodies hold.

The rows after `copy … from stdin;` belong to that statement, up to a line `\\.` or the end. A backslash where a
statement could begin makes the line a command of psql, which is a piece of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

# As in Postgres's lexer each character that is not ASCII may be in a name. A quote that is never closed reaches to the
# end: no alternative fails after it has begun, so that nothing is read twice. Before a statement the
# official CLI passes over spaces of all scripts and over byte-order marks, which files that were joined have inside.
_TOKEN = re.compile(
    r"""
    (?P<skip>--[^\n\r]*|[ \t\n\r\f\v\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+)
  | (?P<block>/\*)
  | (?P<string>[eE]'(?:[^'\\]+|\\(?:.|\Z)|''
        |'[ \t\f\v]*+(?:--[^\n\r]*+)?[\n\r](?:[ \t\n\r\f\v]++|--[^\n\r]*+[\n\r])*+')*+'?|'[^']*'?)
  | (?P<name>"[^"]*"?)
  | (?P<dollar>\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$)
  | (?P<word>[A-Za-z_\x80-\U0010ffff][\w$\x80-\U0010ffff]*)
  | (?P<mark>[;()\\])
  | (?P<other>[^ \t\n\r\f\v;()\\'"$/A-Za-z_\x80-\U0010ffff-]+|.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_REPLACES = ("create", "or", "replace")
_END_OF_ROWS = re.compile(r"^\\\.\r?(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """One statement without its semicolon, and the line of the script where it begins (from 1).

    `rows` is what follows `copy … from stdin;`, `rows_line` the line of its first row. `copies` says which way a `copy`
    goes, if it goes through the connection.
    """

    sql: str
    line: int
    copies: Literal["in", "out"] | None = None
    rows: str = ""
    rows_line: int = 0

    @property
    def text(self) -> str:
        """All of it, in the form in which it is recorded: it can be split again."""
        return f"{self.sql};\n{self.rows}\\." if self.copies == "in" else self.sql

    @property
    def is_meta_command(self) -> bool:
        """Tell whether psql would run it and not send it."""
        return self.sql.startswith("\\")


class _Statement:
    """The statement that is being read."""

    def __init__(self) -> None:
        self.start: int | None = None
        self.parentheses = 0
        self.atomic = 0  # depth of BEGIN ATOMIC … END bodies: their semicolons belong to the function
        self.copies: Literal["in", "out"] | None = None
        self._previous = ""
        self._begin: list[str] = []  # its first words

    def read_word(self, word: str) -> None:
        previous, self._previous = self._previous, word
        if len(self._begin) < len(_REPLACES) + 1:
            self._begin.append(word)
        if word == "atomic" and previous == "begin" and self._makes_routine():
            self.atomic = 1
        elif self.atomic and word in ("case", "end"):
            self.atomic += 1 if word == "case" else -1
        elif self._begin[0] == "copy" and not self.parentheses:
            if (previous, word) == ("from", "stdin"):
                self.copies = "in"
            elif (previous, word) == ("to", "stdout"):
                self.copies = "out"

    def _makes_routine(self) -> bool:
        """Elsewhere the two words are a transaction's beginning or names."""
        words = self._begin
        kind = words[len(_REPLACES) :] if words[: len(_REPLACES)] == [*_REPLACES] else words[1:2]
        return words[0] == "create" and kind[:1] in (["function"], ["procedure"])

    def read_parenthesis(self, mark: str) -> None:
        self.parentheses = self.parentheses + 1 if mark == "(" else max(self.parentheses - 1, 0)


def split(script: str, *, rows_follow: bool = True) -> Iterator[Piece]:
    """The statements of `script`, in order. Without `rows_follow` it is the rest of a line, with no rows."""
    lines = _Lines(script)
    statement = _Statement()
    position = 0
    while match := _TOKEN.match(script, position):
        kind, start = match.lastgroup, statement.start
        position = match.end()
        if kind == "skip":
            continue
        if kind == "block":
            position, closed = _end_of_comment(script, position)
            if not closed and start is None:
                statement.start = match.start()
            continue
        mark = match[0] if kind == "mark" else ""
        if mark == ";" and not statement.parentheses and not statement.atomic:
            if start is not None:
                sql, line = _trimmed(script[start : match.start()]), lines.at(start)
                if statement.copies == "in" and rows_follow:
                    line_of_rest = lines.at(match.start())
                    rest, position = _rest_of_line(script, position)
                    # psql reads the rows at once, and runs what the line has behind `copy … from stdin;` after it.
                    behind = [replace(each, line=line_of_rest) for each in split(rest, rows_follow=False)]
                    for each in (Piece(sql, line, "in"), *behind):
                        if each.copies == "in":
                            first = position
                            rows, position = _rows(script, first)
                            yield replace(each, rows=rows, rows_line=lines.at(first))
                        else:
                            yield each
                else:
                    yield Piece(sql, line, statement.copies)
            statement = _Statement()
            continue
        if start is None:
            statement.start = match.start()
            if mark == "\\":
                end = script.find("\n", position)
                position = len(script) if end < 0 else end
                yield Piece(_trimmed(script[match.start() : position]), lines.at(match.start()))
                statement = _Statement()
                continue
        if mark in ("(", ")"):
            statement.read_parenthesis(mark)
        elif kind == "dollar":
            end = script.find(match[0], position)
            position = len(script) if end < 0 else end + len(match[0])
        elif kind == "word":
            statement.read_word(match[0].lower())
    if statement.start is not None:
        sql, line = _trimmed(script[statement.start :]), lines.at(statement.start)
        yield Piece(
            sql, line, statement.copies, rows_line=lines.at(len(script)) if statement.copies == "in" else 0
        )


def _trimmed(sql: str) -> str:
    return sql.rstrip().rstrip("\ufeff").rstrip()


class _Lines:
    """The numbers of lines, for positions that only grow."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._position, self._line = 0, 1

    def at(self, position: int) -> int:
        self._line += self._script.count("\n", self._position, position)
        self._position = position
        return self._line


def _rest_of_line(script: str, position: int) -> tuple[str, int]:
    """The rest of the line, and the position of the next line."""
    newline = script.find("\n", position)
    return (script[position:], len(script)) if newline < 0 else (script[position:newline], newline + 1)


def _rows(script: str, first: int) -> tuple[str, int]:
    """The rows from the position `first` on, and the position after them."""
    end = _END_OF_ROWS.search(script, first)
    if end is not None:
        return script[first : end.start()], end.end()
    rows = script[first:]
    return rows if not rows or rows.endswith("\n") else rows + "\n", len(script)


def _end_of_comment(script: str, position: int) -> tuple[int, bool]:
    """Return where it ends, and whether anything ends it but the script's end."""
    depth = 1
    while depth:
        edge = _COMMENT_EDGE.search(script, position)
        if edge is None:
            return len(script), False
        depth += 1 if edge[0] == "/*" else -1
        position = edge.end()
    return position, True
